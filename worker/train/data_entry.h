// SPDX-License-Identifier: Apache-2.0
// How the files of a job are read: between the job's words and the options of formats.
#ifndef SERAPH_WORKER_TRAIN_DATA_ENTRY_H_
#define SERAPH_WORKER_TRAIN_DATA_ENTRY_H_

#include "proto/job.pb.h"
#include "worker/data/label_lists.h"
#include "worker/data/row_format.h"

namespace seraph {

// The labels of data.label, or of an entry's own.
LabelLists LabelListsOf(const v1::LabelSpec& spec);

// How the files of an entry of data.train or data.test are read: as it says itself, else as its
// section says. Where it has another format than the section, it has its own index_base and
// delimiter.
RowFormat::Options FormatOf(const v1::DataSpec& data, const v1::DataPath& entry);

// States all of it in the entry, defaults too, but for what its format does not have.
void PutFormat(const RowFormat::Options& format, v1::DataPath* entry);

}  // namespace seraph

#endif  // SERAPH_WORKER_TRAIN_DATA_ENTRY_H_

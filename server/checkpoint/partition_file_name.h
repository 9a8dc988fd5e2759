// SPDX-License-Identifier: Apache-2.0
#ifndef SERAPH_SERVER_CHECKPOINT_PARTITION_FILE_NAME_H_
#define SERAPH_SERVER_CHECKPOINT_PARTITION_FILE_NAME_H_

#include <cstdint>
#include <string>

namespace seraph {

// "weights/part-00007-of-00256": relative to the model folder. A slash of the table's name becomes
// '+', which no name has, so that every table has a folder of its own directly below the model's.
std::string PartitionFileName(const std::string& table, uint32_t partition, uint32_t partitions);

}  // namespace seraph

#endif  // SERAPH_SERVER_CHECKPOINT_PARTITION_FILE_NAME_H_

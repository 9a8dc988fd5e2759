// SPDX-License-Identifier: Apache-2.0
// docs/JOB_FILE.md and docs/MODELS.md say what the schema and the registries hold, no more and no
// less.
#include <gmock/gmock.h>
#include <google/protobuf/descriptor.h>
#include <gtest/gtest.h>

#include <deque>
#include <fstream>
#include <map>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "absl/strings/match.h"
#include "absl/strings/numbers.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_split.h"
#include "absl/strings/strip.h"
#include "client/cli/job/job_file.h"
#include "client/cli/job/resolve.h"
#include "proto/job.pb.h"
#include "server/optimizer/optimizer.h"
#include "tests/status_matchers.h"
#include "worker/model/registry.h"

namespace seraph {
namespace {

using google::protobuf::Descriptor;
using google::protobuf::FieldDescriptor;
using google::protobuf::Message;
using Cells = std::vector<std::string>;

// The rows of the page's tables whose first cell is code: that cell without its backticks, and the
// other cells.
std::multimap<std::string, Cells> RowsOf(const std::string& page) {
  std::multimap<std::string, Cells> rows;
  std::ifstream in(page);
  EXPECT_TRUE(in.is_open()) << page;
  for (std::string line; std::getline(in, line);) {
    if (!absl::StartsWith(line, "| `")) continue;
    Cells cells;
    for (const absl::string_view cell : absl::StrSplit(line, '|')) {
      cells.emplace_back(absl::StripAsciiWhitespace(cell));
    }
    const std::string key = cells[1].substr(1, cells[1].size() - 2);
    rows.emplace(key, Cells(cells.begin() + 2, cells.end() - 1));
  }
  return rows;
}

// The row of that key with so many cells; empty without one.
Cells RowOf(const std::multimap<std::string, Cells>& rows, const std::string& key, size_t cells) {
  const auto [begin, end] = rows.equal_range(key);
  for (auto row = begin; row != end; ++row) {
    if (row->second.size() == cells) return row->second;
  }
  return {};
}

// "`0`" -> "0"; what is no code is nothing to compare.
bool IsCode(const std::string& cell) { return cell.size() > 2 && cell.front() == '`'; }
std::string Code(const std::string& cell) { return cell.substr(1, cell.find('`', 1) - 1); }

std::string KindOf(const FieldDescriptor& field) {
  if (field.is_map()) return "mapping of ";
  if (field.is_repeated()) return "list of ";
  switch (field.cpp_type()) {
    case FieldDescriptor::CPPTYPE_MESSAGE:
      return "mapping";
    case FieldDescriptor::CPPTYPE_STRING:
      return "text";
    case FieldDescriptor::CPPTYPE_BOOL:
      return "true, false";
    case FieldDescriptor::CPPTYPE_DOUBLE:
      return "number";
    default:
      return "integer";
  }
}

// Every key of a job, by the shortest path to each kind of section.
std::map<std::string, const FieldDescriptor*> KeysOfJobs() {
  std::map<std::string, const FieldDescriptor*> keys;
  std::set<const Descriptor*> met;
  std::deque<std::pair<std::string, const Descriptor*>> sections = {
      {"", v1::JobSpec::descriptor()}};
  while (!sections.empty()) {
    const auto [prefix, type] = sections.front();
    sections.pop_front();
    for (int i = 0; i < type->field_count(); ++i) {
      const FieldDescriptor* const field = type->field(i);
      const std::string path = prefix + field->name();
      keys[path] = field;
      if (field->cpp_type() != FieldDescriptor::CPPTYPE_MESSAGE) continue;
      const Descriptor* below = field->message_type();
      std::string step = field->is_repeated() ? "[]." : ".";
      if (field->is_map()) {
        below = below->FindFieldByName("value")->message_type();
        step = ".NAME.";
      }
      if (below != nullptr && met.insert(below).second) sections.emplace_back(path + step, below);
    }
  }
  return keys;
}

// The value at a path of plain sections, as text; "" where it is unset.
std::string ValueAt(const Message& job, const std::string& path) {
  const Message* at = &job;
  const std::vector<std::string> names = absl::StrSplit(path, '.');
  for (size_t i = 0; i + 1 < names.size(); ++i) {
    const FieldDescriptor* field = at->GetDescriptor()->FindFieldByName(names[i]);
    if (field == nullptr || field->is_repeated()) return "";
    at = &at->GetReflection()->GetMessage(*at, field);
  }
  const FieldDescriptor* field = at->GetDescriptor()->FindFieldByName(names.back());
  if (field == nullptr || field->is_repeated()) return "";
  const auto* reflection = at->GetReflection();
  if (field->has_presence() && !reflection->HasField(*at, field)) return "";
  switch (field->cpp_type()) {
    case FieldDescriptor::CPPTYPE_STRING:
      return reflection->GetString(*at, field);
    case FieldDescriptor::CPPTYPE_BOOL:
      return reflection->GetBool(*at, field) ? "true" : "false";
    case FieldDescriptor::CPPTYPE_DOUBLE:
      return absl::StrCat(reflection->GetDouble(*at, field));
    case FieldDescriptor::CPPTYPE_UINT32:
      return absl::StrCat(reflection->GetUInt32(*at, field));
    case FieldDescriptor::CPPTYPE_UINT64:
      return absl::StrCat(reflection->GetUInt64(*at, field));
    case FieldDescriptor::CPPTYPE_INT64:
      return absl::StrCat(reflection->GetInt64(*at, field));
    default:
      return "";
  }
}

TEST(JobFilePageTest, HasEveryKeyWithItsType) {
  const auto rows = RowsOf("docs/JOB_FILE.md");
  const auto keys = KeysOfJobs();
  for (const auto& [key, field] : keys) {
    ASSERT_EQ(rows.count(key), 1u) << key << " must stand in the page, once";
    const Cells& cells = rows.find(key)->second;
    ASSERT_EQ(cells.size(), 3u) << key;
    EXPECT_THAT(cells[0], ::testing::StartsWith(KindOf(*field))) << key;
    EXPECT_NE(cells[2], "") << key;
  }
  for (const auto& [key, cells] : rows) EXPECT_EQ(keys.count(key), 1u) << "no such key: " << key;
}

TEST(JobFilePageTest, HasTheDefaultsThatJobsAreGiven) {
  // ssp, so that staleness has its default; all that is stated here has none in the page.
  absl::StatusOr<v1::JobSpec> job = ParseJob(
      "model: {type: lr}\ndata: {train: a, format: libsvm, index_base: 1}\nsync: {mode: ssp}\n",
      "job.yaml", "/d", {});
  ASSERT_OK(job.status());
  ASSERT_OK(ResolveJob(4, &*job));
  for (const auto& [key, cells] : RowsOf("docs/JOB_FILE.md")) {
    if (key == "sync.mode") continue;
    const std::string value = ValueAt(*job, key);
    if (IsCode(cells[1]) && !value.empty()) {
      EXPECT_EQ(Code(cells[1]), value) << key;
    }
    if (cells[1] == "none") {
      EXPECT_EQ(value, "") << key;
    }
  }
}

// Of a model: parameters, tables, optimizer, its rate, accumulator and l2, metrics.
constexpr size_t kModelCells = 7;

TEST(ModelsPageTest, HasEveryModelWithItsDefaults) {
  const auto rows = RowsOf("docs/MODELS.md");
  for (const std::string& model : ModelNames()) {
    const Cells cells = RowOf(rows, model, kModelCells);
    ASSERT_EQ(cells.size(), kModelCells) << model << " must stand in the page";
    const ModelDefaults defaults = DefaultsOf(model).value();
    EXPECT_EQ(Code(cells[2]), defaults.optimizer) << model;
    EXPECT_EQ(Code(cells[3]), absl::StrCat(defaults.learning_rate)) << model;
    EXPECT_EQ(Code(cells[4]), absl::StrCat(defaults.initial_accumulator)) << model;
    EXPECT_EQ(Code(cells[5]), absl::StrCat(defaults.l2)) << model;
  }
}

// Rows of parameters are "`OPTIMIZER.PARAMETER` | default | meaning".
TEST(ModelsPageTest, HasEveryParameterOfEveryOptimizerWithItsDefault) {
  const auto rows = RowsOf("docs/MODELS.md");
  std::set<std::string> expected;
  for (const std::string& type : OptimizerNames()) {
    absl::StatusOr<v1::JobSpec> job =
        ParseJob(absl::StrCat("model: {type: lr}\noptimizer: {type: ", type,
                              "}\ndata: {train: a, format: libsvm, index_base: 1}\n"),
                 "job.yaml", "/d", {});
    ASSERT_OK(job.status());
    ASSERT_OK(ResolveJob(4, &*job));
    const OptimizerSpec defaults = OptimizerDefaults(type);
    const Descriptor* const config = v1::OptimizerConfig::descriptor();
    for (int i = 0; i < config->field_count(); ++i) {
      const std::string& name = config->field(i)->name();
      if (!OptimizerHasParameter(type, name)) continue;
      if (config->field(i)->cpp_type() != FieldDescriptor::CPPTYPE_DOUBLE) continue;
      const std::string key = absl::StrCat(type, ".", name);
      expected.insert(key);
      ASSERT_EQ(rows.count(key), 1u) << key << " must stand in the page, once";
      const std::string stated = Code(rows.find(key)->second[0]);
      // adagrad is lr's own optimizer, whose defaults for it differ.
      if (type == job->optimizer().type() && type == DefaultsOf("lr").value().optimizer) continue;
      EXPECT_EQ(stated, ValueAt(*job, "optimizer." + name)) << key;
    }
    EXPECT_EQ(Code(rows.find(type + ".learning_rate")->second[0]),
              absl::StrCat(defaults.learning_rate));
  }
  for (const auto& [key, cells] : rows) {
    if (absl::StrContains(key, ".")) {
      EXPECT_EQ(expected.count(key), 1u) << "no such: " << key;
    }
  }
}

}  // namespace
}  // namespace seraph

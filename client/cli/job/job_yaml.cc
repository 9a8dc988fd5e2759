// SPDX-License-Identifier: Apache-2.0
#include <google/protobuf/descriptor.h>
#include <google/protobuf/message.h>

#include <algorithm>
#include <charconv>
#include <vector>

#include "absl/strings/str_cat.h"
#include "absl/strings/str_join.h"
#include "client/cli/job/resolve.h"
#include "client/cli/job/scalar_text.h"

namespace seraph {
namespace {

using google::protobuf::Descriptor;
using google::protobuf::FieldDescriptor;
using google::protobuf::Message;
using google::protobuf::Reflection;

// The shortest digits that read back equal.
std::string DoubleText(double value) {
  char text[32];
  const auto end = std::to_chars(text, text + sizeof(text), value);
  return std::string(text, end.ptr);
}

std::string ScalarText(const Message& message, const FieldDescriptor* field) {
  const Reflection* reflection = message.GetReflection();
  switch (field->cpp_type()) {
    case FieldDescriptor::CPPTYPE_UINT32:
      return absl::StrCat(reflection->GetUInt32(message, field));
    case FieldDescriptor::CPPTYPE_UINT64:
      return absl::StrCat(reflection->GetUInt64(message, field));
    case FieldDescriptor::CPPTYPE_INT64:
      return absl::StrCat(reflection->GetInt64(message, field));
    case FieldDescriptor::CPPTYPE_DOUBLE:
      return DoubleText(reflection->GetDouble(message, field));
    case FieldDescriptor::CPPTYPE_BOOL:
      return reflection->GetBool(message, field) ? "true" : "false";
    default:
      return YamlText(reflection->GetString(message, field));
  }
}

// Writes fields in the schema's order, which is that of the documentation.
class YamlWriter {
 public:
  std::string Take() { return std::move(text_); }

  void WriteMessage(const Message& message, const std::string& indent) {
    const Descriptor* type = message.GetDescriptor();
    for (int i = 0; i < type->field_count(); ++i) {
      const FieldDescriptor* field = type->field(i);
      if (field->is_map()) {
        WriteMap(message, field, indent);
      } else if (field->is_repeated()) {
        WriteList(message, field, indent);
      } else if (message.GetReflection()->HasField(message, field)) {
        WriteSingle(message, field, indent);
      }
    }
  }

 private:
  void WriteSingle(const Message& message, const FieldDescriptor* field,
                   const std::string& indent) {
    if (field->cpp_type() != FieldDescriptor::CPPTYPE_MESSAGE) {
      absl::StrAppend(&text_, indent, field->name(), ": ", ScalarText(message, field), "\n");
      return;
    }
    WriteSection(field->name(), message.GetReflection()->GetMessage(message, field), indent);
  }

  void WriteSection(const std::string& key, const Message& section, const std::string& indent) {
    YamlWriter inner;
    inner.WriteMessage(section, indent + "  ");
    const std::string below = inner.Take();
    absl::StrAppend(&text_, indent, key, below.empty() ? ": {}\n" : ":\n", below);
  }

  void WriteMap(const Message& message, const FieldDescriptor* field, const std::string& indent) {
    const Reflection* reflection = message.GetReflection();
    const FieldDescriptor* key = field->message_type()->map_key();
    const FieldDescriptor* value = field->message_type()->map_value();
    std::vector<const Message*> pairs;
    for (int i = 0; i < reflection->FieldSize(message, field); ++i) {
      pairs.push_back(&reflection->GetRepeatedMessage(message, field, i));
    }
    if (pairs.empty()) return;
    const auto key_of = [key](const Message* pair) {
      return pair->GetReflection()->GetString(*pair, key);
    };
    std::sort(pairs.begin(), pairs.end(),
              [&key_of](const Message* a, const Message* b) { return key_of(a) < key_of(b); });
    absl::StrAppend(&text_, indent, field->name(), ":\n");
    for (const Message* pair : pairs) {
      if (value->cpp_type() != FieldDescriptor::CPPTYPE_MESSAGE) {
        absl::StrAppend(&text_, indent, "  ", YamlText(key_of(pair)), ": ",
                        ScalarText(*pair, value), "\n");
        continue;
      }
      WriteSection(YamlText(key_of(pair)), pair->GetReflection()->GetMessage(*pair, value),
                   indent + "  ");
    }
  }

  void WriteList(const Message& message, const FieldDescriptor* field, const std::string& indent) {
    const Reflection* reflection = message.GetReflection();
    const int size = reflection->FieldSize(message, field);
    if (size == 0) return;
    if (field->cpp_type() != FieldDescriptor::CPPTYPE_MESSAGE) {
      absl::StrAppend(&text_, indent, field->name(), ": ", FlowList(message, field), "\n");
      return;
    }
    absl::StrAppend(&text_, indent, field->name(), ":\n");
    for (int i = 0; i < size; ++i) {
      absl::StrAppend(&text_, indent, "  - ",
                      Flow(reflection->GetRepeatedMessage(message, field, i)), "\n");
    }
  }

  // A list of texts on one line.
  static std::string FlowList(const Message& message, const FieldDescriptor* field) {
    const Reflection* reflection = message.GetReflection();
    std::vector<std::string> texts;
    for (int i = 0; i < reflection->FieldSize(message, field); ++i) {
      texts.push_back(YamlText(reflection->GetRepeatedString(message, field, i)));
    }
    return absl::StrCat("[", absl::StrJoin(texts, ", "), "]");
  }

  // A message on one line; an entry that is a path alone is that text.
  static std::string Flow(const Message& message) {
    std::vector<std::string> fields;
    std::string path;
    const Reflection* reflection = message.GetReflection();
    const Descriptor* type = message.GetDescriptor();
    for (int i = 0; i < type->field_count(); ++i) {
      const FieldDescriptor* field = type->field(i);
      if (field->is_repeated() ? reflection->FieldSize(message, field) == 0
                               : !reflection->HasField(message, field)) {
        continue;
      }
      const std::string value = field->is_repeated() ? FlowList(message, field)
                                : field->cpp_type() == FieldDescriptor::CPPTYPE_MESSAGE
                                    ? Flow(reflection->GetMessage(message, field))
                                    : ScalarText(message, field);
      if (field->name() == "path") path = value;
      fields.push_back(absl::StrCat(field->name(), ": ", value));
    }
    if (fields.size() == 1 && !path.empty()) return path;
    return absl::StrCat("{", absl::StrJoin(fields, ", "), "}");
  }

  std::string text_;
};

}  // namespace

std::string JobToYaml(const v1::JobSpec& job) {
  YamlWriter writer;
  writer.WriteMessage(job, "");
  return writer.Take();
}

}  // namespace seraph

// SPDX-License-Identifier: Apache-2.0
#include "client/cli/job/yaml_reader.h"

#include <cmath>
#include <cstdint>
#include <limits>
#include <optional>
#include <set>
#include <utility>
#include <vector>

#include "absl/strings/numbers.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_join.h"
#include "client/cli/job/scalar_text.h"
#include "common/nearest_name.h"
#include "common/status_macros.h"

namespace seraph {
namespace {

using google::protobuf::Descriptor;
using google::protobuf::FieldDescriptor;
using google::protobuf::Message;
using google::protobuf::Reflection;

// A node without text is marked where the next one begins, so its key's line serves.
int LineOf(const YAML::Node& node, int otherwise) {
  const YAML::Mark mark = node.Mark();
  return mark.is_null() || node.IsNull() ? otherwise : mark.line + 1;
}

std::string KindOf(const YAML::Node& node) {
  switch (node.Type()) {
    case YAML::NodeType::Scalar:
      return Quoted(node.Scalar());
    case YAML::NodeType::Sequence:
      return "a list";
    case YAML::NodeType::Map:
      return "a mapping";
    default:
      return "nothing";
  }
}

// yaml-cpp tags quoted scalars "!".
bool IsPlain(const YAML::Node& node) { return node.Tag() != "!"; }

std::vector<std::string> FieldNames(const Descriptor* type) {
  std::vector<std::string> names;
  for (int i = 0; i < type->field_count(); ++i) names.push_back(type->field(i)->name());
  return names;
}

// "train.epochs" for "epochs": the first section of the schema that has such a key.
std::string FindElsewhere(const Descriptor* root, const std::string& name) {
  for (int i = 0; i < root->field_count(); ++i) {
    const FieldDescriptor* field = root->field(i);
    if (field->cpp_type() != FieldDescriptor::CPPTYPE_MESSAGE || field->is_map()) continue;
    if (field->message_type()->FindFieldByName(name) != nullptr) {
      return absl::StrCat(field->name(), ".", name);
    }
  }
  return "";
}

// The field that a text alone in the message's place stands for: the path of an entry, the type of
// a schedule. Null when only a mapping will do.
const FieldDescriptor* FieldOfTextAlone(const FieldDescriptor* field) {
  if (field->is_map() || field->message_type()->field_count() == 0) return nullptr;
  const FieldDescriptor* first = field->message_type()->field(0);
  const bool stands = first->name() == "path" || field->name() == "schedule";
  return stands ? first : nullptr;
}

// The text "8..17" for a list of two whole numbers.
std::optional<YAML::Node> RangeText(const YAML::Node& node) {
  if (!node.IsSequence() || node.size() != 2) return std::nullopt;
  for (const YAML::Node& end : node) {
    if (!end.IsScalar() || !IsPlain(end) || !IsDecimalInteger(end.Scalar())) return std::nullopt;
  }
  return YAML::Node(absl::StrCat(node[0].Scalar(), "..", node[1].Scalar()));
}

template <typename T>
std::string RangeOf() {
  return absl::StrCat(std::numeric_limits<T>::min(), "..", std::numeric_limits<T>::max());
}

// Empty when `text` was read; else what is wrong with it.
template <typename T>
std::string ReadInteger(const std::string& text, T* value) {
  if (absl::SimpleAtoi(text, value)) return "";
  if (IsDecimalInteger(text)) return absl::StrCat(text, " is not in ", RangeOf<T>());
  return absl::StrCat("a whole number is wanted, not ", Quoted(text));
}

std::string ReadDouble(const std::string& text, double* value) {
  if (IsInfinityOrNan(text)) return absl::StrCat(text, " is not a finite number");
  if (!IsDecimalNumber(text) || !absl::SimpleAtod(text, value)) {
    return absl::StrCat("a number is wanted, not ", Quoted(text));
  }
  if (!std::isfinite(*value)) return absl::StrCat(text, " is too large for a number");
  return "";
}

std::string ReadBool(const std::string& text, bool* value) {
  if (text == "true" || text == "True" || text == "TRUE") {
    *value = true;
  } else if (text == "false" || text == "False" || text == "FALSE") {
    *value = false;
  } else {
    return absl::StrCat("true or false is wanted, not ", Quoted(text));
  }
  return "";
}

template <typename T, typename Read, typename Set>
std::string ReadInto(const std::string& text, Read read, Set set) {
  T value{};
  std::string wrong = read(text, &value);
  if (wrong.empty()) set(value);
  return wrong;
}

// Sets or, in a list, adds. Empty when done; else what is wrong.
std::string StoreScalar(const std::string& text, const FieldDescriptor* field, Message* message) {
  const Reflection* reflection = message->GetReflection();
  switch (field->cpp_type()) {
    case FieldDescriptor::CPPTYPE_STRING:
      if (!IsUtf8(text)) return "the text is not UTF-8";
      if (field->is_repeated()) {
        reflection->AddString(message, field, text);
      } else {
        reflection->SetString(message, field, text);
      }
      return "";
    case FieldDescriptor::CPPTYPE_UINT32:
      return ReadInto<uint32_t>(text, ReadInteger<uint32_t>, [&](uint32_t value) {
        reflection->SetUInt32(message, field, value);
      });
    case FieldDescriptor::CPPTYPE_UINT64:
      return ReadInto<uint64_t>(text, ReadInteger<uint64_t>, [&](uint64_t value) {
        reflection->SetUInt64(message, field, value);
      });
    case FieldDescriptor::CPPTYPE_INT64:
      return ReadInto<int64_t>(text, ReadInteger<int64_t>,
                               [&](int64_t value) { reflection->SetInt64(message, field, value); });
    case FieldDescriptor::CPPTYPE_DOUBLE:
      return ReadInto<double>(text, ReadDouble,
                              [&](double value) { reflection->SetDouble(message, field, value); });
    case FieldDescriptor::CPPTYPE_BOOL:
      return ReadInto<bool>(text, ReadBool,
                            [&](bool value) { reflection->SetBool(message, field, value); });
    default:
      return absl::StrCat("a value of kind ", field->cpp_type_name(), " cannot be stated");
  }
}

}  // namespace

YamlReader::YamlReader(std::string place, bool with_lines, const Descriptor* root,
                       KeyOrigins* origins)
    : place_(std::move(place)), with_lines_(with_lines), root_(root), origins_(origins) {}

std::string YamlReader::PlaceAt(int line) const {
  return with_lines_ && line > 0 ? absl::StrCat(place_, ":", line) : place_;
}

absl::Status YamlReader::Wrong(int line, const KeyPath& path, absl::string_view what) const {
  return absl::InvalidArgumentError(
      absl::StrCat(PlaceAt(line), ": ", path.shown, path.shown.empty() ? "" : ": ", what));
}

absl::Status YamlReader::UnknownKey(const std::string& name, int line, const KeyPath& path,
                                    const Descriptor* type) const {
  const KeyPath key = path.Field(name);
  if (IsLaterKey(key.schema)) {
    return absl::UnimplementedError(
        absl::StrCat(PlaceAt(line), ": ", key.shown, ": not in this version"));
  }
  const std::string shown = path.Field(Printable(name)).shown;
  const std::vector<std::string> valid = FieldNames(type);
  std::string advice;
  if (const std::string nearest = NearestName(name, valid); !nearest.empty()) {
    advice = absl::StrCat("did you mean \"", nearest, "\"?");
  } else if (const std::string elsewhere = FindElsewhere(root_, name); !elsewhere.empty()) {
    advice = absl::StrCat("did you mean \"", elsewhere, "\"?");
  } else {
    advice = absl::StrCat("valid are ", absl::StrJoin(valid, ", "));
  }
  return Wrong(line, KeyPath{shown, ""}, absl::StrCat("unknown key, ", advice));
}

absl::StatusOr<std::string> YamlReader::ReadKey(const YAML::Node& key, const KeyPath& path) const {
  if (!key.IsScalar() || !IsUtf8(key.Scalar())) {
    return Wrong(LineOf(key, 0), path, "a key must be a text");
  }
  return key.Scalar();
}

absl::Status YamlReader::ReadMessage(const YAML::Node& node, const KeyPath& path,
                                     Message* message) const {
  if (!node.IsDefined() || node.IsNull()) return absl::OkStatus();
  if (!node.IsMap()) {
    return Wrong(LineOf(node, 0), path, absl::StrCat("a mapping is wanted, not ", KindOf(node)));
  }
  const Descriptor* type = message->GetDescriptor();
  std::set<std::string> seen;
  for (const auto& entry : node) {
    ASSIGN_OR_RETURN(const std::string name, ReadKey(entry.first, path));
    const int line = LineOf(entry.first, 0);
    const FieldDescriptor* field = type->FindFieldByName(name);
    if (field == nullptr) return UnknownKey(name, line, path, type);
    const KeyPath at = path.Field(name);
    if (!seen.insert(name).second) return Wrong(line, at, "stated twice");
    RETURN_IF_ERROR(ReadField(entry.second, line, at, field, message));
  }
  return absl::OkStatus();
}

absl::Status YamlReader::ReadField(const YAML::Node& node, int key_line, const KeyPath& path,
                                   const FieldDescriptor* field, Message* message) const {
  const Reflection* reflection = message->GetReflection();
  reflection->ClearField(message, field);
  origins_->Note(path.shown, PlaceAt(key_line));
  if (field->is_map()) return ReadMap(node, path, field, message);
  if (!field->is_repeated()) return ReadElement(node, key_line, path, field, message);
  if (!node.IsSequence()) {
    return ReadElement(node, key_line, path.Element(0), field, message);
  }
  size_t index = 0;
  for (const YAML::Node& element : node) {
    const KeyPath at = path.Element(index++);
    const int line = LineOf(element, key_line);
    origins_->Note(at.shown, PlaceAt(line));
    const bool texts = field->cpp_type() == FieldDescriptor::CPPTYPE_STRING;
    const std::optional<YAML::Node> range = texts ? RangeText(element) : std::nullopt;
    RETURN_IF_ERROR(ReadElement(range.value_or(element), line, at, field, message));
  }
  return absl::OkStatus();
}

absl::Status YamlReader::ReadMap(const YAML::Node& node, const KeyPath& path,
                                 const FieldDescriptor* field, Message* message) const {
  if (node.IsNull()) return absl::OkStatus();
  if (!node.IsMap()) {
    return Wrong(LineOf(node, 0), path, absl::StrCat("a mapping is wanted, not ", KindOf(node)));
  }
  std::set<std::string> seen;
  for (const auto& entry : node) {
    ASSIGN_OR_RETURN(const std::string key, ReadKey(entry.first, path));
    const int line = LineOf(entry.first, 0);
    const KeyPath at = path.MapEntry(key);
    if (!seen.insert(key).second) return Wrong(line, at, "stated twice");
    origins_->Note(at.shown, PlaceAt(line));
    Message* pair = message->GetReflection()->AddMessage(message, field);
    const FieldDescriptor* value = field->message_type()->map_value();
    pair->GetReflection()->SetString(pair, field->message_type()->map_key(), key);
    RETURN_IF_ERROR(ReadField(entry.second, line, at, value, pair));
  }
  return absl::OkStatus();
}

absl::Status YamlReader::ReadElement(const YAML::Node& node, int line, const KeyPath& path,
                                     const FieldDescriptor* field, Message* message) const {
  if (field->cpp_type() != FieldDescriptor::CPPTYPE_MESSAGE) {
    return ReadScalar(node, line, path, field, message);
  }
  const Reflection* reflection = message->GetReflection();
  Message* inner = field->is_repeated() ? reflection->AddMessage(message, field)
                                        : reflection->MutableMessage(message, field);
  const FieldDescriptor* alone = FieldOfTextAlone(field);
  if (alone == nullptr || node.IsMap()) return ReadMessage(node, path, inner);
  if (!node.IsScalar()) {
    return Wrong(LineOf(node, line), path,
                 absl::StrCat("a ", alone->name(), " or a mapping is wanted, not ", KindOf(node)));
  }
  return ReadScalar(node, line, path, alone, inner);
}

absl::Status YamlReader::ReadScalar(const YAML::Node& node, int line, const KeyPath& path,
                                    const FieldDescriptor* field, Message* message) const {
  line = LineOf(node, line);
  if (!node.IsScalar()) {
    return Wrong(line, path, absl::StrCat("one value is wanted, not ", KindOf(node)));
  }
  if (field->cpp_type() != FieldDescriptor::CPPTYPE_STRING && !IsPlain(node)) {
    const bool is_bool = field->cpp_type() == FieldDescriptor::CPPTYPE_BOOL;
    return Wrong(line, path,
                 absl::StrCat(is_bool ? "true or false" : "a number",
                              " is wanted, not the quoted text ", Quoted(node.Scalar())));
  }
  const std::string wrong = StoreScalar(node.Scalar(), field, message);
  return wrong.empty() ? absl::OkStatus() : Wrong(line, path, wrong);
}

}  // namespace seraph

// SPDX-License-Identifier: Apache-2.0
#include "client/cli/message_json.h"

#include <google/protobuf/descriptor.h>

namespace seraph {
namespace {

using google::protobuf::FieldDescriptor;
using google::protobuf::Message;
using google::protobuf::Reflection;

// One value of the field: element `index` of a list, or the value itself with index -1.
Json ValueOf(const Message& message, const FieldDescriptor* field, int index) {
  const Reflection* r = message.GetReflection();
  const auto get = [&](auto single, auto repeated) -> Json {
    return index < 0 ? Json((r->*single)(message, field))
                     : Json((r->*repeated)(message, field, index));
  };
  switch (field->cpp_type()) {
    case FieldDescriptor::CPPTYPE_INT32:
      return get(&Reflection::GetInt32, &Reflection::GetRepeatedInt32);
    case FieldDescriptor::CPPTYPE_INT64:
      return get(&Reflection::GetInt64, &Reflection::GetRepeatedInt64);
    case FieldDescriptor::CPPTYPE_UINT32:
      return get(&Reflection::GetUInt32, &Reflection::GetRepeatedUInt32);
    case FieldDescriptor::CPPTYPE_UINT64:
      return get(&Reflection::GetUInt64, &Reflection::GetRepeatedUInt64);
    case FieldDescriptor::CPPTYPE_DOUBLE:
      return get(&Reflection::GetDouble, &Reflection::GetRepeatedDouble);
    case FieldDescriptor::CPPTYPE_FLOAT:
      return get(&Reflection::GetFloat, &Reflection::GetRepeatedFloat);
    case FieldDescriptor::CPPTYPE_BOOL:
      return get(&Reflection::GetBool, &Reflection::GetRepeatedBool);
    case FieldDescriptor::CPPTYPE_STRING:
      return get(&Reflection::GetString, &Reflection::GetRepeatedString);
    case FieldDescriptor::CPPTYPE_ENUM:
      return (index < 0 ? r->GetEnum(message, field) : r->GetRepeatedEnum(message, field, index))
          ->name();
    case FieldDescriptor::CPPTYPE_MESSAGE:
      return MessageToJson(index < 0 ? r->GetMessage(message, field)
                                     : r->GetRepeatedMessage(message, field, index));
  }
  return nullptr;
}

// Keys are text; an object keeps them in order.
Json MapOf(const Message& message, const FieldDescriptor* field) {
  const Reflection* r = message.GetReflection();
  nlohmann::json sorted = nlohmann::json::object();
  for (int i = 0; i < r->FieldSize(message, field); ++i) {
    const Message& pair = r->GetRepeatedMessage(message, field, i);
    const std::string key = pair.GetReflection()->GetString(pair, field->message_type()->map_key());
    sorted[key] = ValueOf(pair, field->message_type()->map_value(), -1);
  }
  return Json(sorted);
}

}  // namespace

Json MessageToJson(const Message& message) {
  Json object = Json::object();
  const Reflection* r = message.GetReflection();
  std::vector<const FieldDescriptor*> fields;
  r->ListFields(message, &fields);
  for (const FieldDescriptor* field : fields) {
    if (field->is_map()) {
      object[field->name()] = MapOf(message, field);
    } else if (field->is_repeated()) {
      Json list = Json::array();
      for (int i = 0; i < r->FieldSize(message, field); ++i) {
        list.push_back(ValueOf(message, field, i));
      }
      object[field->name()] = std::move(list);
    } else {
      object[field->name()] = ValueOf(message, field, -1);
    }
  }
  return object;
}

}  // namespace seraph

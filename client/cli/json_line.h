// SPDX-License-Identifier: Apache-2.0
// JSON as the commands print it: one object a line, keys in the order in which they are added.
#ifndef SERAPH_CLIENT_CLI_JSON_LINE_H_
#define SERAPH_CLIENT_CLI_JSON_LINE_H_

#include <optional>
#include <ostream>

#include "nlohmann/json.hpp"

namespace seraph {

using Json = nlohmann::ordered_json;

// A number, or null where there is none.
inline Json OrNull(const std::optional<double>& value) {
  return value.has_value() ? Json(*value) : Json(nullptr);
}

// With a line end, flushed: programs read lines as they come. Bytes that are not UTF-8 are
// replaced.
inline void PrintLine(std::ostream* out, const Json& object) {
  *out << object.dump(-1, ' ', false, Json::error_handler_t::replace) << std::endl;
}

}  // namespace seraph

#endif  // SERAPH_CLIENT_CLI_JSON_LINE_H_

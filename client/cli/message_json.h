// SPDX-License-Identifier: Apache-2.0
// A protobuf message as JSON with the names of the .proto, numbers as numbers.
#ifndef SERAPH_CLIENT_CLI_MESSAGE_JSON_H_
#define SERAPH_CLIENT_CLI_MESSAGE_JSON_H_

#include <google/protobuf/message.h>

#include "client/cli/json_line.h"

namespace seraph {

// Fields that are not set are left out; maps are objects.
Json MessageToJson(const google::protobuf::Message& message);

}  // namespace seraph

#endif  // SERAPH_CLIENT_CLI_MESSAGE_JSON_H_

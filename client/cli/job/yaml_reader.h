// SPDX-License-Identifier: Apache-2.0
// Fills a protobuf message from a YAML tree, with the message's descriptor as the schema: what the
// .proto does not name is an error.
#ifndef SERAPH_CLIENT_CLI_JOB_YAML_READER_H_
#define SERAPH_CLIENT_CLI_JOB_YAML_READER_H_

#include <google/protobuf/descriptor.h>
#include <google/protobuf/message.h>
#include <yaml-cpp/yaml.h>

#include <string>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "client/cli/job/key_path.h"

namespace seraph {

// Errors are "PLACE: KEY: what is wrong": INVALID_ARGUMENT, or UNIMPLEMENTED for a key of a later
// version. The message is then half filled. Integers, numbers and booleans must be plain scalars; a
// string takes any scalar as it is written. A list takes a single value as a list of one, a list of
// texts takes a list of two whole numbers as the range "8..17", and a mapping whose first field is
// `path` takes a text as that path. Not thread-safe.
class YamlReader {
 public:
  // `place` stands in front of every error: the file's name, to which `with_lines` adds ":LINE", or
  // an override. `root` is the schema's top, searched for keys that stand in the wrong section.
  YamlReader(std::string place, bool with_lines, const google::protobuf::Descriptor* root,
             KeyOrigins* origins);

  // Reads a mapping. An empty node leaves `message` as it is.
  absl::Status ReadMessage(const YAML::Node& node, const KeyPath& path,
                           google::protobuf::Message* message) const;

  // Replaces what the field holds. `key_line` serves where the node has no line of its own.
  absl::Status ReadField(const YAML::Node& node, int key_line, const KeyPath& path,
                         const google::protobuf::FieldDescriptor* field,
                         google::protobuf::Message* message) const;

  // The error for a key that `type` does not have.
  absl::Status UnknownKey(const std::string& name, int line, const KeyPath& path,
                          const google::protobuf::Descriptor* type) const;

  absl::Status Wrong(int line, const KeyPath& path, absl::string_view what) const;

 private:
  absl::Status ReadMap(const YAML::Node& node, const KeyPath& path,
                       const google::protobuf::FieldDescriptor* field,
                       google::protobuf::Message* message) const;
  absl::Status ReadElement(const YAML::Node& node, int line, const KeyPath& path,
                           const google::protobuf::FieldDescriptor* field,
                           google::protobuf::Message* message) const;
  absl::Status ReadScalar(const YAML::Node& node, int line, const KeyPath& path,
                          const google::protobuf::FieldDescriptor* field,
                          google::protobuf::Message* message) const;
  absl::StatusOr<std::string> ReadKey(const YAML::Node& key, const KeyPath& path) const;
  std::string PlaceAt(int line) const;

  const std::string place_;
  const bool with_lines_;
  const google::protobuf::Descriptor* const root_;
  KeyOrigins* const origins_;
};

}  // namespace seraph

#endif  // SERAPH_CLIENT_CLI_JOB_YAML_READER_H_

#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# From a fresh clone to a trained model: installs what is missing, builds, and trains examples/census_fm.yaml (two
# servers and two workers in one process). Prints the test AUC and where the model lies. Safe to run again: what is
# installed and built is kept, the model is trained anew and replaced.
set -euo pipefail
cd "$(dirname "$0")/.."

bash deploy/install_deps.sh --build
source deploy/bazel.sh

echo "quickstart: building (several minutes the first time)"
bazel_run build -c opt //client/cli:seraph //scheduler:seraph_scheduler //server:seraph_server //worker:seraph_worker ||
  die "quickstart: the build failed" "the compiler's messages are above; CONTRIBUTING.md names the tested systems"

seraph=out/bin/client/cli/seraph
echo "quickstart: $seraph train examples/census_fm.yaml"
$seraph train examples/census_fm.yaml

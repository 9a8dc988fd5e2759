#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# Installs what is missing, builds everything and runs every test that needs no GPU, in stages. Ends with a line
# "N passed, N failed, N skipped"; exit 1 when a case failed or was skipped unexpectedly (deploy/expected_skips.txt).
# The case counts of each stage add up: a unit test that also runs under a sanitizer counts once more.
#
#   deploy/test.sh                 style layering asan fuzz tsan opt quickstart
#   deploy/test.sh STAGE...        these
#
# Compiling takes most of the time, so each test is compiled once, but for those that also run under the thread
# sanitizer: whole clusters and processes optimised, as people run them, all others with the address sanitizer.
#
# Data of ../shared/data is read where it is there; SERAPH_SHARED_DATA names another place.
set -euo pipefail
cd "$(dirname "$0")/.."

whole_tests='tests(//tests/cluster/... + //tests/e2e/...)'
unit_tests="tests(//...) except $whole_tests"
# What is concurrent; whole clusters join by the tag "tsan".
tsan_tests='tests(//transport:all + //server:all + //server/core:all + //server/service:all + //scheduler:scheduler_app_test
  + //scheduler/agent:all + //scheduler/service:all + //client:all + //worker/train:all + //common:all
  + //tests/contract:channel_grpc_test + //tests/contract:channel_in_process_test)
  + attr(tags, "\btsan\b", tests(//tests/...))'
# Not run here: benchmarks, tests for a GPU, and what is for running by hand.
left_out='attr(tags, "\b(manual|gpu|bench)\b", //...)'
fuzz_seconds=10
stages=("$@")
[ ${#stages[@]} -gt 0 ] || stages=(style layering asan fuzz tsan opt quickstart)

bash deploy/install_deps.sh
source deploy/bazel.sh

scratch=$(mktemp -d "${TMPDIR:-/tmp}/seraph_test.XXXXXX")
trap 'rm -rf "$scratch"' EXIT
results=$scratch/results.tsv
: >"$results"
conditions=none
[ "$(id -u)" -ne 0 ] || conditions+=,root

SERAPH_SHARED_DATA=${SERAPH_SHARED_DATA:-$(realpath -m ../shared/data)}
if [ -d "$SERAPH_SHARED_DATA" ]; then
  export SERAPH_SHARED_DATA
else
  unset SERAPH_SHARED_DATA
  conditions+=,no-shared-data
fi

# add STATUS NAME [MESSAGE]: one case of the running stage.
add() {
  python3 deploy/count_tests.py add --stage "$stage" --status "$1" --name "$2" --message "${3:-}" "$results"
}

# check NAME COMMAND...: a case that passes when the command does. Its output is shown when it fails.
check() {
  local name=$1 log=$scratch/check.log code=0
  shift
  "$@" >"$log" 2>&1 || code=$?
  if [ $code -eq 0 ]; then
    add passed "$name"
  else
    tail -n 60 "$log"
    add failed "$name" "exit code $code: $*"
  fi
}

# labels QUERY: the labels of a Bazel query, one a line.
labels() {
  bazel query --noshow_progress "$1" 2>"$scratch/query.log" || {
    tail -n 10 "$scratch/query.log" >&2
    die "test: the query failed: $1"
  }
}

# bazel_tests QUERY FLAGS...: runs the tests and adds their cases.
bazel_tests() {
  local query=$1 list=$scratch/$stage.tests events=$scratch/$stage.json
  shift
  labels "($query) except $left_out" | sort >"$list"
  [ -s "$list" ] || { add failed "tests of $stage" "the query finds none: $query"; return; }
  bazel_run test --keep_going --cache_test_results=no --test_summary=none --build_event_json_file="$events" "$@" \
    --target_pattern_file="$list" || true
  python3 deploy/count_tests.py gather --stage "$stage" --events "$events" --tests "$list" "$results"
}

# bazel_build NAME FLAGS... TARGETS...: a case that passes when the build does.
bazel_build() {
  local name=$1
  shift
  if bazel_run build --keep_going "$@"; then add passed "$name"; else add failed "$name" "bazel build $*"; fi
}

# clang_or_skip NAME: true when Clang is there; else the case is skipped.
clang_or_skip() {
  command -v clang++-14 >/dev/null && return
  conditions+=,no-clang
  add skipped "$1" "no clang-14"
  return 1
}

stage_style() {
  check "deploy/check_style.sh" bash deploy/check_style.sh
  check "deploy/count_tests_test.py" python3 deploy/count_tests_test.py
}

stage_layering() {
  check "tests/layering/include_scan_test.py" python3 tests/layering/include_scan_test.py
  check "tests/layering/include_scan.py" python3 tests/layering/include_scan.py
  check "tests/layering/visibility_test.py" python3 tests/layering/visibility_test.py
}

# Optimised, as people run it; the build leaves the binaries for the quickstart.
stage_opt() {
  bazel_build "the programs build" -c opt --config=plain_tests //client/cli:seraph //scheduler:seraph_scheduler \
    //server:seraph_server //worker:seraph_worker
  bazel_tests "$whole_tests" -c opt --config=plain_tests
}

# One build of everything, but for the tests of `opt`, serves three ends: Clang's thread-safety analysis, a warning being
# an error; the address and undefined-behaviour sanitizers; and fuzzing. Without Clang the tests still run, built by GCC.
stage_asan() {
  local config=asan
  if clang_or_skip "everything builds with Clang and -Wthread-safety"; then
    config=fuzz
    bazel_build "everything builds with Clang and -Wthread-safety" --config=$config -- //... -//tests/cluster/... \
      -//tests/e2e/...
  fi
  bazel_tests "$unit_tests" --config=$config
}

stage_tsan() { bazel_tests "$tsan_tests" --config=tsan; }

# Each fuzz target for some seconds, from its committed corpus on.
stage_fuzz() {
  local target
  clang_or_skip "fuzz targets" || return 0
  labels 'attr(tags, "\bfuzz\b", tests(//...))' >"$scratch/fuzz_targets"
  [ -s "$scratch/fuzz_targets" ] || return 0
  bazel_build "fuzz targets build" --config=fuzz --target_pattern_file="$scratch/fuzz_targets"
  while read -r target; do
    fuzz_corpus "$target"
  done <"$scratch/fuzz_targets"
  xargs -P "$(nproc)" -I{} bash -c 'fuzz "$1" >"$scratch/${1##*:}.log" 2>&1 && touch "$scratch/${1##*:}.passed"' _ {} \
    <"$scratch/fuzz_targets" || true
  while read -r target; do
    check "$target fuzzed for $fuzz_seconds s" fuzzed "${target##*:}"
  done <"$scratch/fuzz_targets"
}

# fuzz_corpus LABEL: copies the committed seeds of a target.
fuzz_corpus() {
  local corpus=$scratch/corpus/${1##*:}
  mkdir -p "$corpus"
  bazel query --noshow_progress "kind('source file', labels(data, $1))" 2>/dev/null | sed 's,^//,,; s,:,/,' |
    while read -r seed; do cp "$seed" "$corpus/"; done
}

# fuzzed NAME: what a target's run printed, and whether it passed.
fuzzed() {
  cat "$scratch/$1.log"
  [ -e "$scratch/$1.passed" ]
}

# fuzz LABEL
fuzz() {
  local path=${1#//} corpus=$scratch/corpus/${1##*:}
  # Fuzzing must end by itself; the outer limit is for a target that hangs.
  timeout $((fuzz_seconds * 6 + 60)) "out/bin/${path/://}" -max_total_time=$fuzz_seconds -timeout=10 -rss_limit_mb=2048 \
    -print_final_stats=1 -artifact_prefix="$scratch/" "$corpus"
}
export -f fuzz
export scratch fuzz_seconds

# The job of the quickstart, twice: the second run replaces the first one's model.
stage_quickstart() {
  check "deploy/quickstart.sh" bash deploy/quickstart.sh
  check "deploy/quickstart.sh, again" bash deploy/quickstart.sh
}

for stage in "${stages[@]}"; do
  declare -F "stage_$stage" >/dev/null || die "test: there is no stage '$stage'" "see the top of deploy/test.sh"
  started=$SECONDS
  echo "== $stage"
  "stage_$stage"
  echo "== $stage: $((SECONDS - started)) s"
done
python3 deploy/count_tests.py report --expected-skips deploy/expected_skips.txt --conditions "$conditions" "$results"

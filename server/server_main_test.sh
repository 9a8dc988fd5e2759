#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# The daemon's command line: exit codes, one line on stdout, errors on stderr.
set -u
server=server/seraph_server
failures=0

# expect CODE PATTERN-OF-STDOUT PATTERN-OF-STDERR ARGUMENTS...; an empty pattern: nothing is printed.
expect() {
  local code=$1 want_out=$2 want_err=$3 out err got
  shift 3
  out=$("$server" "$@" 2>"$TEST_TMPDIR/stderr")
  got=$?
  err=$(cat "$TEST_TMPDIR/stderr")
  if [[ $got != "$code" ]] || ! matches "$out" "$want_out" || ! matches "$err" "$want_err"; then
    echo "seraph_server $*: exit $got (expected $code), stdout [$out], stderr [$err]"
    failures=$((failures + 1))
  fi
}
matches() { if [[ -z $2 ]]; then [[ -z $1 ]]; else [[ $1 =~ $2 ]]; fi; }

expect 0 '--scheduler' '' --help
expect 0 '^seraph_server [0-9.]+$' '' --version
expect 2 '' 'error: seraph_server: unknown flag --shceduler; did you mean --scheduler\?' --shceduler=x
expect 2 '' 'error: .*--scheduler is required' --name=s0
expect 2 '' 'error: .*--memory.*lots' --scheduler=127.0.0.1:1 --memory=lots
expect 2 '' 'error: .*executors 0' --scheduler=127.0.0.1:1 --executors=0
expect 2 '' 'error: .*0\.0\.0\.0:0.*--insecure' --scheduler=127.0.0.1:1 --listen=0.0.0.0:0
expect 2 '' 'error: .*stray' --scheduler=127.0.0.1:1 stray

[[ $failures == 0 ]] && echo "all as expected"
exit $((failures > 0))

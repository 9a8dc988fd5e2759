# SPDX-License-Identifier: Apache-2.0
# shellcheck shell=bash
# How the scripts of this folder run Bazel; sourced by them, from the root of the tree.
#
# Results are kept in a disk cache, so that a second clone on the same machine does not compile everything again.
# Bazel finds an entry by the hash of the command and of all its inputs inside the tree. Compilers and libraries of the
# system are no such inputs, so the folder's name holds a hash of every installed package and version: after an upgrade
# it is another, empty cache. Entries that are two weeks old are dropped. SERAPH_DISK_CACHE= (empty) turns it off.

SERAPH_PACKAGES=$(dpkg-query -W -f='${Package} ${Architecture} ${Version}\n' | sha256sum | cut -c1-16)

seraph_disk_cache() {
  local base=${XDG_CACHE_HOME:-${HOME:-/tmp}/.cache}/seraph-bazel
  mkdir -p "$base/$SERAPH_PACKAGES"
  find "$base" -type f -mtime +14 -delete 2>/dev/null || true
  printf '%s\n' "$base/$SERAPH_PACKAGES"
}

SERAPH_DISK_CACHE=${SERAPH_DISK_CACHE-$(seraph_disk_cache)}

# bazel_run COMMAND ARGUMENTS...: `bazel COMMAND` with the cache and quiet output.
bazel_run() {
  local command=$1
  shift
  bazel "$command" ${SERAPH_DISK_CACHE:+--disk_cache="$SERAPH_DISK_CACHE"} --define=packages="$SERAPH_PACKAGES" \
    --noshow_progress --ui_event_filters=-info "$@"
}

# die WHAT [HINT]: ends the script as docs and commands of the project say errors.
die() {
  printf 'error: %s\n' "$1" >&2
  [ $# -lt 2 ] || printf 'hint: %s\n' "$2" >&2
  exit 1
}

#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# Installs the system packages that Seraph needs; the only list of them. Debian 12 is the tested system, Debian 13
# and Ubuntu 24.04 carry the same names. Installs nothing that is there already, and is then done at once.
#
#   deploy/install_deps.sh            everything: build, tests, sanitizers, fuzzing, style check
#   deploy/install_deps.sh --build    what the build alone needs
#   deploy/install_deps.sh --list     prints the packages and installs nothing
#
# Needs root or sudo when something is missing. Packages come from the machine's own apt sources.
set -euo pipefail

build_packages=(
  # Bazel and the compilers. bazel-bootstrap brings its JDK and build-essential.
  bazel-bootstrap bazel-rules-java g++ git ca-certificates python3
  # Protocols.
  libgrpc++-dev libgrpc-dev protobuf-compiler libprotobuf-dev
  # Libraries that the product links.
  libabsl-dev libgflags-dev libcli11-dev libyaml-cpp-dev nlohmann-json3-dev libxxhash-dev zlib1g-dev
  libzstd-dev
)
test_packages=(
  libgtest-dev libgmock-dev
  # Thread-safety analysis, fuzzing and the style check. One version, so that formatting is the same everywhere.
  clang-14 libclang-rt-14-dev lld-14 clang-format-14
)

die() {
  printf 'error: install_deps: %s\n' "$1" >&2
  [ $# -lt 2 ] || printf 'hint: %s\n' "$2" >&2
  exit 1
}

mode=${1:-all}
case "$mode" in
  all | --list) wanted=("${build_packages[@]}" "${test_packages[@]}") ;;
  --build) wanted=("${build_packages[@]}") ;;
  *) die "unknown argument '$mode'" "use --build, --list or nothing" ;;
esac
if [ "$mode" = --list ]; then
  printf '%s\n' "${wanted[@]}"
  exit 0
fi

command -v dpkg-query >/dev/null || die "no dpkg on this system" "Seraph builds on Debian 12/13 and Ubuntu 24.04"

missing_packages() {
  local package
  for package in "${wanted[@]}"; do
    dpkg-query -W -f='${db:Status-Status}' "$package" 2>/dev/null | grep -qx installed || printf '%s\n' "$package"
  done
}

mapfile -t missing < <(missing_packages)
if [ ${#missing[@]} -eq 0 ]; then
  echo "install_deps: all ${#wanted[@]} packages are there"
  exit 0
fi

as_root=()
if [ "$(id -u)" -ne 0 ]; then
  command -v sudo >/dev/null || die "packages are missing (${missing[*]}) and this user is neither root nor has sudo" \
    "run this script as root once"
  as_root=(sudo)
fi
echo "install_deps: installing ${missing[*]}"
log=$(mktemp)
trap 'rm -f "$log"' EXIT
run_apt() {
  "${as_root[@]}" env DEBIAN_FRONTEND=noninteractive apt-get -o DPkg::Lock::Timeout=300 -o Acquire::Retries=3 "$@" \
    >"$log" 2>&1
}
run_apt update || {
  tail -n 5 "$log" >&2
  echo "install_deps: apt-get update failed; trying with the lists that are there" >&2
}
run_apt install -y --no-install-recommends "${missing[@]}" || {
  tail -n 15 "$log" >&2
  die "apt-get could not install: ${missing[*]}"
}
mapfile -t missing < <(missing_packages)
[ ${#missing[@]} -eq 0 ] || die "still missing after the installation: ${missing[*]}"
echo "install_deps: done"

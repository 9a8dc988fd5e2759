#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# Checks what a reader should never have to: formatting, licence lines, no paths of somebody's machine, no sleeping
# tests. Prints each finding with its file and exits 1 when there is one. `--fix` formats the C++ files in place.
set -euo pipefail
cd "$(dirname "$0")/.."

# Tracked files and new ones that are not ignored; a plain copy of the tree without Git has only the former's names.
if git rev-parse --is-inside-work-tree >/dev/null 2>&1; then
  mapfile -t files < <(git ls-files --cached --others --exclude-standard | while read -r f; do [ -f "$f" ] && echo "$f"; done)
else
  mapfile -t files < <(find . -type f -not -path './out/*' | sed 's,^\./,,')
fi
[ ${#files[@]} -gt 0 ] || { echo "check_style: no files found" >&2; exit 1; }

select_files() { printf '%s\n' "${files[@]}" | grep -E "$1" || true; }

found=0
finding() {
  printf '%s\n' "$1" >&2
  found=1
}

formatter=clang-format-14
command -v $formatter >/dev/null || { echo "error: check_style: $formatter is not installed" >&2; exit 1; }
mapfile -t cxx < <(select_files '\.(h|cc)$')
if [ "${1:-}" = --fix ]; then
  [ ${#cxx[@]} -eq 0 ] || $formatter -i "${cxx[@]}"
elif [ ${#cxx[@]} -gt 0 ]; then
  $formatter --dry-run -Werror "${cxx[@]}" || finding "check_style: run deploy/check_style.sh --fix"
fi

# The first line, or the second after "#!".
while read -r file; do
  [ -s "$file" ] || continue
  head -n 2 "$file" | grep -q 'SPDX-License-Identifier: Apache-2.0' || finding "$file: no SPDX line at the top"
done < <(select_files '\.(h|cc|cu|cuh|proto|py|sh|bzl|yaml)$|(^|/)(BUILD|WORKSPACE|run|\.bazelrc)$')

while IFS= read -r line; do
  finding "$line: path of a machine"
done < <(select_files '\.(h|cc|proto|py|sh|bzl|md|yaml|txt)$|(^|/)(BUILD|WORKSPACE|run|\.bazelrc)$' |
  grep -v '^examples/.*\.txt$' | xargs -d '\n' -r grep -nEI '/(work|root|home)/[a-z_]+/' 2>/dev/null | cut -c1-200)

while IFS= read -r line; do
  finding "$line: tests wait on a condition with a deadline, or turn a clock"
done < <(select_files '_test\.cc$|^tests/.*\.(h|cc|py|sh)$' |
  xargs -d '\n' -r grep -nEI 'sleep_for|sleep_until|SleepFor|[^a-z_]u?sleep\(|nanosleep|time\.sleep|(^|[;&| ])sleep [0-9.]' |
  cut -c1-200)

[ $found -eq 0 ] || exit 1
echo "check_style: ${#files[@]} files, nothing found"

#!/usr/bin/env bash
# Installs what is missing, configures one preset of CMakePresets.json and builds it.
# usage: tools/build.sh PRESET [TARGET…] [-- CMAKE_OPTION…]
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/.."

preset=${1:?usage: tools/build.sh PRESET [TARGET…] [-- CMAKE_OPTION…]}
shift
targets=()
while [ $# -gt 0 ] && [ "$1" != -- ]; do
    targets+=("$1")
    shift
done
[ $# -eq 0 ] || shift

tools/install-dependencies.sh

# One compiler needs up to 1.5 GB: as many at a time as cores and free memory allow.
available_kb=$(awk '/^MemAvailable:/ { print $2 }' /proc/meminfo)
jobs=$((available_kb / 1500000))
cores=$(nproc)
if [ "$jobs" -gt "$cores" ]; then jobs=$cores; fi
if [ "$jobs" -lt 1 ]; then jobs=1; fi

echo "Configuring build/$preset"
mkdir -p "build/$preset"
log=build/$preset/configure.log
if ! cmake --preset "$preset" "$@" >"$log" 2>&1; then
    cat "$log" >&2
    exit 1
fi
grep -E -e '^-- .*(CUDA|--html)' "$log" | sed 's/^-- //' || true

echo "Building with $jobs jobs"
cmake --build --preset "$preset" --parallel "$jobs" ${targets[@]+--target "${targets[@]}"}

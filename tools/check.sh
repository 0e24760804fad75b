#!/usr/bin/env bash
# Everything a change must pass besides tools/test.sh: format, scripts, layers, links, the build with
# and without CUDA, tests under the sanitizers, lint.
# usage: tools/check.sh [--fix|--lint-all]
#   --fix: format in place, and no more; --lint-all: lint every source
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/.."

step() { printf '\n== %s (%d s)\n' "$1" "$SECONDS"; }

tools/install-dependencies.sh --lint --browser
mapfile -t sources < <(git ls-files --cached --others --exclude-standard '*.cpp' '*.hpp' '*.cu')
mapfile -t scripts < <(git ls-files '*.sh' .ci/run)

step "format"
case "${1:-}" in
    --fix) clang-format-16 -i "${sources[@]}"; exit ;;
    "" | --lint-all) clang-format-16 --dry-run -Werror --ferror-limit=1 "${sources[@]}" ||
            { echo "error: tools/check.sh --fix formats these files" >&2; exit 1; } ;;
    *) echo "usage: tools/check.sh [--fix|--lint-all]" >&2; exit 2 ;;
esac

step "scripts, layers, links"
shellcheck "${scripts[@]}"
tools/check_layers.py --self-test
tools/check_layers.py
tools/check_links.sh

step "build without CUDA"
tools/build.sh no-cuda -- -DOVERCAST_HTML=ON -DOVERCAST_BROWSER_TESTS=ON

step "HTML report in a browser"
ctest --preset no-cuda -R '^browser$'

# Where a toolkit is present, its parts must build: ON instead of AUTO.
cuda=AUTO
if command -v nvcc >/dev/null || [ -e "${CUDA_HOME:-/usr/local/cuda}/include/cuda.h" ]; then cuda=ON; fi
step "build with sanitizers, CUDA $cuda"
# One architecture shows whether the kernels build.
tools/build.sh asan -- -DOVERCAST_CUDA=$cuda -DCMAKE_CUDA_ARCHITECTURES=90
if [ $cuda = ON ]; then
    for part in lib/libovercast-tracer.so bin/overcast-cases; do
        [ -e "build/asan/$part" ] ||
            { echo "error: a CUDA Toolkit is here, but build/asan/$part was not built" >&2; exit 1; }
    done
    tracer_tests=$(build/asan/bin/overcast_tracer_tests --gtest_list_tests)
    grep -q '^Decod' <<<"$tracer_tests" ||
        { echo "error: a CUDA Toolkit is here, but the tests hold none of the decoder" >&2; exit 1; }
fi

step "tests with sanitizers"
ctest --preset asan --parallel "$(nproc)"

step "lint"
# By the commands of a build that compiles each source by itself; it is configured, not built.
commands=build/lint
cmake --preset dev -B "$commands" -DOVERCAST_CUDA=$cuda -DCMAKE_CUDA_ARCHITECTURES=90 >/dev/null
# What the last commits touched. Tests are compiled with the same warnings: linting them, too, or
# every file each time, would take minutes.
lately=$(git rev-list --max-count=21 --first-parent HEAD | tail -n 1)
mapfile -t units < <({
    if [ "${1:-}" = --lint-all ]; then printf '%s\n' "${sources[@]}"
    else git diff --name-only --diff-filter=d "$lately"; git ls-files --others --exclude-standard; fi
} | grep '\.cpp$' | grep -v '_test\.cpp$' | sort -u)
[ ${#units[@]} -eq 0 ] || printf '%s\n' "${units[@]}" |
    xargs -P "$(nproc)" -n 4 clang-tidy-16 -p "$commands" --quiet --warnings-as-errors='*' \
        2> >(grep -v ' warnings generated' >&2)

step "all checks passed"

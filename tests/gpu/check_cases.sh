#!/usr/bin/env bash
# On a machine with an NVIDIA GPU: every case of overcast-cases gives right results (each run checks
# itself), in every transform and order that it knows, and compute-sanitizer finds nothing.
set -euo pipefail

usage() {
    cat <<'TEXT'
usage: check_cases.sh CASES [CASE…]

  CASES   the program overcast-cases
  CASE…   default: all of them

Without compute-sanitizer, or where it cannot use the GPU, that part is left out and said so.
TEXT
}

if (($# < 1)); then
    usage >&2
    exit 2
fi
program=$(realpath "$1")
shift
cases=("$@")
if ((${#cases[@]} == 0)); then
    mapfile -t cases < <("$program" list | sed -n 's/^\([a-z0-9_]*\): .*/\1/p')
fi
log=$(mktemp)
trap 'rm -f "$log"' EXIT
failures=0

expect_success() { # what is run, then the command
    local what=$1
    shift
    if ! "$@" >"$log" 2>&1; then
        failures=$((failures + 1))
        printf 'FAILED %s\n' "$what"
        tail -n 3 "$log"
    fi
}

sanitizer=$(command -v compute-sanitizer || true)
if [[ -n $sanitizer ]] && ! "$sanitizer" "$program" tiny --preset small --repetitions 1 >/dev/null 2>&1; then
    echo "compute-sanitizer cannot use this GPU: its checks are left out"
    sanitizer=
fi

for name in "${cases[@]}"; do
    for order in depth breadth recorded; do
        expect_success "$name, $order order, 4 streams" \
            "$program" "$name" --streams 4 --order "$order" --repetitions 3
        expect_success "$name, replicate, $order order, 2 streams" \
            "$program" "$name" --preset small --transform replicate --streams 2 --order "$order" \
            --repetitions 3
    done
    if [[ $name == co_run_* ]]; then
        expect_success "$name, every group, a stream per unit" \
            "$program" "$name" --sweep group=0..159 --streams each --repetitions 1
    fi
    if [[ -n $sanitizer ]]; then
        for tool in memcheck racecheck; do
            expect_success "$name, $tool" "$sanitizer" --tool "$tool" --error-exitcode 9 \
                "$program" "$name" --preset small --streams 2 --repetitions 1
        done
    fi
    printf '%s checked\n' "$name"
done
printf '%d cases, %d failures\n' "${#cases[@]}" "$failures"
((failures == 0))

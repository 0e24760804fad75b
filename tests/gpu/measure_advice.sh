#!/usr/bin/env bash
# On a machine with an NVIDIA GPU: takes the faults of overcast-bad-program away one by one, and sets
# what each saved beside what `overcast advise` had said it would save.
set -euo pipefail

usage() {
    cat <<'TEXT'
usage: measure_advice.sh OVERCAST BAD_PROGRAM FOLDER [NUMBER…]

  OVERCAST     the command overcast
  BAD_PROGRAM  the program overcast-bad-program (tests/gpu/bad_program.cu)
  FOLDER       where recordings, advice and the table go
  NUMBER…      the changes, in the order in which they are made [1 2 3 4 5]

Each step is measured without a recorder, recorded once, and advised on. Predicted is
what advise says of the next change alone, from the recording before that change. Good
is a difference of at most 15 % of the measured saving, or 2 % of the wall time.
TEXT
}

if (($# < 3)); then
    usage >&2
    exit 2
fi
overcast=$(realpath "$1")
program=$(realpath "$2")
mkdir -p "$3"
folder=$(realpath "$3")
shift 3
changes=("$@")
if ((${#changes[@]} == 0)); then
    changes=(1 2 3 4 5)
fi
# Which diagnoses a change of the program removes: 4 takes two faults away at once.
declare -A diagnoses=([1]=pageable-memory [2]=default-stream [3]=issue-order
    [4]="implicit-waits allocation-in-loop" [5]="unit-waits host-waits")

measured() { # the changes made: median wall time in us
    "$program" "$@" | awk '$1 == "wall_median_ms" { printf "%.3f", 1000 * $2 }'
}

advise_on() { # a name, the changes made: records and advises
    local name=$1
    shift
    "$overcast" trace -o "$folder/$name.json.gz" --range profiler-api -- \
        "$program" --profile-one-pass "$@" >/dev/null
    "$overcast" advise "$folder/$name.json.gz" -o "$folder/$name.txt"
    "$overcast" advise "$folder/$name.json.gz" --format csv -o "$folder/$name.csv"
}

predicted() { # a name, diagnosis ids: the sum of what they save alone, in us; nothing if none is there
    local name=$1
    shift
    awk -F, -v wanted=" $* " \
        'index(wanted, " " $2 " ") { found = 1; saving += $7 } END { if (found) printf "%.3f", saving }' \
        "$folder/$name.csv"
}

table=$folder/advice.md
{
    printf '| change | diagnosis | before, ms | after, ms | measured saving, ms | predicted, ms | off by | good |\n'
    printf '|---|---|---:|---:|---:|---:|---:|---|\n'
} >"$table"

made=()
before=$(measured)
advise_on step-0
failures=0
for i in "${!changes[@]}"; do
    change=${changes[$i]}
    read -r -a ids <<<"${diagnoses[$change]}"
    said=$(predicted "step-$i" "${ids[@]}")
    made+=("$change")
    after=$(measured "${made[@]}")
    advise_on "step-$((i + 1))" "${made[@]}"
    row=$(awk -v change="$change" -v ids="${ids[*]}" -v before="$before" -v after="$after" \
        -v said="$said" 'BEGIN {
            saved = before - after
            if (said == "") {
                printf "| %s | %s | %.3f | %.3f | %.3f | not found | - | no |\n", change, ids,
                    before / 1000, after / 1000, saved / 1000
                exit
            }
            off = said - saved
            allowed = 0.15 * (saved < 0 ? -saved : saved)
            if (allowed < 0.02 * before) allowed = 0.02 * before
            good = (off < 0 ? -off : off) <= allowed
            printf "| %s | %s | %.3f | %.3f | %.3f | %.3f | %+.3f | %s |\n", change, ids,
                before / 1000, after / 1000, saved / 1000, said / 1000, off / 1000, good ? "yes" : "no"
        }')
    printf '%s\n' "$row" >>"$table"
    if [[ $row == *"| no |" ]]; then
        failures=$((failures + 1))
    fi
    before=$after
done
cat "$table"
printf '%d changes, %d not as predicted; recordings and advice are in %s\n' \
    "${#changes[@]}" "$failures" "$folder"
((failures == 0))

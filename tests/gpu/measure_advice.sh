#!/usr/bin/env bash
# Takes the faults of overcast-bad-program away one by one, and sets what each saved beside what
# `overcast advise` had said it would save. Measuring needs an NVIDIA GPU; the table can be made
# again from what was measured, without one.
set -euo pipefail

usage() {
    cat <<'TEXT'
usage: measure_advice.sh OVERCAST BAD_PROGRAM FOLDER [NUMBER…]
       measure_advice.sh --again OVERCAST FOLDER [DEVICE_MODEL]

  OVERCAST      the command overcast
  BAD_PROGRAM   the program overcast-bad-program (tests/gpu/bad_program.cu)
  FOLDER        1/, 2/, 3/ hold step-N.json.gz (the recordings), advise's words on them, and
                walls.csv (what the steps took)
  NUMBER…       the changes, in the order in which they are made [1 2 3 4 5]
  --again       advises on the recordings of FOLDER and prints the table
  DEVICE_MODEL  for advise [its own choice]

Each step is measured in three processes without a recorder, recorded three times, and advised
on. A wall time is the median of the three; predicted is the median of what advise says of the
next change alone, from the recordings before that change. Good is a difference of at most 15 %
of the measured saving, or 2 % of the wall time where that is more.
TEXT
}

again=no
if [[ ${1:-} == --again ]]; then
    again=yes
    shift
fi
if { [[ $again == yes ]] && (($# < 2 || $# > 3)); } || { [[ $again == no ]] && (($# < 3)); }; then
    usage >&2
    exit 2
fi
overcast=$(realpath "$1")
shift
repetitions=(1 2 3)
model=()
if [[ $again == yes ]]; then
    folder=$(realpath "$1")
    if (($# == 2)); then
        model=(--device-model "$(realpath "$2")")
    fi
else
    program=$(realpath "$1")
    mkdir -p "$2"
    folder=$(realpath "$2")
    shift 2
    changes=("$@")
    if ((${#changes[@]} == 0)); then
        changes=(1 2 3 4 5)
    fi
fi
# Which diagnoses a change of the program removes: 4 takes two faults away at once.
declare -A diagnoses=([1]=pageable-memory [2]=default-stream [3]=issue-order
    [4]="implicit-waits allocation-in-loop" [5]="unit-waits host-waits")

measured() { # the changes made: median wall time of a process in us
    "$program" "$@" | awk '$1 == "wall_median_ms" { printf "%.1f", 1000 * $2 }'
}

measure_and_record() { # a repetition
    local own=$folder/$1 made=() change="" i wall
    mkdir -p "$own"
    printf 'step,change,wall_us\n' >"$own/walls.csv"
    for ((i = 0; i <= ${#changes[@]}; ++i)); do
        if ((i > 0)); then
            change=${changes[i - 1]}
            made+=("$change")
        fi
        wall=$(measured "${made[@]}")
        printf '%d,%s,%s\n' "$i" "$change" "$wall" >>"$own/walls.csv"
        "$overcast" trace -o "$own/step-$i.json.gz" --range profiler-api -- \
            "$program" --profile-one-pass "${made[@]}" >/dev/null
    done
}

column() { # a step, a column: of that step, from every repetition
    local i
    for i in "${repetitions[@]}"; do
        awk -F, -v step="$1" -v column="$2" '$1 == step { print $column }' "$folder/$i/walls.csv"
    done
}

middle() { # the median of three numbers or fewer on stdin; nothing of none
    sort -g | awk '{ value[NR] = $1 } END { if (NR) print value[int((NR + 1) / 2)] }'
}

predicted() { # an advice as CSV, diagnosis ids: the sum of what they save alone, in us
    awk -F, -v wanted=" ${*:2} " \
        'index(wanted, " " $2 " ") { found = 1; saving += $7 } END { if (found) print saving }' "$1"
}

if [[ $again == no ]]; then
    for i in "${repetitions[@]}"; do
        measure_and_record "$i"
    done
fi

advice=$(mktemp -d)
trap 'rm -rf "$advice"' EXIT
for i in "${repetitions[@]}"; do
    for recording in "$folder/$i"/step-*.json.gz; do
        name=$(basename "$recording" .json.gz)
        "$overcast" advise "$recording" "${model[@]}" --no-interval --format csv -o "$advice/$i-$name.csv"
        if [[ $again == no ]]; then
            "$overcast" advise "$recording" -o "$folder/$i/$name.txt"
        fi
    done
done

row() { # a step ≥ 1: the row of the change that led to it
    local change ids said=() i value
    change=$(column "$1" 2 | head -n 1)
    read -r -a ids <<<"${diagnoses[$change]}"
    for i in "${repetitions[@]}"; do
        value=$(predicted "$advice/$i-step-$(($1 - 1)).csv" "${ids[@]}")
        if [[ -n $value ]]; then
            said+=("$value")
        fi
    done
    # Savings of the single repetitions, for the noise.
    paste <(column $(($1 - 1)) 3) <(column "$1" 3) | awk '{ print $1 - $2 }' | sort -g >"$advice/savings"
    awk -v change="$change" -v ids="${ids[*]}" \
        -v before="$(column $(($1 - 1)) 3 | middle)" -v after="$(column "$1" 3 | middle)" \
        -v least="$(head -n 1 "$advice/savings")" -v most="$(tail -n 1 "$advice/savings")" \
        -v found="${#said[@]}" -v all="${#repetitions[@]}" \
        -v said="$(printf '%s\n' "${said[@]}" | middle)" 'BEGIN {
            saved = before - after
            printf "| %s | %s | %.2f | %.2f | %.2f | %.2f to %.2f |", change, ids,
                before / 1000, after / 1000, saved / 1000, least / 1000, most / 1000
            if (found < all) {
                print " not found | - | no |"
                exit
            }
            off = said - saved
            allowed = 0.15 * (saved < 0 ? -saved : saved)
            if (allowed < 0.02 * before) allowed = 0.02 * before
            good = (off < 0 ? -off : off) <= allowed
            printf " %.2f | %+.2f | %.2f | %s |\n", said / 1000, off / 1000, allowed / 1000,
                good ? "yes" : "no"
        }'
}

steps=$(awk -F, 'END { print $1 }' "$folder/${repetitions[0]}/walls.csv")
failures=0
table=$advice/table
printf '| change | diagnosis | before, ms | after, ms | saved, ms | of single runs | predicted, ms | off by | allowed | good |\n' >"$table"
printf '|---|---|---:|---:|---:|---|---:|---:|---:|---|\n' >>"$table"
for ((step = 1; step <= steps; ++step)); do
    line=$(row "$step")
    printf '%s\n' "$line" >>"$table"
    if [[ $line == *"| no |" ]]; then
        failures=$((failures + 1))
    fi
done
cat "$table"
if [[ $again == no ]]; then
    cp "$table" "$folder/advice.md"
fi
printf '%d changes, %d not as predicted\n' "$steps" "$failures" >&2
((failures == 0))

#!/usr/bin/env bash
# Takes the faults of overcast-bad-program away one by one, and sets what each saved beside what
# `overcast advise` had said it would save. Measuring needs an NVIDIA GPU; the table can be made
# again from what was measured, without one.
set -euo pipefail

usage() {
    cat <<'TEXT'
usage: measure_advice.sh [OPTIONS] OVERCAST BAD_PROGRAM FOLDER [NUMBER…]
       measure_advice.sh --again OVERCAST FOLDER [DEVICE_MODEL]

  OVERCAST        the command overcast
  BAD_PROGRAM     the program overcast-bad-program (tests/gpu/bad_program.cu)
  FOLDER          walls.csv holds what each step took in each process; 1/, 2/, … hold
                  step-N.json.gz (the recordings) and advise's words on them
  NUMBER…         the changes, in the order in which they are made [1 2 4 5 3]
  --processes N   that measure each step [5]
  --recordings N  of each step [3]
  --again         advises on the recordings of FOLDER and prints the table
  DEVICE_MODEL    for advise [its own choice]

Each step is measured without a recorder, recorded, and advised on. A wall time is the median of
the processes; predicted is the median of what advise says of the next change alone, from the
recordings before that change (of a change that removes two causes: of the first alone, and of the
second with the first made). Good is a difference of at most 15 % of the measured saving, or 2 % of
the wall time where that is more.
TEXT
}

again=no
processes=5
recordings=3
while [[ ${1:-} == --* ]]; do
    case $1 in
        --again) again=yes ;;
        --processes) processes=$2 && shift ;;
        --recordings) recordings=$2 && shift ;;
        *) usage >&2 && exit 2 ;;
    esac
    shift
done
if { [[ $again == yes ]] && (($# < 2 || $# > 3)); } || { [[ $again == no ]] && (($# < 3)); }; then
    usage >&2
    exit 2
fi
overcast=$(realpath "$1")
shift
model=()
if [[ $again == yes ]]; then
    folder=$(realpath "$1")
    if (($# == 2)); then
        model=(--device-model "$(realpath "$2")")
    fi
    recordings=$(find "$folder" -name step-0.json.gz | wc -l)
else
    program=$(realpath "$1")
    mkdir -p "$2"
    folder=$(realpath "$2")
    shift 2
    changes=("$@")
    if ((${#changes[@]} == 0)); then
        changes=(1 2 4 5 3)
    fi
fi
# Which diagnoses a change of the program removes: 4 takes two faults away at once, and so does 5.
declare -A diagnoses=([1]=pageable-memory [2]=default-stream [3]=issue-order
    [4]="implicit-waits allocation-in-loop" [5]="unit-waits host-waits")

of_each_step() { # a command: called with the step, its change and the changes made
    local made=() i
    "$@" 0 ""
    for ((i = 1; i <= ${#changes[@]}; ++i)); do
        made+=("${changes[i - 1]}")
        "$@" "$i" "${changes[i - 1]}" "${made[@]}"
    done
}

measure() { # a process, a step, its change, the changes made
    local wall
    wall=$("$program" "${@:4}" | awk '$1 == "wall_median_ms" { printf "%.1f", 1000 * $2 }')
    printf '%d,%s,%d,%s\n' "$2" "$3" "$1" "$wall" >>"$folder/walls.csv"
}

record() { # a recording, a step, its change, the changes made
    mkdir -p "$folder/$1"
    "$overcast" trace -o "$folder/$1/step-$2.json.gz" --range profiler-api -- \
        "$program" --profile-one-pass "${@:4}" >/dev/null
}

# The steps in turn, and that again and again, so that a change of the machine meets all of them.
if [[ $again == no ]]; then
    printf 'step,change,process,wall_us\n' >"$folder/walls.csv"
    for ((i = 1; i <= processes || i <= recordings; ++i)); do
        if ((i <= processes)); then
            of_each_step measure "$i"
        fi
        if ((i <= recordings)); then
            of_each_step record "$i"
        fi
    done
fi

advice=$(mktemp -d)
trap 'rm -rf "$advice"' EXIT

walls() { # a step: of every process, in us
    awk -F, -v step="$1" '$1 == step { print $4 }' "$folder/walls.csv"
}

middle() { # the median of the numbers on stdin; nothing of none
    sort -g | awk '{ value[NR] = $1 } END { if (NR) print value[int((NR + 1) / 2)] }'
}

predicted() { # a recording, diagnoses: what removing all of them saves, in us; nothing if not found
    local recording=$1 others="" id one all=""
    for id in "${@:2}"; do
        "$overcast" advise "$recording" "${model[@]}" ${others:+--made "$others"} --no-interval \
            --format csv -o "$advice/one.csv"
        one=$(awk -F, -v id="$id" '$2 == id { print $7 }' "$advice/one.csv")
        if [[ -n $one ]]; then
            all=$(awk -v all="${all:-0}" -v one="$one" 'BEGIN { print all + one }')
            others=${others:+$others,}$id
        fi
    done
    printf '%s\n' "$all"
}

row() { # a step ≥ 1: the row of the change that led to it
    local change ids i before after
    change=$(awk -F, -v step="$1" '$1 == step { print $2; exit }' "$folder/walls.csv")
    read -r -a ids <<<"${diagnoses[$change]}"
    for ((i = 1; i <= recordings; ++i)); do
        predicted "$folder/$i/step-$(($1 - 1)).json.gz" "${ids[@]}"
    done | sed '/^$/d' >"$advice/said"
    before=$(walls $(($1 - 1)) | middle)
    after=$(walls "$1" | middle)
    # Savings of the single processes, for the noise.
    paste <(walls $(($1 - 1))) <(walls "$1") | awk '{ print $1 - $2 }' | sort -g >"$advice/savings"
    awk -v change="$change" -v ids="${ids[*]}" -v before="$before" -v after="$after" \
        -v least="$(head -n 1 "$advice/savings")" -v most="$(tail -n 1 "$advice/savings")" \
        -v found="$(wc -l <"$advice/said")" -v all="$recordings" \
        -v said="$(middle <"$advice/said")" 'BEGIN {
            saved = before - after
            printf "| %s | %s | %.2f | %.2f | %.2f | %.2f to %.2f |", change, ids,
                before / 1000, after / 1000, saved / 1000, least / 1000, most / 1000
            if (found < all) {
                print " not found | - | - | no |"
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

if [[ $again == no ]]; then
    for recording in "$folder"/*/step-*.json.gz; do
        "$overcast" advise "$recording" -o "${recording%.json.gz}.txt"
    done
fi
steps=$(awk -F, 'END { print $1 }' "$folder/walls.csv")
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

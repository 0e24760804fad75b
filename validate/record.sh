#!/usr/bin/env bash
# Records the validation cases on this machine's GPU: for each one trace.json.gz (one stream, with
# `overcast trace`) and measured.json (untraced runs on 1 to 16 streams), in one sitting.
set -euo pipefail

usage() {
    cat <<'TEXT'
usage: record.sh [--timelines] OVERCAST CASES OUTPUT [CASE…]

  OVERCAST     folder of an installed or portable Overcast (with bin/overcast); - = no traces
  CASES        the program overcast-cases
  OUTPUT       folder to write to: OUTPUT/CASE/trace.json.gz and OUTPUT/CASE/measured.json
  CASE…        default: pipeline balanced small_grid tiny tiny_inline
  --timelines  also trace every configuration once: OUTPUT/timelines/CASE/ORDER-N.json.gz

environment: STREAMS (1,2,3,4,6,8,12,16), ORDERS (depth,breadth), REPETITIONS (15), SERIES (2; 4 for
the tiny cases), UNITS (the case's own), ITERATIONS (calibrated here for the case's kernel duration),
OPTIONS (further ones of overcast-cases, such as --memory pageable).
TEXT
}

timelines=no
if [[ ${1:-} == --timelines ]]; then
    timelines=yes
    shift
fi
if (($# < 3)); then
    usage >&2
    exit 2
fi
overcast=-/bin/overcast
if [[ $1 != - ]]; then
    overcast=$(realpath "$1")/bin/overcast
fi
program=$(realpath "$2")
output=$3
shift 3
cases=("$@")
if ((${#cases[@]} == 0)); then
    cases=(pipeline balanced small_grid tiny tiny_inline)
fi
for needed in "$overcast" "$program"; do
    if [[ ! -x $needed && $needed != -/bin/overcast ]]; then
        echo "error: $needed is not there or not executable" >&2
        exit 1
    fi
done

streams=${STREAMS:-1,2,3,4,6,8,12,16}
orders=${ORDERS:-depth,breadth}
driver=$(nvidia-smi --query-gpu=driver_version --format=csv,noheader 2>/dev/null | head -n 1 || true)

# Iterations that give the case's kernel duration here; nothing where the case has none to tune.
calibrated_options() {
    local iterations=${ITERATIONS:-}
    if [[ -z $iterations && $1 != tiny* ]]; then
        iterations=$(timeout 60 "$program" calibrate "$1") || return 1
    fi
    if [[ -n $iterations ]]; then
        echo "--iterations $iterations"
    fi
}

# Host-bound runs differ from process to process: more of them are needed.
series_of() {
    if [[ $1 == tiny* ]]; then
        echo "${SERIES:-4}"
    else
        echo "${SERIES:-2}"
    fi
}

trace() { # FILE, then the program's arguments
    local file=$1
    shift
    if [[ $overcast == -/bin/overcast ]]; then
        return
    fi
    mkdir -p "$(dirname "$file")"
    # By its name, so that the recording does not tell where the program lies.
    PATH=$(dirname "$program"):$PATH timeout 120 "$overcast" trace --range profiler-api \
        -o "$file" -- "$(basename "$program")" "$@" --profile-one-pass
    if [[ ! -s $file ]]; then
        echo "error: overcast trace left no $file" >&2
        exit 1
    fi
}

# A process may run in one of several speeds on the host, from its start to its end. Of three
# recordings the one whose program took the median time in its calls is kept.
trace_of_median_speed() { # FILE, then the program's arguments
    local file=$1 folder times=() number
    shift
    if [[ $overcast == -/bin/overcast ]]; then
        return
    fi
    folder=$(mktemp -d)
    for number in 1 2 3; do
        trace "$folder/$number.json.gz" "$@"
        times+=("$("$overcast" predict "$folder/$number.json.gz" --streams 32 --order breadth \
            --format csv | awk -F , 'NR == 2 { print $10 }') $number")
    done
    number=$(printf '%s\n' "${times[@]}" | sort -g | sed -n 2p | cut -d ' ' -f 2)
    mkdir -p "$(dirname "$file")"
    mv "$folder/$number.json.gz" "$file"
    rm -r "$folder"
}

record_timelines() { # CASE, then its options
    local name=$1 order count
    shift
    for order in ${orders//,/ }; do
        for count in ${streams//,/ }; do
            trace "$output/timelines/$name/$order-$count.json.gz" "$name" "$@" \
                --order "$order" --streams "$count" >/dev/null ||
                echo "warning: no timeline of $name, $order, $count streams" >&2
        done
    done
}

for name in "${cases[@]}"; do
    began=$SECONDS
    options=$(calibrated_options "$name")
    read -r -a work <<<"$options"
    if [[ -n ${UNITS:-} ]]; then
        work+=(--units "$UNITS")
    fi
    read -r -a further <<<"${OPTIONS:-}"
    work+=("${further[@]}")
    trace_of_median_speed "$output/$name/trace.json.gz" "$name" "${work[@]}"
    mkdir -p "$output/$name"
    timeout 300 "$program" sweep "$name" "${work[@]}" --streams "$streams" --orders "$orders" \
        --repetitions "${REPETITIONS:-15}" --series "$(series_of "$name")" --driver "$driver" \
        --output "$output/$name/measured.json"
    echo "$name: ${work[*]} recorded in $((SECONDS - began)) s"
    if [[ $timelines == yes ]]; then
        record_timelines "$name" "${work[@]}"
        echo "$name: timelines, $((SECONDS - began)) s in all"
    fi
done

#!/usr/bin/env python3
"""How near replays come to recordings: one line for each trace, and the middle of all.

usage: tools/replay_table.py OVERCAST TRACE…

OVERCAST is the program; each TRACE is compared with its own replay (overcast compare --replayed).
Errors are in percent: of the makespan, and medians over a trace's operations.
"""

import json
import statistics
import subprocess
import sys

COLUMNS = ("trace", "streams", "makespan", "host share", "starts", "waits", "full queue")


def median_error(agreement):
    return None if agreement is None else agreement["median"] * 100


def compared(program, trace):
    """The figures of one trace, in the order of COLUMNS; None for what it does not have."""
    finished = subprocess.run(
        [program, "compare", trace, "--replayed", "--format", "json"],
        capture_output=True, text=True, check=False)
    if finished.returncode != 0:
        sys.exit(finished.stderr.strip())
    result = json.loads(finished.stdout)
    left, right = result["left"], result["right"]
    return (trace, left["streams"],
            (right["makespan_us"] / left["makespan_us"] - 1) * 100,
            left["host_share"] * 100,
            median_error(result["start_delay"]),
            median_error(result["waiting_calls"]),
            median_error(result["held_up_launches"]))


def cell(value):
    if value is None:
        return "–"
    return f"{value:.1f}" if isinstance(value, float) else str(value)


def summary(name, rows):
    """Mean and median of the makespans' errors; medians of the medians."""
    makespans = [abs(row[2]) for row in rows]
    near = sum(error <= 5 for error in makespans)
    middle = [statistics.median(values) if values else None
              for values in ([row[i] for row in rows if row[i] is not None] for i in (4, 5, 6))]
    starts, waits, queue = (cell(value) for value in middle)
    print(f"{name}: {len(rows)} traces, makespan off by {statistics.mean(makespans):.2f} % on "
          f"average, {statistics.median(makespans):.2f} % in the middle, at most 5 % in {near}; "
          f"medians of starts {starts}, waits {waits}, full queue {queue} %")


def main():
    if len(sys.argv) < 3:
        sys.exit(__doc__)
    rows = [compared(sys.argv[1], trace) for trace in sys.argv[2:]]
    print("| " + " | ".join(COLUMNS) + " |")
    print("|---" + "|---:" * (len(COLUMNS) - 1) + "|")
    for row in rows:
        print("| " + " | ".join(cell(value) for value in row) + " |")
    print()
    for name, chosen in (("one stream", [row for row in rows if row[1] == 1]),
                         ("several streams", [row for row in rows if row[1] > 1])):
        if chosen:
            summary(name, chosen)


if __name__ == "__main__":
    main()

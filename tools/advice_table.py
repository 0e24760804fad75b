#!/usr/bin/env python3
"""Sets savings that `overcast advise` predicts beside what the recordings of a GPU measured.

usage: tools/advice_table.py OVERCAST [RECORDINGS]

A saving is known without making a change where both programs were measured: with pageable and with
pinned memory, on one stream and on several, breadth first and depth first. RECORDINGS: traces/h200. Prints Markdown.
"""

import json
import subprocess
import sys
from pathlib import Path
from statistics import median


def advice_on(overcast, case, recording="trace.json.gz"):
    output = subprocess.run([overcast, "advise", "--format", "json", case / recording],
                            check=True, capture_output=True, text=True).stdout
    return json.loads(output)


def measured_wall(case, streams, order):
    """Median wall time in us; None where that was not measured."""
    runs = json.loads((case / "measured.json").read_text(encoding="utf-8"))["runs"]
    for run in runs:
        if (run["transform"], run["streams"], run["parts"]) == ("distribute", streams, 1) and \
                (streams == 1 or run["order"] == order):
            return run["wall_median_us"]
    return None


def pinned_rows(overcast, recordings):
    for case in sorted(recordings.glob("*_pageable")):
        pinned = recordings / case.name.removesuffix("_pageable")
        if not pinned.is_dir():
            continue
        before, after = measured_wall(case, 1, "depth"), measured_wall(pinned, 1, "depth")
        found = [d for d in advice_on(overcast, case)["diagnoses"] if d["id"] == "pageable-memory"]
        if found and before and after:
            yield case.name, "pageable-memory", "pinned", before, after, \
                found[0]["alone"]["saving_us"]


def stream_rows(overcast, recordings):
    for case in sorted(recordings.iterdir()):
        if not (case / "measured.json").is_file():
            continue
        advice = advice_on(overcast, case)
        made = [d for d in advice["diagnoses"] if d["advised"] and d["verdict"] == "saves"]
        schedule = advice["schedules"]["cheapest"]
        if [d["id"] for d in made] != ["one-stream"] or schedule["units_in_turn"] > 1:
            continue
        before = measured_wall(case, 1, "depth")
        after = measured_wall(case, schedule["streams"], schedule["order"])
        if before and after:
            yield case.name, "one-stream", f"{schedule['streams']} streams, {schedule['order']}", \
                before, after, made[0]["alone"]["saving_us"]


def order_rows(overcast, recordings):
    for file in sorted(recordings.glob("*/timelines/distribute-breadth-*.json.gz")):
        case = file.parent.parent
        streams = int(file.name.split("-")[2].split(".")[0])
        before = measured_wall(case, streams, "breadth")
        after = measured_wall(case, streams, "depth")
        found = [d for d in advice_on(overcast, case, f"timelines/{file.name}")["diagnoses"]
                 if d["id"] == "issue-order"]
        if found and before and after:
            yield case.name, "issue-order", f"{streams} streams, depth", before, after, \
                found[0]["alone"]["saving_us"]


def main(arguments):
    if not 1 <= len(arguments) <= 2:
        print(__doc__, file=sys.stderr)
        return 2
    overcast = Path(arguments[0]).resolve()
    recordings = Path(arguments[1] if len(arguments) > 1 else "traces/h200")
    rows = [*pinned_rows(overcast, recordings), *stream_rows(overcast, recordings),
            *order_rows(overcast, recordings)]
    print("| case | cause | change | before, ms | measured saving, ms | predicted, ms | "
          "off by, % of it | of the wall time, % |")
    print("|---|---|---|---:|---:|---:|---:|---:|")
    good, relative = 0, []
    for case, cause, change, before, after, predicted in rows:
        saved = before - after
        off = predicted - saved
        relative.append(abs(off) / abs(saved))
        good += abs(off) <= max(0.15 * abs(saved), 0.02 * before)
        print(f"| `{case}` | `{cause}` | {change} | {before / 1e3:.3f} | {saved / 1e3:.3f} | "
              f"{predicted / 1e3:.3f} | {100 * off / saved:+.1f} | {100 * off / before:+.1f} |")
    print(f"\n{good} of {len(rows)} within 15 % of the measured saving or 2 % of the wall time; "
          f"median {100 * median(relative):.1f} % of the saving.")
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))

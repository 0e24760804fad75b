#!/usr/bin/env python3
"""How far two recordings of one program serve its copies in the same order, and how far a prediction does.

usage: tools/order_reproduced.py OVERCAST OTHERS

OVERCAST is the program; the recorded timelines of traces/h200 are held against OTHERS, a folder of
recordings of the same cases or an earlier revision of this repository, and against what OVERCAST
predicts for them. Shares of the copies, in
percent: the longest part of them in the other's order, each direction by itself.
"""

import bisect
import collections
import gzip
import json
import pathlib
import statistics
import subprocess
import sys

ROOT = pathlib.Path(__file__).resolve().parent.parent
SUITE = ROOT / "traces/h200"
SAME = 99.5  # percent: of one order but for a copy in 200


def rising(values):
    """Length of the longest part in rising order."""
    ends = []
    for value in values:
        place = bisect.bisect_left(ends, value)
        ends[place:place + 1] = [value]
    return len(ends)


def served(packed):
    """Of each direction the copies as they were served, by their place in the order of issue."""
    events = json.loads(gzip.decompress(packed))["traceEvents"]
    calls = {e["args"].get("correlation"): e["ts"] for e in events if e.get("cat") == "cuda_runtime"}
    orders = {}
    for way in "HtoD", "DtoH":
        copies = [e for e in events if e.get("cat") == "gpu_memcpy" and way in e["name"]]
        copies.sort(key=lambda e: calls[e["args"]["correlation"]])
        orders[way] = [i for _, i in sorted((e["ts"], i) for i, e in enumerate(copies))]
    return orders


def agreement(one, other):
    """None: other copies, or none."""
    if any(sorted(one[way]) != sorted(other[way]) for way in one) or not any(one.values()):
        return None
    alike = 0
    for way, order in one.items():
        place = {copy: i for i, copy in enumerate(order)}
        alike += rising(place[copy] for copy in other[way])
    return 100 * alike / sum(map(len, one.values()))


def other(source, path):
    """The file of the other recording, if there is one."""
    if pathlib.Path(source).is_dir():
        file = pathlib.Path(source) / path.relative_to(SUITE)
        return file.read_bytes() if file.is_file() else None
    found = subprocess.run(["git", "-C", ROOT, "show", f"{source}:{path.relative_to(ROOT)}"],
                           capture_output=True, check=False)
    return None if found.returncode or found.stdout == path.read_bytes() else found.stdout


def predicted(program):
    """By case and timeline: (family, percent)."""
    try:
        report = subprocess.run([program, "validate", "--replay", SUITE, "--no-tolerances", "--format", "json"],
                                capture_output=True, text=True, check=False)
    except OSError as problem:
        sys.exit(f"{program}: {problem.strerror}: name the built program")
    if report.returncode != 0:
        sys.exit(report.stderr.strip())
    judged = {}
    for run in json.loads(report.stdout)["cases"]:
        timeline = run["timeline"]
        if timeline and timeline["service_order_percent"] is not None:
            name = f'{run["transform"]}-{run["order"]}-{run["streams"]}.json.gz'
            judged[run["case"], name] = run["family"], timeline["service_order_percent"]
    return judged


def row(name, runs):
    recordings, predictions = (statistics.mean(x) for x in zip(*runs))
    return f"| {name} | {len(runs)} | {recordings:.1f} % | {predictions:.1f} % |"


def main(program, others):
    judged = predicted(program)
    families = collections.defaultdict(list)
    for path in sorted(SUITE.glob("*/timelines/*.json.gz")):
        key = path.parts[-3], path.name
        before = other(others, path) if key in judged else None
        share = agreement(served(path.read_bytes()), served(before)) if before else None
        if share is not None:
            families[judged[key][0]].append((share, judged[key][1]))
    runs = [run for family in families.values() for run in family]
    if not runs:
        sys.exit(f"{others} holds no other recordings of these timelines: name a folder, or a commit before they were made")
    print("| family | configurations | another recording | Overcast |\n|---|---|---|---|")
    for name, of_family in families.items():
        print(row(name, of_family))
    print(row("all", runs))
    print(row("where the recordings agree", [run for run in runs if run[0] >= SAME]))
    print(row("where they do not", [run for run in runs if run[0] < SAME]))


if __name__ == "__main__":
    if len(sys.argv) != 3:
        sys.exit(__doc__)
    main(*sys.argv[1:])

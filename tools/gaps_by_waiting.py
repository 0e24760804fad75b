#!/usr/bin/env python3
"""How long the gaps between dependent operations of a stream are in the recorded timelines of traces/h200,
by what else goes on when the earlier operation ends.

usage: tools/gaps_by_waiting.py [FOLDER…]      folders of cases, instead of all but co_run_*

A gap counts where the later call had returned 2.5 us before, and nothing but the earlier operation held
the later one up: its channel and its engine were free. Columns: the largest copy of the program, which
copies run (those of the gap's own engine do not), how many other channels of the later operation's kind
wait at their head for work that has not ended, number of gaps, and their 10th percentile, median, 90th
percentile and mean in us."""

import bisect
import collections
import gzip
import json
import pathlib
import statistics
import sys

SUITE = pathlib.Path(__file__).resolve().parent.parent / "traces/h200"
KINDS = {"kernel": "kernel", "HtoD": "H2D", "DtoH": "D2H"}
LATE = 2.5  # us
LONGEST = 60  # us: beyond, something else held the operation up
FEWEST = 12  # gaps of a row


def kind_of(event):
    if event["cat"] == "kernel":
        return "kernel"
    return next((kind for way, kind in KINDS.items() if way in event["name"]), "other")


def operations(path):
    """In the order of issue, each with the ones before it in its stream and in its channel."""
    events = [e for e in json.loads(gzip.decompress(path.read_bytes()))["traceEvents"] if e.get("ph") == "X"]
    calls = {e["args"].get("correlation"): e for e in events if e["cat"] == "cuda_runtime"}
    issued = []
    for event in events:
        call = calls.get(event["args"].get("correlation"))
        if event["cat"] in ("kernel", "gpu_memcpy", "gpu_memset") and call:
            issued.append({"kind": kind_of(event), "start": event["ts"], "end": event["ts"] + event["dur"],
                           "called": call["ts"], "returned": call["ts"] + call["dur"], "bytes": event["args"].get("bytes", 0),
                           "stream": event["args"]["stream"], "channel": event["args"].get("channel")})
    issued.sort(key=lambda one: one["called"])
    in_stream, in_channel = {}, {}
    for one in issued:
        one["before"], in_stream[one["stream"]] = in_stream.get(one["stream"]), one
        one["ahead"], in_channel[one["channel"]] = in_channel.get(one["channel"]), one
    return issued


def runs_at(copies, time):
    place = bisect.bisect(copies, (time, float("inf"))) - 1
    return place >= 0 and copies[place][1] > time


def waits(channel, time):
    """The head of a channel: issued, not started, and what it waits for has not ended."""
    head = next((one for one in channel if one["end"] > time and one["returned"] < time), None)
    return head is not None and head["start"] > time and head["before"] is not None and head["before"]["end"] > time


def gaps(path):
    issued = operations(path)
    largest = max((one["bytes"] for one in issued if one["kind"] in ("H2D", "D2H")), default=0)
    size = "100 KB" if largest <= 100_000 else "1 MB" if largest <= 1_100_000 else "more"
    copies = {way: sorted((one["start"], one["end"]) for one in issued if one["kind"] == way) for way in ("H2D", "D2H")}
    channels = collections.defaultdict(list)
    for one in issued:
        channels[one["channel"]].append(one)
    for one in issued:
        before, ahead = one["before"], one["ahead"]
        if before is None or {before["kind"], one["kind"]} - set(KINDS.values()) or before["kind"] == one["kind"]:
            continue
        end = before["end"]
        after = end + 0.05
        if end < one["returned"] + LATE or (ahead and ahead["end"] > after) or one["start"] - end > LONGEST:
            continue
        if one["kind"] in copies and runs_at(copies[one["kind"]], after):
            continue
        beside = "+".join(way for way in copies if way != one["kind"] and runs_at(copies[way], after)) or "none"
        waiting = sum(waits(channel, after) for number, channel in channels.items()
                      if number != one["channel"] and channel[0]["kind"] == one["kind"])
        yield (before["kind"] + " → " + one["kind"], size, beside, waiting), one["start"] - end


def main(folders):
    if "-h" in folders or "--help" in folders:
        sys.exit(__doc__)
    found = collections.defaultdict(list)
    cases = [pathlib.Path(f) for f in folders] or [f for f in SUITE.iterdir() if not f.name.startswith("co_run")]
    for path in sorted(path for case in cases for path in case.glob("timelines/*.json.gz")):
        for key, gap in gaps(path):
            found[key].append(gap)
    if not found:
        sys.exit("no recorded timelines in " + ", ".join(map(str, cases)) + ": name folders of cases, such as traces/h200/pipeline")
    print("| gap | copies up to | beside | waiting | gaps | 10 % | median | 90 % | mean |\n|---|---|---|---:|---:|---:|---:|---:|---:|")
    for key, values in sorted(found.items()):
        if len(values) >= FEWEST:
            tenths = statistics.quantiles(values, n=10)
            print("|", " | ".join(map(str, key)), f"| {len(values)} | {tenths[0]:.1f} | {tenths[4]:.1f} | {tenths[8]:.1f} | {statistics.mean(values):.1f} |")


main(sys.argv[1:])

#!/usr/bin/env python3
"""Whether the rules of the copy engines explain what they did, given when everything else happened.

usage: tools/choices_explained.py DEVICE_MODEL FOLDER...

A prediction of the order of copies may be wrong because a rule is, or because a call took half a
microsecond longer than foreseen. Here the calls and all that ran are taken from recorded timelines
(FOLDER/*/timelines), and only the choices are asked for: whenever a copy ends and the heads of two or
more channels are issued, which goes next? Written independently of the simulator.
"""

import bisect
import collections
import gzip
import json
import math
import pathlib
import statistics
import sys

WAYS = {"gpu_memcpy HtoD": "h2d", "gpu_memcpy DtoH": "d2h"}
FIRST_COPY_CHANNEL = 8  # below are compute channels, in which small copies travel


def work_of(path):
    """What a recorded timeline did on the device, in the order of issue."""
    events = json.loads(gzip.decompress(path.read_bytes()))["traceEvents"]
    calls = {e["args"].get("correlation"): e for e in events if e.get("cat") in ("cuda_runtime", "cuda_driver")}
    work = []
    for e in events:
        if e.get("cat") not in ("gpu_memcpy", "gpu_memset", "kernel"):
            continue
        args = e["args"]
        call = calls[args["correlation"]]
        way = next((w for key, w in WAYS.items()
                    if key.split()[0] == e["cat"] and key.split()[1] in e["name"]), "kernel")
        pageable = "Pageable" in e["name"]
        work.append({"issued": call["ts"], "returned": call["ts"] + call["dur"], "way": way,
                     "stream": args["stream"], "channel": args["channel"], "start": e["ts"],
                     "end": e["ts"] + e["dur"], "bytes": args.get("bytes", 0), "pageable": pageable})
    work.sort(key=lambda w: w["issued"])
    return work


def start_latency(work):
    """From the return of a call to the start of a copy that nothing stands before. A call of more
    than 10 us was held up, most often behind the moment in which the device heard of its copy."""
    latest, found = -math.inf, []
    for w in work:
        if (w["way"] == "h2d" and w["channel"] >= FIRST_COPY_CHANNEL and latest < w["issued"] - 3
                and w["returned"] < w["issued"] + 10):
            found.append(w["start"] - w["returned"])
        latest = max(latest, w["end"])
    return found


def interpolated(points, x):
    at = bisect.bisect_left([p[0] for p in points], x)
    if at in (0, len(points)):
        return points[min(at, len(points) - 1)][1]
    (x0, y0), (x1, y1) = points[at - 1], points[at]
    return y0 + (y1 - y0) * math.log(x / x0) / math.log(x1 / x0)


def choices(work, rules, latency):
    """Of each choice, the copy that was served and the one that the rules put first."""
    before, last = {}, {}
    for i, w in enumerate(work):
        before[i] = last.get(w["stream"])
        last[w["stream"]] = i

    def in_time(i):
        known = work[i]["returned"] + latency + rules["call"]
        earlier = before[i]
        if earlier is not None and work[earlier]["way"] != work[i]["way"]:
            known = max(known, work[earlier]["end"] + rules[work[earlier]["way"]])
        return known

    for way in ("h2d", "d2h"):
        copies = [i for i, w in enumerate(work)
                  if w["way"] == way and w["channel"] >= FIRST_COPY_CHANNEL]
        queues = collections.defaultdict(collections.deque)
        for i in copies:
            queues[work[i]["channel"]].append(i)
        channels = sorted(queues)
        served = sorted(copies, key=lambda i: work[i]["start"])
        stay = []
        for now, following in zip(served, served[1:]):
            channel = work[now]["channel"]
            if queues[channel][0] != now:
                return  # not in the order of issue: another program than is assumed here
            queues[channel].popleft()
            stay = stay + [now] if stay and work[stay[-1]]["channel"] == channel else [now]
            decided = work[now]["end"]
            ahead = rules["ahead"]
            if ahead and work[now]["bytes"] <= ahead[-1][0]:
                back = min(interpolated(ahead, work[now]["bytes"]), len(stay) - 1)
                later, earlier = (work[stay[-1 - int(f(back))]]["start"] for f in (math.floor, math.ceil))
                decided = later - (back - math.floor(back)) * (later - earlier) + rules["call"]
            heads = []
            for step in range(len(channels)):
                queue = queues[channels[(channels.index(channel) + step) % len(channels)]]
                if queue and work[queue[0]]["issued"] < work[now]["end"]:
                    heads.append((max(0, in_time(queue[0]) - decided), step, queue[0]))
            if len(heads) > 1:
                yield following, min(heads)[2]


def main(arguments):
    if len(arguments) < 2:
        sys.exit(__doc__)
    parameters = json.loads(pathlib.Path(arguments[0]).read_text())["parameters"]
    rules = {of: parameters[f"copy_engine.look_ahead_{of}_ns"]["value"] / 1000
             for of in ("call", "kernel", "h2d", "d2h")}
    ahead = parameters["tracing.copies_ahead_by_bytes"]["value"]
    print("recordings                  timelines  choices  as told: by the end  by copies ahead, too")
    for folder in arguments[1:]:
        timelines = [work for path in sorted(pathlib.Path(folder).glob("*/timelines/*.json.gz"))
                     if (work := work_of(path)) and not any(w["pageable"] for w in work)]
        latency = statistics.median(sum(map(start_latency, timelines), []))
        counts = []
        for curve in (None, ahead):
            told = [served == first for work in timelines
                    for served, first in choices(work, {**rules, "ahead": curve}, latency)]
            counts.append((len(told), 100 * sum(told) / len(told)))
        print(f"{folder[-26:]:27} {len(timelines):9} {counts[1][0]:8} {counts[0][1]:18.2f} % {counts[1][1]:19.2f} %")


if __name__ == "__main__":
    main(sys.argv[1:])

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

COPY_CHANNEL = 2  # type of a channel; small copies travel in compute channels


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
        way = next((way for word, way in (("HtoD", "h2d"), ("DtoH", "d2h"))
                    if e["cat"] == "gpu_memcpy" and word in e["name"]), "kernel")
        work.append({"issued": call["ts"], "returned": call["ts"] + call["dur"], "way": way,
                     "engine": way if args.get("channel_type") == COPY_CHANNEL else None,
                     "stream": args["stream"], "channel": args["channel"], "start": e["ts"],
                     "end": e["ts"] + e["dur"], "bytes": args.get("bytes", 0),
                     "pageable": "Pageable" in e["name"]})
    work.sort(key=lambda w: w["issued"])
    return work


def start_latency(work):
    """From the return of a call to the start of a copy that nothing stands before. A call of more
    than 10 us was held up, most often behind the moment in which the device heard of its copy."""
    latest, found = -math.inf, []
    for w in work:
        held_up = w["returned"] > w["issued"] + 10
        if w["engine"] == "h2d" and latest < w["issued"] - 3 and not held_up:
            found.append(w["start"] - w["returned"])
        latest = max(latest, w["end"])
    return found


def interpolated(points, x):
    at = bisect.bisect_left([p[0] for p in points], x)
    if at in (0, len(points)):
        return points[min(at, len(points) - 1)][1]
    (x0, y0), (x1, y1) = points[at - 1], points[at]
    return y0 + (y1 - y0) * math.log(x / x0) / math.log(x1 / x0)


def decided(stay, rules):
    """When an engine chose what follows the last copy of its stay on a channel."""
    last, ahead = stay[-1], rules["ahead"]
    if not ahead or last["bytes"] > ahead[-1][0]:
        return last["end"]
    back = min(interpolated(ahead, last["bytes"]), len(stay) - 1)
    later, earlier = (stay[-1 - whole]["start"] for whole in (math.floor(back), math.ceil(back)))
    return later - (back - math.floor(back)) * (later - earlier) + rules["call"]


def set_in_time(work, rules, latency):
    """Until when a choice has to wait to know of each piece of work."""
    last = {}
    for w in work:
        w["in_time"] = w["returned"] + latency + rules["call"]
        before = last.get(w["stream"])
        if before and before["way"] != w["way"]:
            w["in_time"] = max(w["in_time"], before["end"] + rules[before["way"]])
        last[w["stream"]] = w


def choices(work, way, rules):
    """Of each choice of an engine, the copy that was served and the one that the rules put first."""
    copies = [w for w in work if w["engine"] == way]
    queues = collections.defaultdict(collections.deque)
    for copy in copies:
        queues[copy["channel"]].append(copy)
    channels = sorted(queues)
    served = sorted(copies, key=lambda w: w["start"])
    stay = []
    for now, following in zip(served, served[1:]):
        if queues[now["channel"]].popleft() is not now:
            return  # not in the order of issue: of what was cut off nothing is known
        stay = stay + [now] if stay and stay[-1]["channel"] == now["channel"] else [now]
        here = channels.index(now["channel"])
        heads = [queues[channel][0] for channel in channels[here:] + channels[:here]
                 if queues[channel] and queues[channel][0]["issued"] < now["end"]]
        if len(heads) > 1:
            then = decided(stay, rules)
            yield following, min(heads, key=lambda head: max(0, head["in_time"] - then))


def share_told(timelines, rules, latency):
    """Number of choices, and of how many percent of them the rules tell the outcome."""
    told = []
    for work in timelines:
        set_in_time(work, rules, latency)
        for way in ("h2d", "d2h"):
            told += [served is first for served, first in choices(work, way, rules)]
    return len(told), 100 * sum(told) / len(told)


def rules_of(path):
    """The thresholds in microseconds, and how many copies are taken ahead."""
    try:
        parameters = json.loads(pathlib.Path(path).read_text())["parameters"]
        rules = {of: parameters[f"copy_engine.look_ahead_{of}_ns"]["value"] / 1000
                 for of in ("call", "kernel", "h2d", "d2h")}
        rules["ahead"] = parameters["tracing.copies_ahead_by_bytes"]["value"]
    except OSError as problem:
        sys.exit(f"{path}: {problem.strerror}: name a device model")
    except (KeyError, TypeError, ValueError) as problem:
        sys.exit(f"{path}: no device model with the choices of copy engines ({problem}): calibrate")
    return rules


def timelines_of(folder):
    """Those of pinned copies."""
    works = map(work_of, sorted(pathlib.Path(folder).glob("*/timelines/*.json.gz")))
    pinned = [work for work in works if work and not any(w["pageable"] for w in work)]
    if not any(w["engine"] for work in pinned for w in work):
        sys.exit(f"{folder}: no recorded timelines with copies: name a folder of recorded cases")
    return pinned


def main(arguments):
    if len(arguments) < 2:
        sys.exit(__doc__)
    rules = rules_of(arguments[0])
    recordings = {folder: timelines_of(folder) for folder in arguments[1:]}
    print("recordings                  timelines  choices  as told: by the end  by copies ahead, too")
    for folder, timelines in recordings.items():
        latency = statistics.median(sum(map(start_latency, timelines), []))
        (count, by_end), (_, by_both) = (share_told(timelines, {**rules, "ahead": ahead}, latency)
                                         for ahead in (None, rules["ahead"]))
        print(f"{folder[-26:]:27} {len(timelines):9} {count:8} {by_end:18.2f} % {by_both:19.2f} %")


if __name__ == "__main__":
    main(sys.argv[1:])

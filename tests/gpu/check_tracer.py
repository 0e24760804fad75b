#!/usr/bin/env python3
"""Checks `overcast trace` on a machine with a GPU: does a traced program behave as an untraced one,
and is what it did in the trace, however it ended?

Each scenario runs once untraced and once traced; exit status and standard output must be the same.
Prints one line per scenario; everything seen is kept in the output folder. No command runs without
a time limit. Exit status 0: all passed, 1: some failed.
"""

import argparse
import concurrent.futures
import contextlib
import dataclasses
import glob
import gzip
import json
import os
import pathlib
import re
import signal
import subprocess
import sys
import time

HERE = pathlib.Path(__file__).resolve().parent
LIMIT_S = 75
STEADY_S = 2.6  # how long a program works before it is killed
MARKER = "{marker}"  # stands for a file that a program would make if it were run
LATE_S = 1.0  # what was complete so long before the end has to be in the trace


@dataclasses.dataclass
class Scenario:
    name: str
    command: list
    status: int = 0  # of the untraced run: else the scenario shows nothing
    operations: int = None  # exactly so many in the trace
    at_least: int = 0
    trace_options: list = dataclasses.field(default_factory=list)
    processes: int = 1  # traces expected
    signal: int = None
    to_group: bool = False  # else to the program alone
    to_launcher: bool = False
    says: str = None  # text expected on the launcher's standard error
    stdin: bytes = b""
    environment: dict = dataclasses.field(default_factory=dict)


@dataclasses.dataclass
class Seen:
    status: int
    stdout: bytes
    stderr: str
    seconds: float


class Failure(Exception):
    pass


def status_of(returncode):
    """As a shell would see it."""
    return returncode if returncode >= 0 else 128 - returncode


def library_path():
    folders = ["/usr/local/cuda/lib64", "/usr/local/cuda/extras/CUPTI/lib64"]
    folders += glob.glob("/opt/*/.venv/lib/python3*/site-packages/nvidia/*/lib")
    known = os.environ.get("LD_LIBRARY_PATH")
    return ":".join(([known] if known else []) + [f for f in folders if os.path.isdir(f)])


def read_progress(path):
    """Pid of the program and its notes (milliseconds, units)."""
    try:
        lines = pathlib.Path(path).read_text().splitlines()
    except OSError:
        return None, []
    words = [line.split() for line in lines]
    pid = next((int(w[1]) for w in words if len(w) == 2 and w[0] == "pid"), None)
    return pid, [(int(w[0]), int(w[1])) for w in words if len(w) == 2 and w[0].isdigit()]


def send_signal_when_steady(scenario, process, progress):
    deadline = time.monotonic() + 30
    notes = []
    while time.monotonic() < deadline and process.poll() is None:
        pid, notes = read_progress(progress)
        if notes and notes[-1][0] >= STEADY_S * 1000:
            break
        time.sleep(0.05)
    else:
        raise Failure("the program never became steady")
    if scenario.to_group:
        os.killpg(process.pid, scenario.signal)
    elif scenario.to_launcher:
        os.kill(process.pid, scenario.signal)
    else:
        os.kill(pid, scenario.signal)


def run(scenario, command, folder, label, progress):
    """Runs in a process group of its own, with a time limit; keeps its output in files."""
    environment = dict(os.environ, **scenario.environment)
    if progress:
        pathlib.Path(progress).unlink(missing_ok=True)
        command = command + [progress]
    began = time.monotonic()
    (folder / f"{label}.stdin").write_bytes(scenario.stdin)
    with (
        open(folder / f"{label}.stdin", "rb") as stdin,
        open(folder / f"{label}.stdout", "wb") as stdout,
        open(folder / f"{label}.stderr", "wb") as stderr,
        subprocess.Popen(
            command, stdin=stdin, stdout=stdout, stderr=stderr, env=environment,
            start_new_session=True, restore_signals=True,
        ) as process,
    ):
        try:
            if scenario.signal:
                send_signal_when_steady(scenario, process, progress)
            process.wait(timeout=LIMIT_S)
        except subprocess.TimeoutExpired:
            raise Failure(f"{label} did not end within {LIMIT_S} s") from None
        finally:
            with contextlib.suppress(ProcessLookupError):
                os.killpg(process.pid, signal.SIGKILL)  # and whatever it left behind
    return Seen(
        status_of(process.returncode),
        (folder / f"{label}.stdout").read_bytes(),
        (folder / f"{label}.stderr").read_text(errors="replace"),
        time.monotonic() - began,
    )


def device_operations(path):
    """Number of kernels, copies and memsets in a trace. Raises if it is not readable JSON."""
    opener = gzip.open if str(path).endswith(".gz") else open
    with opener(path, "rt") as file:
        trace = json.load(file)
    events = trace["traceEvents"] if isinstance(trace, dict) else trace
    counts = {}
    for event in events:
        category = event.get("cat", "")
        if event.get("ph") == "X" and category in ("kernel", "gpu_memcpy", "gpu_memset"):
            counts[category] = counts.get(category, 0) + 1
    return sum(counts.values())


def check_traces(scenario, overcast, folder, traced, minimum):
    traces = sorted(folder.glob("trace*.json.gz"))
    if len(traces) != scenario.processes:
        raise Failure(f"{len(traces)} traces instead of {scenario.processes}")
    counts = []
    for path in traces:
        try:
            counts.append(device_operations(path))
        except (OSError, EOFError, ValueError, KeyError) as error:
            raise Failure(f"{path.name} is not readable: {error}") from None
        shown = subprocess.run(
            [overcast, "show", str(path)], capture_output=True, timeout=LIMIT_S, check=False
        )
        (folder / f"{path.name}.show").write_bytes(shown.stdout + shown.stderr)
        if shown.returncode != 0 and counts[-1] > 0:
            raise Failure(f"overcast show {path.name}: {shown.stderr.decode(errors='replace')}")
    total = sum(counts)
    if scenario.operations is not None and total != scenario.operations:
        raise Failure(f"{counts} operations in the trace instead of {scenario.operations}")
    if total < minimum:
        raise Failure(f"{counts} operations in the trace, at least {minimum} were complete")
    return f"{'+'.join(map(str, counts))} operations"


def minimum_operations(scenario, progress):
    if not scenario.signal:
        return scenario.at_least
    _, notes = read_progress(progress)
    last = notes[-1][0]
    complete = [units for elapsed, units in notes if elapsed <= last - LATE_S * 1000]
    return 3 * complete[-1]


def check(scenario, overcast, output):
    folder = output / scenario.name
    folder.mkdir(parents=True, exist_ok=True)
    for old in folder.glob("trace*"):
        old.unlink()
    progress = str(folder / "progress") if scenario.signal else None
    untraced = run(scenario, scenario.command, folder, "untraced", progress)
    pattern = "trace-%p.json.gz" if scenario.processes > 1 else "trace.json.gz"
    command = [overcast, "trace", "-o", str(folder / pattern), *scenario.trace_options, "--"]
    traced = run(scenario, command + scenario.command, folder, "traced", progress)
    said = traced.stderr.strip().splitlines()
    remark = f" | {said[-1]}" if said else ""
    if untraced.status != scenario.status:
        raise Failure(
            f"the untraced run ended with {untraced.status} instead of {scenario.status}: "
            + untraced.stderr.strip()
        )
    if traced.status != untraced.status:
        raise Failure(f"status {traced.status} traced, {untraced.status} untraced{remark}")
    if traced.stdout != untraced.stdout:
        raise Failure(f"stdout {traced.stdout!r} traced, {untraced.stdout!r} untraced{remark}")
    if scenario.says and scenario.says not in traced.stderr:
        raise Failure(f"did not say '{scenario.says}'{remark}")
    seen = f"status {traced.status}"
    if scenario.processes > 0:
        seen += ", " + check_traces(
            scenario, overcast, folder, traced, minimum_operations(scenario, progress)
        )
    return f"{seen}, {untraced.seconds:.1f} s untraced, {traced.seconds:.1f} s traced{remark}"


def check_launcher(command, expected, folder):
    """A failure of the launcher itself: its status, a message, and the program is not run."""
    folder.mkdir(parents=True, exist_ok=True)
    marker = folder / "the-program-was-run"
    marker.unlink(missing_ok=True)
    command = [str(marker) if word == MARKER else word for word in command]
    seen = subprocess.run(
        command, capture_output=True, timeout=LIMIT_S, stdin=subprocess.DEVNULL, check=False
    )
    message = seen.stderr.decode(errors="replace").strip()
    (folder / "stderr").write_text(message)
    if seen.returncode != expected:
        raise Failure(f"status {seen.returncode} instead of {expected} | {message}")
    if not message:
        raise Failure("it said nothing")
    if marker.exists():
        raise Failure("the program was run")
    return f"status {expected} | {message.splitlines()[-1]}"


def check_memory_bytes(overcast, command, expected, folder):
    """`memory_bytes` of each kernel of a counting run, which behaves as the recorded one."""
    folder.mkdir(parents=True, exist_ok=True)
    path = str(folder / "trace.json.gz")
    seen = []
    for how in (["-o", path], ["--counters-into", path]):
        seen.append(subprocess.run(
            [overcast, "trace", *how, "--", *command], capture_output=True, text=True,
            timeout=LIMIT_S, check=False,
        ))
    said = seen[1].stderr.strip()
    if seen[0].stdout != seen[1].stdout or seen[0].returncode != seen[1].returncode:
        raise Failure(f"{seen[1].stdout!r} counted, {seen[0].stdout!r} recorded | {said}")
    with gzip.open(path, "rt") as file:
        counters = json.load(file)["overcast"].get("counters", [])
    told = {
        re.search(r"(\w+)\(", each["kernel"]).group(1): each.get("memory_bytes")
        for each in counters
    }
    if told != expected:
        raise Failure(f"{told} instead of {expected} | {said}")
    return f"{told} | {said}"


def check_waits(overcast, command, folder):
    """Each wait of waits.cu is for the stream of the kernel, or the record, right before it."""
    folder.mkdir(parents=True, exist_ok=True)
    path = str(folder / "trace.json.gz")
    subprocess.run([overcast, "trace", "-o", path, "--", command], capture_output=True,
                   timeout=LIMIT_S, check=True)
    with gzip.open(path, "rt") as file:
        events = json.load(file)["traceEvents"]
    by_call = {
        (each["cat"], each["args"]["correlation"]): each["args"]
        for each in events if each.get("cat") in ("kernel", "cuda_sync", "cuda_event")
    }
    stream = record = None
    told = []
    calls = [each for each in events if each.get("cat") == "cuda_runtime"]
    for call in sorted(calls, key=lambda each: each["ts"]):
        name, correlation = call["name"], call["args"]["correlation"]
        wait = by_call.get(("cuda_sync", correlation), {})
        if name == "cudaLaunchKernel":
            stream = by_call["kernel", correlation]["stream"]
        elif name == "cudaEventRecord":
            recorded = by_call["cuda_event", correlation]
            record = recorded["overcast_event_sync_id"]
            told.append(recorded["stream"] == stream)
        elif name == "cudaStreamSynchronize":
            told.append(wait.get("stream") == stream)
        elif name in ("cudaStreamWaitEvent", "cudaEventSynchronize"):
            told.append(wait.get("overcast_event_sync_id") == record)
    expected = 6 + 9 * 3  # streams; events, each recorded and waited for twice
    if len(told) != expected or not all(told):
        raise Failure(f"{told.count(True)} of {len(told)} right, {expected} expected")
    return f"{len(told)} waits and records"


def case_scenarios(cases):
    one_pass = ["--range", "profiler-api"]
    sizes = {"pipeline": 80, "balanced": 60, "small_grid": 96, "tiny": 600, "tiny_inline": 600}
    return [
        Scenario(f"case-{name}", [cases, name, "--profile-one-pass"], operations=count,
                 trace_options=one_pass)
        for name, count in sizes.items()
    ]


def program_scenarios(programs):
    own = str(programs / "overcast-tracer-scenarios")
    libraries = {"LD_LIBRARY_PATH": library_path()}
    torch = str(HERE / "torch_example.py")
    steady = [own, "steady"]
    return [
        Scenario("plain", [own, "plain"], operations=150),
        Scenario("minimal", [own, "plain"], operations=150, trace_options=["--record", "minimal"]),
        Scenario("full", [own, "plain"], operations=150, trace_options=["--record", "full"]),
        Scenario("own-status", [own, "own-status"], status=42, operations=150),
        Scenario("nvtx-all", [own, "ranges"], operations=150),
        Scenario("nvtx-range", [own, "ranges"], operations=60,
                 trace_options=["--range", "nvtx:wanted"]),
        Scenario("device-reset", [own, "reset"], operations=150),
        Scenario("cublas", [str(programs / "overcast-cublas-example")], at_least=13,
                 environment=libraries),
        Scenario("pytorch", ["python3", torch], at_least=200),
        Scenario("pytorch-profiler", ["python3", torch, "--profiler"], processes=1),
        Scenario("crash", [own, "crash"], status=139, at_least=300),
        Scenario("abort", [own, "abort"], status=134, at_least=300),
        Scenario("leave-without-teardown", [own, "leave"], status=7, operations=150),
        Scenario("sigterm", steady, status=143, signal=signal.SIGTERM),
        Scenario("sigterm-to-all", steady, status=143, signal=signal.SIGTERM, to_group=True),
        Scenario("sigterm-to-launcher", steady, status=143, signal=signal.SIGTERM,
                 to_launcher=True),
        Scenario("sigint-to-all", steady, status=130, signal=signal.SIGINT, to_group=True),
        Scenario("sigkill", steady, status=137, signal=signal.SIGKILL),
        Scenario("threads", [own, "threads"], operations=600),
        Scenario("fork", [own, "fork"], operations=150),
        Scenario("fork-exec", [own, "fork-exec"], operations=300, processes=2),
        Scenario("two-contexts", [own, "two-contexts"], operations=210),
        Scenario("another-subscriber", [own, "own-subscriber"], processes=0,
                 environment=libraries),
        Scenario("no-cuda-call", ["/bin/true"], processes=0, says="no CUDA call"),
        Scenario("input-and-status", ["/bin/sh", "-c", "cat; exit 9"], status=9, processes=0,
                 stdin=b"passed through\n"),
        Scenario("no-visible-gpu", [own, "plain"], status=1, processes=0,
                 environment={"CUDA_VISIBLE_DEVICES": ""}),
    ]


def launcher_checks(overcast, output):
    touch = ["/usr/bin/touch", MARKER]
    plain_file = output / "plain-text-file"
    plain_file.write_text("text\n")
    plain_file.chmod(0o644)
    good = str(output / "launcher.json.gz")
    trace = [overcast, "trace", "-o"]
    return {
        "not-found": ([*trace, good, "--", "no-such-program-anywhere"], 127),
        "not-executable": ([*trace, good, "--", str(plain_file)], 126),
        "unwritable-output": ([*trace, "/no/such/folder/trace.json", "--", *touch], 125),
        "no-program": ([*trace, good, "--"], 125),
        "unknown-option": ([overcast, "trace", "--no-such-option", "--", *touch], 125),
        "unknown-range": ([*trace, good, "--range", "nonsense", "--", *touch], 125),
    }


def main():
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("overcast", help="folder of an installed or portable Overcast")
    parser.add_argument("programs", help="folder of overcast-cases and the programs of tests/gpu")
    parser.add_argument("output", help="folder for everything that was seen")
    parser.add_argument("--only", nargs="*", help="names of scenarios; default: all")
    parser.add_argument("--jobs", type=int, default=4)
    options = parser.parse_args()
    overcast = str(pathlib.Path(options.overcast).resolve() / "bin" / "overcast")
    programs = pathlib.Path(options.programs).resolve()
    output = pathlib.Path(options.output).resolve()
    output.mkdir(parents=True, exist_ok=True)

    tasks = {}
    for scenario in case_scenarios(str(programs / "overcast-cases")) + program_scenarios(programs):
        tasks[scenario.name] = (check, (scenario, overcast, output))
    for name, (command, expected) in launcher_checks(overcast, output).items():
        tasks[name] = (check_launcher, (command, expected, output / name))
    # Each kernel's two buffers of device memory, see scenarios.cu.
    pointers = dict.fromkeys(["gather", "gather_together"], (3 << 20) + (256 << 10))
    tasks["memory-bytes"] = (check_memory_bytes, (
        overcast, [str(programs / "overcast-tracer-scenarios"), "pointers"], pointers,
        output / "memory-bytes",
    ))
    tasks["waits"] = (check_waits, (overcast, programs / "overcast-waits", output / "waits"))
    if options.only:
        tasks = {name: task for name, task in tasks.items() if name in options.only}

    failed = 0
    with concurrent.futures.ThreadPoolExecutor(options.jobs) as pool:
        running = {pool.submit(work, *args): name for name, (work, args) in tasks.items()}
        for done in concurrent.futures.as_completed(running):
            try:
                print(f"PASS {running[done]}: {done.result()}", flush=True)
            except Exception as error:  # whatever went wrong belongs to this scenario
                failed += 1
                print(f"FAIL {running[done]}: {error}", flush=True)
    print(f"{len(tasks) - failed} of {len(tasks)} passed")
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())

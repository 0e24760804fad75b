"""PyTorch programs that serve batches, dealt over streams: pinned input, a model, pinned output.

usage: torch_streams.py PROGRAM [--streams LIST] [--passes N] [--profile]
  prints how long a pass of all batches took on so many streams, in us: median and quartiles
  --profile: one pass between cudaProfilerStart and cudaProfilerStop, on the first of the counts
"""

import argparse
import gc
import json
import os
import statistics
import time

import torch
from torch import nn

BATCHES = 16


def mlp():
    """Matrix products by cuBLAS."""
    layers = [nn.Linear(1024, 1024), nn.ReLU(), nn.Linear(1024, 1024), nn.ReLU()]
    return nn.Sequential(*layers, nn.Linear(1024, 1024)), (512, 1024)


def convnet():
    """Convolutions by cuDNN."""
    layers = [nn.Conv2d(3, 32, 3, padding=1), nn.ReLU(), nn.Conv2d(32, 64, 3, padding=1), nn.ReLU()]
    return nn.Sequential(*layers, nn.AdaptiveAvgPool2d(4), nn.Flatten(), nn.Linear(1024, 10)), (
        32,
        3,
        96,
        96,
    )


def elementwise():
    """A few kernels over 16 MiB: the copies take longer."""
    return lambda x: torch.exp(torch.sin(x)) * x, (4096, 1024)


def softmax():
    """Rows are summed up, of 4 MiB."""
    return lambda x: torch.softmax(x, dim=1) + torch.cumsum(x, dim=1), (1024, 1024)


def fft():
    """Transforms by cuFFT, there and back."""
    return lambda x: torch.fft.irfft(torch.fft.rfft(x) * 0.5), (2048, 1024)


def attention():
    """One encoder layer of a transformer."""
    layer = nn.TransformerEncoderLayer(256, 4, 1024, batch_first=True)
    return layer, (8, 128, 256)


def small():
    """Twelve kernels of a few us each."""

    def model(x):
        for _ in range(12):
            x = torch.sin(x)
        return x

    return model, (64, 256)


PROGRAMS = {f.__name__: f for f in (mlp, convnet, elementwise, softmax, fft, attention, small)}


def move_to_the_quietest_cpu():
    """Others' work slows some of the CPUs of a shared machine to half their speed."""

    def slowest_of_a_few(cpu):
        os.sched_setaffinity(0, {cpu})
        taken = []
        for _ in range(5):
            start = time.perf_counter()
            sum(range(100_000))
            taken.append(time.perf_counter() - start)
        return max(taken)

    os.sched_setaffinity(0, {min(os.sched_getaffinity(0), key=slowest_of_a_few)})


class Server:
    def __init__(self, program, streams):
        torch.manual_seed(1)
        self.model, shape = PROGRAMS[program]()
        if isinstance(self.model, nn.Module):
            self.model = self.model.cuda().eval()
        self.inputs = [torch.randn(shape).pin_memory() for _ in range(BATCHES)]
        with torch.inference_mode():
            shape = self.model(self.inputs[0].cuda()).shape
        self.outputs = [torch.empty(shape).pin_memory() for _ in range(BATCHES)]
        self.streams = [torch.cuda.Stream() for _ in range(streams)]

    def serve(self, streams):
        """Time of all batches on the first `streams` streams, us."""
        torch.cuda.synchronize()
        start = time.perf_counter()
        for i, (source, target) in enumerate(zip(self.inputs, self.outputs)):
            with torch.cuda.stream(self.streams[i % streams]):
                target.copy_(self.model(source.to("cuda", non_blocking=True)), non_blocking=True)
        torch.cuda.synchronize()
        return (time.perf_counter() - start) * 1e6


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("program", choices=PROGRAMS)
    parser.add_argument("--streams", default="1,2,3,4,6,8")
    parser.add_argument("--passes", type=int, default=31)
    parser.add_argument("--profile", action="store_true")
    options = parser.parse_args()
    counts = [int(count) for count in options.streams.split(",")]
    server = Server(options.program, max(counts))
    gc.disable()
    move_to_the_quietest_cpu()
    with torch.inference_mode():
        if options.profile:
            for _ in range(5):
                server.serve(counts[0])
            torch.cuda.profiler.start()
            server.serve(counts[0])
            torch.cuda.profiler.stop()
            return
        for count in counts:
            for _ in range(5):
                server.serve(count)
            taken = [server.serve(count) for _ in range(options.passes)]
            low, median, high = statistics.quantiles(taken, n=4)
            print(json.dumps({"streams": count, "us": median, "quartiles_us": [low, high]}))


main()

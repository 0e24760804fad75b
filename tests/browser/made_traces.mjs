// Recordings made by hand: many operations, and names that mean harm.
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { gunzipSync, gzipSync } from "node:zlib";

import { kRepository } from "./overcast.mjs";

/** A recording whose kernels are called `name`; `from` is a path in the repository. */
export function renameKernels(from, to, name) {
    const trace = JSON.parse(gunzipSync(readFileSync(join(kRepository, from))));
    for (const event of trace.traceEvents) {
        if (event.cat === "kernel") {
            event.name = name;
        }
    }
    writeFileSync(to, gzipSync(JSON.stringify(trace)));
}

/**
 * One stream with `count` operations: units of a copy of 1 MiB to the device (20 us), a kernel
 * (30 us) and a copy back, each issued by a call of 2 us, and a wait for the stream at the end.
 */
export function writeManyOperations(to, count) {
    const device = {
        id: 0, name: "NVIDIA H200", computeMajor: 9, computeMinor: 0, numSms: 132,
        maxThreadsPerMultiprocessor: 2048, regsPerMultiprocessor: 65536,
        sharedMemPerMultiprocessor: 233472, overcast_blocks_per_multiprocessor: 32,
        overcast_async_engines: 3,
    };
    const events = [];
    const add = (cat, name, tid, ts, dur, args) =>
        events.push({ ph: "X", cat, name, pid: cat === "cuda_runtime" ? 7 : 0, tid, ts, dur, args });
    const copy = (kind, bytes) => ({ stream: 13, device: 0, context: 1, bytes, "copy_kind": kind,
        overcast_asynchronous: true });
    const kinds = [
        ["gpu_memcpy", "Memcpy HtoD (Pinned -> Device)", "cudaMemcpyAsync", 20, copy("HtoD", 1 << 20)],
        ["kernel", "square(float*)", "cudaLaunchKernel", 30, {
            stream: 13, device: 0, context: 1, grid: [64, 1, 1], block: [256, 1, 1],
            "registers per thread": 32, "shared memory": 0,
        }],
        ["gpu_memcpy", "Memcpy DtoH (Device -> Pinned)", "cudaMemcpyAsync", 20, copy("DtoH", 1 << 20)],
    ];
    let idle = 0;
    for (let i = 0; i < count; ++i) {
        const [category, name, call, duration, args] = kinds[i % 3];
        add("cuda_runtime", call, 7, i * 3, 2, { correlation: i + 1 });
        const start = Math.max(idle + 1, i * 3 + 4);
        add(category, name, 13, start, duration, { ...args, correlation: i + 1 });
        idle = start + duration;
    }
    add("cuda_runtime", "cudaStreamSynchronize", 7, count * 3, idle - count * 3 + 5,
        { correlation: count + 1 });
    const trace = { schemaVersion: 1, deviceProperties: [device], displayTimeUnit: "ns",
        traceEvents: events };
    writeFileSync(to, to.endsWith(".gz") ? gzipSync(JSON.stringify(trace)) : JSON.stringify(trace));
}

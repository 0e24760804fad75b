// Probe: a CUDA graph of n empty kernels in a row: its launch call, and its time on the device; and
// the same kernels launched one by one. Untraced; x = kernels.
#include "model/probes/probe.cuh"
#include "model/probes/probes.hpp"

namespace overcast::probes {
namespace {

cudaGraphExec_t captured(int kernels, cudaStream_t stream) {
    cudaGraph_t graph = nullptr;
    cudaGraphExec_t made = nullptr;
    check(cudaStreamBeginCapture(stream, cudaStreamCaptureModeThreadLocal), "begin capture");
    for (int i = 0; i < kernels; ++i) {
        launch_empty(stream);
    }
    check(cudaStreamEndCapture(stream, &graph), "end capture");
    check(cudaGraphInstantiate(&made, graph, 0), "cudaGraphInstantiate");
    check(cudaGraphDestroy(graph), "cudaGraphDestroy");
    check(cudaGraphUpload(made, stream), "cudaGraphUpload");
    return made;
}

}  // namespace

void probe_graphs(const Options& options) {
    const Streams streams{1};
    for (const int kernels : {10, 100, 400}) {
        const auto graph = captured(kernels, streams[0]);
        sample_alone("graph_wall", "graph_call", kernels, options.of(30, 10), streams[0],
                     [&] { check(cudaGraphLaunch(graph, streams[0]), "cudaGraphLaunch"); });
        sample_alone("launches_wall", "launches_call", kernels, options.of(30, 10), streams[0],
                     [&] {
                         for (int i = 0; i < kernels; ++i) {
                             launch_empty(streams[0]);
                         }
                     });
        check(cudaGraphExecDestroy(graph), "cudaGraphExecDestroy");
    }
}

}  // namespace overcast::probes

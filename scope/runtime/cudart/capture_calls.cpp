// Stream capture, as programs call it.
#include "scope/runtime/cudart/graph_call.h"
#include "scope/runtime/cudart/graph_edges.h"
#include "scope/runtime/cudart/per_thread.h"
#include "scope/runtime/service/capture/capture.h"

namespace tilescope::runtime {
namespace {

// The numbers are the same.
static_assert(static_cast<int>(abi::CaptureMode::kRelaxed) == static_cast<int>(CaptureMode::kRelaxed));
static_assert(static_cast<int>(abi::CaptureStatus::kInvalidated) == static_cast<int>(CaptureStatus::kInvalidated));
CaptureMode mode_of(abi::CaptureMode mode) { return static_cast<CaptureMode>(mode); }

// body(Runtime&, const Stream&)
template <class Body>
cudaError with_stream(void* stream, Body&& body, const char* name = __builtin_FUNCTION()) {
    return on_graphs(
        [&](Runtime& runtime) -> Status {
            const auto found = runtime.handles().stream(stream);
            return found ? body(runtime, *found) : Status::kInvalidHandle;
        },
        name);
}

}  // namespace

cudaError capture_info(void* stream, abi::CaptureStatus* state, unsigned long long* id, void** graph,
                       void* const** before, std::size_t* count, const char* name) {
    return with_stream(
        stream,
        [&](Runtime& runtime, const Stream& found) -> Status {
            if (state == nullptr) return Status::kInvalidValue;
            Captures::Info info;
            const Status status = runtime.captures().info(found, info);
            *state = static_cast<abi::CaptureStatus>(info.status);
            if (id != nullptr) *id = info.id;
            if (graph != nullptr) *graph = info.graph;
            if (before != nullptr) *before = reinterpret_cast<void* const*>(info.before);
            if (count != nullptr) *count = info.count;
            return status;
        },
        name);
}

cudaError change_capture(void* stream, void* const* nodes, const abi::EdgeData* data, std::size_t count, unsigned flags,
                         const char* name) {
    return with_stream(
        stream,
        [&](Runtime& runtime, const Stream& found) -> Status {
            constexpr unsigned kReplace = 1;
            if (flags > kReplace) return Status::kInvalidValue;
            return change_capture(runtime, found, nodes, count, are_ordinary(data, count), flags == kReplace);
        },
        name);
}

TILESCOPE_API cudaError cudaStreamBeginCapture(void* stream, abi::CaptureMode mode) {
    return with_stream(
        stream, [&](Runtime& runtime, const Stream& found) { return runtime.captures().begin(found, mode_of(mode)); });
}

TILESCOPE_API cudaError cudaStreamBeginCaptureToGraph(void* stream, void* graph, void* const* before,
                                                      const abi::EdgeData* data, std::size_t count,
                                                      abi::CaptureMode mode) {
    return with_stream(stream, [&](Runtime& runtime, const Stream& found) {
        return begin_capture(runtime, found, graph, before, count, are_ordinary(data, count), mode_of(mode));
    });
}

TILESCOPE_API cudaError cudaStreamEndCapture(void* stream, void** graph) {
    return with_stream(stream,
                       [&](Runtime& runtime, const Stream& found) { return end_capture(runtime, found, graph); });
}

TILESCOPE_API cudaError cudaStreamIsCapturing(void* stream, abi::CaptureStatus* state) {
    return capture_info(stream, state, nullptr, nullptr, nullptr, nullptr);
}

TILESCOPE_API cudaError cudaThreadExchangeStreamCaptureMode(abi::CaptureMode* mode) {
    return call([&]() -> Status {
        if (mode == nullptr || !is_mode(mode_of(*mode))) return Status::kInvalidValue;
        *mode = static_cast<abi::CaptureMode>(Captures::exchange_mode(mode_of(*mode)));
        return Status::kOk;
    });
}

TILESCOPE_PER_THREAD(cudaStreamBeginCapture_ptsz, cudaStreamBeginCapture);
TILESCOPE_PER_THREAD(cudaStreamBeginCaptureToGraph_ptsz, cudaStreamBeginCaptureToGraph);
TILESCOPE_PER_THREAD(cudaStreamEndCapture_ptsz, cudaStreamEndCapture);
TILESCOPE_PER_THREAD(cudaStreamIsCapturing_ptsz, cudaStreamIsCapturing);

}  // namespace tilescope::runtime

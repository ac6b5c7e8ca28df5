// Stream capture: what becomes of work, and which error each wrong call gives. Codes and what they leave behind are
// those of an H200 (driver 580.159.04, CUDA 13.0), except where a test says otherwise.
#include <gtest/gtest.h>

#include <array>
#include <thread>
#include <vector>

#include "tests/runtime/graph_api.h"

namespace tilescope::runtime {
namespace {

using abi::CaptureMode;
using abi::CaptureStatus;
using abi::NodeType;

class Capture : public testing::Test {
protected:
    void SetUp() override {
        for (void** made : {&stream, &other}) ASSERT_EQ(cudaStreamCreateWithFlags(made, 1), cudaSuccess);
        ASSERT_EQ(cudaStreamCreate(&blocking), cudaSuccess);
        for (void** made : {&event, &second}) ASSERT_EQ(cudaEventCreate(made), cudaSuccess);
        ASSERT_EQ(cudaMalloc(&device, kBytes), cudaSuccess);
    }
    void TearDown() override {
        for (void* made : {stream, other, blocking}) EXPECT_EQ(cudaStreamDestroy(made), cudaSuccess);
        for (void* made : {event, second}) EXPECT_EQ(cudaEventDestroy(made), cudaSuccess);
        EXPECT_EQ(cudaFree(device), cudaSuccess);
        cudaGetLastError();
    }
    static CaptureStatus status(void* of) {
        CaptureStatus found{};
        EXPECT_EQ(cudaStreamIsCapturing(of, &found), cudaSuccess);
        return found;
    }
    // The call, in a capture that it ends with this error.
    template <class Call>
    void expect_ended(cudaError error, CaptureMode mode, void* by, Call&& call) {
        ASSERT_EQ(cudaStreamBeginCapture(by, mode), cudaSuccess);
        EXPECT_EQ(call(), error);
        EXPECT_EQ(status(by), CaptureStatus::kInvalidated);
        void* graph = this;
        EXPECT_EQ(cudaStreamEndCapture(by, &graph), cudaErrorStreamCaptureInvalidated);
        EXPECT_EQ(graph, nullptr);
        EXPECT_EQ(status(by), CaptureStatus::kNone);
    }
    // In one that goes on.
    template <class Call>
    void expect_kept(cudaError error, CaptureMode mode, void* by, Call&& call) {
        ASSERT_EQ(cudaStreamBeginCapture(by, mode), cudaSuccess);
        EXPECT_EQ(call(), error);
        EXPECT_EQ(status(by), CaptureStatus::kActive);
        void* graph = nullptr;
        EXPECT_EQ(cudaStreamEndCapture(by, &graph), cudaSuccess);
        EXPECT_EQ(cudaGraphDestroy(graph), cudaSuccess);
    }
    cudaError set(void* on) const { return cudaMemsetAsync(device, 1, 16, on); }
    static std::vector<NodeType> types(void* graph) {
        std::array<void*, 16> nodes{};
        std::size_t count = nodes.size();
        EXPECT_EQ(cudaGraphGetNodes(graph, nodes.data(), &count), cudaSuccess);
        std::vector<NodeType> found(count);
        for (std::size_t i = 0; i < count; ++i) EXPECT_EQ(cudaGraphNodeGetType(nodes[i], &found[i]), cudaSuccess);
        return found;
    }

    static constexpr std::size_t kBytes = 4096;
    static constexpr CaptureMode kGlobal = CaptureMode::kGlobal, kOfThread = CaptureMode::kThreadLocal,
                                 kRelaxed = CaptureMode::kRelaxed;
    void *stream = nullptr, *other = nullptr, *blocking = nullptr, *event = nullptr, *second = nullptr,
         *device = nullptr;
    std::array<char, kBytes> host{};
};

TEST_F(Capture, TakesWorkInsteadOfDoingIt) {
    void* graph = nullptr;
    static int calls = 0;
    ASSERT_EQ(cudaMemset(device, 0, kBytes), cudaSuccess);
    ASSERT_EQ(cudaStreamBeginCapture(stream, kGlobal), cudaSuccess);
    EXPECT_EQ(set(stream), cudaSuccess);
    EXPECT_EQ(cudaMemcpyAsync(host.data(), device, 16, cudaMemcpyDeviceToHost, stream), cudaSuccess);
    EXPECT_EQ(cudaLaunchHostFunc(
                  stream, [](void*) { ++calls; }, nullptr),
              cudaSuccess);
    EXPECT_EQ(cudaMemcpyAsync(device, host.data(), 0, cudaMemcpyHostToDevice, stream), cudaSuccess);
    EXPECT_EQ(cudaEventRecordWithFlags(event, stream, 1), cudaSuccess);
    EXPECT_EQ(cudaStreamWaitEvent(stream, second, 1), cudaSuccess);
    ASSERT_EQ(cudaStreamEndCapture(stream, &graph), cudaSuccess);
    EXPECT_EQ(calls, 0);
    EXPECT_EQ(host[3], 0);
    EXPECT_EQ(types(graph), (std::vector{NodeType::kSet, NodeType::kCopy, NodeType::kHost, NodeType::kRecordEvent,
                                         NodeType::kWaitEvent}));
    void* exec = nullptr;
    ASSERT_EQ(cudaGraphInstantiate(&exec, graph, 0), cudaSuccess);
    EXPECT_EQ(cudaGraphDestroy(graph), cudaSuccess);
    EXPECT_EQ(cudaGraphLaunch(exec, other), cudaSuccess);
    EXPECT_EQ(cudaStreamSynchronize(other), cudaSuccess);
    EXPECT_EQ(calls, 1);
    EXPECT_EQ(host[3], 1);
    EXPECT_EQ(cudaEventQuery(event), cudaSuccess);
    EXPECT_EQ(cudaGraphExecDestroy(exec), cudaSuccess);
}

TEST_F(Capture, GoesToOtherStreamsAndBack) {
    void* graph = nullptr;
    ASSERT_EQ(cudaStreamBeginCapture(stream, kGlobal), cudaSuccess);
    EXPECT_EQ(set(stream), cudaSuccess);
    EXPECT_EQ(cudaEventRecord(event, stream), cudaSuccess);
    EXPECT_EQ(cudaStreamWaitEvent(other, event, 0), cudaSuccess);
    EXPECT_EQ(status(other), CaptureStatus::kActive);
    EXPECT_EQ(set(other), cudaSuccess);
    EXPECT_EQ(set(stream), cudaSuccess);
    EXPECT_EQ(cudaEventRecord(second, other), cudaSuccess);
    EXPECT_EQ(cudaStreamWaitEvent(stream, second, 0), cudaSuccess);

    CaptureStatus now{};
    unsigned long long id = 0;
    void* made = nullptr;
    void* const* before = nullptr;
    const abi::EdgeData* data = nullptr;
    std::size_t count = 0;
    EXPECT_EQ(cudaStreamGetCaptureInfo(stream, &now, &id, &made, &before, &data, &count), cudaSuccess);
    EXPECT_EQ(now, CaptureStatus::kActive);
    EXPECT_NE(id, 0u);
    EXPECT_EQ(count, 2u) << "the stream's own last node, and the other's";
    EXPECT_EQ(set(stream), cudaSuccess);
    ASSERT_EQ(cudaStreamEndCapture(stream, &graph), cudaSuccess);
    EXPECT_EQ(made, graph);
    EXPECT_EQ(status(other), CaptureStatus::kNone);
    std::size_t edges = 0;
    EXPECT_EQ(cudaGraphGetEdges(graph, nullptr, nullptr, nullptr, &edges), cudaSuccess);
    EXPECT_EQ(edges, 4u);
    EXPECT_EQ(types(graph).size(), 4u);
    EXPECT_EQ(cudaGraphDestroy(graph), cudaSuccess);
}

TEST_F(Capture, EndsAtUsesOfTheLegacyStreamThatWouldWait) {
    for (const CaptureMode mode : {kGlobal, kRelaxed}) {
        const cudaError error = cudaErrorStreamCaptureImplicit;
        expect_ended(error, mode, blocking, [&] { return set(nullptr); });
        expect_ended(error, mode, blocking, [&] { return cudaMemset(device, 0, 4); });
        expect_ended(error, mode, blocking, [&] { return cudaMemcpy(device, host.data(), 4, cudaMemcpyHostToDevice); });
        expect_ended(error, mode, blocking, [&] { return cudaEventRecord(event, nullptr); });
        expect_ended(error, mode, blocking, [&] { return cudaStreamSynchronize(nullptr); });
        expect_kept(cudaSuccess, mode, stream, [&] { return set(nullptr); });
        expect_kept(cudaSuccess, mode, stream, [&] { return cudaMemset(device, 0, 4); });
        expect_kept(cudaSuccess, mode, stream, [&] { return cudaEventRecord(event, nullptr); });
    }
    ASSERT_EQ(cudaStreamBeginCapture(blocking, kGlobal), cudaSuccess);
    CaptureStatus found{};
    EXPECT_EQ(cudaStreamIsCapturing(nullptr, &found), cudaErrorStreamCaptureImplicit);
    void* graph = nullptr;
    EXPECT_EQ(cudaStreamEndCapture(blocking, &graph), cudaSuccess);
    EXPECT_EQ(cudaGraphDestroy(graph), cudaSuccess);
}

TEST_F(Capture, EndsAtCallsThatItsModeForbids) {
    void* made = nullptr;
    const auto allocate = [&] { return cudaMalloc(&made, 64); };
    const auto wait = [&] { return cudaStreamSynchronize(other); };
    const cudaError error = cudaErrorStreamCaptureUnsupported;
    for (const CaptureMode mode : {kGlobal, kOfThread}) {
        expect_ended(error, mode, stream, allocate);
        expect_ended(error, mode, stream, wait);
        expect_ended(error, mode, stream, [&] { return cudaFree(nullptr); });
        expect_ended(error, mode, stream, [&] { return cudaStreamQuery(other); });
        expect_ended(error, mode, stream, [&] { return cudaEventQuery(second); });
        expect_ended(error, mode, stream, [&] { return cudaMallocHost(&made, 64); });
    }
    for (const CaptureMode mode : {kGlobal, kOfThread, kRelaxed}) {
        expect_ended(error, mode, stream, [&] { return cudaDeviceSynchronize(); });
        expect_ended(error, mode, stream, [&] { return cudaStreamSynchronize(stream); });
        expect_ended(error, mode, stream, [&] { return cudaStreamQuery(stream); });
        expect_ended(error, mode, stream, [&] {
            return cudaStreamAddCallback(
                stream, [](void*, cudaError, void*) {}, nullptr, 0);
        });
    }
    expect_kept(cudaSuccess, kRelaxed, stream, allocate);
    EXPECT_EQ(cudaFree(made), cudaSuccess);

    // Only captures of the global mode forbid them to other threads.
    const auto elsewhere = [&] {
        cudaError seen = cudaErrorUnknown;
        std::thread([&] { seen = wait(); }).join();
        return seen;
    };
    expect_ended(error, kGlobal, stream, elsewhere);
    expect_kept(cudaSuccess, kOfThread, stream, elsewhere);
    expect_kept(cudaSuccess, kRelaxed, stream, elsewhere);

    CaptureMode mode = kRelaxed;
    EXPECT_EQ(cudaThreadExchangeStreamCaptureMode(&mode), cudaSuccess);
    EXPECT_EQ(mode, kGlobal);
    expect_kept(cudaSuccess, kGlobal, stream, wait);
    EXPECT_EQ(cudaThreadExchangeStreamCaptureMode(&mode), cudaSuccess);
    EXPECT_EQ(mode, kRelaxed);
}

TEST_F(Capture, BeginsAndEndsWhereItMay) {
    void* graph = this;
    EXPECT_EQ(cudaStreamEndCapture(stream, &graph), cudaErrorIllegalState);
    EXPECT_EQ(cudaStreamBeginCapture(nullptr, kGlobal), cudaErrorStreamCaptureUnsupported);
    EXPECT_EQ(cudaStreamBeginCapture(stream, static_cast<CaptureMode>(7)), cudaErrorInvalidValue);
    expect_kept(cudaErrorIllegalState, kGlobal, stream, [&] { return cudaStreamBeginCapture(stream, kGlobal); });
    expect_kept(cudaErrorIllegalState, kGlobal, stream, [&] { return cudaStreamEndCapture(other, &graph); });
    void* const of_thread = reinterpret_cast<void*>(2);
    expect_kept(cudaSuccess, kGlobal, of_thread, [] { return cudaSuccess; });
    expect_kept(cudaSuccess, kGlobal, stream, [&] { return cudaStreamWaitEvent(stream, event, 0); });  // never recorded

    // Another thread ends it only if it is relaxed.
    const auto end_elsewhere = [&] {
        cudaError seen = cudaErrorUnknown;
        std::thread([&] { seen = cudaStreamEndCapture(stream, &graph); }).join();
        return seen;
    };
    ASSERT_EQ(cudaStreamBeginCapture(stream, kGlobal), cudaSuccess);
    EXPECT_EQ(end_elsewhere(), cudaErrorStreamCaptureWrongThread);
    EXPECT_EQ(graph, nullptr);
    EXPECT_EQ(status(stream), CaptureStatus::kNone);
    ASSERT_EQ(cudaStreamBeginCapture(stream, kRelaxed), cudaSuccess);
    EXPECT_EQ(end_elsewhere(), cudaSuccess);
    EXPECT_EQ(cudaGraphDestroy(graph), cudaSuccess);
}

TEST_F(Capture, WantsItsStreamsJoined) {
    void* graph = this;
    const auto fork = [&] {
        ASSERT_EQ(cudaStreamBeginCapture(stream, kGlobal), cudaSuccess);
        EXPECT_EQ(set(stream), cudaSuccess);
        EXPECT_EQ(cudaEventRecord(event, stream), cudaSuccess);
        EXPECT_EQ(cudaStreamWaitEvent(other, event, 0), cudaSuccess);
    };
    fork();
    EXPECT_EQ(set(other), cudaSuccess);
    EXPECT_EQ(cudaStreamEndCapture(stream, &graph), cudaErrorStreamCaptureUnjoined);
    EXPECT_EQ(graph, nullptr);
    EXPECT_EQ(status(other), CaptureStatus::kNone);

    fork();
    EXPECT_EQ(cudaStreamEndCapture(stream, &graph), cudaSuccess) << "there is nothing to join";
    EXPECT_EQ(cudaGraphDestroy(graph), cudaSuccess);

    fork();
    EXPECT_EQ(set(other), cudaSuccess);
    EXPECT_EQ(cudaStreamEndCapture(other, &graph), cudaErrorStreamCaptureUnmatched);
    EXPECT_EQ(status(stream), CaptureStatus::kInvalidated);
    EXPECT_EQ(cudaStreamEndCapture(stream, &graph), cudaErrorStreamCaptureInvalidated);
    EXPECT_EQ(status(other), CaptureStatus::kNone);
}

TEST_F(Capture, KeepsApartFromOtherWork) {
    EXPECT_EQ(cudaEventRecord(second, other), cudaSuccess);
    expect_ended(cudaErrorStreamCaptureIsolation, kGlobal, stream,
                 [&] { return cudaStreamWaitEvent(stream, second, 0); });
    expect_ended(cudaErrorCapturedEvent, kRelaxed, stream, [&] {
        EXPECT_EQ(cudaEventRecord(event, stream), cudaSuccess);
        return cudaEventQuery(event);
    });
    // An event of a capture that is over says nothing until it is recorded again.
    EXPECT_EQ(cudaEventQuery(event), cudaErrorInvalidValue);
    EXPECT_EQ(cudaEventSynchronize(event), cudaErrorInvalidValue);
    EXPECT_EQ(cudaStreamWaitEvent(other, event, 0), cudaErrorInvalidValue);
    float ms = 0;
    EXPECT_EQ(cudaEventElapsedTime(&ms, event, second), cudaErrorInvalidValue);
    expect_ended(cudaErrorInvalidValue, kGlobal, stream, [&] { return cudaStreamWaitEvent(stream, event, 0); });
    EXPECT_EQ(cudaEventRecord(event, other), cudaSuccess);
    EXPECT_EQ(cudaEventQuery(event), cudaSuccess);

    // Two captures do not become one.
    ASSERT_EQ(cudaStreamBeginCapture(other, kRelaxed), cudaSuccess);
    expect_ended(cudaErrorStreamCaptureMerge, kRelaxed, stream, [&] {
        EXPECT_EQ(cudaEventRecord(event, stream), cudaSuccess);
        return cudaStreamWaitEvent(other, event, 0);
    });
    void* graph = this;
    EXPECT_EQ(cudaStreamEndCapture(other, &graph), cudaErrorStreamCaptureInvalidated);
    EXPECT_EQ(graph, nullptr);
}

TEST_F(Capture, GoesIntoAGraphThatIsThere) {
    void *graph = nullptr, *node = nullptr, *ended = nullptr;
    ASSERT_EQ(cudaGraphCreate(&graph, 0), cudaSuccess);
    ASSERT_EQ(cudaGraphAddEmptyNode(&node, graph, nullptr, 0), cudaSuccess);
    ASSERT_EQ(cudaStreamBeginCaptureToGraph(stream, graph, &node, nullptr, 1, kGlobal), cudaSuccess);
    EXPECT_EQ(set(stream), cudaSuccess);
    constexpr unsigned kReplace = 1;
    EXPECT_EQ(cudaStreamUpdateCaptureDependencies(stream, &node, nullptr, 1, kReplace), cudaSuccess);
    EXPECT_EQ(set(stream), cudaSuccess);
    // Not measured: what happens to a graph that is captured into.
    EXPECT_EQ(cudaGraphDestroyNode(node), cudaErrorInvalidValue);
    EXPECT_EQ(cudaGraphDestroy(graph), cudaErrorInvalidValue);
    ASSERT_EQ(cudaStreamEndCapture(stream, &ended), cudaSuccess);
    EXPECT_EQ(ended, graph);
    std::size_t behind = 0;
    EXPECT_EQ(cudaGraphNodeGetDependentNodes(node, nullptr, nullptr, &behind), cudaSuccess);
    EXPECT_EQ(behind, 2u);
    EXPECT_EQ(cudaGraphDestroy(graph), cudaSuccess);
}

// Of an H100 (CUDA 13.0).
TEST_F(Capture, KnowsExternalEventsAlone) {
    constexpr unsigned kExternal = 1;
    void *stream_of_own = nullptr, *event_of_own = nullptr;
    ASSERT_EQ(cudaStreamCreate(&stream_of_own), cudaSuccess);
    ASSERT_EQ(cudaEventCreate(&event_of_own), cudaSuccess);
    EXPECT_EQ(cudaEventRecordWithFlags(event_of_own, stream_of_own, kExternal), cudaErrorIllegalState);
    EXPECT_EQ(cudaStreamWaitEvent(stream_of_own, event_of_own, kExternal), cudaErrorIllegalState);
    EXPECT_EQ(cudaEventDestroy(event_of_own), cudaSuccess);
    EXPECT_EQ(cudaStreamDestroy(stream_of_own), cudaSuccess);
}

// The H200 takes these. Here they are refused by name, and the capture ends.
TEST_F(Capture, RefusesMemoryOfItsOwn) {
    void* made = nullptr;
    testing::internal::CaptureStderr();
    expect_ended(cudaErrorNotSupported, kGlobal, stream, [&] { return cudaMallocAsync(&made, 64, stream); });
    expect_ended(cudaErrorNotSupported, kGlobal, stream, [&] { return cudaFreeAsync(device, stream); });
    EXPECT_EQ(
        testing::internal::GetCapturedStderr(),
        "tilescope: cudaMallocAsync in a stream that captures is not supported yet: allocate before the capture\n"
        "tilescope: cudaFreeAsync in a stream that captures is not supported yet: free behind the graph's launch\n");
}

}  // namespace
}  // namespace tilescope::runtime

// What a host program's calls tell those who follow the run: memory, what is set and copied, streams, launches. The
// runtime is linked into the test, so that it can be asked for its session.
#include <gtest/gtest.h>

#include <array>

#include "scope/runtime/service/runtime.h"
#include "tests/machine/event_recorder.h"
#include "tests/runtime/graph_api.h"
#include "tests/runtime/program_image.h"

namespace tilescope::runtime {
namespace {

extern "C" {
cudaError cudaMemcpy2DAsync(void*, std::size_t, const void*, std::size_t, std::size_t, std::size_t, cudaMemcpyKind,
                            void*);
}

char set_stub, numbers_shadow;
test::Lines lines;  // the runtime is never destroyed

class RunEvents : public testing::Test {
protected:
    void SetUp() override {
        ASSERT_EQ(cudaDeviceSynchronize(), cudaSuccess);
        static bool once = [] {
            Runtime::get().session().observers().add(std::make_unique<test::RunRecorder>(lines, test::Wanted{}));
            return true;
        }();
        EXPECT_TRUE(once);
        lines.clear();
        // Allocations are numbered from where the tests before this one left off.
        EXPECT_EQ(cudaMalloc(&device, 256), cudaSuccess);
        id = Runtime::get().session().memory().find(reinterpret_cast<std::uint64_t>(device))->id;
        EXPECT_EQ(told(), "allocate #0 device 256 on stream 0\n");
    }
    void TearDown() override { EXPECT_EQ(cudaFree(device), cudaSuccess); }

    // What was told since the last call; #0 is `device`, and the next allocation #1.
    std::string told() {
        std::string text = test::joined(lines);
        lines.clear();
        for (unsigned next = 0; next < 9; ++next) {
            const std::string name = "#" + std::to_string(id + next);
            for (std::size_t at = 0; (at = text.find(name, at)) != std::string::npos; ++at) {
                if (at + name.size() < text.size() && std::isdigit(text[at + name.size()])) continue;
                text.replace(at, name.size(), "#" + std::to_string(next));
            }
        }
        return text;
    }

    void* device = nullptr;
    std::uint64_t id = 0;
};

TEST_F(RunEvents, MemoryComesAndGoes) {
    void *async = nullptr, *managed = nullptr, *pinned = nullptr, *stream = nullptr;
    ASSERT_EQ(cudaStreamCreate(&stream), cudaSuccess);
    const std::string created = told();
    const std::string number = created.substr(7, created.find(' ', 7) - 7);
    EXPECT_EQ(created, "stream " + number + " create\n");
    ASSERT_EQ(cudaMallocAsync(&async, 100, stream), cudaSuccess);
    ASSERT_EQ(cudaMallocManaged(&managed, 8, 1), cudaSuccess);
    ASSERT_EQ(cudaMallocHost(&pinned, 24), cudaSuccess);
    EXPECT_EQ(cudaFreeHost(pinned), cudaSuccess);
    EXPECT_EQ(cudaFree(managed), cudaSuccess);
    EXPECT_EQ(cudaFree(managed), cudaErrorInvalidValue);  // nothing happens, so nothing is told
    EXPECT_EQ(cudaFreeAsync(async, stream), cudaSuccess);
    EXPECT_EQ(cudaStreamDestroy(stream), cudaSuccess);
    EXPECT_EQ(told(), "allocate #1 device 100 on stream " + number +
                          " async\n"
                          "allocate #2 managed 8 on stream 0\nallocate #3 pinned 24 on stream 0\n"
                          "release #3 on stream 0\nrelease #2 on stream 0\nrelease #1 on stream " +
                          number + " async\nstream " + number + " destroy\n");
}

TEST_F(RunEvents, BytesAreSetAndCopied) {
    std::array<char, 256> host{};
    char* const base = static_cast<char*>(device);
    void* const legacy = reinterpret_cast<void*>(1);
    void* const per_thread = reinterpret_cast<void*>(2);
    EXPECT_EQ(cudaMemset(base + 4, 0x1ff, 16), cudaSuccess);
    EXPECT_EQ(cudaMemsetAsync(device, 7, 256, per_thread), cudaSuccess);
    EXPECT_EQ(cudaMemset(base + 4, 0, 253), cudaErrorInvalidValue);
    EXPECT_EQ(cudaMemset(device, 0, 0), cudaSuccess);
    EXPECT_EQ(cudaMemset2D(base + 8, 64, 1, 10, 3), cudaSuccess);
    EXPECT_EQ(told(),
              "set #0+4 to 255 16 pitch 16 on stream 0\nset #0+0 to 7 256 pitch 256 on stream 1 async\n"
              "set #0+8 to 1 10x3x1 pitch 64 on stream 0\n");
    EXPECT_EQ(cudaMemcpy(base + 1, host.data(), 8, cudaMemcpyHostToDevice), cudaSuccess);
    EXPECT_EQ(cudaMemcpyAsync(host.data(), base + 128, 9, cudaMemcpyDeviceToHost, legacy), cudaSuccess);
    EXPECT_EQ(cudaMemcpy(base + 64, base, 10, cudaMemcpyDeviceToDevice), cudaSuccess);
    EXPECT_EQ(cudaMemcpy(base, host.data(), 11, cudaMemcpyDefault), cudaSuccess);
    EXPECT_EQ(cudaMemcpy(base, host.data(), 257, cudaMemcpyHostToDevice), cudaErrorInvalidValue);
    EXPECT_EQ(cudaMemcpy2DAsync(base, 64, host.data(), 32, 20, 4, cudaMemcpyHostToDevice, per_thread), cudaSuccess);
    EXPECT_EQ(told(),
              "copy HtoD host to #0+1 8 on stream 0\ncopy DtoH #0+128 to host 9 on stream 0 async\n"
              "copy DtoD #0+0 to #0+64 10 on stream 0\ncopy by address host to #0+0 11 on stream 0\n"
              "copy HtoD host to #0+0 20x4x1 pitch 32 to 64 on stream 1 async\n");
}

TEST_F(RunEvents, StreamsWaitForEachOther) {
    void *stream = nullptr, *event = nullptr;
    ASSERT_EQ(cudaStreamCreateWithFlags(&stream, 1), cudaSuccess);
    const std::string created = told();
    const std::string number = created.substr(7, created.find(' ', 7) - 7);
    EXPECT_EQ(created, "stream " + number + " create non-blocking\n");
    ASSERT_EQ(cudaEventCreate(&event), cudaSuccess);
    EXPECT_EQ(cudaEventRecord(event, stream), cudaSuccess);
    EXPECT_EQ(cudaStreamWaitEvent(nullptr, event, 0), cudaSuccess);
    EXPECT_EQ(cudaEventSynchronize(event), cudaSuccess);
    EXPECT_EQ(cudaStreamQuery(stream), cudaSuccess);
    EXPECT_EQ(cudaStreamSynchronize(stream), cudaSuccess);
    EXPECT_EQ(cudaDeviceSynchronize(), cudaSuccess);
    EXPECT_EQ(cudaEventDestroy(event), cudaSuccess);
    EXPECT_EQ(cudaStreamDestroy(stream), cudaSuccess);
    EXPECT_EQ(cudaStreamSynchronize(stream), cudaErrorInvalidResourceHandle);
    EXPECT_EQ(told(), "stream " + number + " record event\nstream 0 wait event\nstream 0 sync-event event\nstream " +
                          number + " synchronize\nstream " + number + " synchronize\nstream 0 sync-device\nstream " +
                          number + " destroy\n");
}

TEST_F(RunEvents, LaunchesAndTheirVariables) {
    ProgramImage image(kPtx);
    image.kernel(&set_stub, "set");
    image.variable(&numbers_shadow, "numbers", 32);
    __cudaRegisterFatBinaryEnd(image.handle());
    int value = 41;
    const std::array<int, 2> numbers{};
    void* args[] = {&device, &value};
    void* const per_thread = reinterpret_cast<void*>(2);
    EXPECT_EQ(cudaMemcpyToSymbolAsync(&numbers_shadow, numbers.data(), 8, 4, cudaMemcpyHostToDevice, per_thread),
              cudaSuccess);
    EXPECT_EQ(cudaLaunchKernel(&set_stub, {1, 1, 1}, {2, 1, 1}, args, 64, per_thread), cudaSuccess);
    EXPECT_EQ(cudaLaunchKernel(&set_stub, {1, 1, 1}, {2000, 1, 1}, args, 0, nullptr), cudaErrorInvalidValue);
    EXPECT_EQ(told(),
              "allocate #1 constant 32 on stream 0\nallocate #2 module 4 on stream 0\n"
              "copy HtoD host to #1+4 8 on stream 1 async\n"
              "launch 0 set 1,1,1 x 2,1,1 shared 64 on stream 1 async\n"
              "b0 begins at 0,0,0 on SM 0\n"
              "b0 w0 line 18 store global 4 weak at #0+0+4*2 by 3\n"
              "b0 ends\n"
              "launch 0 ends after 1 blocks, seen\n");
}

// A chain of nodes is work of one stream, the launch's own first; other edges are events.
TEST_F(RunEvents, GraphsAreWorkOfStreams) {
    void *stream = nullptr, *graph = nullptr, *exec = nullptr;
    ASSERT_EQ(cudaStreamCreateWithFlags(&stream, 1), cudaSuccess);
    const std::string created = told();
    const std::string own = created.substr(7, created.find(' ', 7) - 7);
    ASSERT_EQ(cudaGraphCreate(&graph, 0), cudaSuccess);
    const auto add = [&](unsigned char value, std::vector<void*> before) {
        void* node = nullptr;
        const abi::SetNode set{device, 0, value, 1, 16, 1};
        EXPECT_EQ(cudaGraphAddMemsetNode(&node, graph, before.data(), before.size(), &set), cudaSuccess);
        return node;
    };
    void *const first = add(1, {}), *const left = add(2, {first}), *const right = add(3, {first});
    add(4, {left, right});
    add(5, {});
    ASSERT_EQ(cudaGraphInstantiate(&exec, graph, 0), cudaSuccess);
    EXPECT_EQ(told(), "");
    ASSERT_EQ(cudaGraphLaunch(exec, stream), cudaSuccess);
    const std::string text = told();
    const std::string one = text.substr(7, text.find(' ', 7) - 7), two = std::to_string(std::stoi(one) + 1);
    const auto set = [](const char* value, const std::string& on) {
        return std::string("set #0+0 to ") + value + " 16 pitch 0 on stream " + on + " async graph 1\n";
    };
    const auto record = [](const std::string& on) { return "stream " + on + " record event graph 1\n"; };
    const auto wait = [](const std::string& on) { return "stream " + on + " wait event graph 1\n"; };
    // What has no edge between runs in the order in which it was added.
    EXPECT_EQ(text, "stream " + one + " create non-blocking\nstream " + two +
                        " create non-blocking\ngraph 1 on stream " + own + "\n" + record(own) + set("1", own) +
                        record(own) + set("2", own) + wait(one) + set("3", one) + record(one) + wait(own) +
                        set("4", own) + wait(two) + set("5", two) + record(two) + wait(own) + record(own));
    // Another stream waits for the launch before.
    ASSERT_EQ(cudaGraphLaunch(exec, nullptr), cudaSuccess);
    EXPECT_EQ(told().rfind("graph 2 on stream 0\nstream 0 wait event graph 2\n", 0), 0u);
    EXPECT_EQ(cudaGraphExecDestroy(exec), cudaSuccess);
    EXPECT_EQ(told(), "stream " + one + " destroy\nstream " + two + " destroy\n");
    EXPECT_EQ(cudaGraphDestroy(graph), cudaSuccess);
    EXPECT_EQ(cudaStreamDestroy(stream), cudaSuccess);
    told();
}

// The share of shared memory that a launch prefers comes before the function's.
TEST_F(RunEvents, ALaunchTakesItsOwnCarveout) {
    ProgramImage image(kPtx);
    image.kernel(&set_stub, "set");
    __cudaRegisterFatBinaryEnd(image.handle());
    int value = 1;
    void* args[] = {&device, &value};
    abi::LaunchAttribute attribute{};
    attribute.id = 14;
    abi::LaunchConfig config{{1, 1, 1}, {2, 1, 1}, 0, nullptr, &attribute, 1};
    const auto last = [] {
        return Runtime::get().session().profile().launches.back().occupancy_profile->carveout_percent;
    };
    ASSERT_EQ(cudaFuncSetAttribute(&set_stub, cudaFuncAttributePreferredSharedMemoryCarveout, 30), cudaSuccess);
    ASSERT_EQ(cudaLaunchKernel(&set_stub, {1, 1, 1}, {2, 1, 1}, args, 0, nullptr), cudaSuccess);
    EXPECT_EQ(last(), 30u);
    attribute.value.number = 60;
    ASSERT_EQ(cudaLaunchKernelExC(&config, &set_stub, args), cudaSuccess);
    EXPECT_EQ(last(), 60u);
    attribute.value.number = -1;  // the driver's choice
    ASSERT_EQ(cudaLaunchKernelExC(&config, &set_stub, args), cudaSuccess);
    EXPECT_FALSE(last());
    attribute.value.number = 101;
    EXPECT_EQ(cudaLaunchKernelExC(&config, &set_stub, args), cudaErrorInvalidValue);
    EXPECT_EQ(cudaFuncSetAttribute(&set_stub, cudaFuncAttributePreferredSharedMemoryCarveout, -1), cudaSuccess);
    cudaGetLastError();
    told();
}

}  // namespace
}  // namespace tilescope::runtime

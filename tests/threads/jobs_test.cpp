// Results, counts and profile are the same at any number of jobs, and host threads may share a session.
#include <gtest/gtest.h>

#include <array>
#include <cstring>
#include <fstream>
#include <memory>
#include <sstream>
#include <stdexcept>
#include <string>
#include <thread>
#include <vector>

#include "scope/report/json.h"
#include "scope/session/session.h"
#include "tests/places.h"

namespace tilescope {
namespace {

std::string text_of(const std::string& path) {
    std::ifstream file(source_dir() + "/" + path);
    EXPECT_TRUE(file) << path;
    std::ostringstream text;
    text << file.rdbuf();
    return text.str();
}

// A session with one module.
class Emulation {
public:
    Emulation(const std::string& path, unsigned jobs, double sample = 1.0) {
        SessionOptions options;
        options.jobs = jobs;
        options.jobs_at_once = true;
        options.caches = sample == 1.0;
        options.sample = sample;
        auto session = Session::create(options);
        if (!session) throw std::runtime_error(render(session.errors()));
        session_ = std::move(*session);
        auto module = session_->load_module(text_of(path), path);
        if (!module) throw std::runtime_error(render(module.errors()));
        module_ = *module;
    }

    // Managed, so that tests can fill and read it.
    template <class T>
    T* buffer(std::size_t n) {
        return static_cast<T*>(session_->memory().allocate(n * sizeof(T), machine::AllocationKind::kManaged));
    }

    template <class... Arguments>
    LaunchStatus launch(const std::string& entry, Dim3 grid, Dim3 block, Arguments... values) {
        LaunchRequest request;
        const auto kernel = session_->find_kernel(module_, entry);
        if (!kernel) throw std::runtime_error("no kernel " + entry);
        request.kernel = *kernel;
        request.grid = grid;
        request.block = block;
        const KernelInfo& info = session_->kernel_info(*kernel);
        std::vector<std::byte> parameters(info.parameter_bytes);
        std::size_t next = 0;
        (std::memcpy(parameters.data() + info.parameters.at(next++).offset, &values, sizeof values), ...);
        request.parameters = parameters;
        return session_->launch(request).status;
    }

    // The profile as JSON, without what differs between two runs of the same thing.
    std::string profile() const {
        Profile copy = session_->profile();
        copy.jobs = 1;
        return report::to_json(copy);
    }
    Session& session() { return *session_; }

private:
    std::unique_ptr<Session> session_;
    ModuleId module_ = 0;
};

constexpr std::array kJobs = {2u, 3u, 8u};

struct Outcome {
    std::vector<float> values;
    std::string profile;
};

Outcome product(unsigned jobs, double sample = 1.0) {
    constexpr unsigned kWidth = 64;
    Emulation run("bench/kernels/matmul.ptx", jobs, sample);
    float* M = run.buffer<float>(kWidth * kWidth);
    float* N = run.buffer<float>(kWidth * kWidth);
    float* P = run.buffer<float>(kWidth * kWidth);
    for (unsigned i = 0; i < kWidth * kWidth; ++i) {
        M[i] = static_cast<float>(i % 17);
        N[i] = static_cast<float>(i % 13) - 6;
    }
    for (const char* entry : {"matmul_tiled", "matmul_naive"})
        EXPECT_EQ(LaunchStatus::kOk, run.launch(entry, {4, 4, 1}, {16, 16, 1}, M, N, P, kWidth));
    return {std::vector<float>(P, P + kWidth * kWidth), run.profile()};
}

TEST(Jobs, ProductAndItsProfileDoNotDependOnThem) {
    const Outcome alone = product(1);
    ASSERT_NE(std::string::npos, alone.profile.find("matmul_tiled"));
    for (unsigned jobs : kJobs) {
        const Outcome shared = product(jobs);
        EXPECT_EQ(alone.values, shared.values) << jobs << " jobs";
        EXPECT_EQ(alone.profile, shared.profile) << jobs << " jobs";
    }
}

TEST(Jobs, SampledProfileDoesNotDependOnThem) {
    const Outcome alone = product(1, 0.25);
    ASSERT_NE(product(1).profile, alone.profile);
    for (unsigned jobs : kJobs) EXPECT_EQ(alone.profile, product(jobs, 0.25).profile) << jobs << " jobs";
}

TEST(Jobs, ReductionsFromAllBlocksAddUp) {
    constexpr unsigned kBlocks = 64, kThreads = 128;
    std::array<unsigned, 16> want{};
    for (unsigned i = 0; i < kBlocks * kThreads; ++i) ++want[i * 7 / 3 & 15];
    std::string first;
    for (unsigned jobs : {1u, 2u, 8u}) {
        Emulation run("tests/threads/atomics.ptx", jobs);
        unsigned* data = run.buffer<unsigned>(kBlocks * kThreads);
        unsigned* counts = run.buffer<unsigned>(16);
        for (unsigned i = 0; i < kBlocks * kThreads; ++i) data[i] = i * 7 / 3;
        ASSERT_EQ(LaunchStatus::kOk, run.launch("histogram", {kBlocks, 1, 1}, {kThreads, 1, 1}, data, counts));
        EXPECT_EQ(std::vector<unsigned>(want.begin(), want.end()), std::vector<unsigned>(counts, counts + 16));
        if (first.empty()) first = run.profile();
        EXPECT_EQ(first, run.profile()) << jobs << " jobs";
    }
}

// Which block gets which number depends on the order of the blocks. The order may be any, but always the same one.
TEST(Jobs, TicketsAreDrawnInTheSameOrder) {
    constexpr unsigned kBlocks = 200;
    std::vector<unsigned> first;
    for (unsigned jobs : {1u, 2u, 8u}) {
        Emulation run("tests/threads/atomics.ptx", jobs);
        unsigned* drawn = run.buffer<unsigned>(kBlocks);
        unsigned* next = run.buffer<unsigned>(1);
        ASSERT_EQ(LaunchStatus::kOk, run.launch("tickets", {kBlocks, 1, 1}, {32, 1, 1}, drawn, next));
        EXPECT_EQ(kBlocks, *next);
        const std::vector<unsigned> numbers(drawn, drawn + kBlocks);
        if (first.empty()) first = numbers;
        EXPECT_EQ(first, numbers) << jobs << " jobs";
    }
}

TEST(Jobs, HostThreadsShareASession) {
    constexpr unsigned kHosts = 4, kLaunches = 5, kBlocks = 8, kThreads = 64;
    Emulation run("tests/threads/atomics.ptx", 2);
    unsigned* data = run.buffer<unsigned>(kBlocks * kThreads);
    unsigned* counts = run.buffer<unsigned>(16);
    std::vector<std::thread> hosts;
    for (unsigned host = 0; host < kHosts; ++host)
        hosts.emplace_back([&] {
            for (unsigned i = 0; i < kLaunches; ++i) {
                void* own = run.session().memory().allocate(256, machine::AllocationKind::kDevice);
                EXPECT_EQ(LaunchStatus::kOk, run.launch("histogram", {kBlocks, 1, 1}, {kThreads, 1, 1}, data, counts));
                EXPECT_TRUE(run.session().memory().release(own));
            }
        });
    for (std::thread& host : hosts) host.join();
    EXPECT_EQ(kHosts * kLaunches * kBlocks * kThreads, counts[0]);
    EXPECT_EQ(kHosts * kLaunches, run.session().profile().launches.size());
}

}  // namespace
}  // namespace tilescope

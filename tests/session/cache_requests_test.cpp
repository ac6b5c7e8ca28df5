// What code asks of L2, from the PTX to the figures of the launch: by words, by policies, by windows and by prefetches.
#include <gtest/gtest.h>

#include <string>
#include <utility>

#include "scope/session/session.h"

namespace tilescope::test {
namespace {

using machine::Eviction;

constexpr std::uint64_t kMegabyte = 1 << 20;
constexpr std::uint64_t kLaunchItself = 2816;  // bytes that a launch itself reads of device memory

// Each thread visits every so manieth address from a place on; `visit` does something at %d1, in a loop.
std::string strided_kernel(const std::string& before, const std::string& visit) {
    return ".version 8.4\n.target sm_90\n.address_size 64\n"
           ".visible .entry k(.param .u64 from, .param .u64 bytes, .param .u64 stride)\n{\n"
           ".reg .pred %p<3>; .reg .b32 %r<12>; .reg .b64 %d<12>; .reg .f32 %f<4>;\n"
           "ld.param.u64 %d2, [from]; ld.param.u64 %d3, [bytes]; ld.param.u64 %d4, [stride];\n"
           "mov.u32 %r1, %ctaid.x; mov.u32 %r2, %ntid.x; mov.u32 %r3, %tid.x; mad.lo.u32 %r4, %r1, %r2, %r3;\n"
           "cvt.u64.u32 %d5, %r4; mul.lo.u64 %d5, %d5, %d4; mov.u32 %r5, %nctaid.x; mul.lo.u32 %r5, %r5, %r2;\n"
           "cvt.u64.u32 %d6, %r5; mul.lo.u64 %d6, %d6, %d4; mov.u32 %r9, 0;\n" +
           before + "\nagain:\nadd.u64 %d1, %d2, %d5;\n" + visit +
           "\nadd.u64 %d5, %d5, %d6; setp.lt.u64 %p1, %d5, %d3;\n@%p1 bra again;\n"
           "setp.eq.u32 %p2, %r9, 12345678;\n@%p2 st.global.u32 [%d2], %r9;\nret;\n}\n";
}

constexpr const char* kLoadWord = "ld.global.u32 %r8, [%d1]; add.u32 %r9, %r9, %r8;";

class Device {
public:
    explicit Device(unsigned jobs = 2) {
        SessionOptions options;
        options.caches = options.warm = true;
        options.jobs = jobs;
        auto session = Session::create(options);
        EXPECT_TRUE(session);
        session_ = std::move(*session);
        buffer_ = reinterpret_cast<std::uint64_t>(
            session_->memory().allocate(192 * kMegabyte, machine::AllocationKind::kDevice));
    }

    // Of the launch.
    CounterSet run(const std::string& ptx, std::uint64_t at, std::uint64_t bytes, std::uint64_t stride = 4,
                   LaunchRequest request = {}) {
        const auto module = session_->load_module(ptx, "test.ptx");
        EXPECT_TRUE(module) << render(module.errors());
        const std::uint64_t parameters[] = {buffer_ + at, bytes, stride};
        request.kernel = *session_->find_kernel(*module, "k");
        request.grid = {128, 1, 1};  // the sizes below are multiples of what all threads visit at once
        request.block = {256, 1, 1};
        request.parameters = std::as_bytes(std::span(parameters));
        EXPECT_EQ(session_->launch(request).status, LaunchStatus::kOk);
        return session_->profile().launches.back().counters;
    }
    std::uint64_t fetched(const std::string& ptx, std::uint64_t at, std::uint64_t bytes, std::uint64_t stride = 4,
                          const LaunchRequest& request = {}) {
        return run(ptx, at, bytes, stride, request)[Counter::kDramReadBytes] - kLaunchItself;
    }
    std::uint64_t buffer() const { return buffer_; }
    Session& session() { return *session_; }

private:
    std::unique_ptr<Session> session_;
    std::uint64_t buffer_ = 0;
};

// Eight megabytes, then 48 others, then the eight again: what of them stayed, in percent.
double stays(const std::string& kept, const std::string& others, unsigned jobs = 2) {
    Device device(jobs);
    device.fetched(kept, 0, 8 * kMegabyte);
    device.fetched(others, 64 * kMegabyte, 48 * kMegabyte);
    return 100 - 100.0 * static_cast<double>(device.fetched(strided_kernel("", kLoadWord), 0, 8 * kMegabyte)) /
                     (8 * kMegabyte);
}

std::string by_policy(const std::string& create) {
    return strided_kernel(create, "ld.global.L2::cache_hint.u32 %r8, [%d1], %d9; add.u32 %r9, %r9, %r8;");
}

TEST(CacheRequests, WordsAndPoliciesDecideWhatStays) {
    const std::string plain = strided_kernel("", kLoadWord);
    EXPECT_LT(stays(plain, plain), 1);
    EXPECT_GT(stays(plain, strided_kernel("", "ld.global.cs.u32 %r8, [%d1]; add.u32 %r9, %r9, %r8;")), 99);
    EXPECT_GT(stays(plain, strided_kernel("", "st.global.cs.u32 [%d1], %r9;")), 99);
    EXPECT_LT(stays(plain, strided_kernel("", "st.global.wt.u32 [%d1], %r9;")), 1);
    const std::string last = by_policy("createpolicy.fractional.L2::evict_last.b64 %d9;");
    EXPECT_GT(stays(last, plain), 99);
    EXPECT_LT(stays(last, last), 1);
    EXPECT_NEAR(stays(by_policy("createpolicy.fractional.L2::evict_last.b64 %d9, 0.5;"), plain), 50, 2);
    EXPECT_LT(stays(by_policy("mov.u64 %d9, 17;"), plain), 1) << "a policy that nobody made";
    EXPECT_GT(stays(by_policy("mov.u64 %d9, 0x14f0000000000000;"), plain), 99) << "as programs carry it";
    // Three of the eight megabytes.
    EXPECT_NEAR(stays(by_policy("createpolicy.range.global.L2::evict_last.b64 %d9, [%d2], 3145728, 3145728;"), plain),
                37.5, 1);
}

TEST(CacheRequests, AreTheSameAtAnyNumberOfWorkers) {
    const std::string half = by_policy("createpolicy.fractional.L2::evict_last.L2::evict_first.b64 %d9, 0.5;");
    const std::string far = strided_kernel("", "ld.global.L2::256B.u32 %r8, [%d1]; add.u32 %r9, %r9, %r8;");
    const double one = stays(half, far, 1);
    EXPECT_EQ(one, stays(half, far, 3));
}

TEST(CacheRequests, SizesBringMoreAtATime) {
    const auto fetched = [](const std::string& word, std::uint64_t stride) {
        Device device;
        return device.fetched(strided_kernel("", "ld.global" + word + ".u32 %r8, [%d1]; add.u32 %r9, %r9, %r8;"), 0,
                              16 * kMegabyte, stride) /
               (16 * kMegabyte / stride);
    };
    for (const char* word : {"", ".L2::64B"}) EXPECT_EQ(fetched(word, 512), 64u) << word;
    EXPECT_EQ(fetched(".L2::128B", 512), 128u);
    EXPECT_EQ(fetched(".L2::256B", 512), 256u);
    EXPECT_EQ(fetched(".L2::256B", 128), 128u) << "all of it is asked for anyway";
    EXPECT_EQ(fetched(".L2::256B", 32), 32u);
}

TEST(CacheRequests, PrefetchesBringWhatComesNext) {
    const auto later = [](const std::string& prefetch) {
        Device device;
        const CounterSet first = device.run(strided_kernel("", prefetch), 0, 16 * kMegabyte, 512);
        EXPECT_EQ(first[Counter::kL2ReadSectors], 0u) << "no load asked for it";
        EXPECT_EQ(first[Counter::kGlobalLoadSectors], 0u);
        return std::pair((first[Counter::kDramReadBytes] - kLaunchItself) / (16 * kMegabyte / 512),
                         device.fetched(strided_kernel("", kLoadWord), 0, 16 * kMegabyte, 512));
    };
    for (const char* name : {"prefetch.global.L2 [%d1];", "prefetch.global.L1 [%d1];", "prefetch.L2 [%d1];"})
        EXPECT_EQ(later(name), (std::pair<std::uint64_t, std::uint64_t>(64, 0))) << name;
    EXPECT_EQ(later("prefetch.global.L2::evict_last [%d1];"), (std::pair<std::uint64_t, std::uint64_t>(128, 0)));
    // What is no memory of the device's is left alone.
    Device device;
    EXPECT_EQ(device.fetched(strided_kernel("", "add.u64 %d7, %d1, 1000000000; prefetch.global.L2 [%d7];"), 0,
                             kMegabyte, 512),
              0u);
}

TEST(CacheRequests, WindowsKeepLinesFromLaunchToLaunchAsFarAsTheLimitGoes) {
    const std::string plain = strided_kernel("", kLoadWord);
    const auto kept = [&](std::uint64_t limit, bool forgets, double ratio = 1) {
        Device device;
        LaunchRequest request;
        request.window = {device.buffer(), 16 * kMegabyte, ratio, Eviction::kLast, Eviction::kFirst};
        request.persisting_bytes = limit;
        device.fetched(plain, 0, 16 * kMegabyte, 4, request);
        if (forgets) device.session().reset_persisting();
        LaunchRequest others;
        others.persisting_bytes = limit;
        device.fetched(plain, 64 * kMegabyte, 64 * kMegabyte, 4, others);
        const std::uint64_t missing = device.fetched(plain, 0, 16 * kMegabyte, 4, others);
        return 100 - 100.0 * static_cast<double>(missing) / (16 * kMegabyte);
    };
    EXPECT_GT(kept(31 * kMegabyte, false), 99);
    EXPECT_LT(kept(31 * kMegabyte, true), 1);
    EXPECT_NEAR(kept(8 * kMegabyte, false), 70.3, 1) << "three ways of 16";
    EXPECT_NEAR(kept(31 * kMegabyte, false, 0.5), 100.0 * 9 / 16, 2);
}

}  // namespace
}  // namespace tilescope::test

// PTX of a size that nobody writes but a generator or an attacker does. Steps that look at everything for everything
// would take minutes here; the test's time limit is what tells.
#include <gtest/gtest.h>

#include <cstring>
#include <functional>

#include "scope/machine/grid.h"
#include "scope/session/session.h"

namespace tilescope {
namespace {

std::string repeated(int count, const std::function<std::string(int)>& line) {
    std::string text;
    for (int i = 0; i < count; ++i) text += line(i);
    return text;
}

std::string number(int value) { return std::to_string(value); }

constexpr const char* kHead = ".version 7.8\n.target sm_80\n.address_size 64\n";

std::string kernel(const std::string& body) {
    return std::string(
               ".visible .entry k(.param .u64 p)\n{\n.reg .pred %p<2>;\n.reg .b64 %rd<4>;\n"
               "ld.param.u64 %rd1, [p];\n") +
           body + "ret;\n}\n";
}

// Launches the kernel and yields the first word that it stored.
std::uint32_t run(const std::string& ptx, const char* entry = "k") {
    SessionOptions options;
    options.jobs = 1;
    const auto session = Session::create(options);
    EXPECT_TRUE(session);
    const auto module = (*session)->load_module(ptx, "large.ptx");
    EXPECT_TRUE(module) << render(module.errors());
    if (!module) return ~0u;
    void* const storage = (*session)->memory().allocate(4096, machine::AllocationKind::kDevice);
    const auto address = reinterpret_cast<std::uint64_t>(storage);
    LaunchRequest request;
    request.kernel = (*session)->find_kernel(*module, entry).value();
    request.parameters = std::as_bytes(std::span(&address, 1));
    const LaunchResult result = (*session)->launch(request);
    EXPECT_EQ(result.status, LaunchStatus::kOk) << render(result.diagnostics);
    std::uint32_t value = 0;
    std::memcpy(&value, (*session)->memory().bytes(storage), sizeof value);
    (*session)->memory().release(storage);
    return value;
}

TEST(LargeKernels, TwoHundredThousandRegisters) {
    constexpr int kCount = 200'000;
    const std::string body =
        ".reg .b32 %r<" + number(kCount) + ">;\nmov.u32 %r0, 0;\n" +
        repeated(kCount - 1, [](int i) { return "add.u32 %r" + number(i + 1) + ", %r" + number(i) + ", 1;\n"; });
    EXPECT_EQ(run(kHead + kernel(body + "st.global.u32 [%rd1], %r" + number(kCount - 1) + ";\n")), kCount - 1u);
}

TEST(LargeKernels, TwentyThousandLiveRegisters) {
    constexpr int kCount = 20'000;
    const std::string body =
        ".reg .b32 %r<" + number(kCount + 1) + ">;\n" +
        repeated(kCount, [](int i) { return "ld.global.u32 %r" + number(i) + ", [%rd1];\n"; }) + "mov.u32 %r" +
        number(kCount) + ", 5;\n" + repeated(kCount, [](int i) {
            return "add.u32 %r" + number(kCount) + ", %r" + number(kCount) + ", %r" + number(i) + ";\n";
        });
    EXPECT_EQ(run(kHead + kernel(body + "st.global.u32 [%rd1], %r" + number(kCount) + ";\n")), 5u);
}

TEST(LargeKernels, LoopsOneAfterAnotherAndInsideEachOther) {
    constexpr int kCount = 1'600;
    const std::string row = repeated(kCount, [](int i) {
        return "mov.u32 %r1, 0;\nA" + number(i) + ":\nadd.u32 %r2, %r2, 1;\nadd.u32 %r1, %r1, 1;\n" +
               "setp.lt.u32 %p1, %r1, 2;\n@%p1 bra A" + number(i) + ";\n";
    });
    const std::string nest =
        repeated(kCount, [](int i) { return "B" + number(i) + ":\n"; }) + repeated(kCount, [](int i) {
            return "add.u32 %r3, %r3, 1;\nsetp.eq.u32 %p1, %r3, " + number(i) + ";\n@%p1 bra B" + number(i) + ";\n";
        });
    EXPECT_EQ(run(kHead + kernel(".reg .b32 %r<4>;\nmov.u32 %r2, 0;\nmov.u32 %r3, 0;\n" + row + nest +
                                 "st.global.u32 [%rd1], %r2;\n")),
              2u * kCount);
}

TEST(LargeKernels, FiftyThousandEntriesAndVariables) {
    constexpr int kCount = 50'000;
    const std::string variables =
        repeated(kCount, [](int i) { return ".global .u32 g" + number(i) + " = " + number(i) + ";\n"; });
    const std::string entries = repeated(kCount, [](int i) {
        return ".visible .entry e" + number(i) + "(.param .u64 p)\n{\n.reg .b64 %rd<2>;\nld.param.u64 %rd1, [p];\n" +
               "st.global.u32 [%rd1], " + number(i) + ";\nret;\n}\n";
    });
    EXPECT_EQ(run(kHead + variables + entries, "e49999"), 49'999u);
}

TEST(LargeKernels, AddressesThatAreLongSums) {
    constexpr int kCount = 20'000;
    const std::string sums =
        repeated(kCount, [](int i) { return "add.u32 %s" + number(i + 1) + ", %s" + number(i) + ", 0;\n"; });
    const std::string loads = repeated(kCount, [](int i) {
        return "ld.shared.u32 %r" + number(i) + ", [%s" + number(i) + "];\nst.global.u32 [%rd1], %r" + number(i) +
               ";\n";
    });
    const std::string adds =
        repeated(kCount / 10, [](int i) { return "red.global.add.u32 [%rd1+" + number(4 * (i % 512)) + "], 1;\n"; });
    EXPECT_NE(run(kHead + kernel(".shared .align 16 .b8 s[64];\n.reg .b32 %r<" + number(kCount) + ">;\n.reg .b32 %s<" +
                                 number(kCount + 1) + ">;\nmov.u32 %s0, s;\n" + sums + loads + adds)),
              ~0u);
}

// A sum that only adds to itself leads nowhere.
TEST(LargeKernels, AnAddressThatIsItsOwnSum) {
    EXPECT_EQ(run(kHead + kernel(".shared .align 16 .b8 s[64];\n.reg .b32 %r<4>;\nmov.u32 %r2, 3;\n"
                                 "add.u32 %r1, %r1, 4;\nld.shared.u32 %r3, [%r1];\nst.global.u32 [%rd1], %r2;\n"
                                 "st.global.u32 [%rd1+4], %r3;\n")),
              3u);
}

TEST(LargeKernels, AChainOfAHundredThousandCalls) {
    constexpr int kCount = 100'000;
    const std::string functions = ".func f0()\n{\nret;\n}\n" + repeated(kCount - 1, [](int i) {
                                      return ".func f" + number(i + 1) +
                                             "()\n{\n.reg .pred %p<2>;\nsetp.eq.u32 %p1, 1, 2;\n@%p1 call f" +
                                             number(i) + ";\nret;\n}\n";
                                  });
    EXPECT_EQ(run(kHead + functions +
                  kernel(".reg .b32 %r<2>;\nmov.u32 %r1, 4;\nst.global.u32 [%rd1], %r1;\ncall.uni f" +
                         number(kCount - 1) + ";\n")),
              4u);
}

TEST(Sample, TheNextBlockIsTheOneThatCountingFinds) {
    for (const double fraction : {1e-9, 1e-5, 0.001, 0.1, 1.0 / 3, 0.5, 0.7, 0.999999, 1.0}) {
        std::uint64_t from = 0;
        for (std::uint64_t block = 0; block < 20'000; ++block) {
            if (!machine::in_sample(block, fraction)) continue;
            EXPECT_EQ(machine::next_in_sample(from, 20'000, fraction), block) << fraction;
            from = block + 1;
        }
        EXPECT_GE(machine::next_in_sample(from, 20'000, fraction), 20'000u) << fraction;
    }
    EXPECT_GE(machine::next_in_sample(1, std::uint64_t{1} << 62, 1e-300), std::uint64_t{1} << 62);
}

}  // namespace
}  // namespace tilescope

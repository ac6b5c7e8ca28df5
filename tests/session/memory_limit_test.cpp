// What a run keeps counts towards its memory limit, whatever it is kept for, and the refusal says what used how much.
#include <gtest/gtest.h>

#include <string>

#include "scope/session/session.h"

namespace tilescope {
namespace {

constexpr std::uint64_t kMegabyte = 1u << 20U;

// A kernel with a local array of a quarter of a megabyte a thread, which it touches.
const std::string kStacks = R"(.version 7.0
.target sm_70
.address_size 64
.visible .entry stacks()
{
    .local .align 4 .b8 depot[262144];
    .reg .b32 %r<2>;
    mov.u32 %r1, 1;
    st.local.u32 [depot+262140], %r1;
    ret;
}
)";

std::string variable_of(std::uint64_t bytes) {
    return ".version 7.0\n.target sm_70\n.address_size 64\n.global .align 4 .b8 table[" + std::to_string(bytes) +
           "];\n.visible .entry nothing()\n{\n    ret;\n}\n";
}

std::unique_ptr<Session> session_with(std::uint64_t memory_limit, std::uint64_t device_memory = 0) {
    SessionOptions options;
    options.jobs = 1;
    options.memory_limit = memory_limit;
    options.device_memory = device_memory;
    auto session = Session::create(options);
    EXPECT_TRUE(session);
    return std::move(*session);
}

LaunchResult launch_first(Session& session, ModuleId module, std::uint32_t threads) {
    LaunchRequest request;
    request.kernel = session.kernels(module).at(0);
    request.block = {threads, 1, 1};
    return session.launch(request);
}

bool says(const Diagnostics& diagnostics, const std::string& text) {
    return diagnostics.size() == 1 && diagnostics[0].code == kMemoryLimitCode &&
           diagnostics[0].message.find(text) != std::string::npos;
}

TEST(MemoryLimit, CountsVariables) {
    const auto session = session_with(kMegabyte);
    EXPECT_TRUE(session->load_module(variable_of(kMegabyte / 2), "half"));
    const auto refused = session->load_module(variable_of(kMegabyte), "whole");
    ASSERT_FALSE(refused);
    EXPECT_TRUE(says(refused.errors(), "the variable 'table'")) << render(refused.errors());
    EXPECT_TRUE(says(refused.errors(), "variables of modules 524288")) << render(refused.errors());
}

TEST(MemoryLimit, CountsStacksOfAllThreadsThatRun) {
    const auto session = session_with(32 * kMegabyte);
    const auto module = session->load_module(kStacks, "stacks");
    ASSERT_TRUE(module);
    EXPECT_EQ(launch_first(*session, *module, 32).status, LaunchStatus::kOk);
    const LaunchResult refused = launch_first(*session, *module, 256);
    EXPECT_EQ(refused.status, LaunchStatus::kLimit);
    EXPECT_TRUE(says(refused.diagnostics, "finished launches")) << render(refused.diagnostics);
    EXPECT_EQ(session->memory().budget().used(machine::Kept::kBlocks), 0u) << "given back when the launch is over";
}

TEST(MemoryLimit, CountsFinishedLaunches) {
    const auto session = session_with(kMegabyte);
    const auto module = session->load_module(variable_of(4), "small");
    ASSERT_TRUE(module);
    LaunchResult last;
    for (int i = 0; i < 100000 && last.status == LaunchStatus::kOk; ++i) last = launch_first(*session, *module, 32);
    EXPECT_EQ(last.status, LaunchStatus::kLimit);
    EXPECT_TRUE(says(last.diagnostics, "the profile of one more launch") ||
                says(last.diagnostics, "registers, stacks and shared memory"))
        << render(last.diagnostics);
}

TEST(MemoryLimit, IsNotTheDevicesMemory) {
    const auto session = session_with(0, kMegabyte);
    EXPECT_EQ(session->device().dram_bytes, kMegabyte);
    EXPECT_EQ(session->memory().allocate(2 * kMegabyte, machine::AllocationKind::kDevice), nullptr);
    EXPECT_NE(session->memory().allocate(2 * kMegabyte, machine::AllocationKind::kPinned), nullptr);
    const auto refused = session->load_module(variable_of(2 * kMegabyte), "large");
    ASSERT_FALSE(refused);
    EXPECT_NE(render(refused.errors()).find("--device-memory"), std::string::npos);
}

}  // namespace
}  // namespace tilescope

// What ops say of how strongly they order memory, and for whom: as spelled, or as PTX has it where nothing is spelled.
#include <gtest/gtest.h>

#include <string>

#include "scope/isa/lower.h"
#include "scope/ptx/parser.h"

namespace tilescope::isa {
namespace {

using machine::Order;
using machine::Scope;

struct Case {
    const char* line;
    Order order;
    Scope scope;
};

constexpr Case kCases[] = {
    {"ld.global.b32 %r1, [%rd1];", Order::kWeak, Scope::kNone},
    {"ld.weak.shared.b32 %r1, [%rd1];", Order::kWeak, Scope::kNone},
    {"ld.volatile.global.b32 %r1, [%rd1];", Order::kVolatile, Scope::kSystem},
    {"ld.relaxed.cta.global.b32 %r1, [%rd1];", Order::kRelaxed, Scope::kBlock},
    {"ld.acquire.cluster.b32 %r1, [%rd1];", Order::kAcquire, Scope::kCluster},
    {"ld.mmio.relaxed.sys.global.b32 %r1, [%rd1];", Order::kRelaxed, Scope::kSystem},
    {"ld.global.b32.gpu.acquire %r1, [%rd1];", Order::kAcquire, Scope::kGpu},
    {"st.global.b32 [%rd1], %r1;", Order::kWeak, Scope::kNone},
    {"st.release.gpu.global.b32 [%rd1], %r1;", Order::kRelease, Scope::kGpu},
    {"st.volatile.shared.b32 [%rd1], %r1;", Order::kVolatile, Scope::kSystem},
    {"atom.global.add.u32 %r1, [%rd1], %r2;", Order::kRelaxed, Scope::kGpu},
    {"atom.global.sys.add.u32 %r1, [%rd1], %r2;", Order::kRelaxed, Scope::kSystem},
    {"atom.acquire.global.cas.b32 %r1, [%rd1], %r2, %r3;", Order::kAcquire, Scope::kGpu},
    {"atom.acq_rel.cta.shared.exch.b32 %r1, [%rd1], %r2;", Order::kAcquireRelease, Scope::kBlock},
    {"red.release.cluster.global.add.u32 [%rd1], %r2;", Order::kRelease, Scope::kCluster},
    {"cp.async.ca.shared.global [%r1], [%rd1], 4;", Order::kWeak, Scope::kNone},
    {"membar.cta;", Order::kSequential, Scope::kBlock},
    {"membar.gl;", Order::kSequential, Scope::kGpu},
    {"membar.sys;", Order::kSequential, Scope::kSystem},
    {"fence.gpu;", Order::kAcquireRelease, Scope::kGpu},
    {"fence.sc.cluster;", Order::kSequential, Scope::kCluster},
    {"fence.acquire.sys;", Order::kAcquire, Scope::kSystem},
    {"fence.mbarrier_init.release.cluster;", Order::kRelease, Scope::kCluster},
    {"mbarrier.arrive.shared.b64 %rd2, [%r1];", Order::kRelease, Scope::kBlock},
    {"mbarrier.arrive.relaxed.cluster.shared.b64 _, [%r1];", Order::kRelaxed, Scope::kCluster},
    {"mbarrier.expect_tx.shared.b64 [%r1], 8;", Order::kRelaxed, Scope::kBlock},
    {"mbarrier.try_wait.shared.b64 %p1, [%r1], %rd2;", Order::kAcquire, Scope::kBlock},
    {"mbarrier.test_wait.parity.acquire.cluster.shared.b64 %p1, [%r1], 0;", Order::kAcquire, Scope::kCluster},
};

TEST(Order, IsToldOfEveryOp) {
    std::string text =
        ".version 8.7\n.target sm_90\n.address_size 64\n.visible .entry k()\n{\n"
        ".reg .pred %p<4>; .reg .b32 %r<8>; .reg .b64 %rd<8>;\n";
    const unsigned first_line = 7;
    for (const Case& which : kCases) text += std::string(which.line) + "\n";
    // Loads that nobody reads are dropped.
    text += "st.global.b32 [%rd1], %r1;\nret;\n}\n";
    const auto module = ptx::parse(text, "orders.ptx");
    ASSERT_TRUE(module) << render(module.errors());
    LowerRequest request;
    request.module = &*module;
    request.entry = "k";
    const auto program = lower(request);
    ASSERT_TRUE(program) << render(program.errors());
    std::size_t found = 0;
    for (const machine::OpFacts& facts : (*program)->facts) {
        if (facts.text_line < first_line || facts.text_line - first_line >= std::size(kCases)) continue;
        const Case& which = kCases[facts.text_line - first_line];
        ++found;
        EXPECT_EQ(facts.order, which.order) << which.line;
        EXPECT_EQ(facts.scope, which.scope) << which.line;
    }
    EXPECT_EQ(found, std::size(kCases));
}

struct CachedCase {
    const char* line;
    machine::CacheHints hints;
};

TEST(Order, WhatIsAskedOfTheCachesStandsWithTheSite) {
    using machine::CacheOperator;
    using machine::Eviction;
    const CachedCase cases[] = {
        {"st.global.b32 [%rd1], %r1;", {}},
        {"st.global.wt.b32 [%rd1], %r1;", {.operation = CacheOperator::kWriteThrough}},
        {"ld.global.cg.b32 %r1, [%rd1];", {.operation = CacheOperator::kSecondLevel}},
        {"ld.global.nc.L1::no_allocate.L2::128B.b32 %r1, [%rd1];",
         {.first_level = Eviction::kNoAllocate, .is_read_only = true, .prefetch_bytes = 128}},
        {"ld.global.L1::evict_last.L2::cache_hint.b32 %r1, [%rd1], %rd2;",
         {.first_level = Eviction::kLast, .has_policy = true}},
    };
    for (const CachedCase& which : cases) {
        const std::string text =
            ".version 8.7\n.target sm_90\n.address_size 64\n.visible .entry k()\n{\n"
            ".reg .b32 %r<8>; .reg .b64 %rd<8>;\n" +
            std::string(which.line) + "\nst.shared.b32 [%rd1], %r1;\nret;\n}\n";
        const auto module = ptx::parse(text, "hints.ptx");
        ASSERT_TRUE(module) << render(module.errors());
        LowerRequest request;
        request.module = &*module;
        request.entry = "k";
        const auto program = lower(request);
        ASSERT_TRUE(program) << render(program.errors());
        ASSERT_FALSE((*program)->sites.empty());
        EXPECT_EQ((*program)->sites[0].cache, which.hints) << which.line;
        EXPECT_EQ((*program)->sites[0].space, machine::Space::kGlobal) << which.line;
        EXPECT_EQ((*program)->sites[0].width, 4) << which.line;
    }
}

// What follows data through a run must not take a cache policy for a value that is stored or a number of bytes.
TEST(Order, APolicyIsNoValue) {
    const std::string text =
        ".version 8.7\n.target sm_90\n.address_size 64\n.visible .entry k()\n{\n"
        ".reg .b32 %r<8>; .reg .b64 %rd<8>;\n"
        "st.global.L2::cache_hint.v2.b32 [%rd1], {%r1, %r2}, %rd2;\n"
        "red.global.add.L2::cache_hint.u32 [%rd1], %r1, %rd2;\n"
        "cp.async.ca.shared.global.L2::cache_hint [%r1], [%rd1], 4, %rd2;\n"
        "cp.async.ca.shared.global.L2::cache_hint [%r1], [%rd1], 4, %r2, %rd2;\nret;\n}\n";
    const auto module = ptx::parse(text, "policies.ptx");
    ASSERT_TRUE(module) << render(module.errors());
    LowerRequest request;
    request.module = &*module;
    request.entry = "k";
    request.with_flow = true;
    const auto program = lower(request);
    ASSERT_TRUE(program) << render(program.errors());
    const std::vector<machine::OpFlow>& flow = (*program)->flow;
    ASSERT_GE(flow.size(), 4u);
    EXPECT_EQ(flow[0].sources.size(), 2u);
    EXPECT_EQ(flow[1].sources.size(), 1u);
    EXPECT_EQ(flow[2].sources.size(), 0u);
    EXPECT_EQ(flow[3].sources.size(), 1u);
}

}  // namespace
}  // namespace tilescope::isa

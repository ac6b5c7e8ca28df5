// Which products and sums become one multiply-add, held against machine code: every expectation is what ptxas 13.0.88
// made of the same lines for sm_90.
#include <gtest/gtest.h>

#include <string>

#include "scope/isa/lower.h"
#include "scope/ptx/parser.h"

namespace tilescope::isa {
namespace {

// The single-precision arithmetic of a kernel of these lines, in order: "mul fma add". a to h are loaded, o0 to o2 are
// places in memory. %P is a predicate.
std::string arithmetic_of(const std::string& lines, bool contracts = true, const std::string& target = "sm_90") {
    const std::string text = ".version 8.0\n.target " + target + R"(
.address_size 64
.visible .entry k(.param .u64 in, .param .u64 out)
{
.reg .f32 a,b,c,d,e,f,v<9>; .reg .pred P,Q; .reg .b32 i,n; .reg .b64 p,q;
ld.param.u64 p,[in]; ld.param.u64 q,[out]; mov.u32 n,%tid.x; mov.u32 i,0; setp.ne.u32 P,n,7;
ld.global.f32 a,[p]; ld.global.f32 b,[p+4]; ld.global.f32 c,[p+8]; ld.global.f32 d,[p+12]; ld.global.f32 e,[p+16];
ld.global.f32 f,[p+20];
)" + lines + "\nret;\n}\n";
    const auto module = ptx::parse(text, "test.ptx");
    EXPECT_TRUE(module) << lines;
    if (!module) return {};
    LowerRequest request;
    request.module = &*module;
    request.entry = "k";
    request.contracts = contracts;
    request.address_of = [](std::string_view) { return std::optional<std::uint64_t>(); };
    const auto program = lower(request);
    EXPECT_TRUE(program) << lines;
    if (!program) return {};
    std::string found;
    for (const machine::OpFacts& facts : (*program)->facts)
        for (const CounterAmount& amount : facts.operations) {
            const std::string name = amount.counter == Counter::kFp32Add   ? "add"
                                     : amount.counter == Counter::kFp32Mul ? "mul"
                                     : amount.counter == Counter::kFp32Fma ? "fma"
                                                                           : "";
            if (!name.empty() && amount.amount != 0) found += (found.empty() ? "" : " ") + name;
        }
    return found;
}

const char kStore[] = " st.global.f32 [q],v1;";
const char kProduct[] = "mul.f32 v0,a,b; ";

std::string around(const std::string& between) {
    return arithmetic_of(kProduct + between + " add.f32 v1,v0,c;" + kStore);
}

TEST(Contract, ProductsAndSums) {
    EXPECT_EQ(around(""), "fma");
    EXPECT_EQ(arithmetic_of("mul.f32 v0,a,b; sub.f32 v1,c,v0; st.global.f32 [q],v1;"), "fma");
    EXPECT_EQ(arithmetic_of("mul.f32 v0,a,b; neg.f32 v2,v0; mov.f32 v3,v2; sub.f32 v1,v3,c; st.global.f32 [q],v1;"),
              "fma");
    EXPECT_EQ(arithmetic_of("mul.f32 v0,a,b; add.f32 v0,v0,c; mul.f32 v0,v0,d; add.f32 v0,v0,e; st.global.f32 [q],v0;"),
              "fma fma");
    EXPECT_EQ(arithmetic_of("mul.f32 a,a,b; add.f32 a,a,c; st.global.f32 [q],a;"), "fma");
    EXPECT_EQ(arithmetic_of("mul.f32 v0,0f40490fdb,0f3f8ccccd; add.f32 v1,v0,c; st.global.f32 [q],v1;"), "mul add");
}

TEST(Contract, ModifiersForbidIt) {
    const auto of = [](const std::string& product, const std::string& sum) {
        return arithmetic_of("mul" + product + ".f32 v0,a,b; add" + sum + ".f32 v1,v0,c; st.global.f32 [q],v1;");
    };
    EXPECT_EQ(of(".rn", ""), "mul add");
    EXPECT_EQ(of("", ".rn"), "mul add");
    EXPECT_EQ(of("", ".rz"), "mul add");
    EXPECT_EQ(of("", ".sat"), "fma");
    EXPECT_EQ(of(".sat", ""), "mul add");
    EXPECT_EQ(of(".ftz", ""), "mul add");
    EXPECT_EQ(of("", ".ftz"), "mul add");
    EXPECT_EQ(of(".ftz", ".ftz.sat"), "fma");
    EXPECT_EQ(arithmetic_of(std::string(kProduct) + "add.f32 v1,v0,c;" + kStore, false), "mul add");
    EXPECT_EQ(arithmetic_of(std::string(kProduct) + "add.f32 v1,v0,c;" + kStore, true, "sm_90, debug"), "mul add");
}

TEST(Contract, Constants) {
    const std::string tenth = "mov.f32 v5,0f3dcccccd; ", sum = " add.f32 v1,v0,c; st.global.f32 [q],v1;";
    for (const char* product : {"mov.b32 v6,0x3a83126f; mul.f32 v0,v5,v6;", "mul.f32 v6,v5,v5; mul.f32 v0,v5,v6;",
                                "neg.f32 v6,v5; mul.f32 v0,v5,v6;", "cvt.rn.f32.s32 v6,3; mul.f32 v0,v6,v5;"})
        EXPECT_EQ(arithmetic_of(tenth + product + sum).find("fma"), std::string::npos) << product;
    EXPECT_EQ(arithmetic_of(tenth + "fma.rn.f32 v6,v5,v5,v5; mul.f32 v0,v5,v6;" + sum), "fma fma");
    EXPECT_EQ(arithmetic_of(tenth + "mul.f32 v0,a,v5; add.f32 v1,v0,v5;" + kStore), "fma");
    // A product by 1 is its factor.
    const std::string product = "mul.f32 v6,a,b; mul.f32 v0,v6,v5;";
    EXPECT_EQ(arithmetic_of("mov.f32 v5,0f3f800000; " + product + sum), "fma");
    EXPECT_EQ(arithmetic_of("mov.f32 v5,0fbf800000; " + product + sum), "fma");
    EXPECT_EQ(arithmetic_of("mov.f32 v5,0f40000000; " + product + sum), "mul fma");
}

TEST(Contract, WhatNobodyReadsIsNoUse) {
    for (const char* dead : {"mul.f32 v2,v0,d;", "add.f32 v2,v0,v0;", "setp.lt.f32 Q,v0,c;",
                             "shfl.sync.idx.b32 v2,v0,1,31,-1;", "cvt.rzi.s32.f32 i,v0; add.u32 i,i,1;"})
        EXPECT_NE(arithmetic_of(kProduct + std::string("add.f32 v1,v0,c; ") + dead + kStore).find("fma"),
                  std::string::npos)
            << dead;
}

TEST(Contract, EveryUseIsASum) {
    const std::string two = "mul.f32 v0,a,b; mul.f32 v1,c,d; ";
    const std::string stores = " st.global.f32 [q],v2; st.global.f32 [q+4],v3; st.global.f32 [q+8],v4;";
    EXPECT_EQ(arithmetic_of("mul.f32 v0,a,b; add.f32 v1,v0,c; add.f32 v2,v0,d; st.global.f32 [q],v1; st.global.f32 "
                            "[q+4],v2;"),
              "fma fma");
    EXPECT_EQ(arithmetic_of("mul.f32 v0,a,b; add.f32 v1,v0,c; st.global.f32 [q],v1; st.global.f32 [q+4],v0;"),
              "mul add");
    EXPECT_EQ(arithmetic_of("mul.f32 v0,a,b; add.f32 v1,v0,c; fma.rn.f32 v1,v0,d,v1; st.global.f32 [q],v1;"),
              "mul add fma");
    EXPECT_EQ(arithmetic_of("mul.f32 v0,a,b; add.f32 v1,v0,v0; st.global.f32 [q],v1;"), "mul add");
    EXPECT_EQ(arithmetic_of("mul.f32 v0,a,b; add.f32 v1,v0,c; add.rn.f32 v1,v0,v1; st.global.f32 [q],v1;"),
              "mul add add");
    EXPECT_EQ(arithmetic_of(two + "add.f32 v2,v0,v1; st.global.f32 [q],v2;"), "mul fma");
    EXPECT_EQ(arithmetic_of(two + "add.f32 v2,v0,v1; st.global.f32 [q],v2; st.global.f32 [q+4],v0;"), "mul fma");
    EXPECT_EQ(arithmetic_of(two + "add.f32 v2,v1,v0; add.f32 v3,v1,e; mov.f32 v4,e;" + stores), "mul fma add");
    EXPECT_EQ(arithmetic_of(two + "add.f32 v3,v1,e; add.f32 v2,v0,v1; mov.f32 v4,e;" + stores), "mul add fma");
    EXPECT_EQ(arithmetic_of(two + "add.f32 v2,v0,v1; add.f32 v3,v0,e; add.f32 v4,v1,f;" + stores), "mul fma fma add");
    EXPECT_EQ(arithmetic_of(two + "add.f32 v3,v0,e; add.f32 v4,v1,f; add.f32 v2,v0,v1;" + stores), "mul fma fma fma");
    EXPECT_EQ(arithmetic_of(two + "mul.f32 v5,e,f; add.f32 v2,v0,v1; add.f32 v3,v1,v5; add.f32 v4,v5,v0;" + stores),
              "mul mul fma fma fma");
}

TEST(Contract, WithinABlock) {
    for (const char* between : {"bar.sync 0;", "shfl.sync.idx.b32 v3,c,1,31,-1;", "bar.warp.sync -1;",
                                "on:", "bra on; on:", "div.full.f32 v3,c,d;", "rcp.approx.f32 v3,d;", "div.u32 i,n,i;",
                                "atom.global.add.u32 i,[p],1;", "@P mul.f32 v3,c,d;", "mov.u32 i,%clock;"})
        EXPECT_EQ(around(between).find("mul add"), std::string::npos) << between;
    for (const char* between :
         {"membar.gl;", "fence.acq_rel.gpu;", "@P exit;", "@P ret;", "@P st.global.u32 [q+8],n;",
          "@P shfl.sync.idx.b32 v3,c,1,31,-1;", "div.s32 i,n,i;", "@P bra on; st.global.u32 [q],n; on:"})
        EXPECT_EQ(around(between), "mul add") << between;
    EXPECT_EQ(around("sqrt.rn.f32 v3,d;").substr(0, 3), "mul");
}

TEST(Contract, Guards) {
    EXPECT_EQ(arithmetic_of("mul.f32 v0,a,b; @P add.f32 c,v0,c; st.global.f32 [q],c;"), "fma");
    EXPECT_EQ(arithmetic_of("@P mul.f32 v0,a,b; @P add.f32 c,v0,c; st.global.f32 [q],c;"), "mul add");
    EXPECT_EQ(arithmetic_of("mul.f32 v0,a,b; @P mov.f32 v0,d; add.f32 v1,v0,c; st.global.f32 [q],v1;"), "mul add");
}

TEST(Contract, Loops) {
    const std::string turn = " add.u32 i,i,1; setp.lt.u32 Q,i,n; @Q bra on;";
    EXPECT_EQ(arithmetic_of("mov.f32 v1,c; on: mul.f32 v0,a,v1; add.f32 v1,v0,b;" + turn + kStore), "fma");
    EXPECT_EQ(arithmetic_of("mov.f32 v1,c; mul.f32 v0,a,b; on: add.f32 v1,v0,v1;" + turn + kStore), "mul add");
    EXPECT_EQ(arithmetic_of("mov.f32 v1,c; on: mul.f32 v0,a,v1; mov.f32 v1,v0;" + turn + " add.f32 v1,v0,b;" + kStore),
              "mul add");
}

}  // namespace
}  // namespace tilescope::isa

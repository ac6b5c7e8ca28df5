// The table of a kernel's variables: names as compilers mangle them, bytes and versions of a launch.
#include "scope/session/variables.h"

#include <gtest/gtest.h>

#include <stdexcept>

#include "scope/session/session.h"

namespace tilescope {
namespace {

using Names = std::vector<std::string>;

TEST(SourceNames, AFunctionsVariableIsItsName) {
    EXPECT_EQ(source_names({"_ZZ5tiledPKfS0_PfiE3Mds", "_ZZ5tiledPKfS0_PfiE3Nds"}), (Names{"Mds", "Nds"}));
    EXPECT_EQ(source_name("_ZZ5tiledPKfS0_PfiE3Mds").with_function, "tiled::Mds");
    EXPECT_EQ(source_names({"_ZZ1kIfLi16EEvPT_iE4tile"}), Names{"tile"});
    EXPECT_EQ(source_names({"_ZZN2ns6MatrixIfE3mulEvE4tile"}), Names{"tile"});
    EXPECT_EQ(source_names({"_ZZZ1kPiiENKUliE_clEiE3lam"}), Names{"lam"});
}

TEST(SourceNames, ANameOutsideFunctionsKeepsItsNamespace) {
    EXPECT_EQ(source_names({"coefficients", "_ZN2ns1gE", "_Z2vtILi8EE", "_ZL4sdev"}),
              (Names{"coefficients", "ns::g", "vt<8>", "sdev"}));
}

TEST(SourceNames, PrivateToAFile) {
    // clang, then nvcc, which makes up a namespace from the file's name.
    EXPECT_EQ(source_names({"_ZN12_GLOBAL__N_16hiddenE"}), Names{"(anonymous namespace)::hidden"});
    EXPECT_EQ(source_names({"_ZN30_INTERNAL_f0be3c2e_4_v_cu_main32_GLOBAL__N__f0be3c2e_4_v_cu_main6hiddenE"}),
              Names{"(anonymous namespace)::hidden"});
    EXPECT_EQ(source_names({"_ZN30_INTERNAL_f0be3c2e_4_v_cu_main4sdevE"}), Names{"sdev"});
    // clang, of files that are linked.
    EXPECT_EQ(source_names({"_ZL4mine__static__8ca2eef9124db342"}), Names{"mine"});
    EXPECT_EQ(source_names({"_ZL4mine", "_ZL4mine12"}), (Names{"mine", "mine #2"}));
}

TEST(SourceNames, WhatTellsEqualNamesApartIsKept) {
    EXPECT_EQ(source_names({"_ZZ5otheriE3buf", "_ZZ7anotheriE3buf", "_ZZ5thirdIdEiT_E3buf", "_ZZ5thirdIiEiT_E3buf"}),
              (Names{"other::buf", "another::buf", "third<double>::buf", "third<int>::buf"}));
    // Two blocks of one function.
    EXPECT_EQ(source_names({"_ZZ1kIfLi16EEvPT_iE4twin", "_ZZ1kIfLi16EEvPT_iE4twin_0"}), (Names{"twin", "twin #2"}));
    // Overloads.
    EXPECT_EQ(source_names({"_ZZ1fiE1x", "_ZZ1ffE1x"}), (Names{"f(int)::x", "f(float)::x"}));
    EXPECT_EQ(source_names({"_ZZN12_GLOBAL__N_11fEvE1x", "_ZZN1a1fEvE1x"}),
              (Names{"(anonymous namespace)::f::x", "a::f::x"}));
}

TEST(SourceNames, WhatCompilersMakeUp) {
    EXPECT_EQ(source_names({"$str"}), Names{"string literal"});
    EXPECT_EQ(source_names({"__const_$__Z4picki_$_t"}), Names{"t"});
    EXPECT_EQ(source_names({"not mangled", "_Znonsense", ""}), (Names{"not mangled", "_Znonsense", ""}));
}

constexpr const char* kModule = R"(
.version 7.8
.target sm_80
.address_size 64
.const .align 4 .b8 table[64];
.const .align 4 .b8 unused[64];
.global .align 4 .u32 total;
.global .attribute(.managed) .align 8 .b8 pages[4096];
.extern .shared .align 16 .b8 dynamic[];
.func helper()
{
    .shared .align 4 .b8 _ZZ6helpervE3buf[36];
    .reg .b32 %r<3>;
    mov.u32 %r1, _ZZ6helpervE3buf;
    ld.const.u32 %r2, [table+4];
    st.shared.u32 [%r1], %r2;
    ret;
}
.func unreached()
{
    .shared .align 4 .b8 _ZZ9unreachedvE3big[4000];
    .reg .b32 %r<3>;
    ld.const.u32 %r2, [unused];
    ret;
}
.visible .entry _Z1kv()
{
    .local .align 4 .b8 __local_depot0[32];
    .shared .align 4 .f32 _ZZ1kvE6scalar;
    .reg .b32 %r<3>;
    mov.u32 %r1, 7;
    st.local.u32 [__local_depot0], %r1;
    st.shared.u32 [_ZZ1kvE6scalar], %r1;
    st.shared.u32 [dynamic], %r1;
    st.global.u32 [total], %r1;
    st.global.u32 [pages+8], %r1;
    call helper;
    ret;
}
.visible .entry _Z5plainv()
{
    ret;
}
)";

std::string table_of(const char* entry, std::uint64_t dynamic_bytes, std::vector<KernelFacts> facts) {
    auto session = Session::create({});
    if (!session) throw std::runtime_error(render(session.errors()));
    auto module = (*session)->load_module(kModule, "variables.ptx", facts);
    if (!module) throw std::runtime_error(render(module.errors()));
    LaunchRequest request;
    request.kernel = (*session)->find_kernel(*module, entry).value();
    request.grid = {5, 2, 1};
    request.block = {32, 2, 1};
    request.dynamic_shared_bytes = dynamic_bytes;
    if ((*session)->launch(request).status != LaunchStatus::kOk) throw std::runtime_error("the launch failed");
    std::string text;
    for (const Variable& v : (*session)->profile().launches.at(0).variables)
        text += v.name + " | " + std::string(report::name_of(v.space)) + " | " + std::to_string(v.bytes) + " | " +
                std::to_string(v.versions) + " | " + std::string(report::name_of(v.scope)) + " | " +
                std::string(report::name_of(v.lifetime)) + "\n";
    return text;
}

KernelFacts facts(std::uint32_t registers, std::uint64_t local, std::uint32_t spilled) {
    KernelFacts facts;
    facts.entry = "_Z1kv";
    facts.registers = registers;
    facts.static_shared_bytes = 40;
    facts.local_bytes = local;
    facts.spill_store_bytes = facts.spill_load_bytes = spilled;
    return facts;
}

TEST(Variables, WhatReachableCodeRefersTo) {
    EXPECT_EQ(table_of("_Z1kv", 256, {facts(20, 32, 0)}),
              "registers | register | 80 | 640 | thread | grid\n"
              "local arrays | local | 32 | 640 | thread | grid\n"
              "scalar | shared | 4 | 10 | block | grid\n"
              "buf | shared | 36 | 10 | block | grid\n"
              "dynamic | shared | 256 | 10 | block | grid\n"
              "table | constant | 64 | 1 | grid | application\n"
              "total | global | 4 | 1 | grid | application\n"
              "pages | managed | 4096 | 1 | grid | application\n");
}

TEST(Variables, TheAssemblersFrameBeyondArraysIsSpills) {
    const std::string table = table_of("_Z1kv", 16, {facts(255, 56, 40)});
    EXPECT_NE(table.find("local arrays | local | 32 |"), std::string::npos) << table;
    EXPECT_NE(table.find("spills | local | 24 | 640 | thread | grid\n"), std::string::npos) << table;
}

TEST(Variables, WhatCallsSaveIsNotTakenForSpills) {
    const std::string table = table_of("_Z1kv", 16, {facts(40, 56, 0)});  // _Z1kv calls helper
    EXPECT_EQ(table.find("spills"), std::string::npos) << table;
}

TEST(Variables, AnArrayThatTheAssemblerKeptInRegistersIsNone) {
    const std::string table = table_of("_Z1kv", 16, {facts(40, 0, 0)});
    EXPECT_EQ(table.find("local"), std::string::npos) << table;
}

TEST(Variables, DynamicSharedMemoryNeedsNoName) {
    EXPECT_NE(table_of("_Z5plainv", 48, {}).find("dynamic shared memory | shared | 48 | 10 | block | grid\n"),
              std::string::npos);
    EXPECT_EQ(table_of("_Z5plainv", 0, {}).find("shared"), std::string::npos);
}

}  // namespace
}  // namespace tilescope

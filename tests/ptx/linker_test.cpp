#include "scope/ptx/linker.h"

#include <gtest/gtest.h>

#include "scope/ptx/parser.h"
#include "scope/ptx/printer.h"

namespace tilescope::ptx {
namespace {

constexpr const char* kHead = ".version 8.0\n.target sm_90\n.address_size 64\n";

Module part(const std::string& text) {
    auto module = parse(kHead + text, "part.ptx");
    EXPECT_TRUE(module) << render(module.errors());
    return std::move(module).value();
}

Linked linked(const std::vector<std::string>& texts) {
    std::vector<Module> parts;
    for (const std::string& text : texts) parts.push_back(part(text));
    return link(std::move(parts), "all");
}

// The module as text, which has to parse again.
std::string text_of(const Linked& linked) {
    EXPECT_TRUE(linked.conflicts.empty());
    const std::string text = print(linked.module);
    EXPECT_TRUE(parse(text, "again")) << text;
    return text;
}

std::size_t count(const std::string& text, const std::string& what) {
    std::size_t found = 0;
    for (std::size_t at = text.find(what); at != std::string::npos; at = text.find(what, at + 1)) ++found;
    return found;
}

using Kind = LinkConflict::Kind;

void expect_conflict(const std::string& a, const std::string& b, Kind kind, const std::string& name) {
    const Linked result = linked({a, b});
    ASSERT_EQ(result.conflicts.size(), 1U) << a << b;
    EXPECT_EQ(result.conflicts[0].kind, kind);
    EXPECT_EQ(result.conflicts[0].name, name);
    EXPECT_EQ(result.conflicts[0].first, 0U);
    EXPECT_EQ(result.conflicts[0].second, 1U);
}

TEST(Linker, DeclarationsBecomeTheDefinition) {
    const std::string text =
        text_of(linked({".extern .func f();\n.extern .const .align 4 .b8 c[16];\n.extern .global .u32 g;\n"
                        ".visible .entry k() { call f; ret; }\n",
                        ".visible .func f() { ret; }\n.visible .const .align 4 .b8 c[16] = {1};\n"
                        ".visible .global .u32 g = 7;\n"}));
    EXPECT_EQ(count(text, ".extern"), 0U) << text;
    EXPECT_EQ(count(text, "c[16]"), 1U) << text;
    EXPECT_EQ(count(text, ".u32 g = 7;"), 1U) << text;
    // The head, which comes first, and the function.
    EXPECT_EQ(count(text, ".visible .func f("), 2U) << text;
    EXPECT_LT(text.find(".visible .func f("), text.find(".entry k(")) << text;
}

TEST(Linker, WhatIsAModulesOwnStaysApart) {
    const std::string own = ".func f() { ret; }\n.global .u32 g = ";
    const std::string text = text_of(
        linked({own + "1;\n.visible .entry a() { .reg .b32 %r<2>; call f; ld.global.u32 %r1, [g]; ret; }\n",
                own + "2;\n.visible .entry b() { .reg .b32 %r<2>; call f; ld.global.u32 %r1, [g+4]; ret; }\n"}));
    EXPECT_NE(text.find("call f;"), std::string::npos) << text;
    EXPECT_NE(text.find("call f$1;"), std::string::npos) << text;
    EXPECT_NE(text.find(".global .u32 g = 1;"), std::string::npos) << text;
    EXPECT_NE(text.find(".global .u32 g$1 = 2;"), std::string::npos) << text;
    EXPECT_NE(text.find("[g$1+4]"), std::string::npos) << text;
}

TEST(Linker, AModulesOwnNameGivesWayToOneThatAllShare) {
    const std::string text = text_of(linked({".func f() { ret; }\n.visible .entry a() { call f; ret; }\n",
                                             ".visible .func f() { ret; }\n.visible .entry b() { call f; ret; }\n"}));
    EXPECT_NE(text.find("call f$0;"), std::string::npos) << text;
    EXPECT_NE(text.find("call f;"), std::string::npos) << text;
}

TEST(Linker, ANameThatAFunctionDeclaresIsItsOwn) {
    const std::string own = ".shared .align 4 .b8 s[4];\n";
    const std::string text =
        text_of(linked({own, own + ".visible .entry k() { .reg .b32 %r<2>; { .shared .align 4 .b8 s[8]; "
                                   "mov.u32 %r1, s; } mov.u32 %r1, s; ret; }\n"}));
    EXPECT_NE(text.find("mov.u32 %r1, s;"), std::string::npos) << text;
    EXPECT_NE(text.find("mov.u32 %r1, s$1;"), std::string::npos) << text;
}

TEST(Linker, TheFirstOfWeakDefinitionsCounts) {
    const std::string text = text_of(linked({".weak .global .u32 g = 1;\n.weak .func f() { trap; ret; }\n",
                                             ".weak .global .u32 g = 2;\n.weak .func f() { ret; }\n"}));
    EXPECT_NE(text.find("g = 1;"), std::string::npos) << text;
    EXPECT_EQ(text.find("g = 2;"), std::string::npos) << text;
    EXPECT_EQ(count(text, "trap;"), 1U) << text;
    EXPECT_EQ(count(text, ".weak .func f("), 2U) << text;
}

TEST(Linker, AStrongDefinitionGoesBeforeAWeakOne) {
    const std::string text = text_of(linked({".weak .global .u32 g = 1;\n", ".visible .global .u32 g = 2;\n"}));
    EXPECT_EQ(text.find("g = 1;"), std::string::npos) << text;
    EXPECT_NE(text.find(".visible .global .u32 g = 2;"), std::string::npos) << text;
}

TEST(Linker, TheLargestOfCommonDefinitionsCounts) {
    const std::string text =
        text_of(linked({".common .global .b8 g[4];\n", ".common .global .b8 g[12];\n", ".common .global .b8 g[8];\n"}));
    EXPECT_EQ(count(text, " g["), 1U) << text;
    EXPECT_NE(text.find("g[12]"), std::string::npos) << text;
}

TEST(Linker, TheLaunchsMemoryIsOneForAll) {
    const std::string text =
        text_of(linked({".extern .shared .align 4 .b8 s[];\n", ".extern .shared .align 16 .b8 s[];\n"}));
    EXPECT_EQ(count(text, " s[]"), 1U) << text;
    EXPECT_NE(text.find(".extern .shared .align 16 .b8 s[];"), std::string::npos) << text;
}

TEST(Linker, VariablesStandBehindWhatTheyPointTo) {
    const std::string text =
        text_of(linked({".extern .global .u32 g;\n.extern .func f();\n"
                        ".visible .global .u64 t[2] = {generic(g), f};\n",
                        ".visible .global .u32 g;\n.visible .func f() { ret; }\n"}));
    EXPECT_LT(text.find(".u32 g;"), text.find("t[2]")) << text;
    EXPECT_LT(text.find(".func f("), text.find("t[2]")) << text;
    // Two that point to each other are both there.
    const std::string ring = text_of(linked({".extern .global .u64 b;\n.visible .global .u64 a = b;\n",
                                             ".extern .global .u64 a;\n.visible .global .u64 b = a;\n"}));
    EXPECT_EQ(count(ring, " = "), 2U) << ring;
}

TEST(Linker, AnyNumberOfVariablesMayPointToTheNext) {
    constexpr int kVariables = 60'000;  // far more than a stack has room for
    std::string text;
    for (int i = 0; i < kVariables; ++i)
        text += ".visible .global .u64 g" + std::to_string(i) + " = g" + std::to_string(i + 1) + ";\n";
    const Linked result = linked({".extern .global .u64 g0;\n.visible .global .u64 first = g0;\n",
                                  text + ".visible .global .u64 g" + std::to_string(kVariables) + ";\n"});
    EXPECT_TRUE(result.conflicts.empty());
    ASSERT_EQ(result.module.variables.size(), kVariables + 2U);
    EXPECT_EQ(result.module.variables.back().name, "first");
}

TEST(Linker, WhatALinkerRefuses) {
    expect_conflict(".visible .func f() { ret; }\n", ".visible .func f() { ret; }\n", Kind::kTwice, "f");
    expect_conflict(".visible .entry k() { ret; }\n", ".entry k() { ret; }\n", Kind::kTwice, "k");
    expect_conflict(".visible .global .u32 g;\n", ".visible .global .u32 g = 1;\n", Kind::kTwice, "g");
    expect_conflict(".visible .global .b8 g[4];\n", ".extern .global .b8 g[8];\n", Kind::kSize, "g");
    expect_conflict(".visible .global .b8 g[4];\n", ".extern .const .b8 g[4];\n", Kind::kSpace, "g");
    expect_conflict(".visible .global .b8 g[4];\n", ".extern .func g();\n", Kind::kNature, "g");
    EXPECT_TRUE(linked({".visible .global .b8 g[4];\n", ".extern .global .b8 g[];\n"}).conflicts.empty());
    // Within one part, too, however it would give way to other parts' definitions.
    const Linked twice =
        linked({".extern .global .u32 g;\n.weak .global .u32 g = 1;\n.weak .global .u32 g = 2;\n", ""});
    ASSERT_EQ(twice.conflicts.size(), 1U);
    EXPECT_EQ(twice.conflicts[0].kind, Kind::kTwice);
    EXPECT_EQ(twice.conflicts[0].second, 0U);
}

TEST(Linker, LinesKeepTheirFiles) {
    const std::string body = ".loc 1 3 1\nret;\n.loc 1 9 1, function_name $L__info_string0, inlined_at 2 5 1\nret; }\n";
    const auto text_with = [&](const std::string& name, const std::string& file) {
        return ".visible .entry " + name + "() {\n" + body + ".file 1 \"" + file + "\"\n.file 2 \"shared.h\"\n" +
               ".section .debug_str {\n$L__info_string0:\n.b8 97,0\n}\n";
    };
    const Linked result = linked({text_with("a", "a.cu"), text_with("b", "b.cu")});
    const std::string text = text_of(result);
    EXPECT_EQ(count(text, "\"shared.h\""), 1U) << text;
    EXPECT_NE(text.find("$L__info_string0$0:"), std::string::npos) << text;
    EXPECT_NE(text.find("function_name $L__info_string0$1, inlined_at"), std::string::npos) << text;
    ASSERT_EQ(result.module.functions.size(), 2U);
    const SourcePlace second = place_of(result.module, result.module.functions[1]);
    EXPECT_EQ(second.file, "b.cu");
    EXPECT_EQ(second.line, 3U);
    const SourcePlace inlined = place_of(result.module, result.module.functions[1].locs[1]);
    EXPECT_EQ(inlined.file, "shared.h");
    EXPECT_EQ(inlined.line, 5U);
}

TEST(Linker, TheNewestPartSaysForWhichDevice) {
    std::vector<Module> parts;
    for (const char* head :
         {".version 7.8\n.target sm_90\n", ".version 9.0\n.target sm_90a\n", ".version 8.3\n.target sm_75\n"})
        parts.push_back(std::move(parse(std::string(head) + ".address_size 64\n", "part")).value());
    const Module module = link(std::move(parts), "all").module;
    EXPECT_EQ(module.version_major, 9U);
    EXPECT_EQ(module.target, std::vector<std::string>{"sm_90a"});
}

TEST(Linker, NamesOfNoPartAreNamedWhereTheyAreUsed) {
    const Linked result =
        linked({".extern .func f();\n.extern .func unused();\n.extern .global .u32 g;\n"
                ".visible .entry k() {\n.reg .b32 %r<2>;\n.loc 1 7 1\ncall f;\n.loc 1 8 1\n"
                "ld.global.u32 %r1, [g];\nret; }\n.file 1 \"k.cu\"\n"});
    const auto missing = undefined_names(result.module);
    ASSERT_EQ(missing.size(), 2U);
    EXPECT_EQ(missing[0].name, "f");
    EXPECT_TRUE(missing[0].is_function);
    EXPECT_EQ(missing[0].file, "k.cu");
    EXPECT_EQ(missing[0].line, 7U);
    EXPECT_EQ(missing[1].name, "g");
    EXPECT_EQ(missing[1].line, 8U);
}

}  // namespace
}  // namespace tilescope::ptx

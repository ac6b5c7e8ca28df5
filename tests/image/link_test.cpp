#include "scope/image/link.h"

#include <gtest/gtest.h>

#include <span>
#include <string>
#include <vector>

#include "scope/image/device_objects.h"
#include "scope/image/link_inputs.h"
#include "scope/image/link_words.h"
#include "scope/image/source_facts.h"

namespace tilescope::image {
namespace {

LoadedPtx part(const std::string& name, const std::string& text, unsigned sm = 90) {
    return {name, sm, false, false, ".version 8.0\n.target sm_" + std::to_string(sm) + "\n.address_size 64\n" + text,
            ""};
}

const std::string kFunction = ".visible .func f() {\n.loc 1 12 1\nret;\n}\n";

TEST(Link, WhatEachPartKnowsGoesAlong) {
    KernelSource source;
    source.parameters = {"out"};
    const std::string facts = facts_as_comments({{"k", source}});
    const auto linked = link_ptx({part("a", ".visible .entry k(.param .u64 p) { ret; }\n" + facts),
                                  part("b", ".visible .func f() { ret; }\n", 75)},
                                 "all");
    ASSERT_TRUE(linked) << render(linked.errors());
    EXPECT_EQ(linked->name, "all");
    EXPECT_EQ(linked->sm, 90U);
    ASSERT_EQ(facts_in(linked->text).count("k"), 1U) << linked->text;
    EXPECT_EQ(facts_in(linked->text).at("k").parameters, std::vector<std::string>{"out"});
}

TEST(Link, OnePartStaysAsItIs) {
    const LoadedPtx alone = part("a", "// as it was\n");
    EXPECT_EQ(link_ptx({alone}, "all")->text, alone.text);
}

TEST(Link, TwoDefinitionsAreToldWithTheirPlaces) {
    const auto linked = link_ptx(
        {part("a", kFunction + ".file 1 \"first.cu\"\n"), part("b", kFunction + ".file 1 \"second.cu\"\n")}, "all");
    ASSERT_FALSE(linked);
    EXPECT_EQ(linked.errors()[0].code, "image-device-link");
    EXPECT_EQ(linked.errors()[0].location.file, "second.cu");
    EXPECT_EQ(linked.errors()[0].location.line, 12U);
    EXPECT_NE(linked.errors()[0].message.find("'f' is defined in first.cu:12, too"), std::string::npos)
        << linked.errors()[0].message;
    // In PTX that somebody wrote, the line of the PTX.
    const auto written =
        link_ptx({part("a.ptx", ".visible .global .u32 g;\n"), part("b.ptx", "\n.visible .global .u32 g;\n")}, "all");
    ASSERT_FALSE(written);
    EXPECT_NE(written.errors()[0].message.find("'g' is defined in a.ptx:4, too"), std::string::npos)
        << written.errors()[0].message;
    EXPECT_EQ(written.errors()[0].location.line, 5U);
}

TEST(Link, PtxThatDoesNotParseIsToldOfEachPart) {
    const auto linked = link_ptx({part("a.ptx", "nonsense\n"), part("b.ptx", "nonsense\n")}, "all");
    ASSERT_FALSE(linked);
    EXPECT_EQ(linked.errors().front().location.file, "a.ptx");
    EXPECT_EQ(linked.errors().back().location.file, "b.ptx");
}

TEST(Link, NamesThatAreMissingAreToldWhereTheyAreUsed) {
    const std::string user =
        ".extern .func f();\n.extern .func g();\n.visible .entry k() {\n.loc 1 5 1\ncall f;\ncall g;\n"
        "ret;\n}\n.file 1 \"user.cu\"\n";
    const Diagnostics missing = undefined_symbols({part("a", user)}, {"f"});
    ASSERT_EQ(missing.size(), 1U);
    EXPECT_EQ(missing[0].location.file, "user.cu");
    EXPECT_EQ(missing[0].location.line, 5U);
    EXPECT_NE(missing[0].message.find("'f'"), std::string::npos);
    EXPECT_TRUE(undefined_symbols({part("a", user), part("b", kFunction)}, {"f"}).empty());
}

Result<std::vector<DeviceObject>> objects_in(const std::string& bytes) {
    return device_objects(std::as_bytes(std::span(bytes)), "lib.a");
}

TEST(DeviceObjects, AreBytesOfAnyKind) {
    const auto member = [](const std::string& name, const std::string& size) {
        std::string header = name;
        header.resize(48, ' ');
        header += size;
        header.resize(58, ' ');
        return header + "`\n";
    };
    EXPECT_EQ(objects_in("!<arch>\n")->size(), 0U);
    EXPECT_EQ(objects_in("!<arch>\n" + member("text.o/", "3") + "abc\n")->size(), 0U);  // no object
    EXPECT_FALSE(objects_in("neither"));
    EXPECT_FALSE(objects_in("!<arch>\n" + member("text.o/", "99") + "abc\n"));
    EXPECT_FALSE(objects_in("!<arch>\n" + member("text.o/", "-1") + "abc\n"));
    EXPECT_FALSE(objects_in("!<arch>\n" + member("text.o/", "3").substr(0, 40)));
    EXPECT_EQ(objects_in("!<arch>\n" + member("//", "4") + "a/\n\n" + member("/99999999", "1") + "x\n")->size(), 0U);
}

Result<std::vector<LoadedPtx>> parts_in(std::string_view bytes) {
    return link_inputs(std::as_bytes(std::span(bytes)), "part", 90);
}

TEST(LinkInputs, AreToldApartByWhatTheyBeginWith) {
    const auto kind = [](std::string_view bytes) { return link_input_of(std::as_bytes(std::span(bytes))); };
    EXPECT_EQ(kind("// made by\n.version 8.0\n"), LinkInput::kPtx);
    EXPECT_EQ(kind("!<arch>\n"), LinkInput::kLibrary);
    EXPECT_EQ(kind("\177ELF"), LinkInput::kObject);
    EXPECT_EQ(kind("hello"), LinkInput::kUnknown);
    EXPECT_EQ(kind(""), LinkInput::kUnknown);
    const auto container = write_fatbinary(".version 8.0\n.target sm_90\n", 90, 80);
    EXPECT_EQ(link_input_of(container), LinkInput::kContainer);
}

TEST(LinkInputs, GiveThePtxOfAContainer) {
    const auto container = write_fatbinary(".version 8.0\n.target sm_75\n", 75, 80, "k.cu", " --fmad false");
    const auto parts = link_inputs(container, "part", 90);
    ASSERT_TRUE(parts) << render(parts.errors());
    ASSERT_EQ(parts->size(), 1U);
    EXPECT_EQ((*parts)[0].name, "part");
    EXPECT_EQ((*parts)[0].sm, 75U);
    EXPECT_EQ((*parts)[0].assembler_options, " --fmad false");
    const auto too_new = link_inputs(container, "part", 70);
    ASSERT_FALSE(too_new);
    EXPECT_EQ(too_new.errors()[0].code, "image-no-ptx");
    EXPECT_NE(too_new.errors()[0].message.find("no PTX in here runs on sm_70"), std::string::npos);
}

TEST(LinkInputs, WhatIsNoneIsAnError) {
    EXPECT_EQ(parts_in("hello").errors()[0].code, "image-unknown");
    EXPECT_FALSE(parts_in("\x50\xed\x55\xba"));
    EXPECT_TRUE(parts_in("!<arch>\n")->empty());
}

TEST(Link, OfManyConflictsTheFirstAreTold) {
    std::string text;
    for (int i = 0; i < 50; ++i) text += ".visible .global .u32 g" + std::to_string(i) + ";\n";
    const auto linked = link_ptx({part("a", text), part("b", text)}, "all");
    ASSERT_FALSE(linked);
    ASSERT_EQ(linked.errors().size(), 21U);
    EXPECT_NE(linked.errors().back().message.find("30 more names"), std::string::npos);
}

TEST(Link, NamesThatNoPartDefinesAreToldWithTheFirstThatUsesThem) {
    const std::string user = ".extern .func f();\n.visible .entry k() { call f; ret; }\n";
    const auto missing = missing_names({part("a", ""), part("b", user)});
    ASSERT_EQ(missing.size(), 1U);
    EXPECT_EQ(missing[0].name, "f");
    EXPECT_EQ(missing[0].part, "b");
    EXPECT_TRUE(missing_names({part("b", user), part("c", kFunction)}).empty());
    const std::string other = ".extern .func f();\n.visible .entry l() { call f; ret; }\n";
    const auto first = missing_names({part("b", user), part("c", other)});
    ASSERT_EQ(first.size(), 1U);
    EXPECT_EQ(first[0].part, "b");
}

TEST(LinkWords, WhatPartsDisagreeAboutIsSaidAsADriverSaysIt) {
    using Lines = std::vector<std::string>;
    const std::string define = ".visible .global .u32 g = 1;\n.visible .func f() { ret; }\n";
    LinkNames names;
    EXPECT_TRUE(names.add(part("one", define)).empty());
    EXPECT_EQ(names.add(part("two", ".visible .func f() { ret; }\n")),
              Lines{"error   : Multiple definition of 'f' in 'two', first defined in 'one'"});
    EXPECT_EQ(names.add(part("two", ".extern .global .u64 g;\n")),
              Lines{"error   : Size doesn't match for 'g' in 'two', first specified in 'one'"});
    EXPECT_EQ(names.add(part("two", ".visible .global .u64 g = 1;\n")),
              (Lines{"error   : Size doesn't match for 'g' in 'two', first specified in 'one'",
                     "error   : Multiple definition of 'g' in 'two', first defined in 'one'"}));
    EXPECT_EQ(names.add(part("two", ".extern .const .u32 g;\n")),
              Lines{"error   : Memory space doesn't match for 'g' in 'two', first specified in 'one'"});
    EXPECT_EQ(names.add(part("two", ".extern .func g();\n.visible .func h() { call g; ret; }\n")).size(), 2U);
    // What was in the way is not kept, and what is a part's own is in nobody's.
    EXPECT_TRUE(
        names.add(part("three", ".func f2() { ret; }\n.extern .global .u32 g;\n.weak .func f() { ret; }\n")).empty());
    EXPECT_EQ(names.add(part("b.ptx", "\n.visible .global .u32 g;\n")),
              Lines{"error   : Multiple definition of 'g' in 'b.ptx' (b.ptx:5), first defined in 'one'"});
    LinkNames placed;
    EXPECT_TRUE(placed.add(part("a", kFunction + ".file 1 \"first.cu\"\n")).empty());
    EXPECT_EQ(placed.add(part("b", kFunction + ".file 1 \"second.cu\"\n")),
              Lines{"error   : Multiple definition of 'f' in 'b' (second.cu:12), first defined in 'a' (first.cu:12)"});
}

TEST(LinkWords, APartMaySayAHeadTwice) {
    LinkNames names;
    EXPECT_TRUE(names
                    .add(part("a",
                              ".visible .func f() { ret; }\n.visible .func g();\n.visible .func g();\n"
                              ".alias g, f;\n"))
                    .empty());
    EXPECT_EQ(names.add(part("b", ".visible .func g() { ret; }\n")).size(), 1U);
}

TEST(LinkWords, WhatNobodyDefinesIsSaidOfTheFirstThatUsesIt) {
    const std::string user =
        ".extern .func f();\n.extern .func vprintf();\n.extern .func __assertfail();\n.extern .global .u32 g;\n"
        ".visible .entry k() {\n.reg .u32 %r;\n.loc 1 5 1\nld.global.u32 %r, [g];\ncall f;\ncall vprintf;\n"
        "call __assertfail;\nret;\n}\n.file 1 \"user.cu\"\n";
    EXPECT_EQ(lines_of_missing({part("a", ""), part("b", user), part("c", user + "//\n")}), std::vector<std::string>())
        << "parts in each other's way";
    EXPECT_EQ(joined_lines(lines_of_missing({part("a", ""), part("b", user)})),
              "error   : Undefined reference to 'f' in 'b' (user.cu:5)\n"
              "error   : Undefined reference to 'g' in 'b' (user.cu:5)");
    EXPECT_TRUE(lines_of_missing({part("b", user), part("c", kFunction + ".visible .global .u32 g;\n")}).empty());
    // Code by itself: its functions alone, for the driver loads what names a variable.
    const std::vector<MissingName> open = unresolved_functions(part("b", user));
    ASSERT_EQ(open.size(), 1U);
    EXPECT_EQ(open[0].place.file, "user.cu");
    EXPECT_EQ(open[0].place.line, 5U);
    EXPECT_EQ(open[0].name, "f");
    EXPECT_TRUE(unresolved_functions(part("b", user + kFunction)).empty());
    EXPECT_TRUE(unresolved_functions(part("b", "nonsense")).empty());
}

}  // namespace
}  // namespace tilescope::image

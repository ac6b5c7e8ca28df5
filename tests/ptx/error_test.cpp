// What a wrong text gets: code, place, hint, recovery, and bounds on hostile input.
#include "scope/ptx/equality.h"
#include "scope/ptx/printer.h"
#include "tests/places.h"
#include "tests/ptx/helpers.h"

namespace tilescope::ptx {
namespace {

std::string repeated(const std::string& text, int count) {
    std::string result;
    for (int i = 0; i < count; ++i) result += text;
    return result;
}

TEST(ParseError, SaysWhereAndWhat) {
    Diagnostics errors = errors_in_kernel("\n  add.s32 %r1, %r2 %r3;");
    ASSERT_EQ(errors.size(), 1u);
    EXPECT_EQ(errors[0].code, "ptx-syntax");
    EXPECT_EQ(errors[0].location.file, "test.ptx");
    EXPECT_EQ(errors[0].location.line, 5u);
    EXPECT_EQ(errors[0].location.column, 20u);
    EXPECT_EQ(errors[0].message, "expected ',' or ';' after an operand of 'add', found '%r3'");
}

TEST(ParseError, GuessesAMissingSemicolon) {
    Diagnostics errors = errors_in_kernel("\nadd.s32 %r1, %r2, %r3\nret;");
    ASSERT_EQ(errors.size(), 1u);
    EXPECT_EQ(errors[0].location.line, 6u);
    EXPECT_NE(errors[0].hint.find("';' missing"), std::string::npos);
}

TEST(ParseError, FindsEveryIndependentError) {
    Diagnostics errors =
        errors_of(kHeader + ".global .u32 = 5;\n.entry a() {\nadd.s32 %r1 %r2;\nret;\nld [%r1+%r2];\n}\n" +
                  ".entry b() { mov {%r1, %r2 ; ret; }\n.bogus x;\n.entry c() { ret; ) }\n");
    ASSERT_EQ(errors.size(), 6u) << render(errors);
    const std::uint32_t lines[] = {4, 6, 8, 10, 11, 12};
    for (std::size_t i = 0; i < errors.size(); ++i) EXPECT_EQ(errors[i].location.line, lines[i]) << render(errors[i]);
    EXPECT_EQ(errors[4].code, "ptx-unknown-directive");
}

TEST(ParseError, StopsAtTwenty) {
    EXPECT_EQ(errors_in_kernel(repeated("add %r1 %r2;\n", 500)).size(), 20u);
    EXPECT_EQ(errors_of(kHeader + repeated(".bogus;\n", 500)).size(), 20u);
}

TEST(ParseError, AsksForTheHeader) {
    EXPECT_EQ(errors_of("")[0].code, "ptx-unexpected-end");
    EXPECT_NE(errors_of("hello world")[0].hint.find("is this a PTX file"), std::string::npos);
    EXPECT_EQ(errors_of(".version 8 .target sm_80")[0].message,
              "expected a version such as 8.0 after '.version', found '8'");
    EXPECT_EQ(errors_of(".version 8.0\n.entry k() { ret; }")[0].message,
              "expected '.target' after '.version', found '.entry'");
}

TEST(ParseError, NamesWhatItDoesNotKnow) {
    EXPECT_NE(errors_in_kernel(".bogus 5;")[0].message.find("'.bogus'"), std::string::npos);
    EXPECT_NE(errors_of(kHeader + ".entry k() .maxfun 5 { ret; }")[0].message.find("'.maxfun'"), std::string::npos);
    EXPECT_NE(errors_of(kHeader + ".extern .bogus x;")[0].message.find("'.bogus'"), std::string::npos);
    EXPECT_EQ(errors_of(kHeader + ".global .v3 .f32 x;")[0].message, "no such vector size; PTX has .v2, .v4 and .v8");
}

TEST(ParseError, RefusesWhatIsOutOfBounds) {
    auto code_of = [](const std::string& items) { return errors_of(kHeader + items)[0].code; };
    EXPECT_EQ(code_of(".global .align 3 .b8 x;"), "ptx-bad-align");
    EXPECT_EQ(code_of(".global .align 0 .b8 x;"), "ptx-bad-align");
    EXPECT_EQ(code_of(".global .b8 x[-1];"), "ptx-bad-array");
    EXPECT_EQ(code_of(".global .b8 x[1 << 62];"), "ptx-too-large");
    EXPECT_EQ(code_of(".global .b8 x[1 << 30][1 << 30];"), "ptx-too-large");
    EXPECT_EQ(code_of(".global .b8 x" + repeated("[1]", 17) + ";"), "ptx-too-large");
    EXPECT_EQ(code_of(".reg .b32 %r<4000000000>;"), "ptx-too-large");
    EXPECT_EQ(code_of(".reg .b32 %r<5000000000>;"), "ptx-integer-overflow");
    EXPECT_EQ(code_of(".global .attribute(.a" + repeated(",.a", 16) + ") .b8 x;"), "ptx-too-large");
    EXPECT_EQ(code_of(".global .attribute(.a(1" + repeated(",1", 16) + ")) .b8 x;"), "ptx-too-large");
    EXPECT_EQ(code_of(".global .b" + repeated("8", 64) + " x;"), "ptx-too-large");
    EXPECT_EQ(code_of(".address_size 16"), "ptx-address-size");
    EXPECT_EQ(code_of(".entry k() { op" + repeated(".m", 65) + "; }"), "ptx-too-large");
    EXPECT_EQ(code_of(".entry k() .maxntid 1,2,3,4 { }"), "ptx-syntax");
}

TEST(ParseError, BoundsNesting) {
    for (const char* open : {"{", "(", "-", "!", "1 ? 1 : ", "{%r1, "}) {
        Diagnostics errors = errors_in_kernel("op " + repeated(open, 100000) + ";");
        ASSERT_FALSE(errors.empty()) << open;
        EXPECT_EQ(errors[0].code, "ptx-too-deep") << open;
    }
    EXPECT_EQ(errors_in_kernel(repeated("{", 100000))[0].code, "ptx-too-deep");
    EXPECT_EQ(errors_of(kHeader + ".global .b8 x[] = " + repeated("{", 100000))[0].code, "ptx-too-deep");
    EXPECT_TRUE(parse(kHeader + ".entry k() {" + repeated("{", 150) + repeated("}", 150) + "}", "t").ok());
}

TEST(ParseError, ReportsUnclosedThings) {
    EXPECT_EQ(errors_of(kHeader + ".entry k() { ret;")[0].code, "ptx-unexpected-end");
    EXPECT_NE(errors_of(kHeader + ".entry k() { ret;")[0].hint.find("line 4"), std::string::npos);
    EXPECT_EQ(errors_of(kHeader + ".entry k() { /* ret; }")[0].code, "ptx-invalid-token");
    EXPECT_EQ(errors_in_kernel(".pragma \"abc;\n")[0].code, "ptx-invalid-token");
    EXPECT_EQ(errors_of(kHeader + ".section .debug_str { .b8 1")[0].code, "ptx-unexpected-end");
}

TEST(ParseError, ShowsUnprintableBytesEscaped) {
    Diagnostics errors = errors_in_kernel(std::string("add \x80\n;", 7));
    EXPECT_EQ(errors.at(0).code, "ptx-invalid-token");
    EXPECT_NE(errors.at(0).message.find("'\\x80'"), std::string::npos);
}

// Whatever the bytes: between 1 and 20 errors, or a module that reads back from its own print.
void expect_errors_or_round_trip(const std::string& text) {
    auto module = parse(text, "hostile");
    if (!module) {
        EXPECT_GE(module.errors().size(), 1u);
        EXPECT_LE(module.errors().size(), 20u);
        return;
    }
    auto again = parse(print(*module), "printed");
    EXPECT_TRUE(again.ok() && equal(*module, *again)) << text;
}

TEST(ParseError, SurvivesEveryPrefixOfARealModule) {
    std::string text = read_file(source_dir() + "/tests/ptx/data/every_form.ptx");
    ASSERT_FALSE(text.empty());
    for (std::size_t size = 0; size < text.size(); ++size) expect_errors_or_round_trip(text.substr(0, size));
}

TEST(ParseError, SurvivesChangedBytes) {
    std::string text = read_file(source_dir() + "/tests/ptx/data/every_form.ptx");
    const char bytes[] = {'\0', '{', '}', ';', '"', '(', '1', '\xff'};
    for (std::size_t at = 0; at < text.size(); ++at) {
        std::string changed = text;
        changed[at] = bytes[at % std::size(bytes)];
        expect_errors_or_round_trip(changed);
    }
}

}  // namespace
}  // namespace tilescope::ptx

// Files of claims: TOML becomes what a lesson is, and every mistake is told with its line.
#include <gtest/gtest.h>

#include <fstream>

#include "scope/lessons/commands.h"
#include "scope/lessons/lesson.h"
#include "tests/scratch.h"

namespace tilescope::lessons {
namespace {

constexpr const char* kClaims = R"(title = "Notes"
program = "matmul.cu"

[runs.naive]
kernel = "naive*"

[runs.other]
program = "other.cu"
arguments = ["7"]

[runs.stride]
command = ["pattern", "tid*17"]

[[claims]]
says = "A quarter of an operation for each byte."
run = "naive"
value = "intensity.requested"
expected = 0.25
within = "1%"

[[claims]]
says = "A stride of 17 has conflicts."
wrong = true
claimed = 16
truth = "It has none."
run = "stride"
value = "shared.conflicts"
expected = 0
)";

std::string claims_errors(const std::string& toml) {
    const auto claims = parse_claims(toml, "notes.toml");
    return claims ? std::string() : render(claims.errors());
}

TEST(ClaimsFile, TakesWhatItSays) {
    const auto claims = parse_claims(kClaims, "notes.toml");
    ASSERT_TRUE(claims) << render(claims.errors());
    EXPECT_EQ(claims->name, "notes.toml");
    ASSERT_EQ(claims->runs.size(), 3u);
    ASSERT_EQ(claims->claims.size(), 2u);
    EXPECT_EQ(std::get<double>(claims->claims[0].expected->value), 0.25);
    EXPECT_TRUE(claims->claims[0].relative);
    EXPECT_TRUE(claims->claims[0].rows.empty());
    EXPECT_TRUE(claims->claims[1].wrong);
    EXPECT_EQ(shell_line(typed(*claims, *claims->run("naive"))), "run matmul.cu");
    EXPECT_EQ(shell_line(typed(*claims, *claims->run("other"))), "run other.cu -- 7");
    EXPECT_EQ(shell_line(as_run(*claims, *claims->run("stride"), {"clang", 2, "/tmp/x"})),
              "pattern 'tid*17' --json /tmp/x/stride.json");
}

TEST(ClaimsFile, MistakesHaveTheirLines) {
    std::string text = kClaims;
    text.replace(text.find("intensity.requested"), 19, "intensity.(");
    EXPECT_NE(claims_errors(text).find("notes.toml:17:9: error: claims[0].value: "), std::string::npos)
        << claims_errors(text);
    EXPECT_NE(claims_errors("title = \n").find("notes.toml:1:"), std::string::npos) << claims_errors("title = \n");
    EXPECT_NE(claims_errors("title = \"x\"\ntitle = \"y\"\n").find("notes.toml:2:"), std::string::npos);
    EXPECT_NE(claims_errors("titel = \"x\"\n").find("did you mean title?"), std::string::npos);
    EXPECT_NE(claims_errors("[runs.a]\n[[claims]]\nsays = \"s\"\nvalue = \"status\"\nexpected = 0\n")
                  .find("there is no program to run"),
              std::string::npos);
    EXPECT_NE(claims_errors("").find("\"runs\" is missing"), std::string::npos);
    EXPECT_NE(claims_errors("[runs.a]\ncommand = [\"rm\", \"-rf\"]\n").find("does not begin with one that answers"),
              std::string::npos);
    EXPECT_NE(
        claims_errors("[runs.a]\ncommand = [\"pattern\", \"tid\", \"--json\", \"/etc/passwd\"]\n").find("is added by"),
        std::string::npos);
    EXPECT_NE(claims_errors("title = 1979-05-27\n").find("title: is not a text"), std::string::npos);
    EXPECT_NE(claims_errors("runs = 3\n").find("is not an object"), std::string::npos);
}

TEST(ClaimsFile, IsSafeOnHostileText) {
    std::string dots = "a";
    for (int i = 0; i < 100'000; ++i) dots += ".a";
    EXPECT_NE(claims_errors(dots + " = 1\n").find("notes.toml:1: error: this line has more than 100 dots"),
              std::string::npos);
    EXPECT_NE(claims_errors(std::string(100'000, '[')).find("this is not TOML"), std::string::npos);
    EXPECT_NE(claims_errors("a = " + std::string(100'000, '[')).find("this is not TOML"), std::string::npos);
    EXPECT_NE(claims_errors("a = " + std::string(50'000, '{')).find("this is not TOML"), std::string::npos);
    EXPECT_NE(claims_errors(std::string("\xff\xfe\x00\x01", 4)).find("this is not TOML"), std::string::npos);
    EXPECT_FALSE(claims_errors("[[claims]]\nsays = 1\nvalue = nan\nexpected = inf\n").empty());
}

TEST(ClaimsFile, AProgramThatIsNotThereIsNamed) {
    const std::filesystem::path folder = scratch_folder();
    std::ofstream(folder / "notes.toml") << kClaims;
    const auto claims = read_claims(folder / "notes.toml");
    ASSERT_FALSE(claims);
    EXPECT_NE(render(claims.errors()).find("matmul.cu: error: the program of run \"naive\" is not there"),
              std::string::npos)
        << render(claims.errors());
    EXPECT_NE(render(read_claims(folder / "none.toml").errors()).find("cannot read this file"), std::string::npos);
}

}  // namespace
}  // namespace tilescope::lessons

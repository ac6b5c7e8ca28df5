// The phase table drawn: a made-up one with everything that can be in it.
#include <gtest/gtest.h>

#include <nlohmann/json.hpp>

#include "scope/report/format.h"
#include "scope/report/json.h"
#include "scope/report/json_parts.h"
#include "scope/views/render/phase_view.h"
#include "scope/views/words/phases.h"
#include "scope/views/words/speak.h"
#include "tests/trace/golden.h"

namespace tilescope::report {
using namespace views;
namespace {

PhaseStatement statement(StatementKind kind, std::string target, std::vector<std::string> terms) {
    PhaseStatement made;
    made.kind = kind;
    made.target = std::move(target);
    made.term_count = terms.size();
    made.terms = std::move(terms);
    return made;
}

PhaseTable sample_table() {
    PhaseTable table;
    table.launch = 3;
    table.kernel = "k<2>(float const*, int)";
    table.file = "/some/where/k.cu";
    table.grid = {4, 2, 1};
    table.block = {2, 2, 1};
    table.block_index = {1, 1, 0};
    table.arrays = {{"M", PhaseSpace::kGlobal, 64, 4, {4, 4}},
                    {"s", PhaseSpace::kShared, 8, 4, {}},
                    {"table", PhaseSpace::kConstant, 0, 0, {}}};
    table.phase_count = 9;
    table.interval_count = 12;
    Phase phase;
    phase.first = phase.last = 1;
    phase.last_interval = 1;
    phase.columns = {{ColumnKind::kLoad, "M", 0, {7}},
                     {ColumnKind::kStore, "s", 0, {8, 9}},
                     {ColumnKind::kCompute, "", 1, {}},
                     {ColumnKind::kAtomic, "M", 1, {12}},
                     {ColumnKind::kOther, "", 1, {}}};
    PhaseStatement atomic = statement(StatementKind::kAtomic, "M[0][1]", {"1"});
    atomic.operation = "add";
    PhaseStatement grows = statement(StatementKind::kCompute, "P", {"M[0][0]·s[0]", "-s[1]", "2"});
    grows.accumulates = true;
    PhaseStatement many = statement(StatementKind::kCompute, "v1", {});
    for (int i = 0; i < 64; ++i) many.terms.push_back("M[" + std::to_string(i) + "]");
    many.term_count = 100;
    PhaseCell loads;
    for (int i = 0; i < 12; ++i)
        loads.push_back(statement(StatementKind::kLoad, "", {"M[0][" + std::to_string(i) + "]"}));
    PhaseRow first{0,
                   {loads, {statement(StatementKind::kCopy, "s[0]", {"M[0][0]"})}, {grows, many}, {atomic}, {}},
                   {12, 0, 0, 1, 1, 4}};
    PhaseRow second{3,
                    {{},
                     {statement(StatementKind::kFill, "s[1]", {"0"})},
                     {},
                     {},
                     {statement(StatementKind::kOther, "", {"4 fma"})}},
                    {}};
    phase.rows = {first, second};
    phase.others = {24, 0, 0, 2, 0, 8};
    phase.other_threads = 2;
    Phase counted;
    counted.first = 2;
    counted.last = 9;
    counted.others = {1000, 0, 0, 0, 0, 12345};
    counted.other_threads = 4;
    table.phases = {phase, counted};
    table.most = {12, 1, 4, 4, 1, 1234};
    table.notes = {"a note"};
    return table;
}

TEST(PhaseViews, Text) { expect_golden("sample.txt", phase_text_view(sample_table(), {})); }

TEST(PhaseViews, EverythingInText) {
    ViewOptions options;
    options.verbose = true;
    const std::string text = phase_text_view(sample_table(), options);
    EXPECT_NE(text.find("M[40]"), std::string::npos);
    EXPECT_NE(text.find("M[0][7]"), std::string::npos);
}

TEST(PhaseViews, Svg) { expect_golden("sample.svg", phase_svg_view(sample_table(), false)); }

TEST(PhaseViews, NoLineIsWiderThanAsked) {
    for (const std::size_t width : {60u, 80u, 100u}) {
        ViewOptions options;
        options.width = width;
        std::istringstream text(phase_text_view(sample_table(), options));
        for (std::string line; std::getline(text, line);) EXPECT_LE(columns(line), width) << line;
    }
}

TEST(PhaseViews, JsonThereAndBack) {
    Profile profile;
    profile.trace = sample_table();
    speak(profile);
    const std::string text = to_json(profile);
    EXPECT_NE(text.find("atomic add: 1 → M[0][1]"), std::string::npos);
    const auto back = from_json(text, "profile.json");
    ASSERT_TRUE(back) << render(back.errors());
    EXPECT_EQ(to_json(*back), text);
    EXPECT_EQ(phase_text_view(*back->trace, {}), phase_text_view(sample_table(), {}));
    EXPECT_FALSE(from_json(to_json(Profile{}), "profile.json")->trace);
}

TEST(PhaseViews, WrongJsonIsNamed) {
    Profile profile;
    profile.trace = sample_table();
    const nlohmann::json good = nlohmann::json::parse(to_json(profile));
    const auto expect_wrong = [&](const nlohmann::json& json, const std::string& path) {
        const auto back = from_json(json.dump(), "profile.json");
        ASSERT_FALSE(back) << path;
        EXPECT_NE(back.errors()[0].message.find(path), std::string::npos) << back.errors()[0].message;
    };
    auto json = good;
    json["trace"] = 3;
    expect_wrong(json, "trace");
    json = good;
    json["trace"]["phases"][0]["rows"][0]["cells"].erase(0);
    expect_wrong(json, "trace.phases[0].rows[0].cells");
    json = good;
    json["trace"]["phases"][0]["rows"][0]["cells"][0][0]["terms"] = {1};
    expect_wrong(json, "terms");
    json = good;
    json["trace"]["arrays"][0]["shape"] = {-1};
    expect_wrong(json, "trace.arrays[0].shape");
}

TEST(PhaseViews, Words) {
    EXPECT_EQ(wrap_statement("P += a·b + c·d → P[0]", 11),
              (std::vector<std::string>{"P += a·b", "  + c·d", "  → P[0]"}));
    EXPECT_EQ(narrowest("P += a·b + c·d"), 7u);
    EXPECT_EQ(thread_name(5, {4, 2, 1}), "1, 1");
    EXPECT_EQ(thread_name(5, {8, 1, 1}), "5");
    EXPECT_EQ(thread_name(13, {2, 3, 4}), "1, 0, 2");
    EXPECT_EQ(counts_text({}, {}), "nothing");
}

}  // namespace
}  // namespace tilescope::report

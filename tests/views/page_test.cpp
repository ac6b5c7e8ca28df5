#include "scope/views/page/page.h"

#include <gtest/gtest.h>

#include <cstddef>
#include <fstream>
#include <memory>
#include <nlohmann/json.hpp>
#include <string>
#include <string_view>

#include "scope/models/device.h"
#include "scope/report/comparison.h"
#include "scope/report/format.h"
#include "scope/report/json.h"
#include "scope/views/page/json_tools.h"
#include "scope/views/page/page_limits.h"
#include "tests/report/sample.h"
#include "tests/scratch.h"

namespace tilescope::views {
namespace {

using nlohmann::json;

constexpr std::string_view kBegin = R"(<script type="application/json" id="tilescope-data">)", kEnd = "</script>";

std::size_t occurrences(std::string_view text, std::string_view what) {
    std::size_t count = 0;
    for (std::size_t at = text.find(what); at != std::string_view::npos; at = text.find(what, at + what.size()))
        ++count;
    return count;
}

std::string data_of(const std::string& page) {
    const std::size_t begin = page.find(kBegin) + kBegin.size();
    return page.substr(begin, page.find(kEnd, begin) - begin);
}

json parsed(const std::string& page) { return json::parse(data_of(page)); }

bool says(const json& data, std::string_view what) {
    for (const auto& sentence : data["left_out"])
        if (sentence.get<std::string>().find(what) != std::string::npos) return true;
    return false;
}

ViewOptions options_of_h200() {
    ViewOptions options;
    options.device = std::make_shared<models::Device>(*models::load_device("h200"));
    options.tool_version = "0.1.0";
    return options;
}

// So many lines of a source of 2,000, each with something of every counter.
LaunchProfile launch_with_lines(std::uint32_t index, const std::string& kernel, std::uint32_t lines) {
    LaunchProfile launch = report::sample_profile().launches[1];
    launch.index = index;
    launch.kernel = launch.entry = kernel;
    launch.lines.clear();
    for (std::uint32_t i = 1; i <= lines; ++i) {
        LineProfile line;
        line.file = "long.cu";
        line.line = (index * 37 + i * 19) % 2000 + 1;
        for (std::uint64_t& value : line.counters.values) value = 1'000'000 + index + i;
        launch.lines.push_back(line);
    }
    return launch;
}

TEST(Page, IsTheTemplateWithItsDataInOneElement) {
    const std::string& frame = page::page_template();
    EXPECT_EQ(occurrences(frame, page::kDataMarker), 1U);
    const std::string text = html_view(report::sample_profile(), options_of_h200());
    EXPECT_EQ(occurrences(text, page::kDataMarker), 0U);
    EXPECT_EQ(occurrences(text, kBegin), 1U);
    const std::size_t at = frame.find(page::kDataMarker);
    EXPECT_EQ(text.substr(0, at), frame.substr(0, at));
    const std::string behind = frame.substr(at + page::kDataMarker.size());
    EXPECT_EQ(text.substr(text.size() - behind.size()), behind);
    const json data = parsed(text);
    EXPECT_EQ(data["schema"], 1);
    EXPECT_EQ(data["kind"], "report");
    EXPECT_EQ(data["tool"]["version"], "0.1.0");
    EXPECT_EQ(data["run"]["profile"]["launches"].size(), data["run"]["kernels"].size());
    EXPECT_EQ(data["devices"][0]["name"], "h200");
    EXPECT_EQ(data["devices"][0]["kernels"].size(), data["run"]["kernels"].size());
    EXPECT_FALSE(data["run"]["trust"]["rows"].empty());
    for (const char* list : {"figures", "glossary", "time_parts", "stalls", "occupancy"})
        EXPECT_FALSE(data[list].empty()) << list;
}

// What a name holds is data, whatever it would be in a page.
// A launch that is another one again is kept once; the page names each, as it does of launches that stand apart.
TEST(Page, RepeatedLaunchesAreThoseThatStandApart) {
    Profile once = report::sample_profile();
    once.launches.clear();
    for (const std::uint32_t index : {3U, 4U})
        once.launches.push_back(launch_with_lines(index, "k" + std::to_string(index), 3));
    once.launches.push_again(0, {5, 0, 0.25});
    once.launches.push_again(1, {6, 0, 0.5});
    once.launches.push_again(1, {7, 0, 0.5});
    Profile apart = once;
    apart.launches = std::vector<LaunchProfile>(once.launches);
    const std::string text = html_view(once, options_of_h200());
    EXPECT_EQ(text, html_view(apart, options_of_h200()));
    const json data = parsed(text);
    ASSERT_EQ(data["run"]["launches"]["rows"].size(), 5U);
    for (unsigned i = 0; i < 5; ++i) EXPECT_EQ(data["run"]["launches"]["rows"][i]["index"], i + 3);
    // Of those that follow each other and are alike, the first.
    std::vector<unsigned> standing;
    for (const json& launch : data["devices"][1]["kernels"]) standing.push_back(launch["launch"]);
    EXPECT_EQ(standing, (std::vector<unsigned>{3, 4, 5, 6}));
}

TEST(Page, NoTextOfAProfileIsMarkup) {
    const std::string name =
        "</script><script>alert(1)</script><!--<script>--> & \" ' \u2028 \u2029 ]]> <!--tilescope-data-->";
    Profile profile = report::sample_profile();
    profile.program = profile.compiler = name;
    for (LaunchProfile& launch : profile.launches) {
        launch.kernel = launch.entry = name;
        for (LineProfile& line : launch.lines) line.file = line.text = line.shared_variable = name;
        for (Hazard& hazard : launch.hazards) hazard.message = hazard.file = hazard.kernel = name;
        for (Advice& advice : launch.advice) advice.message = advice.file = name;
    }
    const std::string text = html_view(profile, options_of_h200());
    const std::string data = data_of(text);
    for (const char* what : {"<", ">", "&", "\u2028", "\u2029"}) EXPECT_EQ(data.find(what), std::string::npos) << what;
    EXPECT_EQ(occurrences(text, kEnd), occurrences(page::page_template(), kEnd) + 1);
    EXPECT_EQ(parsed(text)["run"]["profile"]["launches"][0]["kernel"], name);
}

TEST(Page, SameProfileSameBytesWhateverItsWallTimes) {
    Profile profile = report::sample_profile();
    const std::string first = html_view(profile, options_of_h200());
    profile.seconds = 12;
    for (LaunchProfile& launch : profile.launches) launch.seconds = 3;
    EXPECT_EQ(html_view(profile, options_of_h200()), first);
}

TEST(Page, ManyLaunchesOfALongSourceAreFoldedAndFit) {
    Profile profile = report::sample_profile();
    profile.launches.clear();
    for (std::uint32_t i = 0; i < 500; ++i)
        profile.launches.push_back(launch_with_lines(i, i % 2 == 0 ? "even" : "odd", 100));
    const std::string text = html_view(profile, options_of_h200());
    EXPECT_LE(text.size(), page::kMostBytes);
    const json data = parsed(text);
    EXPECT_EQ(data["run"]["launches"]["total"], 500);
    EXPECT_EQ(data["run"]["launches"]["rows"].size(), 500U);
    EXPECT_EQ(data["run"]["launches"]["rows"][3]["entry"], 1);
    ASSERT_EQ(data["run"]["kernels"].size(), 2U);
    EXPECT_EQ(data["run"]["profile"]["launches"][0]["folded"], 250);
    EXPECT_TRUE(says(data, "lines of the source"));
    EXPECT_TRUE(says(data, "shown together"));
}

TEST(Page, ManyKernelsFitAndTheRestIsSaid) {
    Profile profile = report::sample_profile();
    profile.launches.clear();
    for (std::uint32_t i = 0; i < 500; ++i)
        profile.launches.push_back(launch_with_lines(i, "kernel" + std::to_string(i), 100));
    const std::string text = html_view(profile, options_of_h200());
    EXPECT_LE(text.size(), page::kMostBytes);
    const json data = parsed(text);
    EXPECT_EQ(data["run"]["launches"]["total"], 500);
    EXPECT_LT(data["run"]["kernels"].size(), 100U);
    EXPECT_FALSE(data["run"]["launches"]["rows"][499].contains("entry"));
    EXPECT_NE(data["run"]["document"].dump().find("more launches"), std::string::npos);
}

TEST(Page, AHostOfHazardsFitsAndErrorsComeFirst) {
    Profile profile = report::sample_profile();
    Hazard hazard;
    hazard.kind = HazardKind::kRace;
    hazard.message = "two threads meet";
    hazard.severity = Severity::kWarning;
    hazard.count = 1'000'000;
    std::vector<Hazard>& hazards = profile.launches[0].hazards;
    for (std::uint32_t i = 0; i < 50'000; ++i) {
        hazard.line = i + 1;
        hazards.push_back(hazard);
    }
    hazards.back().severity = Severity::kError;
    profile.hazards.assign(5000, hazard);
    const std::size_t before = hazards.size();
    const std::string text = html_view(profile, options_of_h200());
    EXPECT_LE(text.size(), page::kMostBytes);
    const json data = parsed(text);
    const json& kept = data["run"]["profile"]["launches"][0]["hazards"];
    EXPECT_EQ(kept.size(), 20U);
    EXPECT_EQ(kept[0]["line"], 50'000);
    EXPECT_TRUE(says(data, "More hazards of kernels: "));
    EXPECT_TRUE(says(data, "More hazards of host code: 4,960"));
    EXPECT_GT(before, 49'000U);
}

// Names of 200 kB, everywhere that there is a name.
TEST(Page, LongTextsAreCutAndSaid) {
    Profile profile = report::sample_profile();
    const std::string name = std::string(200'000, 'k') + "ä";
    profile.program = name;
    profile.device = name;
    profile.launches.clear();
    for (std::uint32_t i = 0; i < 6; ++i) {
        profile.launches.push_back(launch_with_lines(i, std::to_string(i) + name, 3));
        for (LineProfile& line : profile.launches.back().lines) line.file = name + ".cu";
        profile.launches.back().variables.resize(20, {name});
    }
    const std::string text = html_view(profile, {});
    EXPECT_LE(text.size(), page::kMostBytes);
    const json data = parsed(text);
    EXPECT_TRUE(says(data, "Texts that are cut short"));
    EXPECT_LT(data["run"]["profile"]["launches"][0]["kernel"].get<std::string>().size(), 3000U);
}

TEST(Page, DataFitsInHardlyAnyRoom) {
    Profile profile = report::sample_profile();
    for (std::uint32_t i = 0; i < 20; ++i)
        profile.launches.push_back(launch_with_lines(i + 10, "kernel" + std::to_string(i), 100));
    const std::string text = page::report_data(profile, options_of_h200(), 120'000);
    EXPECT_LE(text.size(), 120'000U);
    const json data = json::parse(text);
    EXPECT_TRUE(says(data, "too long for a page"));
    EXPECT_TRUE(data["run"].contains("profile"));
}

TEST(Page, OfAProfileWithoutLaunchesThatASignalEnded) {
    Profile profile;
    profile.program = "a.out";
    profile.ended = "signal 11";
    profile.outcome = Outcome::kFault;
    profile.unfinished = UnfinishedLaunch{0, "spins()", {1, 1, 1}, {32, 1, 1}};
    profile.diagnostics.push_back(error("run-signal", {}, "the program was ended by signal 11"));
    const json data = parsed(html_view(profile, options_of_h200()));
    EXPECT_EQ(data["run"]["launches"]["total"], 0);
    EXPECT_TRUE(data["run"]["kernels"].empty());
    EXPECT_EQ(data["run"]["profile"]["ended"], "signal 11");
    EXPECT_NE(data["run"]["document"].dump().find("ended by signal 11"), std::string::npos);
    EXPECT_NE(data["run"]["trust"].dump().find("spins()"), std::string::npos);
    EXPECT_EQ(data["devices"][0]["kernels"].size(), 0U);
}

// A profile may be anybody's: what it names is not handed on unless it is a source.
TEST(Page, HoldsSourcesAndNoOtherFiles) {
    const std::string source = scratch_file("kernel.cu"), secret = scratch_file("secret.txt");
    std::ofstream(source) << "first\n\tsecond <b>\nthird\n";
    std::ofstream(secret) << "do not tell\n";
    Profile profile = report::sample_profile();
    profile.launches[0].lines.resize(2);
    profile.launches[0].lines[0].file = source;
    profile.launches[0].lines[0].line = 2;
    profile.launches[0].lines[1].file = secret;
    profile.launches[0].lines[1].line = 1;
    for (LaunchProfile& launch : profile.launches) launch.hazards.clear(), launch.advice.clear();
    const json data = parsed(html_view(profile, options_of_h200()));
    const json& sources = data["run"]["sources"];
    ASSERT_TRUE(sources.contains(source));
    EXPECT_EQ(sources[source]["lines"], 3);
    EXPECT_EQ(sources[source]["parts"][0]["first"], 1);
    EXPECT_EQ(sources[source]["parts"][0]["text"][1], "    second <b>");
    EXPECT_FALSE(sources.contains(secret));
}

TEST(Page, PicturesStandBesideTheirKernel) {
    Profile profile = report::sample_profile();
    RequestPicture picture;
    picture.which = PictureOf::kWorst;
    picture.units = 32;
    picture.parameter = 0;
    picture.lanes.assign(40, 4);
    picture.lanes[1] = -1;
    profile.launches[0].buffers[0].name = "M";
    profile.launches[0].lines[0].pictures = {picture};
    const json data = parsed(html_view(profile, options_of_h200()));
    const json& drawn = data["run"]["kernels"][0]["pictures"].at(0);
    EXPECT_EQ(drawn["which"], "worst");
    EXPECT_EQ(drawn["array"], "M");
    EXPECT_EQ(drawn["line"], profile.launches[0].lines[0].line);
    EXPECT_EQ(drawn["lanes"].size(), 32U);
    EXPECT_EQ(drawn["lanes"][0], 4);
    EXPECT_TRUE(drawn["lanes"][1].is_null());
    EXPECT_FALSE(data["run"]["profile"]["launches"][0]["lines"][0].contains("pictures"));
    // As a profile has them they are read again.
    const auto again = report::from_json(report::to_json(profile), "p.json");
    ASSERT_TRUE(again);
    EXPECT_EQ(again->launches[0].lines[0].pictures, profile.launches[0].lines[0].pictures);
}

TEST(Page, OfAComparisonHasBothSides) {
    Profile before = report::sample_profile(), after = report::sample_profile();
    after.launches[0].counters[Counter::kGlobalLoadSectors] *= 2;
    report::Comparison comparison = report::compare(before, after);
    comparison.before = "a/old.json";
    comparison.after = "b/<new>.json";
    const std::string text = comparison_page({comparison, before, &after}, options_of_h200());
    EXPECT_LE(text.size(), page::kMostBytes);
    const json data = parsed(text);
    EXPECT_EQ(data["kind"], "compare");
    EXPECT_EQ(data["title"], "old.json → <new>.json");
    EXPECT_EQ(data["baseline"]["kernels"].size(), data["run"]["kernels"].size());
    EXPECT_EQ(data["comparison"]["data"]["launches"].size(), comparison.launches.size());
    EXPECT_FALSE(data["comparison"]["document"]["sections"].empty());
    EXPECT_EQ(data["run"]["profile"]["launches"][0]["counters"]["global_load_sectors"],
              after.launches[0].counters[Counter::kGlobalLoadSectors]);
    const json alone = parsed(comparison_page({comparison, before, nullptr}, options_of_h200()));
    EXPECT_FALSE(alone.contains("baseline"));
    EXPECT_EQ(alone["run"]["profile"]["launches"][0]["counters"]["global_load_sectors"],
              before.launches[0].counters[Counter::kGlobalLoadSectors]);
}

TEST(Page, OfALongComparisonFits) {
    Profile before = report::sample_profile(), after = before;
    before.launches.clear();
    after.launches.clear();
    for (std::uint32_t i = 0; i < 60; ++i) {
        before.launches.push_back(launch_with_lines(i, "kernel" + std::to_string(i), 200));
        after.launches.push_back(launch_with_lines(i, "kernel" + std::to_string(i), 220));
    }
    const report::Comparison comparison = report::compare(before, after);
    const std::string text = comparison_page({comparison, before, &after}, options_of_h200());
    EXPECT_LE(text.size(), page::kMostBytes);
    EXPECT_TRUE(says(parsed(text), "pairs of launches"));
}

TEST(PageJson, NumbersAreShortAndWholeOnesExact) {
    EXPECT_EQ(page::rounded(268'435'456).dump(), "268435456");
    EXPECT_EQ(page::rounded(1.0 / 3).dump(), "0.333333");
    EXPECT_EQ(page::rounded(1e300 * 1e300).dump(), "null");
    EXPECT_EQ(page::rounded(-0.25).dump(), "-0.25");
}

TEST(PageJson, LaterRungsHoldNoMore) {
    const auto& ladder = page::kLadder;
    for (std::size_t i = 1; i < ladder.size(); ++i) {
        for (const auto which : {&page::PageLimits::launch_rows, &page::PageLimits::lines, &page::PageLimits::hazards,
                                 &page::PageLimits::spans, &page::PageLimits::text, &page::PageLimits::source_bytes,
                                 &page::PageLimits::device_launches})
            EXPECT_LE(ladder[i].*which, ladder[i - 1].*which);
        EXPECT_GT(ladder[i].around, 0U);
    }
}

TEST(Page, HasThePtxOfWhatItShowsAndCountsTheRest) {
    Profile profile = report::sample_profile();
    profile.launches = std::vector<LaunchProfile>{launch_with_lines(0, "k", 2)};
    const std::string file = profile.launches[0].lines[0].file;
    const std::uint32_t line = profile.launches[0].lines[0].line;
    profile.code = {{"k", {{file, line, {"ld.global.f32 %f1, [%rd1];"}}, {"elsewhere.cu", 1, {"ret;"}}}, 7},
                    {"not shown", {{file, line, {"ret;"}}}}};
    json data = parsed(html_view(profile, options_of_h200()));
    const json& code = data["run"]["profile"]["ptx"];
    ASSERT_EQ(code.size(), 1U);
    EXPECT_EQ(code[0]["entry"], "k");
    ASSERT_EQ(code[0]["lines"].size(), 1U);
    EXPECT_EQ(code[0]["lines"][0]["instructions"], json::array({"ld.global.f32 %f1, [%rd1];"}));
    EXPECT_TRUE(says(data, "More instructions of PTX: 7"));
    profile.code[0].lines[0].instructions.assign(20'000, "mul.wide.u32 %rd1, %r1, 4;");
    data = parsed(html_view(profile, options_of_h200()));
    const json& kept = data["run"]["profile"]["ptx"][0]["lines"][0]["instructions"];
    EXPECT_GT(kept.size(), 1000U);
    EXPECT_TRUE(says(data, "More instructions of PTX: " + report::thousands(20'007 - kept.size())));
}

TEST(Page, TellsOfHazardsThatAReaderPassedOver) {
    Profile profile = report::sample_profile();
    profile.hazards_passed_over = 998'000;
    profile.launches[0].hazards_passed_over = 1'000;
    const json data = parsed(html_view(profile, options_of_h200()));
    EXPECT_EQ(data["run"]["more_hazards"], 999'000);
    EXPECT_TRUE(says(data, "More hazards of kernels: 999,000"));
    EXPECT_FALSE(parsed(html_view(report::sample_profile(), options_of_h200()))["run"].contains("more_hazards"));
}

}  // namespace
}  // namespace tilescope::views

#include "scope/report/json.h"

#include <gtest/gtest.h>

#include <nlohmann/json.hpp>
#include <sstream>

#include "tests/report/sample.h"

namespace tilescope::report {
namespace {

using Json = nlohmann::json;

template <class Change>
Result<Profile> changed(Change change) {
    Json json = Json::parse(to_json(sample_profile()));
    change(json);
    return from_json(json.dump(), "changed.json");
}

TEST(ProfileJson, ComesBackAsItWent) {
    const std::string text = to_json(sample_profile(), /*with_times=*/true);
    auto profile = from_json(text, "sample.json");
    ASSERT_TRUE(profile) << render(profile.errors());
    EXPECT_EQ(to_json(*profile, true), text);
    EXPECT_EQ(profile->jobs, 2U);
    EXPECT_EQ(profile->outcome, Outcome::kFault);
    EXPECT_EQ(profile->launches[5].hazards[0].thread, (Dim3{31, 0, 0}));
    EXPECT_EQ(profile->diagnostics[0].location.line, 3U);
    EXPECT_FALSE(profile->launches[6].observed);
    EXPECT_EQ(profile->launches[1].lines[1].counters[Counter::kSharedLoadWavefronts], 6'291'456U);
}

TEST(ProfileJson, TimesComeBackAsTheyWent) {
    Profile profile = sample_profile();
    EXPECT_EQ(to_json(profile).find("\"breakdown\""), std::string::npos);
    TimeProfile& time = profile.launches[0].time.emplace();
    time.microseconds = 12.5;
    time.bound = TimeBound::kWrites;
    time.next_bound = TimeBound::kL2;
    time.next_microseconds = 8.25;
    time.clock_ghz = 1.98;
    time.breakdown[TimeBound::kWrites] = 8;
    time.breakdown[TimeBound::kL2] = 4.5;
    time.of_peak.emplace()[TimeBound::kWrites] = 0.64;
    time.dram_gb_per_second = 1.5;
    time.l2_gb_per_second = 1200;
    time.effective_gb_per_second = 16939.5;
    profile.launches[0].achieved_occupancy = 0.42;
    ReplayClock& clock = profile.launches[0].replay.emplace();
    clock.resident_cycles = 1000;
    clock.active_cycles = 400;
    clock.most_blocks = 3;
    clock.sms = 132;
    WarpWork& work = profile.launches[0].work.emplace();
    work.instructions = 1024;
    work[Wait::kGlobal] = 2.5;
    const std::string text = to_json(profile);
    EXPECT_NE(text.find("\"bound\": \"writes\""), std::string::npos);
    const auto back = from_json(text, "time.json");
    ASSERT_TRUE(back) << render(back.errors());
    EXPECT_EQ(back->launches[0].time, profile.launches[0].time);
    EXPECT_EQ(back->launches[0].achieved_occupancy, 0.42);
    EXPECT_EQ(back->launches[0].replay, profile.launches[0].replay);
    EXPECT_NE(text.find("\"kind\": \"memory\""), std::string::npos) << "of the bound";
    EXPECT_EQ(back->launches[0].work, profile.launches[0].work);
    EXPECT_FALSE(back->launches[1].time);
}

TEST(ProfileJson, RooflinesComeBackAsTheyWent) {
    Profile profile = sample_profile();
    RooflineProfile& roofline = profile.launches[0].roofline.emplace();
    roofline = {"fp32", 66.9e12, 13.9375, {}, "dram", 1.2e12, 0.018, {}, false, "Memory-bound."};
    roofline.points = {{TrafficLevel::kRequested, 1'074'790'400, 0.25, 4.8e12, 13.9375, 1.2e12, "dram"},
                       {TrafficLevel::kL1, 0, 50, 33.4e12, 2, 66.9e12, "fp32"}};
    profile.launches[1].roofline = roofline;
    profile.launches[1].roofline->achieved = 9e11;
    const std::string text = to_json(profile);
    const auto back = from_json(text, "roofline.json");
    ASSERT_TRUE(back) << render(back.errors());
    EXPECT_EQ(to_json(*back), text);
    ASSERT_TRUE(back->launches[0].roofline);
    EXPECT_EQ(back->launches[0].roofline->points[0].bytes, 1'074'790'400U);
    EXPECT_FALSE(back->launches[0].roofline->achieved);
    EXPECT_EQ(back->launches[1].roofline->achieved, 9e11);
    EXPECT_FALSE(back->launches[2].roofline);
    const Json json = Json::parse(text);
    EXPECT_EQ(json["launches"][0]["roofline"]["bound"], "dram");
    EXPECT_FALSE(json["launches"][0]["roofline"]["points"][1].contains("bytes")) << "only the intensity is known";
    const auto wrong = changed([](Json& j) { j["launches"][0]["roofline"] = {{"points", {{{"intensity", "x"}}}}}; });
    ASSERT_FALSE(wrong);
    EXPECT_NE(render(wrong.errors()).find("launches[0].roofline.points[0].intensity"), std::string::npos);
}

// Every value in its turn, and no name twice.
template <class Enum>
void expect_one_name_each() {
    for (std::size_t i = 0; i < kNames<Enum>.size(); ++i) {
        EXPECT_EQ(static_cast<std::size_t>(kNames<Enum>[i].value), i) << kNames<Enum>[i].name;
        EXPECT_EQ(by_name<Enum>(kNames<Enum>[i].name), kNames<Enum>[i].value) << kNames<Enum>[i].name;
    }
}

TEST(ProfileJson, EnumerationsHaveOneNameForEachValue) {
    expect_one_name_each<RegistersFrom>();
    expect_one_name_each<Outcome>();
    expect_one_name_each<Severity>();
    expect_one_name_each<HazardKind>();
    expect_one_name_each<HazardSpace>();
    expect_one_name_each<RaceOrder>();
    expect_one_name_each<VariableSpace>();
    expect_one_name_each<VariableScope>();
    expect_one_name_each<VariableLifetime>();
    expect_one_name_each<SmResource>();
    expect_one_name_each<TrafficLevel>();
    expect_one_name_each<MemoryLevel>();
    expect_one_name_each<AdviceKind>();
    expect_one_name_each<PhaseSpace>();
    expect_one_name_each<StatementKind>();
    expect_one_name_each<ColumnKind>();
}

TEST(ProfileJson, UnknownNamesAreToldWithThoseThatThereAre) {
    const auto message = [](auto change) {
        const auto wrong = changed(change);
        return wrong ? std::string("read without a complaint") : render(wrong.errors());
    };
    const std::string order = message([](Json& j) { j["launches"][5]["hazards"][0]["order"] = "read-after-read"; });
    EXPECT_NE(order.find("\"launches[5].hazards[0].order\" is \"read-after-read\", which is none of empty, "
                         "\"read-after-write\", \"write-after-read\", \"write-after-write\""),
              std::string::npos)
        << order;
    const std::string kind = message([](Json& j) { j["launches"][5]["hazards"][0]["kind"] = ""; });
    EXPECT_NE(kind.find("\"launches[5].hazards[0].kind\" is \"\", which is none of \"trap\", \"race\", "),
              std::string::npos)
        << kind;
    const std::string endless = message([](Json& j) { j["outcome"] = std::string(100'000, 'x'); });
    EXPECT_LT(endless.size(), 300U) << "a name of any length";
}

TEST(ProfileJson, TimesAndJobsAreLeftOutUnlessAskedFor) {
    Profile slow = sample_profile(), fast = sample_profile();
    slow.jobs = 7;
    slow.seconds = 99;
    slow.launches[0].seconds = 98;
    EXPECT_EQ(to_json(slow), to_json(fast));
    EXPECT_NE(to_json(slow, true), to_json(fast, true));
}

TEST(ProfileJson, HasWhatWasModelledAndOnlyThen) {
    Profile profile = sample_profile();
    EXPECT_FALSE(Json::parse(to_json(profile))["launches"][1]["counters"].contains("dram_read_bytes"));
    profile.launches[1].counters.modelled = true;
    profile.launches[1].counters[Counter::kDramReadBytes] = 1 << 20;
    profile.launches[1].counters[Counter::kL2ReadSectors] = 1 << 16;
    CachedBuffer local;
    local.kind = BufferKind::kLocal;
    local.counters[Counter::kLocalLoadSectors] = 5;
    CachedBuffer buffer;
    buffer.parameter = 1;
    buffer.name = "N";
    buffer.bytes = 4096;
    buffer.atomic_sectors = 3;
    buffer.counters.modelled = true;
    buffer.counters[Counter::kL1MissCapacity] = 7;
    profile.launches[1].cached_buffers = {buffer, local};
    const std::string text = to_json(profile);
    const Json launch = Json::parse(text)["launches"][1];
    EXPECT_EQ(launch["counters"].size(), kCounterCount);
    EXPECT_EQ(launch["counters"]["dram_write_bytes"], 0);
    EXPECT_EQ(launch["intensity"]["dram_bytes"], 1 << 20);
    EXPECT_EQ(launch["intensity"]["dram"], 256.0);
    EXPECT_EQ(launch["intensity"]["l2_bytes"], 1 << 21);
    EXPECT_EQ(launch["intensity"]["l2"], 128.0);
    const auto again = from_json(text, "again.json");
    ASSERT_TRUE(again);
    EXPECT_TRUE(again->launches[1].counters.modelled);
    EXPECT_FALSE(again->launches[0].counters.modelled);
    const Json& buffers = launch["caches"]["buffers"];
    ASSERT_EQ(buffers.size(), 2U);
    EXPECT_EQ(buffers[0]["name"], "N");
    EXPECT_EQ(buffers[0]["counters"], Json::parse(R"({"l1_miss_capacity_sectors": 7})"));
    EXPECT_EQ(buffers[1]["kind"], "local");
    EXPECT_FALSE(buffers[1].contains("bytes"));
    EXPECT_FALSE(Json::parse(text)["launches"][0].contains("caches"));
    EXPECT_EQ(again->launches[1].cached_buffers, profile.launches[1].cached_buffers);
}

TEST(ProfileJson, HasTheKeysOfTheSchema) {
    const Json json = Json::parse(to_json(sample_profile()));
    EXPECT_EQ(json["schema"], 1);
    EXPECT_EQ(json["compiler"], "clang 19.1.7");
    const Json& launch = json["launches"][1];
    EXPECT_EQ(launch["grid"], Json::parse("[32,32,1]"));
    EXPECT_EQ(launch["registers_from"], "estimate");
    EXPECT_EQ(launch["counters"].size(), static_cast<std::size_t>(Counter::kGlobalLoadL1HitSectors));
    EXPECT_EQ(launch["counters"]["shared_load_bank_conflicts"], 1'048'576);
    EXPECT_EQ(launch["intensity"]["flop"], 268'435'456);
    EXPECT_NEAR(launch["intensity"]["requested"].get<double>(), 3.94, 0.01);
    EXPECT_EQ(launch["occupancy"]["limiters"], Json::parse(R"(["threads","registers"])"));
    EXPECT_EQ(launch["occupancy"]["by"], Json::parse(R"({"threads":8,"blocks":32,"registers":8,"shared":228})"));
    EXPECT_EQ(launch["occupancy"]["textbook"]["blocks_per_sm"], 9);
    EXPECT_EQ(launch["occupancy"]["textbook"]["division"]["threads_per_sm"], 2400.5);
    EXPECT_EQ(launch["occupancy"]["bytes_per_thread"]["full"], 114);
    EXPECT_EQ(launch["occupancy"]["next"][0], Json::parse(R"({"resource":"registers","change":-8,"blocks":9,
        "fraction":1.0,"also":[{"resource":"shared","change":-512}]})"));
    EXPECT_EQ(launch["occupancy"]["headroom"][1]["change"], 28'160);
    // What is not computed is absent, never zero.
    EXPECT_FALSE(launch.contains("time"));
    for (const char* key : {"tiling", "advice", "variables"}) EXPECT_FALSE(json["launches"][2].contains(key)) << key;
    EXPECT_EQ(launch["advice"], Json::array());
    EXPECT_EQ(json["launches"][0]["tiling"]["potential"], 16.0);
    EXPECT_EQ(json["launches"][0]["lines"][0]["tiling"]["unique_bytes_per_block"], 67'108'864);
    EXPECT_EQ(json["launches"][0]["tiling"]["buffers"][1]["parameter"], 1);
    EXPECT_EQ(json["launches"][0]["tiling"]["buffers"][1]["requests_per_element"], 512.0);
    EXPECT_FALSE(launch["tiling"]["buffers"][0].contains("parameter"));
    EXPECT_FALSE(launch["tiling"]["buffers"][0].contains("requests_per_element"));
    EXPECT_EQ(launch["tiling"]["shared"][0]["read_by_others_bytes"], 1'048'000);
    EXPECT_EQ(json["launches"][0]["advice"][0]["rule"], "tile");
    EXPECT_EQ(launch["variables"][1]["name"], "Mds");
    EXPECT_FALSE(launch["intensity"].contains("dram"));
    EXPECT_FALSE(json["launches"][2].contains("occupancy"));
    EXPECT_FALSE(json["launches"][5]["intensity"].contains("requested"));
}

TEST(ProfileJson, OccupancyOfAnEarlierVersionIsRead) {
    auto profile = changed([](Json& json) {
        json["launches"][0]["occupancy"] = {{"blocks_per_sm", 4}, {"fraction", 0.5}, {"limiters", {"shared"}}};
    });
    ASSERT_TRUE(profile);
    EXPECT_EQ(profile->launches[0].blocks_per_sm, 4U);
    EXPECT_EQ(profile->launches[0].limiters, std::vector{SmResource::kShared});
    EXPECT_FALSE(profile->launches[0].occupancy_profile);
}

TEST(ProfileJson, UnknownKeysAreIgnored) {
    auto profile = changed([](Json& json) {
        json["later_key"] = {1, 2, 3};
        json["launches"][0]["counters"]["later_counter"] = "text";
        json["launches"][0]["advice"] = {{{"rule", "tile"}}};
    });
    EXPECT_TRUE(profile);
}

TEST(ProfileJson, WrongTypesNameTheKey) {
    struct Case {
        const char* pointer;
        Json value;
        const char* path;
    };
    const Case cases[] = {
        {"/launches/0/counters/instructions", -1, "launches[0].counters.instructions"},
        {"/launches/0/counters/instructions", 1.5, "launches[0].counters.instructions"},
        {"/launches/0/counters/instructions", "many", "launches[0].counters.instructions"},
        {"/launches/0/grid", {1, 2}, "launches[0].grid"},
        {"/launches/0/grid/0", 5000000000, "launches[0].grid"},
        {"/launches/1/registers_from", "guess", "launches[1].registers_from"},
        {"/launches/1/lines/2/line", "x", "launches[1].lines[2].line"},
        {"/launches/0", 3, "launches[0]"},
        {"/launches", 3, "launches"},
        {"/launches/5/hazards/0/block", nullptr, "launches[5].hazards[0].block"},
        {"/launches/0/occupancy/limiters", "threads", "launches[0].occupancy.limiters"},
        {"/launches/0/occupancy/by/threads", -1, "launches[0].occupancy.by.threads"},
        {"/launches/0/occupancy/carveout_percent", "x", "launches[0].occupancy.carveout_percent"},
        {"/launches/0/occupancy/textbook/limiters/0", 3, "launches[0].occupancy.textbook.limiters[0]"},
        {"/launches/0/occupancy/textbook/division/fraction", "x", "launches[0].occupancy.textbook.division.fraction"},
        {"/launches/0/occupancy/next/1/change", 0.5, "launches[0].occupancy.next[1].change"},
        {"/launches/0/occupancy/next/0/also/0", 3, "launches[0].occupancy.next[0].also[0]"},
        {"/launches/0/occupancy/headroom", 3, "launches[0].occupancy.headroom"},
        {"/launches/0/sampled", 1, "launches[0].sampled"},
        {"/launches/0/tiling/requested_bytes", -1, "launches[0].tiling.requested_bytes"},
        {"/launches/0/lines/0/tiling", 3, "launches[0].lines[0].tiling"},
        {"/launches/0/tiling/buffers", 3, "launches[0].tiling.buffers"},
        {"/launches/0/tiling/buffers/1/parameter", -1, "launches[0].tiling.buffers[1].parameter"},
        {"/launches/0/tiling/buffers/1/unique_bytes", "x", "launches[0].tiling.buffers[1].unique_bytes"},
        {"/launches/1/tiling/shared/0/offset", 0.5, "launches[1].tiling.shared[0].offset"},
        {"/launches/0/variables/0/versions", "x", "launches[0].variables[0].versions"},
        {"/launches/0/advice/0/speedup", "x", "launches[0].advice[0].speedup"},
        {"/outcome", "fine", "outcome"},
        {"/device", 9, "device"},
    };
    for (const Case& c : cases) {
        auto profile = changed([&](Json& json) { json[Json::json_pointer(c.pointer)] = c.value; });
        ASSERT_FALSE(profile) << c.pointer;
        EXPECT_NE(profile.errors()[0].message.find(std::string("\"") + c.path + "\""), std::string::npos)
            << render(profile.errors());
    }
}

TEST(ProfileJson, OtherSchemasAndOtherTextsAreRefused) {
    EXPECT_EQ(changed([](Json& json) { json["schema"] = 2; }).errors()[0].code, "profile-schema");
    EXPECT_EQ(changed([](Json& json) { json.erase("schema"); }).errors()[0].code, "profile-schema");
    EXPECT_FALSE(changed([](Json& json) { json.erase("launches"); }));
    for (const char* text : {"", "{", "[1]", "nul", "\xff\xfe", "{\"schema\": 1e400}"})
        EXPECT_FALSE(from_json(text, "bad.json")) << text;
    EXPECT_FALSE(from_json(std::string(200000, '['), "deep.json"));
    const std::string whole = to_json(sample_profile());
    for (std::size_t size = 0; size < whole.size() - 2; size += 97)
        EXPECT_FALSE(from_json(whole.substr(0, size), "cut.json"));
}

TEST(ProfileJson, NamesThatAreNotUtf8DoNotThrow) {
    Profile profile = sample_profile();
    profile.program = "bad\xff\xc3name.cu";
    EXPECT_TRUE(from_json(to_json(profile), "bytes.json"));
}

Result<Profile> part_of(const std::string& text, std::size_t hazards) {
    std::istringstream in(text);
    return from_json(in, "part.json", {hazards});
}

// Two errors and three warnings of a launch, a warning and an error of the run.
Profile profile_of_hazards() {
    Profile profile;
    profile.launches.resize(3);
    const auto add = [](std::vector<Hazard>& list, std::uint32_t line, Severity severity) {
        list.emplace_back().line = line;
        list.back().severity = severity;
        list.back().file = "a.cu";
    };
    for (std::uint32_t line = 1; line < 4; ++line) add(profile.launches[1].hazards, line, Severity::kWarning);
    add(profile.launches[1].hazards, 4, Severity::kError);
    add(profile.launches[1].hazards, 5, Severity::kError);
    add(profile.launches[2].hazards, 6, Severity::kError);
    add(profile.hazards, 7, Severity::kWarning);
    add(profile.hazards, 8, Severity::kError);
    return profile;
}

TEST(ProfileJson, APartHasTheFirstHazardsOfEachListAndCountsTheOthers) {
    const std::string text = to_json(profile_of_hazards());
    const auto all = part_of(text, 10);
    ASSERT_TRUE(all) << render(all.errors());
    EXPECT_EQ(to_json(*all), text);
    EXPECT_EQ(all->hazards_passed_over, 0U);
    const auto one = part_of(text, 1);
    ASSERT_TRUE(one) << render(one.errors());
    ASSERT_EQ(one->launches[1].hazards.size(), 2U);
    EXPECT_EQ(one->launches[1].hazards[0].line, 1U);
    EXPECT_EQ(one->launches[1].hazards[1].line, 4U);
    EXPECT_EQ(one->launches[2].hazards.size(), 1U);
    EXPECT_EQ(one->hazards.size(), 2U);
    EXPECT_EQ(one->launches[1].hazards_passed_over, 3U);
    EXPECT_EQ(one->launches[2].hazards_passed_over, 0U);
    EXPECT_EQ(one->hazards_passed_over, 0U);
    const auto none = part_of(text, 0);
    ASSERT_TRUE(none) << render(none.errors());
    EXPECT_EQ(none->launches[1].hazards_passed_over, 5U);
    EXPECT_EQ(none->hazards_passed_over, 2U);
}

// What is no hazard, no list or no launch is refused as it is where the whole is read.
TEST(ProfileJson, APartOfAnythingIsRefusedAsTheWholeIs) {
    for (const char* text :
         {R"({"schema":1,"launches":[],"hazards":[1,{"line":2},"x"]})", R"({"schema":1,"launches":[],"hazards":{}})",
          R"({"schema":1,"launches":{"a":{"hazards":[{"line":1}]}}})",
          R"({"schema":1,"launches":[7,{"hazards":[{}]}]})", R"({"schema":1,"launches":[[{"hazards":[{"line":1}]}]]})",
          R"({"schema":1,"launches":[{"hazards":[{"line":"x"}]}]})",
          R"({"schema":1,"launches":[],"hazards":[{"line":1})", R"([{"hazards":[{}]}])", "", "{", "nothing"}) {
        const auto whole = from_json(text, "part.json"), part = part_of(text, 5);
        ASSERT_EQ(static_cast<bool>(whole), static_cast<bool>(part)) << text;
        if (!whole) {
            EXPECT_EQ(whole.errors().size(), part.errors().size()) << text;
        }
    }
}

TEST(ProfileJson, APartGoesByTheLaterOfTwoKeysAsTheWholeDoes) {
    for (
        const char* text :
        {R"({"schema":1,"launches":[{"hazards":[{"line":1}],"hazards":[{"line":2}]}]})",
         R"({"schema":1,"launches":[{"hazards":[{"line":1}]},{"hazards":[{"line":2}]}],"launches":[{"hazards":[{"line":3}]}]})",
         R"({"schema":1,"launches":[{"hazards":[{"line":1}]}],"launches":[{}]})",
         R"({"schema":1,"hazards":[{"line":1}],"launches":[{"hazards":[{"line":4}]}],"hazards":[]})",
         R"({"schema":1,"launches":[{"hazards":[{"line":1}]}],"hazards":[{"line":5}],"launches":[{"hazards":[]}]})"}) {
        const auto whole = from_json(text, "whole.json"), part = part_of(text, 5);
        ASSERT_TRUE(whole && part) << text;
        EXPECT_EQ(to_json(*part), to_json(*whole)) << text;
    }
}

// Hazards within a hazard, and keys of that name elsewhere, are left alone.
TEST(ProfileJson, APartLeavesOtherListsAlone) {
    const auto part = part_of(
        R"({"schema":1,"hazards":[{"line":3,"hazards":[{},{}]}],"launches":[{"counters":{},"hazards":[{"line":4}]},{"x":{"hazards":[{},{}]}}]})",
        1);
    ASSERT_TRUE(part) << render(part.errors());
    EXPECT_EQ(part->hazards_passed_over, 0U);
    EXPECT_EQ(part->hazards.front().line, 3U);
    EXPECT_EQ(part->launches[0].hazards.front().line, 4U);
}

}  // namespace
}  // namespace tilescope::report

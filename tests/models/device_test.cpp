#include "scope/models/device.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <fstream>
#include <nlohmann/json.hpp>
#include <sstream>

#include "tests/places.h"

namespace tilescope::models {
namespace {

std::string h200_text() {
    std::ifstream file(source_dir() + "/scope/models/devices/h200.json");
    std::ostringstream text;
    text << file.rdbuf();
    return text.str();
}

// The H200's file after `change`, read again.
template <class Change>
Result<Device> changed(Change change) {
    auto json = nlohmann::json::parse(h200_text());
    change(json);
    return parse_device(json.dump(), "changed.json");
}

std::string codes(const Diagnostics& errors) {
    std::string text;
    for (const Diagnostic& e : errors) text += e.code + " ";
    return text;
}

TEST(Device, H200IsWhatCudaReports) {
    auto device = load_device("h200");
    ASSERT_TRUE(device);
    EXPECT_EQ(device->product, "NVIDIA H200");
    EXPECT_EQ(device->compute_major, 9U);
    EXPECT_EQ(device->sm_count, 132U);
    EXPECT_EQ(device->max_warps_per_sm(), 64U);
    EXPECT_EQ(device->l2_bytes, 60U << 20);
    EXPECT_EQ(device->shared_bytes_per_block_optin, 227U << 10);
    EXPECT_EQ(device->shared_bytes_per_sm, 228U << 10);
    EXPECT_EQ(device->shared_carveouts.back(), device->shared_bytes_per_sm);
    EXPECT_EQ(device->max_grid, (std::array<std::uint32_t, 3>{2147483647, 65535, 65535}));
    EXPECT_NEAR(device->ridge_fp32(), 13.9, 0.05);
}

TEST(Device, AFigureWithoutASourceIsRefused) {
    auto missing = changed([](auto& json) { json["figures"]["sm_count"].erase("source"); });
    ASSERT_FALSE(missing);
    EXPECT_EQ(codes(missing.errors()), "device-no-source ");
    EXPECT_NE(missing.errors()[0].message.find("sm_count"), std::string::npos);
    auto blank = changed([](auto& json) { json["figures"]["peak_fp8_tensor"]["source"] = "  "; });
    ASSERT_FALSE(blank);
    EXPECT_EQ(codes(blank.errors()), "device-no-source ");
}

// Of files of somebody's own, which may be older than kinds.
TEST(Device, AFileThatDoesNotSayWhatAFigureRestsOnStatesIt) {
    auto device = changed([](auto& json) { json["figures"]["sm_count"].erase("kind"); });
    ASSERT_TRUE(device) << render(device.errors());
    for (const Figure& figure : device->figures)
        EXPECT_EQ(figure.kind == FigureKind::kStated, figure.key == "sm_count") << figure.key;
    EXPECT_NE(device_file(*device).find("\"stated\""), std::string::npos);
}

TEST(Device, AKindThatIsNotKnownIsRefused) {
    for (const char* kind : {"\"guessed\"", "\"\"", "\"Measured\"", "7", "null", "[\"measured\"]"}) {
        auto device = changed([&](auto& json) { json["figures"]["sm_count"]["kind"] = nlohmann::json::parse(kind); });
        ASSERT_FALSE(device) << kind;
        EXPECT_EQ(codes(device.errors()), "device-figure-kind ") << kind;
        EXPECT_NE(device.errors()[0].message.find("sm_count"), std::string::npos);
        EXPECT_NE(device.errors()[0].hint.find("measured, published, fitted, inferred, assumed"), std::string::npos);
    }
}

TEST(Device, WhatWasMeasuredOnAnotherCardIsInferred) {
    auto mine = parse_device(R"({"name": "mine", "product": "Mine", "description": "half an H200", "base": "h200",
        "figures": { "sm_count": { "value": 66, "unit": "SMs", "kind": "measured", "source": "my own" }}})",
                             "mine.json");
    ASSERT_TRUE(mine) << render(mine.errors());
    unsigned inferred = 0;
    for (const Figure& figure : mine->figures) {
        EXPECT_EQ(figure.kind == FigureKind::kMeasured, figure.key == "sm_count") << figure.key;
        EXPECT_NE(figure.kind, FigureKind::kFitted) << figure.key;
        inferred += figure.kind == FigureKind::kInferred ? 1 : 0;
    }
    EXPECT_GT(inferred, 50U);
}

// Files from before these were figures, and files that take them out.
TEST(Device, WhatTheModelsOfTimeCannotDoWithoutComesFromTheCapability) {
    const char* const keys[] = {"time_slot_share", "host_call_launch",   "page_fault",
                                "latency_shared",  "host_link_estimate", "latency_arithmetic"};
    auto before = load_device("h200");
    ASSERT_TRUE(before);
    for (const bool by_null : {true, false}) {
        auto device = changed([&](auto& json) {
            if (!by_null) json = nlohmann::json::parse(device_file(*before));
            for (const char* key : keys) {
                if (by_null)
                    json["figures"][key] = nullptr;
                else
                    json["figures"].erase(key);
            }
        });
        ASSERT_TRUE(device) << render(device.errors());
        EXPECT_EQ(device->time.slot_share, before->time.slot_share);
        EXPECT_EQ(device->host.call_launch, before->host.call_launch);
        EXPECT_EQ(device->pages.fault, before->pages.fault);
        EXPECT_EQ(device->host.link_estimate, 63e9);
        EXPECT_EQ(device->latency.shared, 23U);
        EXPECT_EQ(device->latency.arithmetic, 4U);
        EXPECT_EQ(device->figures.size(), before->figures.size());
    }
    // By capability: the one that comes before where it is not known.
    const struct {
        int major, minor;
        double link;
    } links[] = {{3, 5, 15.75e9}, {7, 9, 15.75e9}, {8, 1, 31.5e9}, {9, 9, 63e9}, {99, 0, 63e9}};
    for (const auto& wanted : links) {
        auto device = changed([&](auto& json) {
            json = nlohmann::json::parse(device_file(*before));
            json["figures"]["compute_major"]["value"] = wanted.major;
            json["figures"]["compute_minor"]["value"] = wanted.minor;
            json["figures"].erase("host_link_estimate");
        });
        ASSERT_TRUE(device) << render(device.errors());
        EXPECT_EQ(device->host.link_estimate, wanted.link) << wanted.major << "." << wanted.minor;
    }
}

TEST(Device, SharesAreNoMoreThanAllAndNotNothing) {
    for (const char* key : {"time_slot_share", "time_l1_share", "time_dram_read_share", "host_copy_share"})
        for (const double value : {0.0, 1.5}) {
            auto device = changed([&](auto& json) { json["figures"][key]["value"] = value; });
            ASSERT_FALSE(device) << key << " " << value;
            EXPECT_NE(device.errors()[0].message.find(key), std::string::npos);
        }
    EXPECT_FALSE(changed([](auto& json) { json["figures"]["time_pipe_norm"]["value"] = 0.5; }));
    EXPECT_FALSE(changed([](auto& json) { json["figures"]["page_bandwidth"]["value"] = 0; }));
}

TEST(Device, AFigureThatCarriesOverFromItsBaseKeepsItsSource) {
    auto mine = parse_device(R"({"name": "mine", "product": "Mine", "description": "half an H200", "base": "h200",
        "figures": { "sm_count": { "value": 66, "unit": "SMs", "source": "my own" }, "latency_dram": null }})",
                             "mine.json");
    ASSERT_TRUE(mine) << render(mine.errors());
    auto base = load_device("h200");
    ASSERT_TRUE(base);
    EXPECT_EQ(mine->sm_count, 66U);
    EXPECT_EQ(mine->clock_khz, base->clock_khz);
    EXPECT_EQ(mine->latency.dram, 0U);
    EXPECT_EQ(mine->latency.l1, base->latency.l1);
    EXPECT_EQ(mine->figures.size(), base->figures.size() - 1);
    for (const Figure& figure : mine->figures) EXPECT_FALSE(figure.source.empty()) << figure.key;
}

TEST(Device, ABaseThatIsNotKnownIsRefused) {
    for (const char* base : {"\"h900\"", "\"./h200.json\"", "7", "null", "\"\""}) {
        auto device = parse_device(
            std::string(R"({"name": "a", "product": "b", "description": "c", "base": )") + base + R"(, "figures": {}})",
            "mine.json");
        ASSERT_FALSE(device) << base;
        EXPECT_EQ(codes(device.errors()), "device-base ") << base;
    }
}

TEST(Device, AliasesAreAListOfNames) {
    for (const char* aliases : {"\"h\"", "[1]", "{}"}) {
        auto device = changed([&](auto& json) { json["aliases"] = nlohmann::json::parse(aliases); });
        ASSERT_FALSE(device) << aliases;
        EXPECT_EQ(codes(device.errors()), "device-aliases ");
    }
}

TEST(Device, AKeyThatStandsTwiceIsRefused) {
    std::string text = h200_text();
    const std::size_t at = text.find("\"sm_count\"");
    ASSERT_NE(at, std::string::npos);
    text.insert(at, R"("sm_count": { "value": 1, "unit": "SMs", "source": "a slip" }, )");
    auto device = parse_device(text, "twice.json");
    ASSERT_FALSE(device);
    EXPECT_EQ(codes(device.errors()), "device-json ");
    EXPECT_NE(device.errors()[0].message.find("figures.sm_count"), std::string::npos);
}

TEST(Device, EveryMistakeIsNamedAtOnce) {
    auto device = changed([](auto& json) {
        auto& figures = json["figures"];
        figures["l2_size"]["unit"] = "MB";
        figures["sm_count"]["value"] = "many";
        figures["max_block"]["value"] = {1024, 1024};
        figures["clock"]["value"] = 1.5;
        figures["peak_fp32"]["value"] = -1;
        figures["warp_size"] = nullptr;
        figures["sm_cuont"] = figures["sm_count"];
        json.erase("product");
    });
    ASSERT_FALSE(device);
    const std::string all = codes(device.errors());
    for (const char* code :
         {"device-unit", "device-value", "device-missing-figure", "device-unknown-figure", "device-missing-text"})
        EXPECT_NE(all.find(code), std::string::npos) << code << " in " << all;
    EXPECT_EQ(device.errors().size(), 8U) << render(device.errors());
}

TEST(Device, FiguresThatArithmeticDividesByAreNotZero) {
    for (const char* key :
         {"sm_count", "clock", "register_allocation_unit", "shared_allocation_unit", "sub_partitions"}) {
        auto device = changed([&](auto& json) { json["figures"][key]["value"] = 0; });
        ASSERT_FALSE(device) << key;
        EXPECT_NE(device.errors()[0].message.find(key), std::string::npos);
    }
}

TEST(Device, RatesBeyondAnyDeviceAreRefused) {
    for (const char* key : {"dram_bandwidth", "peak_fp32", "energy_dram"})
        for (double value : {1e-300, 1e308}) {
            auto device = changed([&](auto& json) { json["figures"][key]["value"] = value; });
            ASSERT_FALSE(device) << key << " " << value;
            EXPECT_NE(device.errors()[0].message.find(key), std::string::npos);
        }
    EXPECT_TRUE(changed([](auto& json) { json["figures"]["dram_bandwidth"]["value"] = 0; })) << "not known";
}

// The model of the caches walks through time: no file may send it on a way without end.
TEST(Device, FiguresOfTheCachesAreBounded) {
    unsigned figures = 0;
    for (const FigureSpec& kind : figure_specs()) {
        const std::string key = kind.key;
        const bool is_latency = kind.theme == Theme::kLatency && key.rfind("latency_", 0) == 0;
        if (kind.theme != Theme::kCaches && !is_latency) continue;
        ++figures;
        auto device = changed([&](auto& json) {
            auto& figure = json["figures"][key];
            figure["unit"] = kind.unit;
            figure["source"] = "nobody";
            figure["value"] = key.ends_with("_mask") ? 1.8e16 : 4294967295.0;
        });
        ASSERT_FALSE(device) << key;
        ASSERT_EQ(device.errors().size(), 1u) << render(device.errors());
        EXPECT_EQ(device.errors()[0].code, "device-value");
        EXPECT_NE(device.errors()[0].message.find("\"" + key + "\" is above "), std::string::npos)
            << device.errors()[0].message;
    }
    EXPECT_EQ(figures, 74u + 9u);
    auto list = changed([](auto& json) { json["figures"]["cache_turn_gpc"]["value"] = {0, 63}; });
    ASSERT_FALSE(list);
    EXPECT_NE(list.errors()[0].message.find("\"cache_turn_gpc\" is above 62"), std::string::npos);
    auto slow = changed([](auto& json) { json["figures"]["dram_bandwidth"]["value"] = 1e9; });
    ASSERT_FALSE(slow);
    EXPECT_NE(slow.errors()[0].message.find("\"dram_bandwidth\" is below one byte"), std::string::npos);
}

TEST(Device, AnSmHoldsAWholeBlock) {
    auto device = changed([](auto& json) { json["figures"]["max_threads_per_sm"]["value"] = 512; });
    ASSERT_FALSE(device);
    EXPECT_NE(device.errors()[0].message.find("max_threads_per_block"), std::string::npos);
}

TEST(Device, BadTextIsAnErrorNotACrash) {
    for (const char* text :
         {"", "{", "[]", "null", "{\"figures\": 3}", "\xff\xfe\x00", "{\"name\": 1, \"figures\": {\"clock\": []}}",
          "{\"base\": \"\xff\"}", "{\"base\": \"h200\", \"figures\": {\"clock\": {}}}"})
        EXPECT_FALSE(parse_device(text, "bad.json")) << text;
}

TEST(Device, UnknownNamesSayWhatIsKnown) {
    auto device = load_device("h900");
    ASSERT_FALSE(device);
    EXPECT_NE(device.errors()[0].hint.find("h200"), std::string::npos);
    EXPECT_NE(device.errors()[0].message.find("did you mean h100?"), std::string::npos) << device.errors()[0].message;
    auto far = load_device("abacus-of-my-grandmother");
    ASSERT_FALSE(far);
    EXPECT_EQ(far.errors()[0].message.find("did you mean"), std::string::npos);
    auto file = load_device("./no/such/file.json");
    ASSERT_FALSE(file);
    EXPECT_EQ(file.errors()[0].code, "device-unreadable");
}

TEST(Device, AFileOfOnesOwnWorksAsTheEmbeddedOnesDo) {
    auto device = load_device(source_dir() + "/scope/models/devices/h200.json");
    ASSERT_TRUE(device) << render(device.errors());
    EXPECT_EQ(device->name, "h200");
}

}  // namespace
}  // namespace tilescope::models

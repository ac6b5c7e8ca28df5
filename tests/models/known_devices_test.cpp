// What must hold for every device that comes with tilescope, and the figures that others are measured by.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <fstream>
#include <numeric>
#include <set>
#include <sstream>

#include "scope/models/device.h"
#include "tests/places.h"

namespace tilescope::models {
namespace {

// HARDWARE's table of occupancy limits: NVIDIA cuda_occupancy.h of CUDA 13.0 and the CUDA Programming Guide.
struct Limits {
    unsigned major, minor, warps, blocks, shared_kib, block_kib, reserved, unit, barriers;
    std::vector<std::uint64_t> carveouts_kib;
};

const std::vector<Limits>& limits() {
    static const std::vector<std::uint64_t> kSmall = {0, 8, 16, 32, 64, 100};
    static const std::vector<std::uint64_t> kAmpere = {0, 8, 16, 32, 64, 100, 132, 164};
    static const std::vector<std::uint64_t> kHopper = {0, 8, 16, 32, 64, 100, 132, 164, 196, 228};
    static const std::vector<Limits> kLimits = {
        {7, 0, 64, 32, 96, 96, 0, 256, 0, {0, 8, 16, 32, 64, 96}}, {7, 5, 32, 16, 64, 64, 0, 256, 0, {32, 64}},
        {8, 0, 64, 32, 164, 163, 1024, 128, 0, kAmpere},           {8, 6, 48, 16, 100, 99, 1024, 128, 0, kSmall},
        {8, 7, 48, 16, 164, 163, 1024, 128, 0, kAmpere},           {8, 9, 48, 24, 100, 99, 1024, 128, 0, kSmall},
        {9, 0, 64, 32, 228, 227, 1024, 128, 64, kHopper},          {10, 0, 64, 32, 228, 227, 1024, 128, 64, kHopper},
        {12, 0, 48, 24, 100, 99, 1024, 128, 24, kSmall},
    };
    return kLimits;
}

Device known(const std::string& name) {
    auto device = load_device(name);
    EXPECT_TRUE(device) << name << ": " << render(device.errors());
    return device ? *device : Device{};
}

std::vector<Device> all() {
    std::vector<Device> devices;
    for (const std::string& name : device_names()) devices.push_back(known(name));
    return devices;
}

bool same(const Device& a, const Device& b) {
    return a.figures.size() == b.figures.size() &&
           std::equal(a.figures.begin(), a.figures.end(), b.figures.begin(), [](const Figure& x, const Figure& y) {
               return x.key == y.key && x.values == y.values && x.unit == y.unit && x.source == y.source &&
                      x.kind == y.kind;
           });
}

TEST(KnownDevices, AreThoseThatPeopleAskFor) {
    const std::vector<std::string> names = device_names();
    EXPECT_TRUE(std::is_sorted(names.begin(), names.end()));
    for (const char* name :
         {"v100",      "t4",           "a100",      "a100-80gb", "a100-pcie",    "a100-80gb-pcie", "a10",
          "rtx3080",   "rtx3090",      "rtx4090",   "rtx5090",   "l4",           "l40s",           "rtx2080ti",
          "rtx3060",   "rtx4060",      "rtx4060ti", "rtx4070",   "rtx4070super", "rtx4070ti",      "rtx4070tisuper",
          "rtx4080",   "rtx4080super", "rtx5080",   "a2",        "a40",          "orin",           "h100",
          "h100-pcie", "h200",         "gh200",     "b200",      "textbook"})
        EXPECT_TRUE(std::count(names.begin(), names.end(), name)) << name;
}

TEST(KnownDevices, LoadUnderTheirNamesWithASourceForEveryFigure) {
    for (const std::string& name : device_names()) {
        const Device device = known(name);
        EXPECT_EQ(device.name, name);
        for (const Figure& figure : device.figures) EXPECT_GT(figure.source.size(), 5U) << name << " " << figure.key;
    }
}

// What is measured or fitted belongs to the card of the file; a capability has no card.
TEST(KnownDevices, SayOfEveryFigureWhatItRestsOn) {
    const std::set<std::string> measured_here = {"h200", "h100"};
    for (const Device& device : all())
        for (const Figure& figure : device.figures) {
            SCOPED_TRACE(device.name + " " + figure.key + ": " + figure.source);
            EXPECT_NE(figure.kind, FigureKind::kStated);
            const bool is_here = figure.kind == FigureKind::kMeasured || figure.kind == FigureKind::kFitted;
            if (is_here) {
                EXPECT_EQ(measured_here.count(device.name), 1U);
                EXPECT_NE(figure.source.find(device.name == "h100" ? "H100" : "H200"), std::string::npos);
                EXPECT_NE(figure.source.find("2026"), std::string::npos) << "without a date";
            }
            if (figure.source.starts_with("fitted")) {
                EXPECT_EQ(figure.kind, FigureKind::kFitted);
            }
            if (figure.source.starts_with("as on ") || figure.source.starts_with("assumed: as on ")) {
                EXPECT_EQ(figure.kind, FigureKind::kInferred);
            }
            if (figure.kind == FigureKind::kMeasured) {
                EXPECT_TRUE(figure.source.find("measured") != std::string::npos);
            }
        }
}

TEST(KnownDevices, KindsHaveNamesInTheirOrder) {
    std::size_t at = 0;
    for (const FigureKindName& kind : figure_kind_names()) {
        EXPECT_EQ(static_cast<std::size_t>(kind.kind), at++);
        EXPECT_EQ(figure_kind(kind.name), kind.kind);
        EXPECT_STREQ(name_of(kind.kind), kind.name);
    }
    EXPECT_EQ(at, 6U);
    EXPECT_FALSE(figure_kind("guess"));
}

TEST(KnownDevices, AgreeWithTheLimitsOfTheirComputeCapability) {
    std::set<std::pair<unsigned, unsigned>> seen;
    for (const Device& device : all()) {
        if (device.name == "textbook") continue;
        const auto row = std::find_if(limits().begin(), limits().end(), [&](const Limits& l) {
            return l.major == device.compute_major && l.minor == device.compute_minor;
        });
        ASSERT_NE(row, limits().end()) << device.name;
        seen.emplace(row->major, row->minor);
        EXPECT_EQ(device.max_warps_per_sm(), row->warps) << device.name;
        EXPECT_EQ(device.max_blocks_per_sm, row->blocks) << device.name;
        EXPECT_EQ(device.shared_bytes_per_sm, row->shared_kib << 10) << device.name;
        EXPECT_EQ(device.shared_bytes_per_block_optin, row->block_kib << 10) << device.name;
        EXPECT_EQ(device.shared_bytes_reserved, row->reserved) << device.name;
        EXPECT_EQ(device.shared_allocation_unit, row->unit) << device.name;
        EXPECT_EQ(device.max_barriers_per_sm, row->barriers) << device.name;
        ASSERT_EQ(device.shared_carveouts.size(), row->carveouts_kib.size()) << device.name;
        for (std::size_t i = 0; i < row->carveouts_kib.size(); ++i)
            EXPECT_EQ(device.shared_carveouts[i], row->carveouts_kib[i] << 10) << device.name;
        EXPECT_EQ(device.sub_partitions, 4U) << device.name;
        EXPECT_EQ(device.register_allocation_unit, 256U) << device.name;
    }
    EXPECT_EQ(seen.size(), limits().size());
}

TEST(KnownDevices, HoldTogether) {
    for (const Device& device : all()) {
        SCOPED_TRACE(device.name);
        EXPECT_EQ(device.max_warps_per_sm() * 32, device.max_threads_per_sm);
        EXPECT_EQ(device.shared_bytes_per_block_optin, device.shared_bytes_per_sm - device.shared_bytes_reserved);
        EXPECT_LE(device.shared_bytes_per_block, device.shared_bytes_per_block_optin);
        EXPECT_TRUE(std::is_sorted(device.shared_carveouts.begin(), device.shared_carveouts.end()));
        EXPECT_EQ(device.shared_carveouts.back(), device.shared_bytes_per_sm);
        if (device.l1_and_shared_bytes != 0) {
            EXPECT_GE(device.l1_and_shared_bytes, device.shared_bytes_per_sm);
        }
        EXPECT_EQ(device.registers_per_sm, 65536U);
        EXPECT_EQ(device.constant_bytes, 65536U);
        EXPECT_GT(device.ridge_fp32(), 1);
        EXPECT_LT(device.base_clock_khz, device.clock_khz);
        EXPECT_LE(device.latency.l1, device.latency.l2_near == 0 ? 100 : device.latency.l2_near);
        if (device.latency.l2_far != 0) {
            EXPECT_GT(device.latency.l2_far, device.latency.l2_near);
        }
        if (device.latency.dram != 0) {
            EXPECT_GT(device.latency.dram, device.l2_latency());
        }
        if (device.l2_bandwidth != 0) {
            EXPECT_GT(device.l2_bandwidth, device.dram_bandwidth);
        }
    }
}

// Groups of SMs in turn, as long lists as each other; of an H200 they are all of its SMs.
TEST(KnownDevices, PlaceSharedMemoryAwayFromTheNullPointer) {
    for (const Device& device : all()) {
        EXPECT_EQ(device.shared_base, 1024U) << device.name;
        EXPECT_EQ(device.shared_reserved_used, device.compute_major >= 8 ? 288U : 0U) << device.name;
        const auto base = std::find_if(device.figures.begin(), device.figures.end(),
                                       [](const Figure& figure) { return figure.key == "shared_base"; });
        ASSERT_NE(base, device.figures.end()) << device.name;
        const FigureKind kind = device.name == "h200"       ? FigureKind::kMeasured
                                : device.compute_major >= 8 ? FigureKind::kInferred
                                                            : FigureKind::kAssumed;
        EXPECT_EQ(base->kind, kind) << device.name;
    }
}

TEST(KnownDevices, LayOutTheirCaches) {
    for (const Device& device : all()) {
        SCOPED_TRACE(device.name);
        const CacheLayout& caches = device.caches;
        EXPECT_EQ(caches.turn_sms.size(), caches.turn_gpc.size());
        EXPECT_EQ(caches.turn_sms.size(), caches.turn_side.size());
        EXPECT_EQ(caches.turn_sms.empty(), device.compute_major != 9);
        EXPECT_EQ(caches.l2_parts == 2, caches.l2_home_mask != 0);
        EXPECT_GT(caches.l1_loss, 0U);
        EXPECT_GT(caches.l2_ways, caches.l2_dirty_ways);
        EXPECT_GT(caches.l2_dirty_ways, caches.l2_partial_ways);
    }
    const Device h200 = known("h200");
    EXPECT_EQ(std::accumulate(h200.caches.turn_sms.begin(), h200.caches.turn_sms.end(), 0U), h200.sm_count);
    // Of other cards nothing of it was measured.
    const std::set<std::string> measured = {"h200", "h100"};
    for (const Device& device : all())
        for (const Figure& figure : device.figures)
            if (figure.key.starts_with("cache_turn")) {
                EXPECT_EQ(figure.source.starts_with("assumed"), !measured.contains(device.name))
                    << device.name << figure.key;
            }
}

// Figures of different documents that must say the same.
TEST(KnownDevices, RatesFollowFromClocks) {
    for (const Device& device : all()) {
        SCOPED_TRACE(device.name);
        const double cycles = device.sm_count * device.cycles_per_second();
        if (device.per_cycle.fp32 != 0) {
            EXPECT_NEAR(device.peak.fp32 / (2 * device.per_cycle.fp32 * cycles), 1, 0.01);
        }
        if (device.per_cycle.fp64 != 0) {
            EXPECT_NEAR(device.peak.fp64 / (2 * device.per_cycle.fp64 * cycles), 1, 0.01);
        }
        if (device.per_cycle.fp16 != 0) {
            EXPECT_NEAR(device.peak.fp16 / (2 * device.per_cycle.fp16 * cycles), 1, 0.01);
        }
        if (device.memory_clock_khz != 0) {
            EXPECT_NEAR(device.dram_bandwidth / (device.memory_clock_khz * 1e3 * 2 * device.memory_bus_bits / 8), 1,
                        0.01);
        }
    }
}

// Rows R2 and R3 of the source material.
TEST(KnownDevices, A100GivesTheTextbookRoofline) {
    for (const char* name : {"a100", "textbook"}) {
        const Device a100 = known(name);
        EXPECT_EQ(a100.dram_bandwidth, 1555e9);
        EXPECT_EQ(a100.peak.fp32, 19500e9);
        EXPECT_EQ(a100.peak.tf32_tensor, 156000e9);
        const double ceiling = a100.dram_bandwidth * 0.25;
        EXPECT_EQ(std::round(ceiling / 1e9), 389);
        EXPECT_EQ(std::round(100 * ceiling / a100.peak.fp32), 2);
        EXPECT_NEAR(100 * ceiling / a100.peak.tf32_tensor, 0.25, 0.005);
        EXPECT_NEAR(a100.ridge_fp32(), 12.5, 0.05);
        EXPECT_NEAR(a100.ridge_fp32() * 4, 50, 0.5);
    }
}

// Rows O1 and O2: the answer to plain division and the hardware's rules must be one there.
TEST(KnownDevices, TheTextbookSmDividesPlainly) {
    const Device device = known("textbook");
    EXPECT_EQ(device.max_threads_per_sm, 2048U);
    EXPECT_EQ(device.max_blocks_per_sm, 32U);
    EXPECT_EQ(device.registers_per_sm, 65536U);
    EXPECT_EQ(device.shared_bytes_per_sm, 96U << 10);
    EXPECT_EQ(device.register_allocation_unit, 1U);
    EXPECT_EQ(device.shared_allocation_unit, 1U);
    EXPECT_EQ(device.shared_bytes_reserved, 0U);
    EXPECT_EQ(device.sub_partitions, 1U);
}

// Row M7.
TEST(KnownDevices, RegistersAreFarAheadOfDeviceMemory) {
    for (const char* name : {"h200", "textbook"}) {
        const Device device = known(name);
        ASSERT_GT(device.energy.registers, 0) << name;
        EXPECT_GE(device.energy.dram / device.energy.registers, 10) << name;
    }
    for (const char* name : {"a100", "v100", "h100", "h200", "rtx4090"}) {
        const Device device = known(name);
        EXPECT_GE(device.register_bandwidth() / device.dram_bandwidth, 100) << name;
    }
    // Where device memory has grown faster than the SMs, the rule of thumb no longer holds, and is not made to.
    const Device b200 = known("b200");
    EXPECT_LT(b200.register_bandwidth() / b200.dram_bandwidth, 100);
}

TEST(KnownDevices, PrintAsFilesThatLoadAgain) {
    for (const Device& device : all()) {
        const std::string file = device_file(device);
        EXPECT_EQ(file.find("\"base\""), std::string::npos);
        auto again = parse_device(file, "again.json");
        ASSERT_TRUE(again) << device.name << ": " << render(again.errors());
        EXPECT_EQ(again->name, device.name);
        EXPECT_EQ(again->aliases, device.aliases);
        EXPECT_TRUE(same(*again, device)) << device.name;
        EXPECT_EQ(device_file(*again), file);
    }
}

TEST(KnownDevices, AnswerToWhatPeopleType) {
    const std::pair<const char*, const char*> spellings[] = {
        {"a100-40gb", "a100"},
        {"a100-sxm", "a100"},
        {"A100", "a100"},
        {"NVIDIA A100-SXM4-40GB", "a100"},
        {"A100 80GB", "a100-80gb"},
        {"a100_80gb_pcie", "a100-80gb-pcie"},
        {"h100-sxm", "h100"},
        {"NVIDIA H100 80GB HBM3", "h100"},
        {"H100 PCIe", "h100-pcie"},
        {"rtx-4090", "rtx4090"},
        {"RTX 4090", "rtx4090"},
        {"geforce rtx 4090", "rtx4090"},
        {"NVIDIA GeForce RTX 4090", "rtx4090"},
        {"4090", "rtx4090"},
        {"Tesla T4", "t4"},
        {"v100-sxm2-32gb", "v100-32gb"},
        {"NVIDIA H200", "h200"},
        {"GeForce RTX 2080 Ti", "rtx2080ti"},
        {"RTX 4070 Ti SUPER", "rtx4070tisuper"},
        {"4060 ti", "rtx4060ti"},
        {"Jetson AGX Orin", "orin"},
    };
    for (const auto& [typed, name] : spellings) EXPECT_EQ(known(typed).name, name) << typed;
}

// Two devices must not answer to one name; a device may have one name twice.
TEST(KnownDevices, ShareNoName) {
    for (const Device& device : all()) {
        std::vector<std::string> names = device.aliases;
        names.push_back(device.name);
        names.push_back(device.product);
        for (const std::string& name : names) EXPECT_EQ(known(name).name, device.name) << name;
    }
}

TEST(KnownDevices, ThePageListsEveryFigure) {
    std::ifstream file(source_dir() + "/docs/reference/devices.md");
    std::ostringstream page;
    page << file.rdbuf();
    for (const FigureSpec& kind : figure_specs()) {
        const std::string row = "| `" + std::string(kind.key) + "` | " + kind.unit + " | " + kind.description +
                                (kind.required ? " · *needed* |" : " |");
        EXPECT_NE(page.str().find(row + "\n"), std::string::npos) << row;
    }
}

TEST(KnownDevices, FiguresHaveOneRowEach) {
    std::set<std::string> keys;
    for (const FigureSpec& kind : figure_specs()) {
        EXPECT_TRUE(keys.insert(kind.key).second) << kind.key;
        EXPECT_NE(std::string(kind.description), "") << kind.key;
    }
    for (const Device& device : all())
        for (const Figure& figure : device.figures) EXPECT_TRUE(keys.count(figure.key)) << figure.key;
}

}  // namespace
}  // namespace tilescope::models

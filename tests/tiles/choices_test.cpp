// What is chosen for a list of products on several cards, and how long it is expected to take, stands in choices.txt:
// whoever changes a figure or the model sees there what it moves. TILESCOPE_UPDATE_GOLDENS=1 writes the file anew.
#include <gtest/gtest.h>

#include <cstdio>
#include <cstdlib>
#include <fstream>
#include <sstream>
#include <string>
#include <vector>

#include "tests/places.h"
#include "tiles/plan/cost_model.h"
#include "tiles/plan/registry.h"

namespace tiles {
namespace {

struct Card {
    const char* name;
    DeviceProperties properties;
};

DeviceProperties card(int capability, int sms, double clock_ghz, double gb_per_s, int shared_kib) {
    DeviceProperties device;
    device.major = capability / 10, device.minor = capability % 10, device.sms = sms;
    device.clock_ghz = clock_ghz, device.memory_gb_per_s = gb_per_s;
    device.shared_per_block = device.shared_per_sm = shared_kib * 1024;
    return device;
}

std::vector<Card> cards() {
    Card h200 = {"h200", card(90, 132, 1.98, 4800, 227)};
    Card code_for_80 = {"h200, code for 8.0", h200.properties};  // without the copy engine
    h200.properties.tensor_maps = true, h200.properties.clusters_of_4 = 30, h200.properties.clusters_of_8 = 15;
    return {{"v100", card(70, 80, 1.53, 898, 96)},
            {"t4", card(75, 40, 1.59, 320, 64)},
            {"a100", card(80, 108, 1.41, 1555, 163)},
            {"rtx 4090", card(89, 128, 2.52, 1008, 99)},
            code_for_80,
            h200};
}

struct Shape {
    int64_t m, n, k;
    int64_t pad = 0;  // added to leading dimensions
    bool transposed = false;
    int64_t batch = 1;
};

constexpr Shape kShapes[] = {
    {.m = 1, .n = 1, .k = 1},
    {.m = 100, .n = 300, .k = 40, .pad = 1},
    {.m = 1000, .n = 1000, .k = 1000},
    {.m = 4096, .n = 4096, .k = 4096},
    {.m = 8192, .n = 8192, .k = 8192},
    {.m = 4095, .n = 4095, .k = 4095},
    {.m = 128, .n = 128, .k = 65536},
    {.m = 16384, .n = 64, .k = 4096},
    {.m = 64, .n = 16384, .k = 4096, .transposed = true},
    {.m = 4096, .n = 1, .k = 4096},
    {.m = 256, .n = 4096, .k = 4096},
    {.m = 512, .n = 512, .k = 2048},
    {.m = 256, .n = 256, .k = 256, .batch = 50},
};
constexpr const char* kComputes[] = {"f32", "f32tensor", "tf32", "bf16", "f16", "f64"};

GemmProblem problem_of(const Shape& s, Compute compute) {
    GemmProblem p;
    p.compute = compute, p.type_c = compute == Compute::kF64 ? DataType::kF64 : DataType::kF32;
    p.m = s.m, p.n = s.n, p.k = s.k, p.batch = s.batch;
    p.transposed_a = p.transposed_b = s.transposed;
    p.lda = (s.transposed ? s.m : s.k) + s.pad, p.ldb = (s.transposed ? s.k : s.n) + s.pad, p.ldc = s.n + s.pad;
    if (s.batch > 1) p.stride_a = s.m * s.k, p.stride_b = s.k * s.n, p.stride_c = s.m * s.n;
    return p;
}

std::string words_of(const Choice& choice) {
    if (choice.kernel == nullptr) return "none";
    char seconds[32];
    std::snprintf(seconds, sizeof(seconds), " %.6g us", choice.seconds * 1e6);
    std::string words = choice.kernel->name;
    if (choice.tuning.split_k > 1) words += "/" + std::to_string(choice.tuning.split_k);
    return words + (choice.tuning.cut_tail ? "/tail" : "") + seconds;
}

// One line for each card, type and shape: the choice without workspace, and with as much as it likes where that is
// another one.
std::string all_choices() {
    std::ostringstream out;
    for (const Card& one : cards()) {
        for (int compute = 0; compute < 6; ++compute) {
            out << (out.tellp() > 0 ? "\n" : "") << one.name << ", " << kComputes[compute] << "\n";
            for (const Shape& s : kShapes) {
                const GemmProblem p = problem_of(s, static_cast<Compute>(compute));
                const std::string without = words_of(choose_kernel(p, one.properties, 0));
                const std::string with = words_of(choose_kernel(p, one.properties, SIZE_MAX));
                out << s.m << 'x' << s.n << 'x' << s.k << (s.transposed ? " tt" : "");
                if (s.pad > 0) out << " +" << s.pad;
                if (s.batch > 1) out << " *" << s.batch;
                out << ": " << without << (with == without ? "" : "; " + with) << "\n";
            }
        }
    }
    return out.str();
}

TEST(TilesChoices, AreThoseOfTheList) {
    const std::string path = tilescope::source_dir() + "/tests/tiles/choices.txt", have = all_choices();
    if (std::getenv("TILESCOPE_UPDATE_GOLDENS") != nullptr) {
        ASSERT_TRUE(std::ofstream(path) << have);
        return;
    }
    std::ifstream file(path);
    ASSERT_TRUE(file) << path << " is missing; TILESCOPE_UPDATE_GOLDENS=1 writes it";
    std::istringstream mine(have);
    std::string wanted, got, heading;
    for (int number = 1; std::getline(file, wanted); ++number) {
        ASSERT_TRUE(std::getline(mine, got)) << "choices.txt goes on at line " << number;
        if (wanted.find(": ") == std::string::npos) heading = wanted;
        EXPECT_EQ(got, wanted) << heading << ", line " << number;
    }
    EXPECT_FALSE(std::getline(mine, got)) << "choices.txt ends before " << got;
}

// A row with a wrong figure would be found by nobody: these hold for any.
TEST(TilesRegistry, RowsAreWhole) {
    const KernelList list = all_kernels();
    for (int i = 0; i < list.count; ++i) {
        const Kernel& kernel = *list.rows[i];
        EXPECT_EQ(find_kernel(kernel.name), &kernel) << "two rows are called " << kernel.name;
        EXPECT_TRUE(kernel.supports != nullptr && kernel.launch != nullptr) << kernel.name;
        EXPECT_TRUE(kernel.min_capability == 70 || kernel.min_capability == 80 || kernel.min_capability == 90);
        const Figures& f = kernel.figures;
        EXPECT_TRUE(f.tile_m > 0 && f.tile_n > 0 && f.tile_k > 0 && f.blocks_per_sm > 0) << kernel.name;
        EXPECT_TRUE(f.efficiency > 0 && f.efficiency <= 1 && f.fixed_us > 0) << kernel.name;
        EXPECT_TRUE(f.max_split == 1 || kernel.workspace != nullptr) << kernel.name << " has nowhere to put sums";
        EXPECT_TRUE(!kernel.stream_k || f.max_split == 2) << kernel.name;
        EXPECT_EQ(f.max_team & (f.max_team - 1), 0) << kernel.name;
    }
}

}  // namespace
}  // namespace tiles

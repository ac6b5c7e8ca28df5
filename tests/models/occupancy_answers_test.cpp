// Occupancy against NVIDIA's own cuda_occupancy.h: directly where a toolkit is installed, and always against a table of
// answers that was recorded from it. With TILESCOPE_UPDATE_GOLDENS=1 and a toolkit the table is written anew.
#include <gtest/gtest.h>

#include <cstdlib>
#include <fstream>
#include <random>
#include <sstream>

#include "scope/models/occupancy_curves.h"
#include "tests/models/capabilities.h"
#include "tests/models/nvidia_occupancy.h"
#include "tests/places.h"

namespace tilescope::models {
namespace {

const std::string kTable = source_dir() + "/tests/models/occupancy_answers.csv";
const std::string kMeasured = source_dir() + "/tests/models/occupancy_h200.csv";

#ifdef TILESCOPE_NVIDIA_HEADER

// Combinations that a launch may have, and some that it may not; small and large values are equally likely.
class Combinations {
public:
    Combinations(const Device& device, unsigned seed) : device_(device), random_(seed) {}

    KernelResources next() {
        KernelResources kernel;
        kernel.threads_per_block = 1 + below(device_.max_threads_per_block + 32);
        if (below(2) == 0) kernel.threads_per_block = (kernel.threads_per_block + 31) / 32 * 32;
        kernel.registers_per_thread = static_cast<std::uint32_t>(below(device_.max_registers_per_thread + 1));
        if (below(4) != 0) kernel.static_shared_bytes = bytes();
        if (below(2) == 0) kernel.dynamic_shared_bytes = bytes();
        if (below(2) == 0) kernel.carveout_percent = static_cast<unsigned>(below(101));
        if (below(2) == 0) kernel.barriers = static_cast<std::uint32_t>(below(17));
        return kernel;
    }

private:
    std::uint64_t below(std::uint64_t end) { return random_() % end; }
    std::uint64_t bytes() { return below((device_.shared_bytes_per_block_optin + 2048) >> below(12)); }

    const Device& device_;
    std::mt19937 random_;
};

std::string text_of(const KernelResources& kernel) {
    std::ostringstream text;
    text << kernel.threads_per_block << ',' << kernel.registers_per_thread << ',' << kernel.static_shared_bytes << ','
         << kernel.dynamic_shared_bytes << ','
         << (kernel.carveout_percent ? std::to_string(*kernel.carveout_percent) : "-") << ',' << kernel.barriers;
    return text.str();
}

#endif

NvidiaAnswer our_answer(const Device& device, const KernelResources& kernel) {
    const Occupancy found = occupancy(device, kernel);
    return {found.blocks_per_sm, found.by_threads, found.by_blocks,           found.by_registers,    found.by_shared,
            found.by_barriers,   found.limiters,   found.registers_per_block, found.shared_per_block};
}

std::string text_of(std::uint32_t limit) { return limit == kUnlimited ? "-" : std::to_string(limit); }

std::string text_of(const NvidiaAnswer& answer) {
    std::string limiters;
    for (const SmResource limiter : answer.limiters)
        limiters += (limiters.empty() ? "" : "+") + std::string(report::name_of(limiter));
    std::ostringstream text;
    text << answer.blocks << ',' << text_of(answer.by_threads) << ',' << text_of(answer.by_blocks) << ','
         << text_of(answer.by_registers) << ',' << text_of(answer.by_shared) << ',' << text_of(answer.by_barriers)
         << ',' << limiters << ',' << answer.registers_per_block << ',' << answer.shared_per_block;
    return text.str();
}

std::vector<std::string> fields(const std::string& line) {
    std::vector<std::string> result;
    std::istringstream stream(line);
    for (std::string field; std::getline(stream, field, ',');) result.push_back(field);
    return result;
}

KernelResources kernel_from(const std::vector<std::string>& row, std::size_t at) {
    KernelResources kernel;
    kernel.threads_per_block = std::stoul(row[at]);
    kernel.registers_per_thread = static_cast<std::uint32_t>(std::stoul(row[at + 1]));
    kernel.static_shared_bytes = std::stoul(row[at + 2]);
    kernel.dynamic_shared_bytes = std::stoul(row[at + 3]);
    if (row[at + 4] != "-") kernel.carveout_percent = static_cast<unsigned>(std::stoul(row[at + 4]));
    kernel.barriers = static_cast<std::uint32_t>(std::stoul(row[at + 5]));
    return kernel;
}

std::string rest_of(const std::string& line, std::size_t fields_before) {
    std::size_t at = 0;
    for (std::size_t i = 0; i < fields_before; ++i) at = line.find(',', at) + 1;
    return line.substr(at);
}

TEST(OccupancyAnswers, HundredThousandOfEachCapabilityAgreeWithNvidiasHeader) {
#ifndef TILESCOPE_NVIDIA_HEADER
    GTEST_SKIP() << "no CUDA toolkit (13.0 or later), so no cuda_occupancy.h to compare with; its recorded answers are "
                    "compared all the same";
#else
    constexpr int kEach = 100'000;
    unsigned seed = 1;
    for (const std::string& capability : known_capabilities()) {
        const Device device = device_of(capability);
        Combinations combinations(device, seed++);
        int different = 0, fitting = 0;
        for (int i = 0; i < kEach && different < 5; ++i) {
            const KernelResources kernel = combinations.next();
            const NvidiaAnswer ours = our_answer(device, kernel), theirs = nvidia_occupancy(device, kernel);
            fitting += theirs.blocks != 0 ? 1 : 0;
            if (text_of(ours) == text_of(theirs)) continue;
            ++different;
            ADD_FAILURE() << capability << ": " << text_of(kernel) << "\n  ours   " << text_of(ours) << "\n  theirs "
                          << text_of(theirs);
        }
        EXPECT_GT(fitting, kEach / 4) << capability << ": most combinations do not fit, so little was compared";
    }
#endif
}

TEST(OccupancyAnswers, TheBestBlockSizeIsTheOneThatNvidiasHeaderSuggests) {
#ifndef TILESCOPE_NVIDIA_HEADER
    GTEST_SKIP() << "no CUDA toolkit (13.0 or later), so no cuda_occupancy.h to compare with";
#else
    for (const std::string& capability : known_capabilities()) {
        const Device device = device_of(capability);
        Combinations combinations(device, 77);
        for (int i = 0; i < 300; ++i) {
            const KernelResources kernel = combinations.next();
            const auto best = best_block_sizes(block_sizes(device, kernel));
            ASSERT_EQ(best.empty() ? 0 : best.front().threads, nvidia_block_size(device, kernel))
                << capability << ": " << text_of(kernel);
        }
    }
#endif
}

#ifdef TILESCOPE_NVIDIA_HEADER
void record() {
    std::ofstream file(kTable);
    file << "capability,threads,registers,static,dynamic,carveout,barriers,blocks,by_threads,by_blocks,by_registers,"
            "by_shared,by_barriers,limiters,registers_per_block,shared_per_block\n";
    for (const std::string& capability : known_capabilities()) {
        const Device device = device_of(capability);
        Combinations combinations(device, 2026);
        for (int i = 0; i < 170; ++i) {
            const KernelResources kernel = combinations.next();
            file << capability << ',' << text_of(kernel) << ',' << text_of(nvidia_occupancy(device, kernel)) << '\n';
        }
    }
}
#endif

TEST(OccupancyAnswers, TheRecordedOnesAgree) {
#ifdef TILESCOPE_NVIDIA_HEADER
    if (std::getenv("TILESCOPE_UPDATE_GOLDENS") != nullptr) record();
#endif
    std::ifstream file(kTable);
    std::string line;
    ASSERT_TRUE(std::getline(file, line)) << kTable;
    int rows = 0;
    for (; std::getline(file, line); ++rows) {
        const std::vector<std::string> row = fields(line);
        ASSERT_EQ(row.size(), 16U) << line;
        const Device device = device_of(row[0]);
        EXPECT_EQ(text_of(our_answer(device, kernel_from(row, 1))), rest_of(line, 7)) << line;
    }
    EXPECT_EQ(rows, 2040);
}

// What cudaOccupancyMaxActiveBlocksPerMultiprocessor answered on an NVIDIA H200 (driver 580.159.04), measured November
// 2026 with scripts/occupancy_answers.cu.
TEST(OccupancyAnswers, ThoseOfAnH200Agree) {
    auto device = load_device("h200");
    ASSERT_TRUE(device);
    std::ifstream file(kMeasured);
    std::string line;
    ASSERT_TRUE(std::getline(file, line)) << kMeasured;
    int rows = 0;
    for (; std::getline(file, line); ++rows) {
        const std::vector<std::string> row = fields(line);
        ASSERT_EQ(row.size(), 7U) << line;
        EXPECT_EQ(std::to_string(occupancy(*device, kernel_from(row, 0)).blocks_per_sm), row[6]) << line;
    }
    EXPECT_EQ(rows, 3000);
}

}  // namespace
}  // namespace tilescope::models

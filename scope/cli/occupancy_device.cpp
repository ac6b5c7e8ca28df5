#include "scope/cli/occupancy_device.h"

#include <fmt/format.h>

#include <algorithm>
#include <nlohmann/json.hpp>

#include "scope/cli/help.h"
#include "scope/cli/occupancy_answer.h"
#include "scope/models/occupancy_textbook.h"
#include "scope/models/resident.h"
#include "scope/report/format.h"

namespace tilescope::cli {
namespace {

using models::Device;
using models::FullBlock;
using report::counted;
using report::thousands;

constexpr std::size_t kLimitLabel = 16;
constexpr std::uint64_t kKi = 1024;

// Of those that fill the SM the one that people write most, else the largest; nothing where none fills it.
const FullBlock* example(const std::vector<FullBlock>& blocks) {
    constexpr std::uint64_t kUsual = 256;
    const FullBlock* best = nullptr;
    for (const FullBlock& block : blocks)
        if (block.fraction == 1 && (best == nullptr || best->threads != kUsual)) best = &block;
    return best;
}

models::KernelResources filling(const FullBlock& block) {
    models::KernelResources kernel;
    kernel.threads_per_block = block.threads;
    kernel.registers_per_thread = block.registers;
    kernel.static_shared_bytes = block.shared_in_all;
    return kernel;
}

class LimitsWriter {
public:
    LimitsWriter(const Device& device, bool color) : device_(device), color_(color) {}

    std::string write() {
        text_ = bold(fmt::format("{}, compute capability {}.{}", device_.name, device_.compute_major,
                                 device_.compute_minor)) +
                "\n\n";
        limits();
        thresholds();
        sizes();
        return std::move(text_);
    }

private:
    std::string bold(const std::string& text) const { return color_ ? "\x1b[1m" + text + "\x1b[0m" : text; }

    void line(const std::string& label, const std::string& content) {
        bool first = true;
        for (const std::string& part : report::wrap(content, kTextWidth - kLimitLabel - 2)) {
            const std::string padded = fmt::format("{:<{}}", first ? label : "", kLimitLabel);
            text_ += "  " + (first ? bold(padded) : padded) + part + "\n";
            first = false;
        }
    }

    void limits() {
        const Device& d = device_;
        std::string sm = fmt::format("{} ({} of {}), {}, {} registers, {} B of shared memory",
                                     counted(d.max_threads_per_sm, "thread"), counted(d.max_warps_per_sm(), "warp"),
                                     d.warp_size, counted(d.max_blocks_per_sm, "block"), thousands(d.registers_per_sm),
                                     thousands(d.shared_bytes_per_sm));
        if (d.max_barriers_per_sm != 0) sm += ", " + counted(d.max_barriers_per_sm, "named barrier");
        line("an SM holds", sm + "; there are " + counted(d.sm_count, "SM"));
        line("a block", fmt::format("at most {}, {} registers, {} B of shared memory, {} of them without asking "
                                    "(cudaFuncSetAttribute)",
                                    counted(d.max_threads_per_block, "thread"), thousands(d.registers_per_block),
                                    thousands(d.shared_bytes_per_block_optin), thousands(d.shared_bytes_per_block)));
        line("a thread", "at most " + counted(d.max_registers_per_thread, "register"));
        std::string units = fmt::format("registers to a warp, a multiple of {}", thousands(d.register_allocation_unit));
        if (d.sub_partitions > 1)
            units += fmt::format(", in {} parts with {} each", d.sub_partitions,
                                 thousands(d.registers_per_sm / d.sub_partitions));
        units += fmt::format("; shared memory to a block, a multiple of {} B", thousands(d.shared_allocation_unit));
        if (d.shared_bytes_reserved != 0)
            units += fmt::format(" with {} B for the driver", thousands(d.shared_bytes_reserved));
        line("handed out", units);
    }

    void thresholds() {
        const Device& d = device_;
        std::string shared =
            fmt::format("{:.1f} bytes of shared memory per thread: {} / {}", models::full_shared_per_thread(d),
                        thousands(d.shared_bytes_per_sm), thousands(d.max_threads_per_sm));
        if (d.shared_bytes_per_sm % kKi == 0)
            shared += fmt::format(" ({:.2f} if a KB were 1,000 bytes)",
                                  static_cast<double>(d.shared_bytes_per_sm) / 1.024 / d.max_threads_per_sm);
        text_ += "\n";
        line("full occupancy", "at most " + shared);
        line("", fmt::format("at most {} per thread: {} / {}",
                             counted(d.registers_per_sm / d.max_threads_per_sm, "register"),
                             thousands(d.registers_per_sm), thousands(d.max_threads_per_sm)));
        const std::uint64_t least = (d.max_threads_per_sm + d.max_blocks_per_sm - 1) / d.max_blocks_per_sm;
        line("", fmt::format("at least {} per block: {} / {}", counted(least, "thread"),
                             thousands(d.max_threads_per_sm), thousands(d.max_blocks_per_sm)));
    }

    void sizes() {
        const std::vector<FullBlock> blocks = models::full_blocks(device_);
        text_ += "\n  As the hardware allocates, the most per thread without losing a block:\n";
        text_ += fmt::format("  {:>16}{:>12}{:>12}{:>12}{:>16}{:>14}\n", "threads/block", "blocks", "occupancy",
                             "registers", "shared bytes", "per block");
        for (const FullBlock& block : blocks)
            text_ += fmt::format("  {:>16}{:>12}{:>12}{:>12}{:>16.1f}{:>14}\n", thousands(block.threads),
                                 thousands(block.blocks_per_sm), report::percent(block.fraction), block.registers,
                                 block.shared_bytes, thousands(block.shared_in_all));
        const FullBlock* one = example(blocks);
        if (one == nullptr) return;
        text_ += fmt::format(
            "\n  Blocks of {} threads that have so much of both fill it. A kernel's: --threads and so on.\n\n",
            thousands(one->threads));
        text_ += resident_text(models::resident_sm(device_, filling(*one)));
    }

    const Device& device_;
    bool color_;
    std::string text_;
};

}  // namespace

std::string device_limits_text(const Device& device, bool color) { return LimitsWriter(device, color).write(); }

std::string device_limits_json(const Device& device) {
    using Json = nlohmann::ordered_json;
    Json sizes = Json::array();
    for (const FullBlock& block : models::full_blocks(device))
        sizes.push_back({{"threads", block.threads},
                         {"blocks_per_sm", block.blocks_per_sm},
                         {"fraction", block.fraction},
                         {"registers_per_thread", block.registers},
                         {"shared_bytes_per_thread", block.shared_bytes},
                         {"shared_bytes_per_block", block.shared_in_all}});
    const Json json = {{"device", device.name},
                       {"compute_capability", fmt::format("{}.{}", device.compute_major, device.compute_minor)},
                       {"limits",
                        {{"sms", device.sm_count},
                         {"threads_per_sm", device.max_threads_per_sm},
                         {"warps_per_sm", device.max_warps_per_sm()},
                         {"blocks_per_sm", device.max_blocks_per_sm},
                         {"registers_per_sm", device.registers_per_sm},
                         {"shared_bytes_per_sm", device.shared_bytes_per_sm},
                         {"threads_per_block", device.max_threads_per_block},
                         {"registers_per_block", device.registers_per_block},
                         {"shared_bytes_per_block", device.shared_bytes_per_block_optin},
                         {"shared_bytes_per_block_without_asking", device.shared_bytes_per_block},
                         {"registers_per_thread", device.max_registers_per_thread},
                         {"register_unit", device.register_allocation_unit},
                         {"shared_unit", device.shared_allocation_unit},
                         {"shared_bytes_of_driver", device.shared_bytes_reserved}}},
                       {"full_occupancy",
                        {{"shared_bytes_per_thread", models::full_shared_per_thread(device)},
                         {"registers_per_thread", device.registers_per_sm / device.max_threads_per_sm},
                         {"by_block_size", sizes}}}};
    return json.dump(1, ' ', false, Json::error_handler_t::replace) + "\n";
}

}  // namespace tilescope::cli

// The picture of what is resident on an SM.
#include <fmt/format.h>

#include <algorithm>

#include "scope/cli/help.h"
#include "scope/cli/occupancy_answer.h"
#include "scope/report/format.h"

namespace tilescope::cli {
namespace {

using models::ResidentSm;

constexpr const char* kFreePlace = "·";
constexpr std::size_t kBar = 64;       // places of a bar
constexpr std::size_t kBarLabel = 12;  // columns
constexpr std::string_view kLetters = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz";

char letter(std::uint64_t block) { return block < kLetters.size() ? kLetters[block] : '#'; }

// Each place belongs to the block that has its middle.
std::string bar(std::uint64_t has, std::uint64_t per_block, std::uint64_t blocks) {
    std::string text;
    for (std::size_t place = 0; place < kBar; ++place) {
        const std::uint64_t middle = (2 * place + 1) * has / (2 * kBar);
        const std::uint64_t block = per_block == 0 ? blocks : middle / per_block;
        text += block < blocks ? std::string(1, letter(block)) : std::string(kFreePlace);
    }
    return text;
}

std::string part_text(const std::vector<std::optional<std::uint32_t>>& places) {
    std::string text;
    for (const auto& block : places) text += block ? std::string(1, letter(*block)) : std::string(kFreePlace);
    return text;
}

std::string picture_row(const std::string& label, const std::string& picture, const std::string& behind) {
    return fmt::format("  {:<{}}", label, kBarLabel) + picture + (behind.empty() ? "" : "  " + behind) + "\n";
}

// "8,192 of 65,536 a block": within what is left of the line.
std::string each_of(std::uint64_t part, std::uint64_t all, const char* unit) {
    return fmt::format("{} of {}{}", report::thousands(part), report::thousands(all), unit);
}

std::string blocks_named(std::uint32_t blocks) {
    return blocks == 1 ? "1 block, A" : fmt::format("{} blocks, A to {}", blocks, letter(blocks - 1));
}

}  // namespace

std::string resident_text(const ResidentSm& sm) {
    if (sm.blocks == 0) return {};
    std::string text = "Resident on an SM at a time: " + blocks_named(sm.blocks) + "; " + kFreePlace + " is free\n";
    const bool is_split = sm.parts.size() > 1;
    for (std::size_t part = 0; part < sm.parts.size(); ++part) {
        std::string behind;
        if (part == 0) behind = report::counted(sm.parts[0].size(), "warp") + " at most";
        if (part == 0 && is_split) behind += "; one issues each cycle";
        text += picture_row(is_split ? fmt::format("part {}", part) : "warps", part_text(sm.parts[part]), behind);
    }
    if (sm.registers_per_block != 0)
        text += picture_row("registers", bar(sm.registers, sm.registers_per_block, sm.blocks),
                            each_of(sm.registers_per_block, sm.registers, ""));
    text += picture_row("shared", bar(sm.shared_bytes, sm.shared_per_block, sm.blocks),
                        each_of(sm.shared_per_block, sm.shared_bytes, " B"));
    for (const std::string& line : report::wrap(
             "A block gets its registers and shared memory when it starts and keeps them until it ends. While "
             "a warp waits its part issues another one at no cost: nothing is saved or loaded, as a CPU's core "
             "does when it switches threads.",
             kTextWidth - 2))
        text += "  " + line + "\n";
    return text;
}

}  // namespace tilescope::cli

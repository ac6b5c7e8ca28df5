// The text of `tilescope occupancy`.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "scope/cli/help.h"
#include "scope/cli/occupancy_answer.h"
#include "scope/models/occupancy_textbook.h"
#include "scope/report/format.h"
#include "scope/views/render/chart.h"

namespace tilescope::cli {
namespace {

using report::counted;
using report::thousands;

constexpr std::size_t kLabel = 16;

// 62.5 %, 100 %, 64.1 %
std::string share(double fraction) {
    const double percent = std::round(fraction * 1000) / 10;
    return fmt::format("{:.{}f} %", percent, percent == std::floor(percent) ? 0 : 1);
}

std::string one_decimal(double value) { return fmt::format("{:.1f}", value); }

std::string limiter_names(const std::vector<SmResource>& limiters) {
    std::string text;
    for (std::size_t i = 0; i < limiters.size(); ++i)
        text += (i == 0 ? "" : i + 1 == limiters.size() ? " and " : ", ") + std::string(report::words_of(limiters[i]));
    return text;
}

std::string sentence(std::string text) {
    if (!text.empty() && text[0] >= 'a' && text[0] <= 'z') text[0] = static_cast<char>(text[0] - 'a' + 'A');
    return text + ".";
}

class Writer {
public:
    Writer(const OccupancyAnswer& answer, const OccupancyTextOptions& options)
        : answer_(answer), options_(options), kernel_(answer.kernel.resources), found_(answer.found) {}

    std::string write() {
        head();
        line("hardware", hardware());
        line("textbook", textbook());
        if (!answer_.profile.difference.empty()) line("", sentence(answer_.profile.difference));
        limits();
        threshold();
        steps();
        room();
        best_sizes();
        waves();
        if (options_.sweep) sweep();
        if (answer_.resident && answer_.resident->blocks != 0) text_ += "\n" + resident_text(*answer_.resident);
        charts();
        return std::move(text_);
    }

private:
    std::string bold(const std::string& text) const { return options_.color ? "\x1b[1m" + text + "\x1b[0m" : text; }

    // A label, and text wrapped beside it.
    void line(const std::string& label, const std::string& content) {
        bool first = true;
        for (const std::string& part : report::wrap(content, kTextWidth - kLabel - 2)) {
            const std::string padded = fmt::format("{:<{}}", first ? label : "", kLabel);
            text_ += "  " + (first ? bold(padded) : padded) + part + "\n";
            first = false;
        }
    }

    void head() {
        const std::string device = answer_.device.name + ", compute capability " +
                                   std::to_string(answer_.device.compute_major) + "." +
                                   std::to_string(answer_.device.compute_minor);
        if (answer_.kernel.kernel.empty()) {
            text_ += bold(device) + "\n";
        } else {
            const std::string name = report::printable(answer_.kernel.kernel);
            const std::size_t room = kTextWidth - std::min(kTextWidth, report::columns(device) + 2);
            text_ += bold(report::columns(name) <= room ? name : report::cut(name, kTextWidth));
            text_ +=
                report::columns(name) <= room
                    ? std::string(kTextWidth - report::columns(name) - report::columns(device), ' ') + device + "\n"
                    : "\n" + device + "\n";
        }
        std::string asked = counted(kernel_.threads_per_block, "thread") + " per block";
        if (answer_.threads_suggested) asked += " (the best; --threads takes yours)";
        if (answer_.kernel.max_threads != 0 && answer_.kernel.max_threads < kernel_.threads_per_block)
            asked += " (its launch bounds allow " + thousands(answer_.kernel.max_threads) + ")";
        asked += kernel_.registers_per_thread == 0
                     ? ", registers not given"
                     : ", " + counted(kernel_.registers_per_thread, "register") + " per thread";
        if (!answer_.kernel.registers_from.empty())
            asked += answer_.kernel.registers_from == "estimate" ? " (estimated)"
                                                                 : " (from " + answer_.kernel.registers_from + ")";
        asked += ", " + (kernel_.shared_bytes() == 0 ? "no" : thousands(kernel_.shared_bytes()) + " bytes of") +
                 " shared memory per block";
        if (kernel_.dynamic_shared_bytes != 0 && kernel_.static_shared_bytes != 0)
            asked += ", " + thousands(kernel_.dynamic_shared_bytes) + " of them dynamic";
        if (kernel_.carveout_percent) asked += ", carve-out " + std::to_string(*kernel_.carveout_percent) + " %";
        for (const std::string& part : report::wrap(asked, kTextWidth)) text_ += part + "\n";
        text_ += "\n";
    }

    std::string hardware() const {
        if (found_.blocks_per_sm == 0) return "no block fits: " + refusal_text(answer_);
        std::string text = counted(found_.blocks_per_sm, "block") + " on an SM, " + thousands(found_.warps_per_sm) +
                           " of " + thousands(answer_.device.max_warps_per_sm()) + " warps: " + share(found_.fraction) +
                           ", limited by " + limiter_names(found_.limiters);
        const std::uint64_t lanes = std::uint64_t{found_.warps_per_sm} * answer_.device.warp_size;
        if (answer_.profile.threads_per_sm != lanes)
            text +=
                "; " + thousands(answer_.profile.threads_per_sm) + " threads in their " + thousands(lanes) + " lanes";
        return text;
    }

    std::string textbook() const {
        const OccupancyTextbook& textbook = answer_.profile.textbook;
        if (textbook.blocks_per_sm == 0)
            return found_.blocks_per_sm == 0 ? "no block fits, either"
                                             : "no block fits: " + limiter_names(textbook.limiters);
        std::string text = counted(textbook.blocks_per_sm, "block") + ", " + thousands(textbook.threads_per_sm) +
                           " of " + thousands(answer_.device.max_threads_per_sm) +
                           " threads: " + share(textbook.fraction) + ", limited by " + limiter_names(textbook.limiters);
        if (std::floor(textbook.division_threads) != static_cast<double>(textbook.threads_per_sm))
            text += "; without whole blocks " +
                    thousands(static_cast<std::uint64_t>(std::floor(textbook.division_threads))) + " threads, " +
                    share(textbook.division_fraction);
        return text;
    }

    static std::string limit(const std::optional<std::uint32_t>& blocks) {
        return blocks ? thousands(*blocks) : std::string("-");
    }

    void limit_row(SmResource resource, const std::string& asked, const std::string& available,
                   const std::optional<std::uint32_t>& hardware, const std::optional<std::uint32_t>& textbook) {
        const bool binds = std::find(found_.limiters.begin(), found_.limiters.end(), resource) != found_.limiters.end();
        const std::string row = fmt::format("  {:<{}}{:>18}{:>18}{:>12}{:>12}", report::words_of(resource), kLabel,
                                            asked, available, limit(hardware), limit(textbook));
        text_ += binds ? bold(row + "   <- limits") + "\n" : row + "\n";
    }

    void limits() {
        const models::Device& device = answer_.device;
        const OccupancyLimits &hardware = answer_.profile.by, &textbook = answer_.profile.textbook.by;
        text_ += fmt::format("\n  {:<{}}{:>18}{:>18}{:>12}{:>12}\n", "blocks by", kLabel, "a block takes", "an SM has",
                             "hardware", "textbook");
        limit_row(SmResource::kThreads, thousands(found_.warps_per_block), thousands(device.max_warps_per_sm()),
                  hardware.threads, textbook.threads);
        limit_row(SmResource::kRegisters,
                  kernel_.registers_per_thread == 0 ? "-" : thousands(found_.registers_per_block),
                  thousands(device.registers_per_sm), hardware.registers, textbook.registers);
        limit_row(SmResource::kShared, thousands(found_.shared_per_block) + " B",
                  thousands(found_.carveout_bytes) + " B", hardware.shared, textbook.shared);
        limit_row(SmResource::kBlocks, "1", thousands(device.max_blocks_per_sm), hardware.blocks, textbook.blocks);
        if (hardware.barriers)
            limit_row(SmResource::kBarriers, thousands(kernel_.barriers), thousands(device.max_barriers_per_sm),
                      hardware.barriers, std::nullopt);
        text_ += "\n";
    }

    void threshold() {
        const models::Device& device = answer_.device;
        const OccupancyProfile& profile = answer_.profile;
        std::string text = "at most " + one_decimal(profile.full_bytes_per_thread) +
                           " bytes of shared memory per thread: " + thousands(device.shared_bytes_per_sm) + " / " +
                           thousands(device.max_threads_per_sm);
        if (device.shared_bytes_per_sm % 1024 == 0)
            text += fmt::format(" ({:.2f} if a KB were 1,000 bytes)",
                                static_cast<double>(device.shared_bytes_per_sm) / 1.024 / device.max_threads_per_sm);
        line("full occupancy", text);
        const std::uint64_t most = std::min(found_.by_threads, found_.by_blocks) * found_.warps_per_block;
        if (most != 0) {
            text = "in blocks of " + thousands(kernel_.threads_per_block);
            if (most != device.max_warps_per_sm()) text += ", " + thousands(most) + " warps at most,";
            text += " as the hardware allocates: " + one_decimal(profile.full_bytes_per_thread_allocated) + " bytes";
            const std::uint32_t registers = models::full_registers_per_thread(device, kernel_);
            line("", text + (registers == 0 ? "" : " and " + counted(registers, "register")) + " per thread");
        }
        text = "this kernel: " + one_decimal(profile.shared_bytes_per_thread) + " bytes";
        if (kernel_.registers_per_thread != 0) text += " and " + counted(kernel_.registers_per_thread, "register");
        line("", text + " per thread");
    }

    void steps() {
        if (found_.warps_per_sm == answer_.device.max_warps_per_sm()) return line("next step", "none: the SM is full");
        if (answer_.profile.next.empty()) return line("next step", "none by a change of one of these resources");
        bool first = true;
        for (const OccupancyStep& step : answer_.profile.next) {
            line(first ? (found_.blocks_per_sm == 0 ? "what would fit" : "next step") : "", step_text(answer_, step));
            first = false;
        }
    }

    void room() {
        if (answer_.profile.headroom.empty()) return;
        std::string text;
        for (std::size_t i = 0; i < answer_.profile.headroom.size(); ++i) {
            const OccupancyChange& more = answer_.profile.headroom[i];
            const auto count = static_cast<std::uint64_t>(more.change);
            text += (i == 0 ? "" : i + 1 == answer_.profile.headroom.size() ? " and " : ", ") + thousands(count);
            text += more.resource == SmResource::kRegisters ? " more registers per thread"
                    : more.resource == SmResource::kShared  ? " more bytes of shared memory per block"
                                                            : " more threads per block";
        }
        line("room", text + " before a block is lost");
    }

    void best_sizes() {
        const auto best = models::best_block_sizes(answer_.sizes);
        if (best.empty()) return line("block sizes", "none fits");
        std::string text;
        for (const models::BlockSize& size : best) text += (text.empty() ? "" : ", ") + thousands(size.threads);
        text += (best.size() == 1 ? " keeps " : " keep ") + thousands(best.front().occupancy.warps_per_sm) + " of " +
                thousands(answer_.device.max_warps_per_sm()) + " warps (" + share(best.front().occupancy.fraction) +
                ")";
        if (kernel_.shared_bytes() != 0)
            text += answer_.scaling == models::SharedScaling::kPerThread ? ", with shared memory in proportion"
                                                                         : ", with the same shared memory per block";
        line("best blocks", text);
        if (found_.blocks_per_sm != 0)
            line("whole device", thousands(std::uint64_t{found_.blocks_per_sm} * answer_.device.sm_count) +
                                     " blocks: " + thousands(found_.blocks_per_sm) + " on each of " +
                                     counted(answer_.device.sm_count, "SM"));
    }

    void waves() {
        if (answer_.profile.waves)
            line("waves", thousands(answer_.kernel.blocks) + " blocks: " + report::waves_text(*answer_.profile.waves));
    }

    void sweep() {
        text_ +=
            fmt::format("\n  {:>8}{:>9}{:>9}{:>13}   {}\n", "threads", "blocks", "warps", "occupancy", "limited by");
        std::uint32_t most = 0;
        for (const models::BlockSize& size : answer_.sizes) most = std::max(most, size.occupancy.warps_per_sm);
        for (const models::BlockSize& size : answer_.sizes) {
            const bool best = most != 0 && size.occupancy.warps_per_sm == most;
            const std::string row =
                fmt::format("  {:>8}{:>9}{:>9}{:>13}   {}", thousands(size.threads),
                            thousands(size.occupancy.blocks_per_sm), thousands(size.occupancy.warps_per_sm),
                            share(size.occupancy.fraction), limiter_names(size.occupancy.limiters));
            text_ += best ? bold(row + "  (best)") + "\n" : row + "\n";
        }
    }

    void charts() {
        constexpr std::size_t kSmall = 15, kLarge = 24;
        for (const models::OccupancyCurve& curve : answer_.curves) {
            views::ChartTextOptions options;
            options.width = kTextWidth;
            options.height = answer_.curves.size() == 1 ? kLarge : kSmall;
            options.color = options_.color;
            report::Chart chart = models::occupancy_chart(answer_.device, kernel_, curve);
            chart.subtitle.clear();  // the text above says it
            text_ += "\n" + views::chart_text(chart, options);
        }
    }

    const OccupancyAnswer& answer_;
    const OccupancyTextOptions& options_;
    const models::KernelResources& kernel_;
    const models::Occupancy& found_;
    std::string text_;
};

std::string change_text(const OccupancyAnswer& answer, const OccupancyChange& change) {
    const auto by = static_cast<std::uint64_t>(std::abs(change.change));
    const char* direction = change.change < 0 ? " fewer" : " more";
    const models::KernelResources& kernel = answer.kernel.resources;
    const auto to = [&](std::uint64_t now) { return " (" + thousands(change.change < 0 ? now - by : now + by) + ")"; };
    if (change.resource == SmResource::kRegisters)
        return counted(by, "register") + direction + " per thread" + to(kernel.registers_per_thread);
    if (change.resource == SmResource::kShared)
        return counted(by, "byte") + (change.change < 0 ? " less" : " more") + " shared memory per block" +
               to(kernel.shared_bytes());
    if (change.resource == SmResource::kThreads)
        return counted(by, "thread") + direction + " per block" + to(kernel.threads_per_block);
    if (change.resource == SmResource::kBarriers)
        return counted(by, "barrier") + direction + " per block" + to(kernel.barriers);
    return "a carve-out " + counted(by, "byte") + " larger" + to(answer.found.carveout_bytes);
}

}  // namespace

std::string step_text(const OccupancyAnswer& answer, const OccupancyStep& step) {
    std::string text;
    for (std::size_t i = 0; i < step.changes.size(); ++i)
        text += (i == 0 ? "" : " and ") + change_text(answer, step.changes[i]);
    text += ": " + counted(step.blocks_per_sm, "block");
    // Blocks of another size are no more or fewer of the same.
    const bool same_size = step.changes.empty() || step.changes.front().resource != SmResource::kThreads;
    if (same_size && answer.found.blocks_per_sm != 0) text += " instead of " + thousands(answer.found.blocks_per_sm);
    return text + ", " + share(step.fraction);
}

std::string refusal_text(const OccupancyAnswer& answer) {
    const models::Device& device = answer.device;
    const models::Occupancy& found = answer.found;
    std::vector<std::string> reasons;
    if (found.by_threads == 0)
        reasons.push_back("a block may have " + thousands(device.max_threads_per_block) +
                          " threads, and this one has " + thousands(answer.kernel.resources.threads_per_block));
    if (found.by_registers == 0 && answer.kernel.resources.registers_per_thread > device.max_registers_per_thread)
        reasons.push_back("a thread may have " + counted(device.max_registers_per_thread, "register"));
    else if (found.by_registers == 0)
        reasons.push_back("one takes " + thousands(found.registers_per_block) + " registers, " +
                          (found.registers_per_block > device.registers_per_sm
                               ? "and an SM has " + thousands(device.registers_per_sm)
                               : "which its sub-partitions cannot hold"));
    if (found.by_shared == 0)
        reasons.push_back("a block may have " + thousands(device.shared_bytes_per_block_optin) +
                          " bytes of shared memory, and this one has " +
                          thousands(answer.kernel.resources.shared_bytes()));
    if (found.by_barriers == 0)
        reasons.push_back("one uses " + counted(answer.kernel.resources.barriers, "barrier") + ", and an SM has " +
                          thousands(device.max_barriers_per_sm));
    std::string text;
    for (const std::string& reason : reasons) text += (text.empty() ? "" : "; ") + reason;
    return text;
}

std::string occupancy_text(const OccupancyAnswer& answer, const OccupancyTextOptions& options) {
    return Writer(answer, options).write();
}

}  // namespace tilescope::cli

#include "scope/views/text_timeline.h"

#include <algorithm>
#include <cmath>
#include <map>
#include <utility>

#include "scope/report/format.h"
#include "scope/views/text_launch.h"
#include "scope/views/text_time.h"

namespace tilescope::views {
namespace {

constexpr std::size_t kLabel = 15;

std::string row(const std::string& label, const std::string& text) {
    return "  " + padded(label, kLabel) + text + "\n";
}

// A label once, and a line for each of its texts.
std::string rows(const std::string& label, const std::vector<std::string>& texts) {
    std::string all;
    for (const std::string& text : texts) all += row(all.empty() ? label : "", text);
    return all;
}

struct Sum {
    std::uint64_t count = 0, bytes = 0;
    std::optional<double> microseconds;
    const Transfer* most = nullptr;  // by bytes, of those whose line is known
};

std::string copies_text(const Profile& profile) {
    std::map<std::pair<CopyDirection, HostMemory>, Sum> sums;
    for (const Transfer& transfer : profile.transfers) {
        Sum& sum = sums[{transfer.direction, transfer.host_memory}];
        sum.count += transfer.count;
        sum.bytes += transfer.bytes;
        if (transfer.microseconds) sum.microseconds = sum.microseconds.value_or(0) + *transfer.microseconds;
        if (transfer.line != 0 && (sum.most == nullptr || sum.most->bytes < transfer.bytes)) sum.most = &transfer;
    }
    std::vector<std::string> texts;
    for (const auto& [key, sum] : sums) {
        std::string text(name_of(key.first));
        if (key.second != HostMemory::kNone) text += " " + std::string(name_of(key.second));
        text = padded(text, 14) + " " + right_aligned(thousands(sum.bytes), 15) + " B in " + thousands(sum.count);
        if (sum.microseconds && key.first != CopyDirection::kHtoH)
            text += ", " + microseconds_text(*sum.microseconds) + " (modelled)";
        if (sum.most != nullptr)
            text += "  " + cut(printable(file_name(sum.most->file)), 16) + ":" + std::to_string(sum.most->line);
        texts.push_back(std::move(text));
    }
    return rows("copies", texts);
}

std::string line_text(const TimelineTotals& totals) {
    std::string text =
        row("time line", microseconds_text(totals.microseconds) + ": kernels " + microseconds_text(totals.kernels) +
                             ", copies " + microseconds_text(totals.copies) + ", host waits " +
                             microseconds_text(totals.host_waits) + " (modelled)");
    if (totals.copies > 0)
        text += row("", percent(totals.hidden / totals.copies) + " of the copies' time is hidden behind kernels");
    if (totals.graph_launches != 0)
        text += row("", counted(totals.graph_launches, "launch", "launches") + " of graphs");
    if (totals.until)
        text += row("", "it ends before launch " + std::to_string(*totals.until) + ", whose time is not known");
    return text;
}

std::string event_text(const EventTimes& times) {
    if (times.estimated == 0) return row("event times", counted(times.modelled, "time") + " of the modelled time line");
    std::string text = row("event times", counted(times.estimated, "estimate") +
                                              " from counts and the device's peaks: no time is modelled here");
    if (times.modelled != 0) text += row("", counted(times.modelled, "time") + " of the modelled time line");
    return text;
}

// The first text behind the label, the others below it, all within the width.
std::string wrapped_row(const std::string& label, const std::string& text, const ViewOptions& options) {
    return rows(label, wrap(text, options.width - 2 - kLabel));
}

std::string pages_text(const PageReport& pages, const ViewOptions& options) {
    const PageMoves& all = pages.total;
    const auto bytes = [](std::uint64_t count) { return thousands(count) + " B"; };
    std::string text =
        wrapped_row("pages",
                    bytes(all.to_device_bytes) + " to the device, " + bytes(all.to_host_bytes) + " back; " +
                        bytes(all.prefetched_in_bytes + all.prefetched_back_bytes) + " of it by prefetch (modelled)",
                    options);
    std::string faults = counted(all.faults, "fault") + " of kernels in 64 KiB leaves";
    if (all.refaults != 0) faults += ", " + thousands(all.refaults) + " on what had been there before";
    faults += "; " + counted(all.host_faults, "fault") + " of the host";
    if (all.evicted_bytes != 0) faults += "; " + bytes(all.evicted_bytes) + " evicted";
    if (all.mapped_bytes != 0) faults += "; " + bytes(all.mapped_bytes) + " reached across the link";
    if (all.device_stall_microseconds + all.host_stall_microseconds > 0)
        faults += "; kernels, copies and sets stood still " + microseconds_text(all.device_stall_microseconds) +
                  " for them, the host " + microseconds_text(all.host_stall_microseconds);
    text += wrapped_row("", faults, options);
    if (pages.unseen_bytes != 0)
        text += wrapped_row(
            "", bytes(pages.unseen_bytes) + " of __managed__ variables lie where pages cannot be followed", options);
    if (!pages.message.empty()) text += wrapped_row("", printable(pages.message), options);
    return text;
}

}  // namespace

std::string work_text(const Profile& profile, const ViewOptions& options) {
    const bool has_graphs = profile.timeline_totals && profile.timeline_totals->graph_launches != 0;
    if (profile.transfers.empty() && !profile.pages && !has_graphs && !profile.event_times) return {};
    std::string text = "\n" + ink(options, Ink::kBold, "between host and device") + "\n" + copies_text(profile);
    if (profile.pages) text += pages_text(*profile.pages, options);
    if (profile.timeline_totals) text += line_text(*profile.timeline_totals);
    if (profile.event_times) text += event_text(*profile.event_times);
    return text;
}

}  // namespace tilescope::views

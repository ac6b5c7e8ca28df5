// The section of what went between host and device: copies, pages, the time line.
#include <algorithm>
#include <map>
#include <utility>

#include "scope/report/format.h"
#include "scope/views/document/parts.h"

namespace tilescope::views {
namespace {

struct CopySum {
    std::uint64_t count = 0, bytes = 0;
    std::optional<double> microseconds;
    const Transfer* most = nullptr;  // by bytes, of those whose line is known
};

void add_copies(const Profile& profile, std::vector<Row>& rows) {
    std::map<std::pair<CopyDirection, HostMemory>, CopySum> sums;
    for (const Transfer& transfer : profile.transfers) {
        CopySum& sum = sums[{transfer.direction, transfer.host_memory}];
        sum.count += transfer.count;
        sum.bytes += transfer.bytes;
        if (transfer.microseconds) sum.microseconds = sum.microseconds.value_or(0) + *transfer.microseconds;
        if (transfer.line != 0 && (sum.most == nullptr || sum.most->bytes < transfer.bytes)) sum.most = &transfer;
    }
    for (const auto& [key, sum] : sums) {
        std::string direction(name_of(key.first));
        if (key.second != HostMemory::kNone) direction += " " + std::string(name_of(key.second));
        Row row{.kind = RowKind::kList, .key = "copies", .label = "copies", .text = std::move(direction)};
        row.values = {{"bytes", sum.bytes, Unit::kBytes}, {"copies", sum.count, Unit::kCopies, {}, "in"}};
        if (sum.microseconds && key.first != CopyDirection::kHtoH) {
            row.values.push_back({"time", *sum.microseconds, Unit::kMicroseconds});
            row.source = RowSource::kModelled;
        }
        if (sum.most != nullptr) row.places = {{sum.most->file, sum.most->line}};
        rows.push_back(std::move(row));
    }
}

std::string bytes_text(std::uint64_t count) { return thousands(count) + " B"; }

std::string faults_text(const PageMoves& all) {
    std::string text = counted(all.faults, "GPU page fault") + " (64 KiB pages)";
    if (all.refaults != 0) text += ", " + thousands(all.refaults) + " on pages that had been on the GPU before";
    text += "; " + counted(all.host_faults, "host page fault");
    if (all.evicted_bytes != 0) text += "; " + bytes_text(all.evicted_bytes) + " evicted";
    if (all.mapped_bytes != 0) text += "; " + bytes_text(all.mapped_bytes) + " accessed remotely";
    if (all.device_stall_microseconds + all.host_stall_microseconds > 0)
        text += "; kernels and copies stalled " + microseconds_text(all.device_stall_microseconds) + ", the host " +
                microseconds_text(all.host_stall_microseconds);
    return text;
}

void add_pages(const PageReport& pages, std::vector<Row>& rows) {
    const PageMoves& all = pages.total;
    const std::uint64_t prefetched = all.prefetched_in_bytes + all.prefetched_back_bytes;
    rows.push_back({.key = "pages",
                    .label = "pages",
                    .text = bytes_text(all.to_device_bytes) + " to the device, " + bytes_text(all.to_host_bytes) +
                            " back; " + bytes_text(prefetched) + " of it by prefetch",
                    .values = {{"to_device", all.to_device_bytes, Unit::kBytes},
                               {"to_host", all.to_host_bytes, Unit::kBytes},
                               {"prefetched", prefetched, Unit::kBytes}},
                    .source = RowSource::kModelled});
    rows.push_back({.key = "page_faults",
                    .label = "",
                    .text = faults_text(all),
                    .is_part = true,
                    .values = {{"faults", all.faults, Unit::kFaults}, {"host_faults", all.host_faults, Unit::kFaults}},
                    .source = RowSource::kModelled});
    if (pages.unseen_bytes != 0)
        rows.push_back({.key = "unseen_pages",
                        .label = "",
                        .text = bytes_text(pages.unseen_bytes) +
                                " of __managed__ variables are in pages that tilescope cannot track",
                        .is_part = true,
                        .values = {{"bytes", pages.unseen_bytes, Unit::kBytes}}});
    if (!pages.message.empty())
        rows.push_back({.key = "page_trouble", .label = "", .text = printable(pages.message), .is_part = true});
}

// Which calls of the host wait, the longest first.
void add_waits(const std::vector<TimelineSpan>& spans, std::vector<Row>& rows) {
    struct Waits {
        std::string call;
        std::uint64_t count = 0;
        double microseconds = 0;
    };
    std::vector<Waits> all;
    for (const TimelineSpan& span : spans) {
        if (span.kind != SpanKind::kWait || !(span.microseconds > 0)) continue;
        auto at = std::find_if(all.begin(), all.end(), [&](const Waits& waits) { return waits.call == span.name; });
        if (at == all.end()) at = all.insert(all.end(), {span.name, 0, 0});
        ++at->count;
        at->microseconds += span.microseconds;
    }
    if (all.empty()) return;
    std::stable_sort(all.begin(), all.end(),
                     [](const Waits& a, const Waits& b) { return a.microseconds > b.microseconds; });
    Row row{.key = "waiting_calls", .label = "", .is_part = true, .shown = Shown::kInFull};
    row.source = RowSource::kModelled;
    for (const Waits& waits : all) {
        row.text += (row.text.empty() ? "the host waits in " : ", ") + printable(waits.call) + " (" +
                    counted(waits.count, "time") + ", " + microseconds_text(waits.microseconds) + ")";
        row.values.push_back({"wait", waits.microseconds, Unit::kMicroseconds, {}, printable(waits.call)});
    }
    rows.push_back(std::move(row));
}

void add_time_line(const TimelineTotals& totals, std::vector<Row>& rows) {
    const auto part = [&](std::string_view key, std::string text, std::vector<Value> values) {
        rows.push_back(
            {.key = key, .label = "", .text = std::move(text), .is_part = true, .values = std::move(values)});
        rows.back().source = RowSource::kModelled;
    };
    rows.push_back({.key = "time_line",
                    .label = "timeline",
                    .text = microseconds_text(totals.microseconds) + ": kernels " + microseconds_text(totals.kernels) +
                            ", copies " + microseconds_text(totals.copies) + ", host waits " +
                            microseconds_text(totals.host_waits),
                    .values = {{"time", totals.microseconds, Unit::kMicroseconds},
                               {"kernels", totals.kernels, Unit::kMicroseconds},
                               {"copies", totals.copies, Unit::kMicroseconds},
                               {"host_waits", totals.host_waits, Unit::kMicroseconds}},
                    .source = RowSource::kModelled});
    if (totals.copies > 0) {
        const double hidden = totals.hidden / totals.copies;
        part("hidden_copies", percent(hidden) + " of the copy time overlaps kernels",
             {{"hidden", hidden, Unit::kShare}});
    }
    if (totals.graph_launches != 0)
        part("graph_launches", counted(totals.graph_launches, "launch", "launches") + " of graphs",
             {{"launches", totals.graph_launches, Unit::kLaunches}});
    if (totals.until)
        part("time_line_end", "it ends before launch " + std::to_string(*totals.until) + ", whose time is not known",
             {});
}

void add_event_times(const EventTimes& times, std::vector<Row>& rows) {
    const std::string modelled = counted(times.modelled, "time") + " of the modeled timeline";
    if (times.estimated == 0) {
        rows.push_back({.key = "event_times", .label = "event times", .text = modelled});
        return;
    }
    rows.push_back(
        {.key = "event_times",
         .label = "event times",
         .text = counted(times.estimated, "estimate") + " from counts and peak rates: this run has no modeled time",
         .source = RowSource::kEstimated});
    if (times.modelled != 0) rows.push_back({.key = "event_times", .label = "", .text = modelled, .is_part = true});
}

}  // namespace

void add_work(const Profile& profile, std::vector<Section>& sections) {
    const bool has_graphs = profile.timeline_totals && profile.timeline_totals->graph_launches != 0;
    if (profile.transfers.empty() && profile.advice.empty() && !profile.pages && !has_graphs && !profile.event_times)
        return;
    Section section{SectionKind::kWork, "host and device"};
    add_copies(profile, section.rows);
    if (profile.pages) add_pages(*profile.pages, section.rows);
    if (profile.timeline_totals) {
        add_time_line(*profile.timeline_totals, section.rows);
        add_waits(profile.timeline, section.rows);
        add_advice(profile.advice, profile.timeline_totals->microseconds, section.rows);
    }
    if (profile.event_times) add_event_times(*profile.event_times, section.rows);
    sections.push_back(std::move(section));
}

}  // namespace tilescope::views

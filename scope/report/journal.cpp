#include "scope/report/journal.h"

#include <fmt/format.h>
#include <nlohmann/json.hpp>
#include <utility>

#include "scope/report/enums.h"
#include "scope/report/json_parts.h"

namespace tilescope::report {
namespace {

using Json = nlohmann::ordered_json;

std::string line(const char* what, Json value) {
    Json object;
    object[what] = std::move(value);
    // Names of files may be any bytes; what is not UTF-8 becomes U+FFFD rather than an exception.
    return object.dump(-1, ' ', false, Json::error_handler_t::replace) + "\n";
}

Json head_json(const Profile& profile) {
    Json checks = Json::array();
    for (const Check check : profile.checks) checks.push_back(name_of(check));
    return {{"tilescope", profile.tilescope_version}, {"device", profile.device}, {"program", profile.program},
            {"compiler", profile.compiler},           {"jobs", profile.jobs},     {"checks", checks},
            {"auto_checks", profile.checks_are_auto}};
}

// Comes with every launch, and is therefore written by hand.
std::string totals_line(const TimelineTotals& totals) {
    std::string text =
        fmt::format(R"({{"overlap":{{"microseconds":{},"kernels":{},"copies":{},"hidden":{},"host_waits":{})",
                    totals.microseconds, totals.kernels, totals.copies, totals.hidden, totals.host_waits);
    if (totals.graph_launches != 0) text += fmt::format(R"(,"graph_launches":{})", totals.graph_launches);
    if (totals.left_out != 0) text += fmt::format(R"(,"left_out":{})", totals.left_out);
    if (totals.until) text += fmt::format(R"(,"until":{})", *totals.until);
    return text + "}}\n";
}

}  // namespace

std::string JournalWriter::news(const Profile& profile) {
    std::string text;
    if (!std::exchange(begun_, true)) text += line("head", head_json(profile));
    for (; diagnostics_ < profile.diagnostics.size(); ++diagnostics_)
        text += diagnostic_line(profile.diagnostics[diagnostics_]);
    if (profile.trace && !std::exchange(traced_, true)) text += line("trace", phases_json(*profile.trace));
    text += code_lines(profile);
    for (; launches_ < profile.launches.size(); ++launches_) text += launch_line(profile.launches[launches_]);
    // A later line of the same number replaces the earlier one.
    hazards_.resize(profile.hazards.size(), 0);
    for (std::size_t i = 0; i < hazards_.size(); ++i) {
        if (hazards_[i] == profile.hazards[i].count) continue;
        hazards_[i] = profile.hazards[i].count;
        Json json = hazard_json(profile.hazards[i]);
        json["number"] = i;
        text += line("hazard", std::move(json));
    }
    text += work_lines(profile);
    if (profile.outcome != std::exchange(outcome_, profile.outcome)) text += line("outcome", name_of(profile.outcome));
    if (profile.unfinished && profile.unfinished->index != begun_launch_) text += begin_line(*profile.unfinished);
    return text;
}

// Lines that come with every launch are written by hand: programs launch very often.
std::string JournalWriter::begin_line(const UnfinishedLaunch& launch) {
    begun_launch_ = launch.index;
    if (under_way_ && under_way_->kernel == launch.kernel && under_way_->grid == launch.grid &&
        under_way_->block == launch.block)
        return fmt::format("{{\"begun_again\":{{\"index\":{}}}}}\n", launch.index);
    under_way_ = launch;
    return line("under_way", unfinished_json(launch));
}

std::string JournalWriter::work_lines(const Profile& profile) {
    std::string text;
    transfers_.resize(profile.transfers.size(), 0);
    for (std::size_t i = 0; i < transfers_.size(); ++i) {
        const Transfer& transfer = profile.transfers[i];
        if (transfers_[i] == transfer.count) continue;
        transfers_[i] = transfer.count;
        Json json = transfer_json(transfer);
        json["number"] = i;
        for (const CodePlace& place : transfer.called_from) json["called_from"].push_back(code_place_json(place));
        text += line("transfer", std::move(json));
    }
    for (; spans_ < profile.timeline.size(); ++spans_) text += line("span", span_json(profile.timeline[spans_]));
    if (profile.timeline_totals && profile.timeline_totals != totals_) {
        totals_ = profile.timeline_totals;
        text += totals_line(*profile.timeline_totals);
    }
    if (profile.event_times && profile.event_times != event_times_) {
        event_times_ = profile.event_times;
        text += line("event_times", event_times_json(*profile.event_times));
    }
    if (profile.pages && profile.pages != pages_) {
        pages_ = profile.pages;
        text += line("pages", pages_json(*profile.pages));
    }
    return text;
}

std::string JournalWriter::code_lines(const Profile& profile) {
    std::string text;
    for (std::size_t i = 0; i < profile.code.size(); ++i) {
        const KernelCode& code = profile.code[i];
        const bool is_new = i >= code_.size();
        if (!is_new && code_[i] == code.is_one_of_several) continue;
        if (is_new) code_.push_back(false);
        code_[i] = code.is_one_of_several;
        text += line("code", code_json(code));
    }
    return text;
}

std::string JournalWriter::launch_line(const LaunchProfile& launch) {
    constexpr std::size_t kRecent = 16;
    for (LaunchProfile& earlier : recent_) {
        if (earlier.entry != launch.entry) continue;
        const std::uint32_t of = std::exchange(earlier.index, launch.index);
        const double seconds = std::exchange(earlier.seconds, launch.seconds);
        const std::uint32_t graph = std::exchange(earlier.graph, launch.graph);
        const bool same = earlier == launch;
        earlier.index = of;
        earlier.seconds = seconds;
        earlier.graph = graph;
        if (same)
            return fmt::format(R"({{"again":{{"index":{},"of":{},"seconds":{},"graph":{}}}}})"
                               "\n",
                               launch.index, of, launch.seconds, launch.graph);
    }
    if (recent_.size() < kRecent)
        recent_.push_back(launch);
    else
        recent_[next_recent_++ % kRecent] = launch;
    return line("launch", launch_json(launch));
}

std::string process_line(const ProcessOfRun& process) { return line("process", process_json(process)); }

std::string writer_lines(std::string_view writer) { return "\n" + line("by", std::string(writer)); }

std::string diagnostic_line(const Diagnostic& diagnostic) { return line("diagnostic", diagnostic_json(diagnostic)); }

std::string failed_call_line(std::uint32_t number, const FailedCall& failed) {
    Json json = failed_call_json(failed);
    json["number"] = number;
    for (const CodePlace& place : failed.called_from) json["called_from"].push_back(code_place_json(place));
    return line("failed_call", std::move(json));
}

}  // namespace tilescope::report

// The reading side of the journal.
#include <algorithm>
#include <array>
#include <charconv>
#include <map>
#include <nlohmann/json.hpp>
#include <optional>
#include <utility>

#include "scope/report/clean.h"
#include "scope/report/enums.h"
#include "scope/report/fields_profile.h"
#include "scope/report/journal.h"
#include "scope/report/json_reader.h"

namespace tilescope::report {
namespace {

// A launch that came out as an earlier one, without a tree of JSON; nothing where the line is none of ours.
struct Again {
    LaunchMarks marks;
    std::uint32_t of = 0;
};

std::optional<Again> again_in(std::string_view line) {
    Again again;
    const auto take = [&](std::string_view before, auto& value) {
        if (!line.starts_with(before)) return false;
        line.remove_prefix(before.size());
        const auto [end, failed] = std::from_chars(line.data(), line.data() + line.size(), value);
        if (failed != std::errc{}) return false;
        line.remove_prefix(static_cast<std::size_t>(end - line.data()));
        return true;
    };
    const bool is_one = take(R"({"again":{"index":)", again.marks.index) && take(R"(,"of":)", again.of) &&
                        take(R"(,"seconds":)", again.marks.seconds) && take(R"(,"graph":)", again.marks.graph) &&
                        line == "}}";
    return is_one ? std::optional(again) : std::nullopt;
}

// Puts a profile together, line by line.
class Gatherer {
public:
    explicit Gatherer(const std::string& name) : errors_(name, profile_error) {}

    void take(std::string_view line, std::size_t number) {
        // Of these only the last counts.
        for (Waiting& waiting : waiting_)
            if (line.starts_with(waiting.begin)) {
                waiting.line = line;
                waiting.number = number;
                return;
            }
        if (const auto again = again_in(line)) return this->again(again->marks, again->of, number);
        take_json(line, number);
    }

    Result<Profile> finish() {
        take_waiting();
        if (!errors_.all().empty()) return errors_.all();
        for (auto& [number, hazard] : hazards_) profile_.hazards.push_back(std::move(hazard));
        for (auto& [number, failed] : failed_) profile_.failed_calls.push_back(std::move(failed));
        for (auto& [number, transfer] : transfers_) profile_.transfers.push_back(std::move(transfer));
        end_line();
        forget_short_line();
        clean(profile_);
        return std::move(profile_);
    }

private:
    static constexpr double kAlike = 1.001;  // numeric: sums of the same figures

    void take_json(std::string_view text, std::size_t number) {
        const auto line = nlohmann::json::parse(text, nullptr, /*allow_exceptions=*/false);
        const std::string path = "line " + std::to_string(number) + ".";
        const std::string what = line.is_object() && line.size() == 1 ? line.begin().key() : std::string();
        if (what == "outcome") return JsonReader(errors_, line, path).field("outcome", profile_.outcome);
        if (what.empty()) return errors_.add(path, "is no line of a journal");
        const nlohmann::json& value = line.begin().value();
        if (!value.is_object()) return errors_.add(path + what, "is not an object");
        JsonReader reader(errors_, value, path);
        if (what == "head") return head(reader);
        if (what == "launch") return launch(reader);
        if (what == "again") return again(reader, number);
        if (what == "hazard") return hazard(reader);
        if (what == "diagnostic") return describe(reader, profile_.diagnostics.emplace_back());
        if (what == "failed_call") return failed_call(reader);
        if (what == "transfer") return transfer(reader);
        if (what == "span") return span(reader);
        if (what == "overlap") return describe(reader, totals_.emplace());
        if (what == "event_times") return describe(reader, profile_.event_times.emplace());
        if (what == "pages") return describe(reader, profile_.pages.emplace());
        if (what == "code") return code(reader);
        if (what == "trace") return describe(reader, profile_.trace.emplace());
        if (what == "begun_again") return begun_again(reader, path);
        if (what == "under_way")
            describe(reader, under_way_.emplace()), profile_.unfinished = under_way_;
        else if (what != "process")
            errors_.add(path + what, "is no line of a journal");
    }

    // Lines of which a later one takes the place of an earlier, unread until it is known which is the last.
    struct Waiting {
        std::string_view begin, line;
        std::size_t number = 0;
    };
    void take_waiting() {
        for (Waiting& waiting : waiting_)
            if (const std::string_view line = std::exchange(waiting.line, {}); !line.empty())
                take_json(line, waiting.number);
    }
    void launch_ended() {
        profile_.unfinished.reset();
        waiting_[1].line = {};
    }

    // A program that replaces itself by another begins anew: its launches follow those that were.
    void head(JsonReader& reader) {
        take_waiting();
        first_launch_ = static_cast<std::uint32_t>(profile_.launches.size());
        for (std::size_t i = 0; i < profile_.launches.size(); ++i)
            first_graph_ = std::max(first_graph_, profile_.launches.marks(i).graph);
        under_way_.reset();
        for (const TimelineSpan& span : profile_.timeline) first_graph_ = std::max(first_graph_, span.graph);
        first_failed_ = static_cast<std::uint32_t>(failed_.size());
        first_hazard_ = static_cast<std::uint32_t>(hazards_.size());
        first_transfer_ = static_cast<std::uint32_t>(transfers_.size());
        end_line();
        if (std::exchange(has_head_, true)) return;
        reader.field("tilescope", profile_.tilescope_version);
        reader.field("device", profile_.device);
        reader.field("program", profile_.program);
        reader.field("compiler", profile_.compiler);
        reader.field("jobs", profile_.jobs);
        reader.field("checks", profile_.checks);
    }

    void launch(JsonReader& reader) {
        LaunchProfile launch;
        describe(reader, launch);
        add(std::move(launch));
    }

    // A launch that came out as an earlier one.
    void again(JsonReader& reader, std::size_t number) {
        std::uint32_t of = 0;
        LaunchMarks marks;
        reader.field("of", of);
        reader.field("index", marks.index);
        reader.field("seconds", marks.seconds);
        reader.field("graph", marks.graph);
        again(marks, of, number);
    }

    void again(LaunchMarks marks, std::uint32_t of, std::size_t number) {
        const auto earlier = place_of(first_launch_ + of);
        if (!earlier) return errors_.add("line " + std::to_string(number) + ".of", "is no launch of this journal");
        const LaunchProfile& same = std::as_const(profile_.launches)[*earlier];
        if (!same.hazards.empty()) {  // which somebody may hide, one by one
            LaunchProfile launch = same;
            launch.index = marks.index;
            launch.seconds = marks.seconds;
            launch.graph = marks.graph;
            return add(std::move(launch));
        }
        marks.index += first_launch_;
        if (marks.graph != 0) marks.graph += first_graph_;
        profile_.seconds += marks.seconds;
        profile_.launches.push_again(*earlier, marks);
        launch_ended();
    }

    // Of a launch of the program that writes: mostly where its index says.
    std::optional<std::size_t> place_of(std::uint32_t index) const {
        const LaunchList& launches = profile_.launches;
        if (index < launches.size() && launches.marks(index).index == index) return index;
        for (std::size_t i = first_launch_; i < launches.size(); ++i)
            if (launches.marks(i).index == index) return i;
        return std::nullopt;
    }

    void begun_again(JsonReader& reader, const std::string& path) {
        if (!under_way_) return errors_.add(path + "begun_again", "is of no launch of this journal");
        reader.field("index", under_way_->index);
        profile_.unfinished = under_way_;
    }

    void add(LaunchProfile launch) {
        launch.index += first_launch_;
        if (launch.graph != 0) launch.graph += first_graph_;
        profile_.seconds += launch.seconds;
        profile_.launches.push_back(std::move(launch));
        launch_ended();
    }

    void hazard(JsonReader& reader) {
        Hazard hazard;
        describe(reader, hazard);
        std::uint32_t number = 0;
        reader.field("number", number);
        hazards_[std::uint64_t{first_hazard_} + number] = std::move(hazard);
    }

    // A kernel's may come again, and a program that replaces itself may have another one of that name.
    void code(JsonReader& reader) {
        KernelCode code;
        describe(reader, code);
        for (KernelCode& known : profile_.code) {
            if (known.entry != code.entry) continue;
            known.is_one_of_several = known.is_one_of_several || code.is_one_of_several || code.lines != known.lines;
            return;
        }
        profile_.code.push_back(std::move(code));
    }

    void failed_call(JsonReader& reader) {
        FailedCall failed;
        describe(reader, failed);
        std::uint32_t number = 0;
        reader.field("number", number);
        reader.field("called_from", failed.called_from);
        failed_[std::uint64_t{first_failed_} + number] = std::move(failed);
    }

    void transfer(JsonReader& reader) {
        Transfer transfer;
        describe(reader, transfer);
        std::uint32_t number = 0;
        reader.field("number", number);
        reader.field("called_from", transfer.called_from);
        transfers_[std::uint64_t{first_transfer_} + number] = std::move(transfer);
    }

    void span(JsonReader& reader) {
        TimelineSpan& span = profile_.timeline.emplace_back();
        describe(reader, span);
        span.begin += line_begins_;
        if (span.launch) *span.launch += first_launch_;
        if (span.graph != 0) span.graph += first_graph_;
    }

    // A program that is ended takes with it what was under way: where a launch takes longer than all of the time line's
    // kernels, it is not among them, and the line would say that nothing ran.
    void forget_short_line() {
        const auto& line = profile_.timeline_totals;
        if (!line || line->until) return;
        for (const LaunchProfile& launch : std::as_const(profile_.launches).distinct())
            if (launch.time && launch.time->microseconds > line->kernels * kAlike)
                return profile_.timeline_totals.reset();
    }

    // The time line of a program that replaces another one begins where that one's ends.
    void end_line() {
        if (!totals_) return;
        TimelineTotals& all = profile_.timeline_totals ? *profile_.timeline_totals : profile_.timeline_totals.emplace();
        all.microseconds += totals_->microseconds;
        all.kernels += totals_->kernels;
        all.copies += totals_->copies;
        all.hidden += totals_->hidden;
        all.host_waits += totals_->host_waits;
        all.left_out += totals_->left_out;
        all.graph_launches += totals_->graph_launches;
        if (!all.until && totals_->until) all.until = *totals_->until + first_launch_;
        line_begins_ = all.microseconds;
        totals_.reset();
    }

    JsonErrors errors_;
    Profile profile_;
    std::map<std::uint64_t, Transfer> transfers_;
    std::optional<UnfinishedLaunch> under_way_;  // the last that was told in full
    std::array<Waiting, 2> waiting_{{{R"({"overlap":)", {}}, {R"({"begun_again":)", {}}}};
    std::optional<TimelineTotals> totals_;  // of the program that writes
    double line_begins_ = 0;
    std::uint32_t first_transfer_ = 0;
    bool has_head_ = false;
    std::uint32_t first_launch_ = 0, first_graph_ = 0, first_failed_ = 0, first_hazard_ = 0;
    std::map<std::uint64_t, FailedCall> failed_;
    std::map<std::uint64_t, Hazard> hazards_;
};

}  // namespace

std::optional<int> first_process(std::string_view journal) {
    const auto json = nlohmann::json::parse(journal.substr(0, journal.find('\n')), nullptr, /*allow_exceptions=*/false);
    if (!json.is_object() || !json.contains("process") || !json["process"].is_object()) return std::nullopt;
    const auto id = json["process"].find("id");
    if (id == json["process"].end() || !id->is_number_integer()) return std::nullopt;
    return id->get<int>();
}

Result<Profile> read_journal(std::string_view journal, const std::string& name) {
    Gatherer gatherer(name);
    std::size_t number = 0;
    for (std::size_t end; (end = journal.find('\n')) != std::string_view::npos; journal.remove_prefix(end + 1)) {
        gatherer.take(journal.substr(0, end), ++number);
    }
    return gatherer.finish();
}

}  // namespace tilescope::report

// The reading side of the journal.
#include <algorithm>
#include <array>
#include <charconv>
#include <map>
#include <nlohmann/json.hpp>
#include <optional>
#include <set>
#include <utility>
#include <vector>

#include "scope/report/clean.h"
#include "scope/report/enums.h"
#include "scope/report/fields_profile.h"
#include "scope/report/journal.h"
#include "scope/report/journal_lines.h"
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
        end_process();
        if (!errors_.all().empty()) return errors_.all();
        for (auto& [number, hazard] : hazards_) profile_.hazards.push_back(std::move(hazard));
        for (auto& [number, failed] : failed_) profile_.failed_calls.push_back(std::move(failed));
        for (auto& [number, transfer] : transfers_) profile_.transfers.push_back(std::move(transfer));
        profile_.outcome = outcome_;
        profile_.unfinished = unfinished_;
        profile_.event_times = event_times_;
        profile_.pages = pages_;
        list_processes();
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
        if (what == "process") return process(reader);
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
        if (what == "under_way") return under_way(reader);
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

    void process(JsonReader& reader) {
        end_process();
        describe(reader, processes_.emplace_back());
    }

    // The next one begins anew: its launches follow those that were.
    void end_process() {
        take_waiting();
        add_pages();
        const auto launches = static_cast<std::uint32_t>(profile_.launches.size());
        if (!processes_.empty()) processes_.back().launches = launches - first_launch_;
        first_launch_ = launches;
        for (std::size_t i = 0; i < profile_.launches.size(); ++i)
            first_graph_ = std::max(first_graph_, profile_.launches.marks(i).graph);
        under_way_.reset();
        for (const TimelineSpan& span : profile_.timeline) first_graph_ = std::max(first_graph_, span.graph);
        first_failed_ = first_free(failed_);
        first_hazard_ = first_free(hazards_);
        first_transfer_ = first_free(transfers_);
        outcome_ = std::max(outcome_, std::exchange(profile_.outcome, Outcome::kOk));
        if (!unfinished_) unfinished_ = profile_.unfinished;
        profile_.unfinished.reset();
        add_event_times();
        end_line();
    }

    template <class T>
    static std::uint32_t first_free(const std::map<std::uint64_t, T>& numbered) {
        return numbered.empty() ? 0 : static_cast<std::uint32_t>(numbered.rbegin()->first + 1);
    }

    void add_event_times() {
        if (!profile_.event_times) return;
        EventTimes& all = event_times_ ? *event_times_ : event_times_.emplace();
        all.modelled += profile_.event_times->modelled;
        all.estimated += profile_.event_times->estimated;
        profile_.event_times.reset();
    }

    // Managed memory is each process's own; what one has is gone before the next one has some.
    void add_pages() {
        if (!profile_.pages) return;
        PageReport one = *std::exchange(profile_.pages, std::nullopt);
        for (LaunchPages& launch : one.launches) launch.launch += first_launch_;
        if (!pages_) {
            pages_ = one;
            return;
        }
        for (std::uint64_t PageReport::*most :
             {&PageReport::managed_bytes, &PageReport::touched_bytes, &PageReport::resident_bytes})
            (*pages_).*most = std::max((*pages_).*most, one.*most);
        pages_->room_bytes = std::min(pages_->room_bytes, one.room_bytes);
        pages_->unseen_bytes = std::max(pages_->unseen_bytes, one.unseen_bytes);
        pages_->left_out += one.left_out;
        add_moves(one.total, pages_->total);
        if (pages_->trouble == PageTrouble::kNone) {
            pages_->trouble = one.trouble;
            pages_->message = one.message;
        }
        pages_->launches.insert(pages_->launches.end(), one.launches.begin(), one.launches.end());
    }

    static void add_moves(const PageMoves& some, PageMoves& all) {
        for (std::uint64_t PageMoves::*count :
             {&PageMoves::faults, &PageMoves::refaults, &PageMoves::refaults_evicted, &PageMoves::host_faults,
              &PageMoves::to_device_bytes, &PageMoves::to_host_bytes, &PageMoves::prefetched_in_bytes,
              &PageMoves::prefetched_back_bytes, &PageMoves::evicted_bytes, &PageMoves::mapped_bytes})
            all.*count += some.*count;
        all.device_stall_microseconds += some.device_stall_microseconds;
        all.host_stall_microseconds += some.host_stall_microseconds;
    }

    // Those that used the device.
    void list_processes() {
        std::vector<std::uint32_t> places;
        for (const ProcessOfRun& process : processes_) {
            places.push_back(static_cast<std::uint32_t>(profile_.processes.size()));
            if (used_.count(places.size() - 1) != 0) profile_.processes.push_back(process);
        }
        if (profile_.processes.size() < 2) profile_.processes.clear();
        for (LaunchProfile& launch : profile_.launches.distinct())
            launch.process = profile_.processes.empty() || launch.process >= places.size() ? 0 : places[launch.process];
    }

    void under_way(JsonReader& reader) {
        describe(reader, under_way_.emplace());
        profile_.unfinished = under_way_;
        profile_.unfinished->index += first_launch_;
    }

    std::uint32_t current() const { return processes_.empty() ? 0 : static_cast<std::uint32_t>(processes_.size() - 1); }

    void head(JsonReader& reader) {
        if (processes_.empty()) processes_.emplace_back();
        if (used_.count(current()) != 0) {
            end_process();
            processes_.push_back(processes_.back());
            processes_.back().how = ProcessBegin::kReplaced;
        }
        used_.insert(current());
        if (std::exchange(has_head_, true)) return;
        reader.field("tilescope", profile_.tilescope_version);
        reader.field("device", profile_.device);
        reader.field("program", profile_.program);
        reader.field("compiler", profile_.compiler);
        reader.field("jobs", profile_.jobs);
        reader.field("checks", profile_.checks);
        reader.field("auto_checks", profile_.checks_are_auto);
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
        profile_.unfinished->index += first_launch_;
    }

    void add(LaunchProfile launch) {
        launch.index += first_launch_;
        launch.process = current();
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
    // Of all processes that ended.
    std::vector<ProcessOfRun> processes_;
    std::set<std::size_t> used_;  // of these, that used the device
    Outcome outcome_ = Outcome::kOk;
    std::optional<UnfinishedLaunch> unfinished_;
    std::optional<EventTimes> event_times_;
    std::optional<PageReport> pages_;
    std::uint32_t first_launch_ = 0, first_graph_ = 0, first_failed_ = 0, first_hazard_ = 0;
    std::map<std::uint64_t, FailedCall> failed_;
    std::map<std::uint64_t, Hazard> hazards_;
};

}  // namespace

Result<Profile> read_journal(std::string_view journal, const std::string& name) {
    Gatherer gatherer(name);
    for (const auto& lines : lines_by_writer(journal))
        for (const JournalLine& line : lines) gatherer.take(line.text, line.number);
    return gatherer.finish();
}

}  // namespace tilescope::report

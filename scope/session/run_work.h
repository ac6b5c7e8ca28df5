// RunWork: what a host program asks of the device beside launches, put on the modelled time line with them.
//
// Owns: RunWork. Guarantees: a program that copies a million times has as many entries as places that copy; the time
// line's list of spans ends at kMaxSpans, its totals do not. A launch whose time is not known ends the time line there;
// beyond, and where there is none, times between events are estimates of the counts and the device's peaks, never of
// the clock of the machine that emulates. Does not model: what models::Timeline does not.
#pragma once

#include <functional>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <tuple>
#include <vector>

#include "scope/machine/run_observer.h"
#include "scope/models/timeline/host_link.h"
#include "scope/models/timeline/timeline.h"
#include "scope/report/profile.h"

namespace tilescope {

class RunWork : public machine::RunObserver {
public:
    static constexpr std::size_t kMaxSpans = 4096, kMaxTransfers = 1000;

    // has_time_line: launches will say how long they take.
    RunWork(const machine::Memory& memory, const models::Device& device, bool has_time_line);

    // Who knows the host's calls: `site` gives the address behind the one under way, `place_of` where that lies.
    void set_site(std::function<std::uint64_t()> site, std::function<CodePlace(std::uint64_t)> place_of);
    void add_launch(const LaunchProfile& launch, std::uint64_t blocks_at_once);
    // What a prefetch of managed memory moves.
    void add_prefetch(const machine::Issue& issue, bool to_device, std::uint64_t bytes);
    // What is reached across the link in passing, at the pace of a copy.
    double link_microseconds(std::uint64_t bytes) const;
    // How long kernels, or the host, stand still for page faults that bring so many bytes.
    double fault_microseconds(std::uint64_t faults, std::uint64_t bytes) const {
        return models::fault_microseconds(device_.pages, faults, bytes);
    }
    // The next launch, copy or set stands still so long for its page faults.
    void add_stall(double microseconds) { stall_ += microseconds; }
    // So long the host did, before its next call.
    void add_host_stall(double microseconds);
    // Milliseconds between two events' records on the time line, whose work is complete from here on. Nothing for an
    // event that was never recorded.
    std::optional<double> elapsed(std::uint64_t first, std::uint64_t last);
    // Puts what came since the last call into the profile. `at_end`: all work comes to its end first.
    void tell(Profile& profile, bool at_end);

    void on_release(const machine::AllocationEvent& event) override;
    void on_set(const machine::SetEvent& event) override;
    void on_copy(const machine::CopyEvent& event) override;
    void on_stream(const machine::StreamEvent& event) override;
    void on_graph_launch(const machine::GraphLaunchEvent& event) override;

private:
    struct Name {
        SpanKind kind = SpanKind::kWait;
        std::string text;
        std::optional<std::uint32_t> launch;
        std::uint64_t bytes = 0;
        std::uint32_t graph = 0;
    };
    using Key = std::tuple<std::uint64_t, CopyDirection, HostMemory, std::uint32_t, bool>;

    // Whether what comes is of the modelled time line rather than an estimate for events alone.
    bool draws() const { return has_time_line_ && !until_; }
    double call_microseconds(models::HostCall call) const { return models::call_microseconds(device_.host, call); }
    // The host is busy with the call that asks for work, unless a graph's launch asks for all of it.
    void spend(models::HostCall call, std::uint32_t graph) {
        if (graph == 0) line_.spend(call_microseconds(call));
    }
    void on_graph_event(const machine::StreamEvent& event);
    void begin_of_graph(const machine::Issue& issue) {
        if (issue.graph != 0) begun_.insert(issue.stream);
    }
    void add_estimate(const LaunchProfile& launch, std::uint64_t blocks_at_once, double stall);
    double kernel_microseconds(const LaunchProfile& launch);
    bool is_repeated(const machine::CopyEvent& event, const std::optional<machine::Allocation>& target);
    void copied(const machine::CopyEvent& event, CopyDirection direction, HostMemory memory, double microseconds,
                bool repeated);
    void draw_copy(const machine::CopyEvent& event, CopyDirection direction, HostMemory memory, double microseconds);
    std::uint64_t name(Name name);
    // `wait(tag)` tells of the wait within the call, if there was anything to wait for.
    template <class Wait>
    void wait(const char* call, Wait&& wait) {
        const std::uint64_t tag = name({SpanKind::kWait, call, {}, 0});
        wait(tag);
        names_.erase(tag);
    }
    void wait_for_stream(std::uint32_t stream, const char* call) {
        wait(call, [&](std::uint64_t tag) { line_.synchronize_stream(stream, tag); });
    }
    void ended(const models::TimedSpan& span);

    const machine::Memory& memory_;
    const models::Device& device_;
    std::optional<models::LinkFigures> link_;
    bool has_time_line_;
    models::LinkFigures pace_;  // the link's, or an estimate of it
    models::Timeline line_;
    std::optional<std::uint32_t> until_;  // the launch whose time is not known
    double modelled_until_ = 0;           // when that began
    TimelineTotals totals_;               // of the time line before it
    EventTimes event_times_;
    bool has_work_ = false;
    std::function<std::uint64_t()> site_;
    std::function<CodePlace(std::uint64_t)> place_of_;
    std::map<Key, std::size_t> places_;
    std::vector<Transfer> transfers_;
    // By allocation and address: bytes that copies from the host have brought there at once, at most.
    std::map<std::pair<std::uint64_t, std::uint64_t>, std::uint64_t> brought_;
    std::vector<std::size_t> changed_;     // transfers since the last tell()
    std::map<std::uint64_t, Name> names_;  // of what is under way, by tag
    std::uint64_t next_tag_ = 0;
    std::vector<TimelineSpan> spans_;  // since the last tell()
    std::uint64_t told_ = 0, left_out_ = 0;
    double stall_ = 0;
    double launch_cycles_ = 0;  // that every launch takes
    std::uint64_t graph_launches_ = 0;
    // Of the graph's launch under way: streams with work of it before what comes next, and events behind such work.
    std::set<std::uint32_t> begun_;
    std::set<std::uint64_t> work_events_;
};

}  // namespace tilescope

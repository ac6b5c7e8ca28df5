// StreamRaces: pieces of work on different streams that touch the same bytes while nothing orders them.
//
// Owns: StreamRaces and what it found. Guarantees: kernels are compared by the bytes that they really touched, so work
// on different parts of one buffer is no race; atomics of two kernels are none either. Found whatever order ran. Of the
// host's own accesses, those that it is told of (machine::HostAccessEvent) are held against work that the host has not
// waited for. A kernel that begins before the end of the one before it (programmatic launch) is held against that, but
// for what its warps touch behind their wait. Does not model: kernels further back that such a one may overlap; work
// beyond what may be noted, of which the latest is kept.
#pragma once

#include <atomic>
#include <cstdint>
#include <deque>
#include <functional>
#include <map>
#include <mutex>
#include <optional>
#include <string>
#include <vector>

#include "scope/machine/run_observer.h"
#include "scope/observers/hazards/stream_order.h"
#include "scope/observers/hazards/touched_pages.h"

namespace tilescope::observers {

enum class WorkKind : std::uint8_t { kKernel, kCopy, kSet, kAllocation, kRelease };

// A place in the source of a kernel; line 0: not known, or several.
struct SourceLine {
    std::string file;
    std::uint32_t line = 0;
};

// One end of a race.
struct StreamWork {
    WorkKind kind = WorkKind::kKernel;
    std::string kernel;
    std::uint32_t stream = 0;
    std::uint32_t graph = 0;  // as machine::Issue has it
    std::uint64_t site = 0;   // of the host's call, as site() gave it
    Touch touch = Touch::kRead;
    SourceLine line;
};

struct StreamRace {
    StreamWork first, second;  // in order of issue
    std::uint64_t offset = 0;  // of the first byte that they share, within the allocation
    std::optional<machine::Allocation> allocation;
    bool is_early =
        false;  // the second began before the end of the first and did not wait for it (programmatic launch)
};

// A copy that need not have waited, but did.
struct PageableCopy {
    std::uint64_t site = 0;
    std::uint64_t bytes = 0;
    std::uint32_t stream = 0;
};

// The host itself touches what work that it has not waited for may still use.
struct HostRace {
    StreamWork work;
    std::uint64_t site = 0;  // of the host's access
    bool writes = false;
    std::uint64_t offset = 0;
    std::optional<machine::Allocation> allocation;
    bool is_by_function = false;  // that a stream or a graph calls
};

struct StreamFindings {
    std::vector<StreamRace> races;
    std::vector<HostRace> host_races;
    std::vector<PageableCopy> copies;
};

class StreamRaces : public machine::RunObserver {
public:
    explicit StreamRaces(machine::Memory& memory) : memory_(memory) {}

    // Asked at each piece of work for what names the host's call.
    void set_site(std::function<std::uint64_t()> site) { site_ = std::move(site); }
    bool has_news() const { return has_news_.load(std::memory_order_acquire); }
    // What was found since it was last asked.
    StreamFindings take();
    // Work that was no longer compared with what came later, for want of room.
    std::uint64_t forgotten() const { return forgotten_; }

    // Whole pages of memory that the host sees and that work which it has not waited for uses, by address. With a
    // stream: that work uses which this stream does not wait for either.
    std::vector<machine::UsedPages> pages_in_use(std::optional<std::uint32_t> stream = {});
    // Changes whenever that may.
    std::uint64_t work_version() const { return version_.load(std::memory_order_acquire); }

    void on_allocate(const machine::AllocationEvent& event) override;
    void on_release(const machine::AllocationEvent& event) override;
    void on_set(const machine::SetEvent& event) override;
    void on_copy(const machine::CopyEvent& event) override;
    void on_stream(const machine::StreamEvent& event) override;
    void on_host_access(const machine::HostAccessEvent& event) override;
    std::unique_ptr<machine::Observer> on_launch_begin(const machine::LaunchEvent& event) override;
    void on_launch_end(const machine::LaunchEvent& event, const machine::Observer* seen) override;

private:
    // Work of one call on one stream between two points that others wait for: nothing tells its pieces apart.
    struct Record {
        StreamWork work;
        std::uint64_t first = 0, last = 0, cut = 0;  // numbers on its stream
        const machine::Program* program = nullptr;
        TouchedPages touched;
        std::uint64_t bytes = 0;
    };
    void add(const machine::Issue& issue, WorkKind kind, std::string kernel, const machine::Program* program,
             TouchedPages touched);
    void compare(const Record& first, const Record& second);
    void compare_bytes(const Record& first, const Record& second, bool is_early);
    void forget();
    // Whether the stream's next piece comes after that work.
    bool is_before(const Record& record, std::uint32_t stream);
    void note(HostRace race);

    machine::Memory& memory_;
    std::function<std::uint64_t()> site_;
    StreamOrder order_;
    std::deque<Record> records_;
    std::map<std::uint32_t, Record>
        letting_;  // by stream: its latest piece, if that is a kernel that lets the next begin
    std::uint64_t record_bytes_ = 0, forgotten_ = 0;
    std::mutex mutex_;
    StreamFindings found_;
    std::atomic<std::uint64_t> version_{0};
    std::atomic<bool> has_news_{false};
};

}  // namespace tilescope::observers

// RunObserver: follows a run from launch to launch: allocations, sets and copies of the host, waits, and launches, for
// which it may provide an Observer.
//
// Guarantees: called by one thread at a time, in the order of the actions. Events are valid during the call. Does not
// model: work in flight. All work is done when it is issued, and observers derive its order on hardware from Issue and
// StreamEvent.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string_view>

#include "scope/machine/memory.h"
#include "scope/machine/observer.h"

namespace tilescope::machine {

struct AllocationEvent {
    Allocation allocation;
    Issue issue;
};

// Bytes that lie in rows: row y of slice z begins at address + z * slice + y * pitch.
struct Rows {
    std::uint64_t address = 0;
    std::uint64_t pitch = 0, slice = 0;  // bytes; nothing where there is but one row, or one slice
};
struct RowsExtent {
    std::uint64_t width = 0;  // bytes of a row
    std::uint64_t rows = 1, slices = 1;

    std::uint64_t bytes() const { return width * rows * slices; }
};

struct SetEvent {
    Rows target;
    RowsExtent extent;
    std::uint8_t value = 0;
    Issue issue;
};

// The direction that the call names.
enum class CopyKind : std::uint8_t { kHostToHost, kHostToDevice, kDeviceToHost, kDeviceToDevice, kByAddress };

struct CopyEvent {
    Rows target, source;
    RowsExtent extent;
    CopyKind kind = CopyKind::kByAddress;
    Issue issue;
};

// cudaMemPrefetchAsync of managed memory.
struct PrefetchEvent {
    std::uint64_t address = 0, bytes = 0;
    bool to_device = true;
    Issue issue;
};

// cudaMemAdvise of managed memory. Read mostly asks for no place.
enum class AdviceKind : std::uint8_t { kReadMostly, kPreferred, kAccessedBy };
struct AdviceEvent {
    std::uint64_t address = 0, bytes = 0;
    AdviceKind kind = AdviceKind::kReadMostly;
    bool is_set = true;  // or taken back
    bool is_device = true;
};

// The host itself reads or writes memory that it shares with kernels: of what it does there only what somebody asked
// for (runtime/service/watch/host_watch.h), and of each access the bytes that are known to be touched.
struct HostAccessEvent {
    std::uint64_t address = 0, bytes = 0;
    bool writes = false;
    std::uint64_t site = 0;                 // names the place in the host's code
    std::optional<std::uint32_t> stream{};  // that calls the host's function which does it
};

enum class StreamEventKind : std::uint8_t {
    kCreate,
    kDestroy,            // does not wait
    kRecord,             // the event is what the stream has been given so far
    kWait,               // what comes later on the stream is after the event
    kSynchronizeStream,  // the host knows the stream's work to be done, having waited or asked
    kSynchronizeEvent,   // likewise
    kSynchronizeDevice,
};

struct StreamEvent {
    StreamEventKind kind = StreamEventKind::kCreate;
    std::uint32_t stream = 0;  // as Issue has it
    std::uint64_t event = 0;   // its handle
    bool is_blocking = true;   // kCreate: ordered with the legacy default stream
    std::uint32_t graph = 0;   // as Issue has it: an edge of the graph, or a node, rather than a call
};

// A launch of a graph begins, all of whose work and events follow and carry its number.
struct GraphLaunchEvent {
    std::uint32_t graph = 0;
    std::uint32_t stream = 0;
};

struct LaunchEvent {
    std::uint64_t index = 0;  // counts up from 0
    std::string_view kernel, entry;
    const Program* program = nullptr;
    std::uint32_t grid[3] = {1, 1, 1}, block[3] = {1, 1, 1};
    std::uint64_t shared_bytes = 0;  // of a block, static and dynamic
    bool is_cooperative = false;
    std::span<const std::byte> parameters;  // as the kernel's layout has them
    Issue issue;
    const Memory* memory = nullptr;
    // At the end.
    std::uint64_t blocks_run = 0;  // fewer than the grid has when only a sample runs, or it faulted
    bool has_faulted = false;
};

class RunObserver {
public:
    virtual ~RunObserver() = default;

    // Memory is there from here on: module variables with their initial values, all else zero here and anything on
    // hardware. All kinds are told of, malloc in kernels included.
    virtual void on_allocate(const AllocationEvent&) {}
    virtual void on_release(const AllocationEvent&) {}
    // Before that, while it is still there.
    virtual void on_release_begin(const AllocationEvent&) {}
    // Told before the bytes change.
    virtual void on_set(const SetEvent&) {}
    virtual void on_copy(const CopyEvent&) {}
    // The bytes that the last set or copy has told of have changed.
    virtual void on_changed() {}
    virtual void on_prefetch(const PrefetchEvent&) {}
    virtual void on_advice(const AdviceEvent&) {}
    virtual void on_stream(const StreamEvent&) {}
    virtual void on_graph_launch(const GraphLaunchEvent&) {}
    virtual void on_host_access(const HostAccessEvent&) {}
    // What is to look into the launch that begins; nullptr: nothing. It is the prototype of shards, which merge.
    virtual std::unique_ptr<Observer> on_launch_begin(const LaunchEvent&) { return nullptr; }
    // With what its observer has become; nullptr if there was none. A launch that is refused neither begins nor ends.
    virtual void on_launch_end(const LaunchEvent&, const Observer*) {}
};

}  // namespace tilescope::machine

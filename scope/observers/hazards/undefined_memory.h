// UndefinedMemory: what of the device's memory nobody has defined, over a whole run, for --check init.
//
// Owns: UndefinedBytes of each allocation of device memory, and the values (UndefinedValue) that undefined bits came
// from. Guarantees: fresh memory of cudaMalloc, malloc and arrays is undefined; sets and copies from the host define,
// copies within the device carry over. Does not model: managed, pinned and registered memory and variables of modules,
// which count as defined; the host's own uninitialised memory.
#pragma once

#include <atomic>
#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <mutex>
#include <optional>
#include <set>
#include <string>
#include <tuple>
#include <utility>
#include <vector>

#include "scope/machine/run_observer.h"
#include "scope/observers/hazards/code_place.h"
#include "scope/observers/hazards/skipped_fields.h"
#include "scope/observers/hazards/undefined_bytes.h"
#include "scope/report/hazard_facts.h"

namespace tilescope::observers {

// Where an undefined value came from: all that the same ops read and stored alike are one.
struct UndefinedValue {
    HazardSpace space = HazardSpace::kGlobal;  // kNone: of a lane that takes no part in the shuffle that asked it
    CodePlace read;                            // what read memory that nobody wrote, or asked such a lane
    CodePlace stored;                          // what last wrote the value to memory, if anything did
    bool is_computed = false;                  // rather than copied as it was
    bool is_whole = false;  // all that `stored` wrote was undefined, so it is no padding beside something else
    HazardMemory memory;    // what it was read from; named with the lines
    // Of the first one.
    std::uint64_t address = 0, block = 0;
    std::uint32_t thread = 0;
};

// The values, by numbers from 1.
class UndefinedValues {
public:
    std::uint32_t number_of(const UndefinedValue& value);
    // The same value after arithmetic, or stored by an op.
    std::uint32_t computed(std::uint32_t number);
    std::uint32_t stored(std::uint32_t number, const machine::Program* program, std::uint32_t op, bool is_whole);
    // An op has stored something defined as well: what it stores is meant to be read, and no padding.
    void note_data(const machine::Program* program, std::uint32_t op) { data_.emplace(program, op); }
    // Whether a store that moves data brought the value, as it was and nothing beside it.
    bool is_moved_data(std::uint32_t number) const;
    UndefinedValue& operator[](std::uint32_t number) { return values_[number - 1]; }
    std::uint32_t count() const { return static_cast<std::uint32_t>(values_.size()); }

private:
    using Key = std::tuple<HazardSpace, const void*, std::uint32_t, const void*, std::uint32_t, bool, bool>;
    std::vector<UndefinedValue> values_;
    std::map<Key, std::uint32_t> numbers_;
    std::set<std::pair<const machine::Program*, std::uint32_t>> data_;  // ops that store it
};

enum class HostReadKind : std::uint8_t {
    kNeverWritten,  // all of it
    kPartly,        // some of it was never written
    kMoved,         // some of it was written with what came, as it was, from memory that nobody wrote
    kUndefined,     // some of it was written with a value computed from such
    kSkippedField,  // it holds a field that a thread left out and the others wrote
};

// What the host copied and nobody defined.
struct HostRead {
    HostReadKind kind = HostReadKind::kPartly;
    std::uint64_t site = 0;                  // of the call, as site() gave it
    std::uint64_t bytes = 0, undefined = 0;  // of the copy, and what nobody defined
    std::uint64_t offset = 0;                // of the first such byte within its allocation
    machine::Allocation allocation;
    std::uint32_t value = 0;  // that was stored there; 0: nobody wrote the first of these bytes
    std::optional<SkippedField> skipped{};
};

class UndefinedMemory final : public machine::RunObserver {
public:
    struct Region {
        machine::Allocation allocation;
        UndefinedBytes bytes;
    };

    explicit UndefinedMemory(const machine::Memory& memory) : memory_(memory) {}

    void set_site(std::function<std::uint64_t()> site) { site_ = std::move(site); }
    // The memory that is followed and holds the byte at an address; nothing for other memory.
    std::shared_ptr<Region> find(std::uint64_t address) const;
    // Changes whenever what find() gives does.
    std::uint64_t version() const { return version_.load(std::memory_order_acquire); }
    UndefinedValues& values() { return values_; }
    // Fields that a launch left out, until the host reads them. Those of the latest launch have no lines yet.
    void note_skipped(SkippedField field) { skipped_.push_back(std::move(field)); }
    std::vector<SkippedField>& skipped() { return skipped_; }
    std::uint64_t table_bytes() const;
    // From here on all memory counts as defined.
    void define_all();

    bool has_news() const { return has_news_.load(std::memory_order_acquire); }
    // What the host read since it was last asked.
    std::vector<HostRead> take();

    void on_allocate(const machine::AllocationEvent& event) override;
    void on_release(const machine::AllocationEvent& event) override;
    void on_set(const machine::SetEvent& event) override;
    void on_copy(const machine::CopyEvent& event) override;
    void on_launch_end(const machine::LaunchEvent& event, const machine::Observer* seen) override;

private:
    struct Scan;
    void copy_row(std::uint64_t target, std::uint64_t source, std::uint64_t bytes);
    void read_by_host(const machine::CopyEvent& event);
    void find_skipped(const machine::CopyEvent& event, std::vector<HostRead>& reads);
    void forget_skipped(const machine::Allocation& allocation);
    void scan(Region& region, std::uint64_t from, std::uint64_t bytes, Scan& scan);

    const machine::Memory& memory_;
    std::function<std::uint64_t()> site_;
    mutable std::mutex mutex_;
    std::map<std::uint64_t, std::shared_ptr<Region>> regions_;  // by base
    std::atomic<std::uint64_t> version_{1};
    UndefinedValues values_;
    std::vector<HostRead> reads_;
    std::vector<SkippedField> skipped_;
    std::atomic<bool> has_news_{false};
};

}  // namespace tilescope::observers

// ManagedTouches: which leaves of managed memory a launch touches, and in what order, roughly.
//
// Owns: ManagedTouches. The grid's blocks fall into slices, in the order of their numbers; of each leaf it is kept in
// which slices it was read and written. Guarantees: the answer is the same for any number of workers.
// Does not model: the order within a slice.
#pragma once

#include <cstdint>
#include <map>
#include <memory>
#include <utility>
#include <vector>

#include "scope/machine/observer.h"

namespace tilescope::observers {

class ManagedTouches : public machine::Observer {
public:
    static constexpr unsigned kSlices = 64;
    struct Leaf {
        std::uint64_t read = 0, written = 0;  // a bit for each slice
    };

    // ranges: first and past the last address, sorted, none within another.
    ManagedTouches(std::vector<std::pair<std::uint64_t, std::uint64_t>> ranges, std::uint64_t leaf_bytes,
                   std::uint64_t blocks);

    const std::map<std::uint64_t, Leaf>& leaves() const { return leaves_; }  // by address / leaf_bytes

    std::uint32_t wants(const machine::Site&) const override { return bit_of(machine::Space::kGlobal); }
    void on_access(const machine::Access& access) override;
    std::unique_ptr<Observer> make_shard(const machine::Program&) const override;
    void merge(const Observer& other) override;

private:
    bool is_managed(std::uint64_t address) const;
    void mark(std::uint64_t number, const machine::Access& access, std::uint64_t slice);

    std::vector<std::pair<std::uint64_t, std::uint64_t>> ranges_;
    std::uint64_t leaf_bytes_, blocks_;
    std::map<std::uint64_t, Leaf> leaves_;
    std::uint64_t last_number_ = ~std::uint64_t{0};  // the leaf that was marked last; entries stay where they are
    Leaf* last_ = nullptr;                           // null: none of managed memory
};

}  // namespace tilescope::observers

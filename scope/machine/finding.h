// Finding: something doubtful that a kernel did, after which it continued as on hardware.
//
// Owns: Finding and Findings. Guarantees: one entry per place and kind, whatever the count. The details are those of
// the lowest block, for any number of workers.
#pragma once

#include <cstdint>
#include <map>
#include <utility>

namespace tilescope::machine {

enum class FindingKind : std::uint8_t {
    kMissingLanes,  // lanes that a member mask names ended elsewhere while others waited for them
    kUnnamedLane,   // a lane executes a warp-wide instruction that its own member mask leaves out
    kEndedLanes,    // lanes had ended before an instruction that wants the whole warp
    kAbsentSource,  // a shuffle read the value of a lane that takes no part in it
};

struct Finding {
    std::uint64_t count = 0;              // how often, counted by warp
    std::uint32_t block[3] = {0, 0, 0};   // of the first time
    std::uint32_t lane = 0;               // number of the thread within that block
    std::uint32_t thread[3] = {0, 0, 0};  // the same as coordinates; filled by Grid
    // Lanes of that warp: those that went on, or that read so; those that are missing; the one that was asked, and
    // whether it lives.
    std::uint32_t lanes = 0, missing = 0, source = 0;
    bool is_source_there = false;
};

class Findings {
public:
    // One more of a kind at op number `op`. Returns the entry when it is the first, for its details to be filled in.
    Finding* add(FindingKind kind, std::uint32_t op) {
        Finding& finding = all_[{op, kind}];
        return finding.count++ == 0 ? &finding : nullptr;
    }
    void merge(const Findings& other);
    bool empty() const { return all_.empty(); }
    std::map<std::pair<std::uint32_t, FindingKind>, Finding>& all() { return all_; }
    const std::map<std::pair<std::uint32_t, FindingKind>, Finding>& all() const { return all_; }

private:
    std::map<std::pair<std::uint32_t, FindingKind>, Finding> all_;
};

}  // namespace tilescope::machine

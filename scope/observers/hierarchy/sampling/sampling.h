// Sampling: decides which stretches of a launch are simulated with a clock, and which are skipped.
//
// Owns: the position of the launch in that sequence. Guarantees: the start has a clock until two consecutive stretches
// are alike (stretch.h), and so has the end. After a skip the clock warms up before a stretch is measured. If that
// stretch is unlike the one before the skip, the next skip halves, else it doubles. If consecutive stretches differ,
// they become longer. A launch that does not repeat is simulated completely. Decisions depend on requests only, not on
// who delivers them.
#pragma once

#include <cstdint>
#include <functional>
#include <optional>

#include "scope/observers/hierarchy/sampling/sampling_rules.h"
#include "scope/observers/hierarchy/sampling/stretch.h"

namespace tilescope::observers {

// Where a launch is.
struct LaunchPosition {
    std::uint64_t requests = 0;  // that the clock has seen
    std::uint64_t live = 0;      // warps
    double each = 0;             // requests of a warp, as far as is known
    double all = 0;              // requests of the launch, likewise
    double left = 0;             // of these, that are to come before the launch's end begins
    double waves = 0;            // blocks that each place for one gets
};

class Sampling {
public:
    // Other launches have a clock all the time.
    explicit Sampling(const SamplingRules& rules) : rules_(rules) {}

    // Requests go by without a clock.
    bool passes() const { return phase_ == Phase::kPass; }

    // A window of the clock has ended; `measure` tells what has been done so far. When another stretch has been
    // measured, and something went by before it, `settle` gets the stretches around that.
    void look(const LaunchPosition& at, const std::function<Stretch()>& measure,
              const std::function<void(const Stretch& before, const Stretch& behind)>& settle);

    // How many requests of each warp go by at a time, and how many at most.
    std::uint32_t turns() const { return turns_; }
    // How many blocks of each place go by; 0: that is not what ends it.
    std::uint32_t blocks_to_pass() const { return blocks_; }
    // Whether L1 answers loads that are worth to be told of.
    bool has_hits() const;
    static double most_turns();
    // Whether warps go by as a whole, each at the same speed.
    static bool are_short(const LaunchPosition& at);
    // How many make a mix that can be compared.
    std::uint64_t enough() const { return length_; }
    // So many have gone by since the clock stood still, and these are the last ones, by op, if they are enough; whether
    // it is to stay so. `live`: warps, where none come in the place of others any more.
    bool goes_on(std::uint64_t passed, const std::vector<std::uint64_t>& mix, std::optional<std::uint64_t> live) const;
    void resume(std::uint64_t requests);
    // From now on all has a clock.
    void stop();
    // The launch has ended: what went by last is settled by what there is.
    void end(const std::function<void(const Stretch& before, const Stretch& behind)>& settle);

private:
    enum class Phase { kWhole, kBegin, kMeasure, kPass, kFindPace };

    bool is_worth_it(const LaunchPosition& at) const;
    std::uint64_t length(const LaunchPosition& at);
    static std::uint32_t whole_blocks(const LaunchPosition& at, double requests);
    void begin_stretch(const LaunchPosition& at, Stretch now);

    const SamplingRules rules_;
    Phase phase_ = Phase::kBegin;
    std::uint32_t turns_ = 0;
    std::uint64_t until_ = 0, length_ = 0;  // of the stretch, in requests
    std::uint64_t to_pass_ = 0, live_ = 0;
    std::uint32_t blocks_ = 0;
    std::uint64_t longer_ = 1;
    double times_ = 0;      // how long what goes by is, in stretches; 0: nothing did
    bool is_open_ = false;  // something went by, and the stretch behind it has not been measured
    Stretch from_;
    std::optional<Stretch> before_;
};

}  // namespace tilescope::observers

#include "scope/observers/hierarchy/scheduler/placement.h"

#include <algorithm>

namespace tilescope::observers {
namespace {

// One launch's blocks on their way to the groups.
class Round {
public:
    Round(const SchedulerRules& rules, std::uint64_t whole, std::uint32_t rest)
        : rules_(rules), turns_(rules.sms_in_turn), whole_(whole), rest_(rest) {
        first_sm_.resize(turns_.size());
        for (std::size_t i = 1; i < turns_.size(); ++i) first_sm_[i] = first_sm_[i - 1] + turns_[i - 1];
        share_out();
    }

    std::vector<std::uint32_t> places() && {
        const bool ahead = rules_.turns_between != 0;
        std::uint64_t turn = 0;  // of the groups that are not ahead
        for (std::uint64_t round = 0; round <= whole_; ++round)
            for (std::size_t group = ahead ? 1 : 0; group < turns_.size(); ++group, ++turn) {
                if (ahead && is_firsts_turn(turn)) give(0, firsts_++);
                give(group, round);
            }
        while (ahead && firsts_ <= whole_) give(0, firsts_++);
        return std::move(places_);
    }

private:
    // Before which turn of the others the first group has its next one.
    bool is_firsts_turn(std::uint64_t turn) const {
        if (firsts_ < whole_) return turn == usual_turn(firsts_);
        if (firsts_ > whole_ || shares_[0] == 0) return false;
        // Its share of the rest comes when the rest has been shared out, which takes longer the more there is.
        const std::uint64_t rounds_end = whole_ * (turns_.size() - 1);
        return turn == std::min(rounds_end, usual_turn(whole_) + sharing_turns());
    }
    std::uint64_t usual_turn(std::uint64_t of) const {
        return of == 0 ? 0 : rules_.first_turns + (of - 1) * rules_.turns_between;
    }
    // Its turn is so many of the others' later than usual.
    std::uint64_t sharing_turns() const {
        if (rest_ <= rules_.few_left) return std::uint64_t{rules_.few_turns} + rest_;
        return static_cast<std::uint64_t>(rules_.left_turns + rules_.turns_per_left * rest_);
    }

    void share_out() {
        shares_.assign(turns_.size(), 0);
        shares_[0] = std::min(rest_, turns_[0]);
        std::uint32_t left = rest_ - shares_[0];
        for (const std::uint32_t per_pair : {1u, 2u})
            for (bool room = true; left != 0 && room;) {
                room = false;
                for (std::size_t group = 1; group < turns_.size() && left != 0; ++group)
                    if (shares_[group] < (per_pair == 1 ? pairs(group) : turns_[group])) {
                        ++shares_[group];
                        --left;
                        room = true;
                    }
            }
    }
    std::uint32_t pairs(std::size_t group) const { return (turns_[group] + 1) / 2; }

    void give(std::size_t group, std::uint64_t round) {
        const std::uint32_t first = static_cast<std::uint32_t>(round) * rules_.sms + first_sm_[group];
        if (round < whole_) {
            for (std::uint32_t sm = 0; sm < turns_[group]; ++sm) places_.push_back(first + sm);
            return;
        }
        const std::uint32_t ones = std::min(shares_[group], pairs(group)), twos = shares_[group] - ones;
        for (std::uint32_t pair = 0; pair < ones; ++pair) {
            places_.push_back(first + 2 * pair);
            if (pair < twos) places_.push_back(first + 2 * pair + 1);
        }
    }

    const SchedulerRules& rules_;
    const std::vector<std::uint32_t>& turns_;
    std::uint64_t whole_ = 0;   // blocks that each SM gets
    std::uint32_t rest_ = 0;    // beyond these, less than one an SM
    std::uint64_t firsts_ = 0;  // turns that the first group has had
    std::vector<std::uint32_t> first_sm_, shares_, places_;
};

}  // namespace

std::vector<std::uint32_t> first_places(const SchedulerRules& rules, std::uint64_t per_sm, std::uint64_t blocks) {
    const std::uint64_t whole = std::min(per_sm, blocks / rules.sms);
    const std::uint64_t rest = whole == per_sm ? 0 : blocks % rules.sms;
    return Round(rules, whole, static_cast<std::uint32_t>(rest)).places();
}

}  // namespace tilescope::observers

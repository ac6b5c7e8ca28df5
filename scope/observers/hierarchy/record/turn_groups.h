// TurnGroups: iterations of a loop whose trip count is known at run time only. ptxas unrolls several of them into one
// stretch of code, in which a warp waits for all their loads together (machine::BlockWork). Of the remaining
// iterations, half as many form one stretch, then half of these.
//
// Owns: the requests of an incomplete group. Guarantees: if a loop ends within a group, its stretches wait one after
// another, and so does the code after it. Does not model: lanes that leave a loop early and run the remainder while
// others run whole groups.
#pragma once

#include <array>
#include <bit>
#include <cstdint>
#include <vector>

#include "scope/observers/hierarchy/record/issues.h"
#include "scope/observers/hierarchy/record/traffic.h"

namespace tilescope::observers {

class TurnGroups {
public:
    void set_warps(std::size_t warps) { groups_.resize(warps); }
    void forget() {
        for (Group& group : groups_) group = {};
    }

    // The warp comes to an op; `goes_back`: in a loop, to another turn. True where it left a loop within a group.
    bool come_to(unsigned warp, const Issue& here, bool goes_back, std::vector<Request>& requests) {
        Group& group = groups_[warp];
        if (here.loop == group.loop) {
            if (here.loop != 0 && goes_back) next_turn(group, here);
            return false;
        }
        const bool is_open = group.loop != 0 && group.turn + 1 < group.turns;
        if (is_open)
            for (std::uint32_t i = 0; i < group.count; ++i) {
                const Waiting& one = group.waiting[i];
                const bool begins = one.is_first && ends_stretch(one.turn - 1, group.turn + 1);
                const bool ends = one.takes && ends_stretch(one.turn, group.turn + 1);
                if (begins || ends) requests[one.request].waits = 1;
            }
        group = {};
        group.loop = here.loop;
        group.turns = here.turns;
        return is_open;
    }

    // The warp's request was put last, or is held back. `takes`: it needs what was loaded in its own turn.
    void put(unsigned warp, bool takes, const std::vector<Request>& requests) {
        Group& group = groups_[warp];
        if (group.loop == 0 || (!takes && !group.is_new) || group.count == group.waiting.size() || requests.empty())
            return;
        group.waiting[group.count++] = {static_cast<std::uint32_t>(requests.size() - 1), group.turn, group.is_new,
                                        takes};
        group.is_new = false;
    }

private:
    struct Waiting {
        std::uint32_t request = 0, turn = 0;
        bool is_first = false, takes = false;
    };
    struct Group {
        std::uint32_t loop = 0, turn = 0, turns = 0;
        bool is_new = false;                // no request of this turn yet
        std::uint32_t count = 0;            // of `waiting`: requests that may wait if the group stays as it is
        std::array<Waiting, 16> waiting{};  // numeric: more than loops have that the assembler groups
    };

    // Whether a stretch of the turns that are left over ends with this one: the largest power of two first.
    static bool ends_stretch(std::uint32_t turn, std::uint32_t left) {
        const std::uint32_t behind = left - turn - 1;
        return behind < std::bit_floor(left) && (left & (std::bit_ceil(behind + 1) - 1)) == behind;
    }

    static void next_turn(Group& group, const Issue& here) {
        group.is_new = true;
        if (++group.turn < here.turns) return;
        group.turn = 0;
        group.count = 0;
        group.is_new = false;
    }

    std::vector<Group> groups_;  // by warp
};

}  // namespace tilescope::observers

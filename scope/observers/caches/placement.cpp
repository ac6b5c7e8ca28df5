#include "scope/observers/caches/placement.h"

namespace tilescope::observers {

std::vector<std::uint32_t> first_places(const CacheFigures& figures, std::uint64_t per_sm) {
    const auto& turns = figures.sms_in_turn;
    std::vector<std::uint32_t> places, first_sm(turns.size()), given(turns.size());
    for (std::size_t i = 1; i < turns.size(); ++i) first_sm[i] = first_sm[i - 1] + turns[i - 1];
    const auto give = [&](std::size_t turn) {
        if (given[turn] == per_sm) return;
        for (std::uint32_t sm = 0; sm < turns[turn]; ++sm)
            places.push_back(given[turn] * figures.sms + first_sm[turn] + sm);
        ++given[turn];
    };
    if (figures.turns_between == 0) {
        for (std::uint64_t round = 0; round < per_sm; ++round)
            for (std::size_t turn = 0; turn < turns.size(); ++turn) give(turn);
        return places;
    }
    std::uint32_t others = 0, next = 0;  // turns of the others so far, and before which of them the first group's is
    for (std::uint64_t round = 0; round < per_sm; ++round)
        for (std::size_t turn = 1; turn < turns.size(); ++turn, ++others) {
            if (others == next) {
                give(0);
                next += next == 0 ? figures.first_turns : figures.turns_between;
            }
            give(turn);
        }
    while (given[0] < per_sm) give(0);
    return places;
}

}  // namespace tilescope::observers

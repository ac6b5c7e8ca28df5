// How the parts of k that a product is cut into are shared out: those of a team are added up by the blocks of one
// cluster, what several teams have of a tile by a second kernel. Owns the choice alone: the launchers and the cost
// model both ask.
#pragma once

namespace tiles {

// Parts of one team: the largest power of 2 that divides `parts`, `max` at most.
inline int team_of(int parts, int max) {
    int team = 1;
    while (parts > 0 && team * 2 <= max && parts % (team * 2) == 0) team *= 2;
    return team;
}

}  // namespace tiles

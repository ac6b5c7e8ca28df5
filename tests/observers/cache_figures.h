// Caches small enough that tests can fill them, of one part and of two, and the pieces of a line that they are asked
// for.
#pragma once

#include "scope/observers/caches/first_level.h"
#include "scope/observers/caches/second_level.h"

namespace tilescope::observers {

inline Piece whole(unsigned sectors) { return {0, sectors, sectors}; }
inline Piece in_part(unsigned sectors) { return {0, sectors, 0}; }

inline CacheFigures one_part() {
    CacheFigures figures;
    figures.sms_in_turn = {1};
    figures.group = {0};
    figures.near_part = {0};
    figures.l1_bytes = 128 << 10;
    figures.l2_bytes = 1 << 20;
    return figures;
}

inline CacheFigures two_parts() {
    CacheFigures figures = one_part();
    figures.l2_parts = 2;
    figures.home_mask = 0xab000;
    figures.sms = 2;
    figures.sms_in_turn = {1, 1};
    figures.group = {0, 1};
    figures.near_part = {0, 1};
    return figures;
}

}  // namespace tilescope::observers

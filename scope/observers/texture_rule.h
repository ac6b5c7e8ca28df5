// How many passes a request of the texture unit takes. A pure function.
//
// The rule, as an NVIDIA H200 keeps time (27 November 2026; bench/hardware/texture_pipe.cu: 9 patterns of 28 forms, one
// SM that does nothing else; docs/reference/textures.md):
//
// - A pass takes what lies in different words of the banks, of up to so many lines as there are tags side by side, each
//   of which looks up lines of its own. What does not fit goes into a later one.
// - An array's words are spread over 256 bytes of addresses, other memory's over a line.
// - The two slices that a volume is filtered over share passes. Two levels take two passes at least; so do four texels
//   for one channel each, and texels of 16 bytes. Of these, filtering takes a pass for 64 bytes; reads of surfaces take
//   four.
// - Reads of surfaces keep the banks of whole sectors.
// - In other memory than arrays a pass ends with the first line that does not fit.
//
// Not modelled: places in pitched memory that lie apart, which are taken for one pass. Random places in a small image
// take up to a third more or less; those of surfaces up to three times as many.
#pragma once

#include "scope/machine/events.h"

namespace tilescope::observers {

struct TextureRules {
    unsigned latency = 0;  // cycles until a fetch of what L1 has comes; 0: nothing is known of textures
    double interval = 1;   // cycles from one pass to the next
    unsigned tags = 1;     // lines looked up side by side
    // Passes that a request takes at least: of four texels for a channel each, of texels of 16 bytes, of such reads of
    // surfaces.
    unsigned gather = 1, wide = 1, wide_surface = 1;
    unsigned wide_filtered = 1;  // bytes of texels of 16 bytes that a pass filters

    bool operator==(const TextureRules&) const = default;
};

// Of all the requests of a warp instruction that reads.
unsigned texture_passes(const machine::Texels& event, const TextureRules& rules);

}  // namespace tilescope::observers

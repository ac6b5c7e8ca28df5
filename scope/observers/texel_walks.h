// How fetches of textures and accesses of surfaces go through their images: what advice on textures goes by, and one
// request of each sort, texel by texel.
//
// Owns: TexelWalks, of one launch. Guarantees: the same for any number of workers, as it looks at the first blocks and
// at some of the others by their number, and at what each of their warps does first; of instructions that ask for as
// many sectors that is kept whose texels come first. Does not model: fetches of a warp from several images at once,
// which are left out.
#pragma once

#include <array>
#include <cstdint>
#include <tuple>
#include <unordered_map>
#include <vector>

#include "scope/machine/events.h"
#include "scope/machine/program.h"
#include "scope/report/profile.h"
#include "scope/texture/tiles.h"

namespace tilescope::observers {

// A texel that a request asks for; numbered as the instruction's requests are.
struct WalkedTexel {
    std::uint32_t request = 0, column = 0, row = 0, slice = 0, level = 0;
    bool operator==(const WalkedTexel&) const = default;
    bool operator<(const WalkedTexel& other) const {
        return std::tie(request, column, row, slice, level) <
               std::tie(other.request, other.column, other.row, other.slice, other.level);
    }
};

class TexelWalks {
public:
    void begin(const machine::Program& program) { of_ops_.resize(program.ops.size()); }
    void take(const machine::Texels& event);
    void end_block(std::uint64_t number);
    void merge(const TexelWalks& other);
    // The lines' walks, and pictures of those that asked for the most sectors.
    void add_to(const machine::Program& program, LaunchProfile& launch) const;

private:
    struct Example {
        std::uint32_t sectors = 0, ideal = 0, lanes_of_request = 0, texel_bytes = 0;
        TexelMemory memory = TexelMemory::kNone;
        std::vector<WalkedTexel> texels{};
        bool comes_before(const Example& other) const;
    };
    struct OfOp {
        TexelWalk walk;
        machine::TexelsKind kind = machine::TexelsKind::kFetch;
        std::vector<std::uint64_t> tally{};  // instructions by the sectors that they ask for, of all blocks
        std::vector<Example> examples{};     // one for each number of sectors
    };
    // A fetch of a warp, which later ones may be neighbours of.
    struct Recent {
        std::uint32_t op = 0;
        const texture::Image* image = nullptr;
        std::vector<WalkedTexel> texels{};
    };

    struct OfWarp {
        std::array<Recent, 3> recent{};  // the last ones
        unsigned looked = 0;             // events that were looked at
    };

    bool find_texels(const machine::Texels& event);
    void walk(const machine::Texels& event, TexelWalk& walk);
    void look_for_neighbours(const machine::Texels& event, std::array<Recent, 3>& recent);
    void keep(const machine::Texels& event, OfOp& of);
    static void keep(Example example, std::vector<Example>& examples);
    void add_pictures(const OfOp& of, std::uint32_t number, const LaunchProfile& launch, LineProfile& line) const;

    std::vector<OfOp> of_ops_;
    std::vector<WalkedTexel> texels_;                  // of the event, in order
    std::unordered_map<std::uint64_t, OfWarp> warps_;  // of the blocks that are looked at
};

}  // namespace tilescope::observers

// The way of a fetch of a texture, or of a read of a surface, through the SM's texture unit and L1.
#include <algorithm>
#include <cmath>

#include "scope/observers/hierarchy/scheduler/gpc.h"

namespace tilescope::observers {

// Its requests come to lines more than once: each piece is one, and what is missing of a line leaves together.
void Gpc::fetch(std::uint32_t warp, const RunningBlock& block, const Request& request, const Shape& shape) {
    const std::uint32_t sm = sm_of(warp);
    const std::uint64_t* word = nullptr;
    const std::uint64_t base = begin_access(warp, block, request, shape, word);
    if (shape.pieces > 1 && rules_.l1.bytes != 0) expect(sm, base, word, shape.pieces);
    std::uint64_t& pipe = sms_[sm].pipe;
    pipe = std::max(pipe, now_);
    const auto cycles = static_cast<std::uint64_t>(std::max(1L, std::lround(shape.passes * rules_.textures.interval)));
    behind_ = rules_.textures.latency - std::min(rules_.textures.latency, rules_.l1.latency);
    sms_[sm].reads.begin(false, true);
    for (unsigned i = 0; i < shape.pieces; ++i) {
        const Piece piece = Piece::of(*word++);
        const std::uint64_t line = base + static_cast<std::uint64_t>(piece.line);
        load(warp, line, piece, word, shape, pipe + cycles * i / shape.pieces);
        word += sector_count(piece.in_part());
    }
    behind_ = 0;
    is_special_ = false;
    pipe += cycles;
    sms_[sm].reads.end(pipe);
}

}  // namespace tilescope::observers

#include "scope/observers/hierarchy/record/spill_recorder.h"

#include <algorithm>
#include <bit>
#include <utility>

namespace tilescope::observers {

SpillRecorder::SpillRecorder(std::shared_ptr<const SpillPlan> plan, std::shared_ptr<SpillTally> tally, std::uint32_t op)
    : plan_(std::move(plan)),
      tally_(std::move(tally)),
      op_(op),
      warp_count_((plan_->threads + machine::kWarpSize - 1) / machine::kWarpSize),
      warps_(warp_count_) {
    for (std::size_t block = 0; block + 1 < plan_->of_block.size(); ++block)
        slots_.push_back(plan_->of_block[block] == plan_->of_block[block + 1] ? 0 : slot_count_++);
    turns_.resize(std::size_t{slot_count_} * warp_count_);
}

void SpillRecorder::begin_block() {
    std::fill(warps_.begin(), warps_.end(), WarpAt{});
    std::fill(turns_.begin(), turns_.end(), 0);
    shapes_ = {};
    loads_ = stores_ = 0;
}

void SpillRecorder::come_to(unsigned warp, bool is_new, std::uint32_t block, std::uint32_t op, BlockTraffic& traffic) {
    WarpAt& at = warps_[warp];
    if (is_new) {
        while (at.next != at.end) run(warp, traffic);
        at.next = plan_->of_block[block];
        at.end = plan_->of_block[block + 1];
        if (at.next != at.end) at.turn = turns_[warp * slot_count_ + slots_[block]]++;
    }
    for (; at.next != at.end; run(warp, traffic)) {
        const SpillAccess& spill = plan_->accesses[at.next];
        if (spill.op > op || (spill.op == op && spill.after)) break;
    }
}

void SpillRecorder::end_block(BlockTraffic& traffic) {
    for (unsigned warp = 0; warp < warp_count_; ++warp)
        while (warps_[warp].next != warps_[warp].end) run(warp, traffic);
    tally_->loads += loads_;
    tally_->stores += stores_;
}

// The warp's next one, if this is its turn.
void SpillRecorder::run(unsigned warp, BlockTraffic& traffic) {
    WarpAt& at = warps_[warp];
    const SpillAccess& spill = plan_->accesses[at.next++];
    if (at.turn % spill.of_turns != spill.turn) return;
    Request request;
    request.line = spill.offset / sizeof(std::uint32_t);  // 32 lanes' words fill a line
    request.shape = shape_of(spill, warp + 1 == warp_count_, traffic);
    request.warp = warp % kMaxWarps;
    request.slots = Span::of(1) & Span::kMask;
    traffic.requests.push_back(request);
    (spill.loads ? loads_ : stores_) += spill.words;
}

std::uint32_t SpillRecorder::shape_of(const SpillAccess& spill, bool is_last_warp, BlockTraffic& traffic) {
    const auto width = static_cast<unsigned>(std::bit_width(spill.words)) - 1;
    std::uint32_t& shape = shapes_[(width * 2 + (spill.loads ? 1 : 0)) * 2 + (is_last_warp ? 1 : 0)];
    if (shape != 0) return shape;
    static constexpr std::array<std::int64_t, machine::kWarpSize> kSame{};
    const unsigned lanes = is_last_warp ? plan_->threads - (warp_count_ - 1) * machine::kWarpSize : machine::kWarpSize;
    machine::Access access;
    access.space = machine::Space::kLocal;
    access.kind = spill.loads ? machine::AccessKind::kLoad : machine::AccessKind::kStore;
    access.width = static_cast<std::uint8_t>(spill.words * sizeof(std::uint32_t));
    access.mask = static_cast<std::uint32_t>((std::uint64_t{1} << lanes) - 1);
    access.deltas = kSame.data();
    Shape made;
    made.op = op_;
    made.kind = spill.loads ? RequestKind::kLoad : RequestKind::kStore;
    return shape = add_shape(traffic.words, made, access);
}

}  // namespace tilescope::observers

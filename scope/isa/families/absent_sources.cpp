#include "scope/isa/families/absent_sources.h"

#include <algorithm>
#include <bit>

#include "scope/machine/worker.h"

namespace tilescope::isa {

void note_absent_sources(const machine::Warp& warp, const machine::Op& op, std::uint32_t taking_part,
                         const std::uint32_t* sources) {
    std::uint32_t readers = 0;
    for (unsigned i = 0; i < machine::kWarpSize; ++i) readers |= (~taking_part >> sources[i] & 1u) << i;
    readers &= warp.exec;
    if (readers == 0) return;
    machine::Worker& worker = *warp.worker;
    worker.absent_sources |= readers;
    machine::Finding* finding = worker.findings.add(machine::FindingKind::kAbsentSource, op.index);
    if (!finding) return;
    const auto reader = static_cast<unsigned>(std::countr_zero(readers));
    const std::uint32_t source = sources[reader];
    std::copy_n(worker.block.index, 3, finding->block);
    finding->lane = warp.index * machine::kWarpSize + reader;
    finding->lanes = readers;
    finding->source = source;
    finding->is_source_there = (warp.live >> source & 1) != 0;
}

}  // namespace tilescope::isa

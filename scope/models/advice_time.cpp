// What a finding would save of a launch's modelled time: the time model once more, with the counts that would change.
#include <algorithm>
#include <cmath>

#include "scope/models/advice_rules.h"
#include "scope/models/time/launch_time.h"

namespace tilescope::models {
namespace {

using C = Counter;

double share_left(double before, double saved) { return before > 0 ? std::clamp(1 - saved / before, 0.0, 1.0) : 1; }

void scale(CounterSet& counters, std::initializer_list<C> which, double share) {
    for (const C counter : which)
        counters[counter] = static_cast<std::uint64_t>(std::llround(as_double(counters[counter]) * share));
}

void cap(std::uint64_t& count, double most) {
    count = std::min(count, static_cast<std::uint64_t>(std::max(0.0, most)));
}

// What is not asked for any more L1 may have had: L2 is asked no more than before, and for no more than is asked of L1.
void take_loads(LaunchProfile& launch, const Finding& finding) {
    CounterSet& c = launch.counters;
    const double share = share_left(as_double(c[C::kGlobalLoadSectors]), finding.load_sectors);
    const double local = as_double(c[C::kLocalLoadSectors]);
    scale(c, {C::kGlobalLoadSectors}, share);
    const double read = as_double(c[C::kL2ReadSectors]);
    cap(c[C::kL2ReadSectors], as_double(c[C::kGlobalLoadSectors]) + local);
    const double still_read = read > 0 ? as_double(c[C::kL2ReadSectors]) / read : 1;
    scale(c, {C::kL2ReadHitSectors, C::kL2FabricSectors}, still_read);
    cap(c[C::kDramReadBytes], kSectorBytes * as_double(c[C::kL2ReadSectors]));
    const double misses = std::max(0.0, as_double(c[C::kL2ReadSectors]) - local);
    cap(c[C::kGlobalLoadL1HitSectors], as_double(c[C::kGlobalLoadSectors]));
    if (misses < as_double(c[C::kGlobalLoadSectors]))
        c[C::kGlobalLoadL1HitSectors] = c[C::kGlobalLoadSectors] - static_cast<std::uint64_t>(misses);
    launch.work->load_lines *= share;
    launch.work->load_passes *= share;
    if (finding.spares_requests) (*launch.work)[Wait::kGlobal] *= share;
}

void take_stores(LaunchProfile& launch, const Finding& finding) {
    CounterSet& c = launch.counters;
    const double share = share_left(as_double(c[C::kGlobalStoreSectors]), finding.store_sectors);
    scale(c, {C::kGlobalStoreSectors}, share);
    cap(c[C::kL2WriteSectors], as_double(c[C::kL2WriteSectors]) - finding.store_sectors);
    cap(c[C::kDramWriteBytes], kSectorBytes * as_double(c[C::kL2WriteSectors]));
    for (double WarpWork::*lines : {&WarpWork::store_lines, &WarpWork::sent_lines, &WarpWork::sent_in_part})
        *launch.work.*lines *= share;
}

void take_atomics(LaunchProfile& launch, const Finding& finding) {
    CounterSet& c = launch.counters;
    const double all = as_double(c[C::kGlobalAtomicSectors]) + as_double(c[C::kGlobalReductionSectors]);
    const double share = share_left(all, finding.atomic_sectors);
    scale(c, {C::kGlobalAtomicSectors, C::kGlobalReductionSectors}, share);
    launch.work->hottest_updates *= share;
    launch.work->hottest_waits *= share;
    (*launch.work)[Wait::kAtomic] *= share;
}

void take_local(LaunchProfile& launch, const Finding& finding) {
    CounterSet& c = launch.counters;
    const double stored = as_double(c[C::kLocalStoreSectors]);
    const double share = share_left(as_double(c[C::kLocalLoadSectors]) + stored, finding.local_sectors);
    cap(c[C::kL2WriteSectors], as_double(c[C::kL2WriteSectors]) - stored * (1 - share));
    cap(c[C::kL2ReadSectors],
        as_double(c[C::kL2ReadSectors]) -
            (as_double(c[C::kLocalLoadSectors]) - as_double(c[C::kLocalLoadL1HitSectors])) * (1 - share));
    scale(c, {C::kLocalLoadSectors, C::kLocalStoreSectors, C::kLocalLoadL1HitSectors}, share);
    (*launch.work)[Wait::kLocal] *= share;
}

// What does not leave the SM.
void take_work(LaunchProfile& launch, const Work& before, const Work& after) {
    CounterSet& c = launch.counters;
    if (before.wavefronts > 0)
        scale(c,
              {C::kSharedLoadWavefronts, C::kSharedStoreWavefronts, C::kSharedAtomicRequests,
               C::kSharedAtomicBankConflicts},
              std::max(0.0, after.wavefronts) / before.wavefronts);
    else
        c[C::kSharedLoadWavefronts] += static_cast<std::uint64_t>(std::max(0.0, after.wavefronts));
    if (before.constant_passes > 0)
        scale(c, {C::kConstantPasses}, std::max(0.0, after.constant_passes) / before.constant_passes);
    WarpWork& work = *launch.work;
    if (before.instructions > 0 && after.instructions != before.instructions) {
        const double share = std::max(0.0, after.instructions) / before.instructions;
        work.instructions *= share;
        for (const PipeRow& row : kPipeRows)
            if (row.pipe != Pipe::kMemory) work[row.pipe] *= share;
    }
    if (before.fp64 > 0 && after.fp64 < before.fp64) {
        const double moved = work[Pipe::kFp64] * (1 - after.fp64 / before.fp64);
        work[Pipe::kFp64] -= moved;
        work[Pipe::kFp32] += moved;
    }
}

}  // namespace

std::optional<double> saved_microseconds(const Case& about, const Finding& finding) {
    if (!about.time) return {};
    LaunchProfile changed;
    changed.grid = about.launch.grid;
    changed.block = about.launch.block;
    changed.counters = about.launch.counters;
    changed.work = about.launch.work;
    changed.spill_traffic = about.launch.spill_traffic;
    if (finding.load_sectors > 0) take_loads(changed, finding);
    if (finding.store_sectors > 0) take_stores(changed, finding);
    if (finding.atomic_sectors > 0) take_atomics(changed, finding);
    if (finding.local_sectors > 0) take_local(changed, finding);
    if (finding.spares_spills) changed.spill_traffic.reset();
    take_work(changed, about.work, finding.after);
    if (changed.counters == about.launch.counters && changed.work == about.launch.work &&
        changed.spill_traffic == about.launch.spill_traffic)
        return {};
    const std::optional<double> then = changed_microseconds(about.device, about.launch, changed);
    if (!then) return {};
    return std::max(0.0, about.time->microseconds - *then);
}

}  // namespace tilescope::models

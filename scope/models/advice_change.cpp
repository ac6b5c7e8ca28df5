#include "scope/models/advice_change.h"

#include <algorithm>
#include <cmath>
#include <initializer_list>

#include "scope/models/bounds.h"
#include "scope/models/time/launch_time.h"

namespace tilescope::models {
namespace {

using C = Counter;

double at(const CounterSet& counters, C counter) { return static_cast<double>(counters[counter]); }

double share_left(double before, double spared) { return before > 0 ? std::clamp(1 - spared / before, 0.0, 1.0) : 1; }

void scale_counters(CounterSet& counters, std::initializer_list<C> which, double share) {
    for (const C counter : which)
        counters[counter] = static_cast<std::uint64_t>(std::llround(at(counters, counter) * share));
}

void cap(std::uint64_t& count, double most) {
    count = std::min(count, static_cast<std::uint64_t>(std::max(0.0, most)));
}

void spare(std::uint64_t& count, double spared) { cap(count, static_cast<double>(count) - spared); }

void spare(double& amount, double spared) { amount = std::max(0.0, amount - spared); }

}  // namespace

Change::Change(const LaunchProfile& before) : launch_(without_replay(before)) {
    launch_.registers_from = before.registers_from;
    launch_.local_bytes_per_thread = before.local_bytes_per_thread;
}

// What is not asked for any more L1 may have had: L2 is asked no more than before, and for no more than is asked of L1.
void Change::settle_loads(double sectors_before) {
    CounterSet& c = launch_.counters;
    if (!c.modelled || sectors_before <= 0) return;
    const double local = at(c, C::kLocalLoadSectors) - at(c, C::kLocalLoadL1HitSectors);
    const double read = at(c, C::kL2ReadSectors);
    cap(c[C::kL2ReadSectors], at(c, C::kGlobalLoadSectors) + local);
    const double still_read = read > 0 ? at(c, C::kL2ReadSectors) / read : 1;
    scale_counters(c, {C::kL2ReadHitSectors, C::kL2FabricSectors}, still_read);
    cap(c[C::kDramReadBytes], kSectorBytes * at(c, C::kL2ReadSectors));
    // The rest is found in L1.
    const double misses = std::clamp(at(c, C::kL2ReadSectors) - local, 0.0, at(c, C::kGlobalLoadSectors));
    c[C::kGlobalLoadL1HitSectors] = c[C::kGlobalLoadSectors] - static_cast<std::uint64_t>(misses);
}

void Change::spare_load_sectors(double sectors, double lines) {
    CounterSet& c = launch_.counters;
    const double before = at(c, C::kGlobalLoadSectors);
    spare(c[C::kGlobalLoadSectors], sectors);
    spare(c[C::kGlobalLoadLines], lines);
    settle_loads(before);
    if (!launch_.work) return;
    // Passes go with lines: a pass brings a line, or banks of several.
    const double left = share_left(launch_.work->load_lines, lines);
    launch_.work->load_lines *= left;
    launch_.work->load_passes =
        std::max(launch_.work->load_passes * left, std::min(launch_.work->load_passes, at(c, C::kGlobalLoadRequests)));
}

void Change::spare_load_requests(double requests, double others) {
    CounterSet& c = launch_.counters;
    const double left = share_left(at(c, C::kGlobalLoadRequests), requests);
    const double spared = at(c, C::kGlobalLoadRequests) * (1 - left);
    spare(c[C::kGlobalLoadRequests], spared);
    spare(c[C::kInstructions], spared);
    if (!launch_.work) return;
    WarpWork& work = *launch_.work;
    spare(work.instructions, spared);
    spare(work[Pipe::kMemory], spared);
    work[Wait::kGlobal] = std::max(work[Wait::kGlobal] * left, std::min(work[Wait::kGlobal], others));
    work.load_passes = std::min(work.load_passes, std::max(at(c, C::kGlobalLoadRequests), work.load_passes * left));
}

void Change::spare_store_sectors(double sectors, double lines) {
    CounterSet& c = launch_.counters;
    const double left = share_left(at(c, C::kGlobalStoreSectors), sectors);
    // What stores send is joined on its way already.
    const double joined = at(c, C::kGlobalStoreSectors) > 0
                              ? std::min(1.0, at(c, C::kL2WriteSectors) / at(c, C::kGlobalStoreSectors))
                              : 1;
    spare(c[C::kGlobalStoreSectors], sectors);
    spare(c[C::kGlobalStoreLines], lines);
    spare(c[C::kL2WriteSectors], sectors * joined);
    cap(c[C::kDramWriteBytes], kSectorBytes * at(c, C::kL2WriteSectors));
    if (!launch_.work) return;
    WarpWork& work = *launch_.work;
    const double lines_left = share_left(work.store_lines, lines);
    work.store_lines *= lines_left;
    work.sent_lines *= lines_left;
    work.sent_in_part *=
        left < 1 ? std::max(0.0, (left - kSectorBytes / kWavefrontBytes) / (1 - kSectorBytes / kWavefrontBytes)) : 1;
}

void Change::spare_store_requests(double requests) {
    CounterSet& c = launch_.counters;
    const double spared = std::min(requests, at(c, C::kGlobalStoreRequests));
    spare(c[C::kGlobalStoreRequests], spared);
    spare(c[C::kInstructions], spared);
    if (!launch_.work) return;
    spare(launch_.work->instructions, spared);
    spare((*launch_.work)[Pipe::kMemory], spared);
}

void Change::spare_atomic_turns(double turns) {
    CounterSet& c = launch_.counters;
    const double all = at(c, C::kGlobalAtomicSectors) + at(c, C::kGlobalReductionSectors);
    const double left = share_left(all, turns);
    scale_counters(c, {C::kGlobalAtomicSectors, C::kGlobalReductionSectors}, left);
    if (!launch_.work) return;
    launch_.work->hottest_updates *= left;
    launch_.work->hottest_waits *= left;
    (*launch_.work)[Wait::kAtomic] *= left;
}

void Change::spare_local(double sectors, double requests) {
    CounterSet& c = launch_.counters;
    const double stored = at(c, C::kLocalStoreSectors), loaded = at(c, C::kLocalLoadSectors);
    const double left = share_left(loaded + stored, sectors);
    spare(c[C::kL2WriteSectors], stored * (1 - left));
    spare(c[C::kL2ReadSectors], (loaded - at(c, C::kLocalLoadL1HitSectors)) * (1 - left));
    scale_counters(c,
                   {C::kLocalLoadSectors, C::kLocalStoreSectors, C::kLocalLoadL1HitSectors, C::kLocalLoadRequests,
                    C::kLocalStoreRequests},
                   left);
    spare(c[C::kInstructions], requests);
    if (!launch_.work) return;
    WarpWork& work = *launch_.work;
    work[Wait::kLocal] *= left;
    spare(work.instructions, requests);
    spare(work[Pipe::kMemory], requests);
    const double sent = stored / (kWavefrontBytes / kSectorBytes) * (1 - left);
    if (work.sent_lines > 0) work.sent_lines = std::max(work.sent_lines - sent, work.store_lines);
    work.hottest_stores *= left;
}

void Change::spare_spills() { launch_.spill_traffic.reset(); }

void Change::spare_wavefronts(double wavefronts) {
    CounterSet& c = launch_.counters;
    const double all = at(c, C::kSharedLoadWavefronts) + at(c, C::kSharedStoreWavefronts);
    scale_counters(c, {C::kSharedLoadWavefronts, C::kSharedStoreWavefronts}, share_left(all, wavefronts));
}

void Change::add_shared(double loads, double stores) {
    CounterSet& c = launch_.counters;
    c[C::kSharedLoadWavefronts] += static_cast<std::uint64_t>(loads);
    c[C::kSharedLoadRequests] += static_cast<std::uint64_t>(loads);
    c[C::kSharedStoreWavefronts] += static_cast<std::uint64_t>(stores);
    c[C::kSharedStoreRequests] += static_cast<std::uint64_t>(stores);
    c[C::kInstructions] += static_cast<std::uint64_t>(loads + stores);
    if (!launch_.work) return;
    launch_.work->instructions += loads + stores;
    (*launch_.work)[Pipe::kMemory] += loads + stores;
}

void Change::spare_shared_share(double share) {
    CounterSet& c = launch_.counters;
    const double requests = at(c, C::kSharedLoadRequests) + at(c, C::kSharedStoreRequests);
    const double left = 1 - share;
    scale_counters(
        c, {C::kSharedLoadWavefronts, C::kSharedStoreWavefronts, C::kSharedLoadRequests, C::kSharedStoreRequests},
        left);
    spare(c[C::kInstructions], requests * share);
    if (!launch_.work) return;
    WarpWork& work = *launch_.work;
    spare(work.instructions, requests * share);
    spare(work[Pipe::kMemory], requests * share);
    work[Wait::kShared] *= left;
}

void Change::spare_shared_loads(double requests) {
    CounterSet& c = launch_.counters;
    const double spared = std::min(requests, at(c, C::kSharedLoadRequests));
    spare(c[C::kSharedLoadRequests], spared);
    spare(c[C::kSharedLoadWavefronts], spared);
    spare(c[C::kInstructions], spared);
    if (!launch_.work) return;
    spare(launch_.work->instructions, spared);
    spare((*launch_.work)[Pipe::kMemory], spared);
}

void Change::join_threads(double threads, std::uint32_t blocks_per_sm) {
    scale_counters(launch_.counters, {C::kBarriers}, 1 / threads);
    double block = 1;
    for (const std::uint32_t extent : launch_.block) block *= extent;
    launch_.block = {static_cast<std::uint32_t>(std::max(1.0, block / threads)), 1, 1};
    launch_.blocks_per_sm = blocks_per_sm;
    if (!launch_.work) return;
    for (const Wait wait : {Wait::kGlobal, Wait::kShared}) (*launch_.work)[wait] /= threads;
    launch_.work->steps /= threads;
}

void Change::spare_shared_atomics() { launch_.counters[C::kSharedAtomicBankConflicts] = 0; }

void Change::spare_constant_passes(double passes) { spare(launch_.counters[C::kConstantPasses], passes); }

void Change::add_barriers(double barriers) {
    launch_.counters[C::kBarriers] += static_cast<std::uint64_t>(barriers);
    launch_.counters[C::kInstructions] += static_cast<std::uint64_t>(barriers);
    if (launch_.work) launch_.work->instructions += barriers;
}

void Change::spare_barriers() {
    const double barriers = at(launch_.counters, C::kBarriers);
    launch_.counters[C::kBarriers] = 0;
    spare(launch_.counters[C::kInstructions], barriers);
    if (launch_.work) spare(launch_.work->instructions, barriers);
}

void Change::narrow(double fp64, double conversions, double instead) {
    CounterSet& c = launch_.counters;
    scale_counters(c, {C::kFp64Add, C::kFp64Mul, C::kFp64Fma, C::kFp64Special}, 0);
    spare(c[C::kInstructions], conversions);
    if (!launch_.work) return;
    WarpWork& work = *launch_.work;
    const double doubles = std::min(fp64, work[Pipe::kFp64]), converted = std::min(conversions, work[Pipe::kSpecial]);
    work[Pipe::kFp64] -= doubles;
    work[Pipe::kFp32] += instead;
    work[Pipe::kSpecial] -= converted;
    work.instructions = std::max(instead, work.instructions - doubles - converted + instead);
    constexpr double kConversionSteps = 5;  // numeric: of a chain, as isa/assembler/instruction_cost.cpp has them
    spare(work.steps, kConversionSteps * converted + std::max(0.0, doubles - instead));
    work.steps = std::max(work.steps, instead);
}

// Loads of factors stay as they are, and so do the chains of dependent steps: what is gained is the pipe and slots of
// the scheduler.
void Change::multiply_matrices(const ToMatrices& matrices) {
    CounterSet& c = launch_.counters;
    constexpr double kLanes = 32;
    const double all = matrices.multiply_adds * at(c, matrices.from);
    // Pairs of 16 bits count as two: of floats there is at least what multiplies and adds.
    const double counted = matrices.multiply_adds < 1 && c[C::kFloatInstructions] != 0
                               ? std::min(all / kLanes, at(c, C::kFloatInstructions))
                               : at(c, matrices.from) / kLanes;
    c[matrices.to] += static_cast<std::uint64_t>(2 * all);
    c[matrices.from] = 0;
    const double converted = matrices.conversions != C::kCount ? at(c, matrices.conversions) / kLanes : 0;
    if (matrices.conversions != C::kCount) c[matrices.conversions] = 0;
    spare(c[C::kInstructions], counted + converted - matrices.products);
    if (!launch_.work) return;
    WarpWork& work = *launch_.work;
    const double spared = std::min(counted, work[matrices.pipe] / matrices.pipe_cycles);
    work[matrices.pipe] -= spared * matrices.pipe_cycles;
    // The assembler makes each value float once.
    const double each = matrices.conversions == C::kFp16ToFp32 ? double{kHalfPipeCycles} : 1;
    const double left = std::min(converted, work[Pipe::kFp32] / each);
    spare(work[Pipe::kFp32], left * each);
    work[Pipe::kTensor] += matrices.cycles;
    work.instructions = std::max(matrices.products, work.instructions - spared - left + matrices.products);
    spare(work.steps, std::max(0.0, spared - matrices.products));
    work.steps = std::max(work.steps, matrices.products);
}

void Change::fill_lanes(double share, double load_sectors, double store_sectors) {
    CounterSet& c = launch_.counters;
    const double loaded = at(c, C::kGlobalLoadSectors), stored = at(c, C::kGlobalStoreSectors);
    const double load_lines = at(c, C::kGlobalLoadLines), store_lines = at(c, C::kGlobalStoreLines);
    scale_counters(c,
                   {C::kInstructions, C::kGlobalLoadRequests, C::kGlobalStoreRequests, C::kSharedLoadWavefronts,
                    C::kSharedStoreWavefronts, C::kSharedLoadRequests, C::kSharedStoreRequests},
                   share);
    if (launch_.work) launch_.work->for_each([share](double& number) { number *= share; });
    if (loaded > 0) spare_load_sectors(load_sectors, load_lines * load_sectors / loaded);
    if (stored > 0) spare_store_sectors(store_sectors, store_lines * store_sectors / stored);
    if (launch_.work)
        launch_.work->load_passes = std::max(launch_.work->load_passes * share, at(c, C::kGlobalLoadRequests));
}

void Change::load_together(double times) {
    if (launch_.work) (*launch_.work)[Wait::kGlobal] /= times;
}

void Change::spare_load_lines(double lines, double dram_bytes) {
    spare(launch_.counters[C::kGlobalLoadLines], lines);
    spare(launch_.counters[C::kDramReadBytes], dram_bytes);
    if (!launch_.work) return;
    launch_.work->load_lines *= share_left(launch_.work->load_lines, lines);
}

void Change::spare_fetches(double fetches, double requests, double sectors) {
    CounterSet& c = launch_.counters;
    spare(c[C::kTextureRequests], requests);
    spare(c[C::kTextureSectors], sectors);
    spare(c[C::kTextureHitSectors], sectors);
    spare(c[C::kInstructions], fetches);
    if (!launch_.work) return;
    WarpWork& work = *launch_.work;
    const double left = share_left(work[Pipe::kTexture], fetches);
    work.texture_passes *= left;
    work.texture_lines *= left;
    spare(work.instructions, fetches);
    spare(work[Pipe::kTexture], fetches);
}

// What missed before misses still, as far as loads ask for as much.
void Change::load_instead(double fetches, double requests, double sectors, double load_sectors, double load_lines) {
    CounterSet& c = launch_.counters;
    const double hits = at(c, C::kTextureSectors) > 0
                            ? at(c, C::kTextureHitSectors) * std::min(1.0, sectors / at(c, C::kTextureSectors))
                            : 0;
    const double misses = std::min(load_sectors, sectors - hits), kept = at(c, C::kTextureHitSectors) - hits;
    spare_fetches(fetches, requests, sectors);
    c[C::kTextureHitSectors] = static_cast<std::uint64_t>(std::max(0.0, kept));
    c[C::kGlobalLoadRequests] += static_cast<std::uint64_t>(fetches);
    c[C::kGlobalLoadSectors] += static_cast<std::uint64_t>(load_sectors);
    c[C::kGlobalLoadL1HitSectors] += static_cast<std::uint64_t>(load_sectors - misses);
    c[C::kGlobalLoadLines] += static_cast<std::uint64_t>(load_lines);
    c[C::kInstructions] += static_cast<std::uint64_t>(fetches);
    if (!launch_.work) return;
    WarpWork& work = *launch_.work;
    work.instructions += fetches;
    work[Pipe::kMemory] += fetches;
    work.load_passes += std::max(fetches, load_lines);
    work.load_lines += load_lines;
}

void Change::spare_texture_sectors(double sectors, double first_touches) {
    CounterSet& c = launch_.counters;
    const double before = at(c, C::kTextureSectors), left = share_left(before, sectors);
    const double misses = before - at(c, C::kTextureHitSectors);
    const double again = std::max(0.0, misses - first_touches);
    spare(c[C::kTextureSectors], sectors);
    const double missing = std::min(at(c, C::kTextureSectors), misses - again * (1 - left));
    c[C::kTextureHitSectors] = static_cast<std::uint64_t>(at(c, C::kTextureSectors) - missing);
    const double read = at(c, C::kL2ReadSectors);
    spare(c[C::kL2ReadSectors], misses - missing);
    const double still_read = read > 0 ? at(c, C::kL2ReadSectors) / read : 1;
    scale_counters(c, {C::kL2ReadHitSectors, C::kL2FabricSectors}, still_read);
    cap(c[C::kDramReadBytes], kSectorBytes * at(c, C::kL2ReadSectors));
    if (launch_.work) launch_.work->texture_lines *= left;
}

void Change::reshape(std::uint64_t blocks, std::uint64_t threads, std::uint32_t blocks_per_sm) {
    launch_.grid = {static_cast<std::uint32_t>(blocks), 1, 1};
    launch_.block = {static_cast<std::uint32_t>(threads), 1, 1};
    launch_.blocks_per_sm = blocks_per_sm;
}

}  // namespace tilescope::models

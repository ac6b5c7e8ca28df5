// A launch with something changed: what it would count and ask of the SMs if a piece of advice were followed.
//
// Owns: Change. Guarantees: counts only ever become what the change makes of them, and never negative; what L1 had
// before it may have again, and L2 and device memory are asked no more than before. Does not model: what the compiler
// would make of the changed code.
#pragma once

#include <cstdint>

#include "scope/report/profile.h"

namespace tilescope::models {

class Change {
public:
    explicit Change(const LaunchProfile& before);

    // Its counters, work, spills and shape; nothing else is filled in.
    const LaunchProfile& launch() const { return launch_; }

    // Loads of global memory: so many sectors and lines fewer, by as many requests, or by so many fewer of these. Then
    // fewer instructions are issued, and warps wait less often.
    void spare_load_sectors(double sectors, double lines);
    // `others`: requests that stay as they are, and are waited for as they were.
    void spare_load_requests(double requests, double others = 0);
    void spare_store_sectors(double sectors, double lines);
    void spare_store_requests(double requests);
    // Atomics on global memory: turns at L2.
    void spare_atomic_turns(double turns);
    void spare_local(double sectors, double requests);
    void spare_spills();
    // Shared memory: passes by as many requests; requests with a pass each, more or fewer, and the warps' waiting for
    // them.
    void spare_wavefronts(double wavefronts);
    void add_shared(double loads, double stores);
    void spare_shared_share(double share);  // of all loads and stores
    void spare_shared_loads(double requests);
    void spare_shared_atomics();  // what they take beyond a pass a request
    void spare_constant_passes(double passes);
    void add_barriers(double barriers);
    void spare_barriers();
    // Doubles become floats: warp instructions of the fp64 pipe, conversions that are not needed any more, and the
    // instructions that there are instead.
    void narrow(double fp64, double conversions, double instead);
    // Multiply-adds of full warps become so many products on tensor cores, which keep that pipe busy for so many cycles
    // in all.
    struct ToMatrices {
        Pipe pipe;             // of the multiply-adds
        Counter from;          // that count them
        double multiply_adds;  // each of these is
        double pipe_cycles;    // that a warp's instruction counts in the pipe
        Counter conversions;   // of the factors, which are not needed any more; kCount: none
        Counter to;            // operations of tensor cores, two for each
        double products, cycles;
    };
    void multiply_matrices(const ToMatrices& matrices);
    // A thread does the work of so many, with one wait for all: fewer warps, for which blocks have room.
    void join_threads(double threads, std::uint32_t blocks_per_sm);
    // Warps do so many times less: full lanes instead of few. Bytes and scattered sectors stay.
    void fill_lanes(double share, double load_sectors, double store_sectors);
    // So many loads are under way at once where one was.
    void load_together(double times);
    // Lines of loads that are asked for in part are asked for in full.
    void spare_load_lines(double lines, double dram_bytes);
    // Fetches of textures: so many warp instructions fewer, with so many of their requests and sectors, which L1 had.
    void spare_fetches(double fetches, double requests, double sectors);
    // Loads of global memory instead, of so many sectors and lines.
    void load_instead(double fetches, double requests, double sectors, double load_sectors, double load_lines);
    // Fetches ask for so many sectors fewer of what they ask for now; `first_touches` of L1's misses stay.
    void spare_texture_sectors(double sectors, double first_touches);
    // Blocks of another size, or more of them on an SM, for the same work.
    void reshape(std::uint64_t blocks, std::uint64_t threads, std::uint32_t blocks_per_sm);

private:
    void settle_loads(double sectors_before);

    LaunchProfile launch_;
};

}  // namespace tilescope::models

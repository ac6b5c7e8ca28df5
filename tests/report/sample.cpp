#include "tests/report/sample.h"

namespace tilescope::report {
namespace {

using C = Counter;

OccupancyProfile occupancy_profile() {
    OccupancyProfile profile;
    profile.by = {8, 32, 8, 228, std::nullopt};
    profile.registers_per_block = 8192;
    profile.shared_bytes_per_block = 1024;
    profile.shared_bytes_per_sm = 233'472;
    profile.barriers = 2;
    profile.carveout_percent = 75;
    profile.textbook = {9, 2304, 1.125, {SmResource::kThreads}, {9, 32, 10, std::nullopt, std::nullopt}, 2400.5, 1.172};
    profile.difference = "blocks are whole";
    profile.shared_bytes_per_thread = 0.5;
    profile.full_bytes_per_thread = 114;
    profile.full_bytes_per_thread_allocated = 110;
    profile.next = {{{{SmResource::kRegisters, -8}, {SmResource::kShared, -512}}, 9, 1},
                    {{{SmResource::kThreads, 32}}, 7, 0.98}};
    profile.headroom = {{SmResource::kRegisters, 0}, {SmResource::kShared, 28'160}};
    return profile;
}

// The counts of the 512 × 512 product on the truth device, spread over its lines.
LaunchProfile naive() {
    LaunchProfile launch;
    launch.kernel = "naive(float const*, float const*, float*, int)";
    launch.entry = "_Z5naivePKfS0_Pfi";
    launch.grid = {32, 32, 1};
    launch.block = {16, 16, 1};
    launch.registers_per_thread = 32;
    launch.registers_from = RegistersFrom::kCubin;
    launch.blocks_run = 1024;
    launch.seconds = 0.25;
    CounterSet& c = launch.counters;
    c[C::kInstructions] = 20'000'000;
    c[C::kThreadInstructions] = 640'000'000;
    c[C::kBranches] = 4'200'000;
    c[C::kGlobalLoadInstructions] = c[C::kGlobalLoadRequests] = 8'388'608;
    c[C::kGlobalLoadSectors] = 16'777'216;
    c[C::kGlobalLoadIdealSectors] = 12'582'912;
    c[C::kGlobalLoadBytesRequested] = 1'073'741'824;
    c[C::kGlobalStoreInstructions] = c[C::kGlobalStoreRequests] = 8192;
    c[C::kGlobalStoreSectors] = c[C::kGlobalStoreIdealSectors] = 32'768;
    c[C::kGlobalStoreBytesRequested] = 1'048'576;
    c[C::kFp32Fma] = 134'217'728;
    launch.blocks_per_sm = 8;
    launch.warps_per_sm = 64;
    launch.occupancy = 1;
    launch.limiters = {SmResource::kThreads, SmResource::kRegisters};
    launch.occupancy_profile = occupancy_profile();
    launch.tiling = Tiling{1'073'741'824, 67'108'864, 268'435'456};
    launch.buffers = {{0, "", 1'048'576, {536'870'912, 33'554'432, 134'217'728, 1'048'576}},
                      {1, "", 1'048'576, {536'870'912, 33'554'432, 134'217'728, 1'048'576}}};
    launch.variables = {
        {"registers", VariableSpace::kRegister, 128, 262'144, VariableScope::kThread, VariableLifetime::kGrid}};
    launch.advice = {{AdviceKind::kTile, "tests/report/sample.cu", 7, 1'006'632'960, 12.5,
                      "a block asks for each byte 16 times: let its threads load each byte once into a tile in "
                      "shared memory, wait at a barrier and read it there"},
                     {AdviceKind::kOccupancy, "", 0, 0, 1.5, "8 of 64 warps fit: make it more"},
                     {AdviceKind::kBarriers, "tests/report/sample.cu", 6, 0, 1, "warps wait for nothing"}};
    LineProfile load{"tests/report/sample.cu", 7, c, launch.tiling};
    load.counters[C::kGlobalStoreRequests] = load.counters[C::kGlobalStoreSectors] = 0;
    load.counters[C::kGlobalStoreIdealSectors] = load.counters[C::kGlobalStoreBytesRequested] = 0;
    LineProfile store{"tests/report/sample.cu", 8, {}, {}};
    store.counters[C::kGlobalStoreRequests] = 8192;
    store.counters[C::kGlobalStoreSectors] = 32'768;
    launch.lines = {load, store};
    launch.tiling->unique_bytes = 2'097'152;
    return launch;
}

LaunchProfile tiled() {
    LaunchProfile launch = naive();
    launch.index = 1;
    launch.kernel = "tiled(float const*, float const*, float*, int)";
    launch.entry = "_Z5tiledPKfS0_Pfi";
    launch.static_shared_bytes = 2048;
    launch.tiling = Tiling{67'108'864, 67'108'864, 16'777'216};
    launch.buffers = {{std::nullopt, "table", 64, {67'108'864, 67'108'864, 16'777'216, std::nullopt}}};
    launch.shared_reuse = {{"Mds", 0, 1024, 1'048'576, 1'048'000}};
    launch.variables.push_back(
        {"Mds", VariableSpace::kShared, 1024, 1024, VariableScope::kBlock, VariableLifetime::kGrid});
    launch.variables.push_back(
        {"local arrays", VariableSpace::kLocal, 88, 262'144, VariableScope::kThread, VariableLifetime::kGrid});
    launch.variables.push_back({"products::detail::scales_of_rows", VariableSpace::kConstant, 4096, 1,
                                VariableScope::kGrid, VariableLifetime::kApplication});
    launch.variables.push_back(
        {"total", VariableSpace::kGlobal, 4, 1, VariableScope::kGrid, VariableLifetime::kApplication});
    launch.advice.clear();
    launch.registers_from = RegistersFrom::kEstimate;
    CounterSet& c = launch.counters;
    c[C::kGlobalLoadRequests] = 524'288;
    c[C::kGlobalLoadSectors] = c[C::kGlobalLoadIdealSectors] = 2'097'152;
    c[C::kGlobalLoadBytesRequested] = 67'108'864;
    c[C::kSharedLoadRequests] = 5'242'880;
    c[C::kSharedLoadWavefronts] = 6'291'456;
    c[C::kSharedLoadBankConflicts] = 1'048'576;
    c[C::kSharedStoreRequests] = c[C::kSharedStoreWavefronts] = 524'288;
    LineProfile load{"tests/report/sample.cu", 18, {}, {}};
    load.counters[C::kGlobalLoadSectors] = 2'097'152;
    load.counters[C::kSharedStoreWavefronts] = 524'288;
    LineProfile inner{"tests/report/sample.cu", 21, {}, {}};
    inner.counters[C::kSharedLoadWavefronts] = 6'291'456;
    inner.counters[C::kSharedLoadBankConflicts] = 1'048'576;
    LineProfile store{"tests/report/sample.cu", 24, {}, {}};
    store.counters[C::kGlobalStoreSectors] = 32'768;
    launch.lines = {load, inner, store};
    return launch;
}

LaunchProfile strided(std::uint32_t index) {
    LaunchProfile launch;
    launch.index = index;
    launch.kernel = "void copies::strided_copy<float, 8>(float const*, float*, unsigned long, copies::Options<float>)";
    launch.entry = "_ZN6copies12strided_copyIfLi8EEEvPKT_PS1_mNS_7OptionsIS1_EE";
    launch.grid = {4096, 1, 1};
    launch.block = {256, 1, 1};
    launch.dynamic_shared_bytes = 1024;
    launch.local_bytes_per_thread = 96;
    launch.spill_store_bytes = launch.spill_load_bytes = 8;
    launch.spill_traffic = {true, {65'536, 65'536, 262'144, 8'388'608}, {32'768, 65'536, 262'144, 8'388'608}};
    launch.registers_per_thread = 255;
    launch.registers_from = RegistersFrom::kPtxas;
    launch.blocks_run = 64;
    launch.sampled = true;
    launch.stream = 2;
    launch.seconds = 0.01;
    CounterSet& c = launch.counters;
    c[C::kInstructions] = 400'000;
    c[C::kThreadInstructions] = 6'400'000;
    c[C::kBranches] = 1000;
    c[C::kDivergentBranches] = 500;
    c[C::kGlobalLoadRequests] = 32'768;
    c[C::kGlobalLoadSectors] = 1'048'576;
    c[C::kGlobalLoadIdealSectors] = 131'072;
    c[C::kGlobalLoadBytesRequested] = 4'194'304;
    c[C::kGlobalAtomicRequests] = 100;
    c[C::kGlobalAtomicSectors] = 400;
    c[C::kGlobalReductionRequests] = 10;
    c[C::kGlobalReductionSectors] = 10;
    c[C::kLocalLoadRequests] = c[C::kLocalStoreRequests] = 1000;
    c[C::kLocalLoadSectors] = c[C::kLocalStoreSectors] = 4000;
    c[C::kConstantRequests] = 10;
    c[C::kConstantPasses] = 320;
    c[C::kSharedAtomicRequests] = 64;
    c[C::kSharedAtomicBankConflicts] = 1984;
    launch.lines = {{"/nowhere/with/a/long/path/strided_copy_of_elements.cuh", 1234, c, {}}};
    return launch;
}

LaunchProfile faulting() {
    LaunchProfile launch;
    launch.index = 5;
    launch.kernel = "broken(int*)";
    launch.entry = "_Z6brokenPi";
    Hazard hazard;
    hazard.kind = HazardKind::kOutOfBounds;
    hazard.space = HazardSpace::kGlobal;
    hazard.file = "tests/report/sample.cu";
    hazard.line = 29;
    hazard.block = {3, 0, 0};
    hazard.thread = {31, 0, 0};
    hazard.kernel = launch.kernel;
    hazard.message =
        "4-byte write of global memory at 0x7f47aa957fa0 is out of bounds: 124 bytes past the end of the "
        "allocation of 4096 bytes at 0x7f47aa957000";
    launch.hazards = {hazard};
    return launch;
}

}  // namespace

Profile sample_profile() {
    Profile profile;
    profile.tilescope_version = "0.1.0";
    profile.program = "tests/report/sample.cu";
    profile.compiler = "clang 19.1.7";
    profile.jobs = 2;
    profile.seconds = 0.7;
    profile.launches = {naive(), tiled(), strided(2), strided(3), strided(4), faulting()};
    profile.outcome = Outcome::kFault;
    profile.diagnostics = {
        {Severity::kWarning, "runtime-call", {"matmul.cu", 3, 4}, "cudaFoo is not there yet", "leave it out"}};
    LaunchProfile uncounted;
    uncounted.index = 6;
    uncounted.kernel = "other()";
    uncounted.entry = "_Z5otherv";
    uncounted.observed = false;
    profile.launches.push_back(uncounted);
    return profile;
}

}  // namespace tilescope::report

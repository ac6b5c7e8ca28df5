// Each rule of advice in words: what is said of which facts.
#include "scope/views/words/advice.h"

#include <gtest/gtest.h>

#include "scope/views/words/speak.h"

namespace tilescope::views {
namespace {

using K = AdviceKind;
using F = AdviceFigure;
using V = AdviceVariant;

AdviceFacts facts(V variant, AdviceFigures figures) {
    AdviceFacts facts;
    facts.variant = variant;
    facts.figures = std::move(figures);
    return facts;
}

std::string message(K rule, AdviceFacts facts) {
    Advice advice;
    advice.rule = rule;
    advice.facts = std::move(facts);
    return advice_message(advice, "h200");
}

TEST(AdviceWords, OfEachRule) {
    const AdviceFacts occupancy =
        facts(V::kFewerRegisters,
              {{F::kWarps, 16}, {F::kMaxWarps, 64}, {F::kWarpsThen, 24}, {F::kChange, -48}, {F::kChangeOf, 128}});
    struct Case {
        K rule;
        AdviceFacts facts;
        const char* words;
    };
    const Case cases[] = {
        {K::kCoalesce, facts(V::kLoads, {{F::kActual, 32}, {F::kIdeal, 4}}),
         "loads touch 32.0 sectors per request, 4.0 would do. Let neighboring threads access neighboring elements, for "
         "example through a shared-memory tile"},
        {K::kTile, facts(V::kNone, {{F::kTimes, 16}}),
         "each block loads each byte 16 times. Load a tile into shared memory once, __syncthreads(), then read it from "
         "there"},
        {K::kTile, facts(V::kOneAddress, {{F::kTimes, 256}}),
         "each block loads each byte 256 times. All lanes of a warp read the same address: use constant memory if "
         "kernels only read the data, or load it into shared memory once"},
        {K::kAtomics, facts(V::kMeetInBlocks, {{F::kOperations, 1}, {F::kTurns, 1}, {F::kTimes, 1.5}}),
         "1 atomic operation takes 1 turn at L2, as 1.5 threads of a block share an address. Sum in shared memory "
         "first, with as many elements per block as possible, and add once per block"},
        {K::kAtomics, facts(V::kMeetInWarps, {{F::kOperations, 1'048'576}, {F::kTurns, 32'768}, {F::kTimes, 32}}),
         "1,048,576 atomic operations take 32,768 turns at L2, as 32 lanes of a warp share an address. Sum within the "
         "warp first (__reduce_add_sync), and add once"},
        {K::kSharedAtomics, facts(V::kMeetInShared, {{F::kActual, 32}, {F::kTimes, 32}}),
         "shared atomics take 32.0 turns per request, as 32 lanes share an address. Combine equal values within the "
         "warp, or give each lane or warp its own copy"},
        {K::kFp64, facts(V::kNone, {{F::kWidened, 1000}, {F::kNarrowed, 500}, {F::kFlop, 2000}}),
         "1,000 floats are converted to double and 500 results back to float, with 2,000 fp64 FLOP in between. Unless "
         "intended, write float constants (0.1f) and call float functions (sqrtf)"},
        {K::kFp64, facts(V::kNone, {{F::kWidened, 1}, {F::kNarrowed, 1}, {F::kFlop, 2}, {F::kRateRatio, 2}}),
         "1 floats are converted to double and 1 results back to float, with 2 fp64 FLOP in between. Unless intended, "
         "write float constants (0.1f) and call float functions (sqrtf); the H200 computes fp32 2 times as fast as "
         "fp64"},
        {K::kLocal, facts(V::kNone, {{F::kActual, 4}, {F::kIdeal, 4}}),
         "per-thread arrays are in local memory, which is off-chip. Index them with constants only (unroll the loops), "
         "so that they become registers"},
        {K::kLocal, facts(V::kScattered, {{F::kActual, 32}, {F::kIdeal, 4}}),
         "per-thread arrays are in local memory, which is off-chip, and lanes access different elements at once (32.0 "
         "sectors per request, ideal 4.0). Index them with constants only (unroll the loops), so that they become "
         "registers"},
        {K::kSpills, facts(V::kAsIfOnce, {{F::kSpilledBytes, 1024}}),
         "the compiler spills 1,024 B per thread to local memory because registers run out (counted as if each spill "
         "ran once). Keep fewer values alive, or allow more registers (__launch_bounds__, -maxrregcount)"},
        {K::kConstant, facts(V::kNone, {{F::kActual, 32}}),
         "a warp reads 32.0 constant-memory addresses per request, which are served one after another. Keep a table "
         "that lanes index differently in shared or global memory"},
        {K::kDivergence, facts(V::kNone, {{F::kActiveShare, 0.5}, {F::kBranches, 10'000}}),
         "50 % of the lanes are active: 10,000 branches diverge within a warp. Make the condition depend on the warp "
         "instead of the lane, or give idle lanes the next elements"},
        {K::kPartialWarps, facts(V::kNone, {{F::kThreads, 33}, {F::kLanes, 64}, {F::kWarpSize, 32}}),
         "blocks of 33 threads leave 31 of 64 lanes without work. Use a multiple of 32"},
        {K::kPartialWarps, facts(V::kNone, {{F::kThreads, 1}, {F::kLanes, 32}, {F::kWarpSize, 32}}),
         "blocks of 1 thread leave 31 of 32 lanes without work. Use a multiple of 32"},
        {K::kGrid, facts(V::kNone, {{F::kBlocks, 1}, {F::kSms, 132}}),
         "1 block keeps 1 of 132 SMs busy. Split the work among more threads: smaller pieces per thread, or several "
         "threads (such as a warp) per row"},
        {K::kSharedAtomics, facts(V::kMeetInLoops, {{F::kActual, 32}, {F::kTimes, 32}}),
         "shared memory has no unit for these atomics: each is a compare-and-swap loop, and lanes with the same "
         "address (32 per address) iterate one after the other. Sum within the warp first (__shfl_down_sync), or give "
         "each lane its own copy"},
        {K::kAlignment, facts(V::kLoads, {{F::kStructureBytes, 12}, {F::kTimes, 3}}),
         "each thread reads 12 adjacent bytes in 3.0 requests to the same sectors. Declare the structure alignas(16) "
         "and copy it by assignment, or use float4 or a similar type, so that one request moves them"},
        {K::kAlignment,
         facts(V::kSplitByCompiler, {{F::kStructureBytes, 16}, {F::kSplitLoads, 2}, {F::kSplitStores, 4}}),
         "the compiler split a copy of 16 aligned bytes into 2 loads and 4 stores; one access would move them. Copy "
         "them as int4: *(int4*)&to = *(const int4*)&from"},
        {K::kAlignment,
         facts(V::kSplitByCompiler, {{F::kStructureBytes, 8}, {F::kSplitLoads, 2}, {F::kSplitStores, 0}}),
         "the compiler split a copy of 8 aligned bytes into 2 loads; one access would move them. Copy them as int2: "
         "*(int2*)&to = *(const int2*)&from"},
        {K::kHalfLines, facts(V::kNone, {{F::kActual, 2}, {F::kIdeal, 4}}),
         "2.0 of the 4 sectors of each cache line are requested. Store data that is used together side by side (one "
         "array per field, or the hot fields in their own structure)"},
        {K::kInFlight, facts(V::kNone, {{F::kWarps, 16}, {F::kBytes, 2048}, {F::kWantedBytes, 32'000}, {F::kTimes, 4}}),
         "warps wait for each load before they issue the next, and an SM has 16.0 warps: 2.0 kB in flight per SM, DRAM "
         "needs 32 kB. Load 4 elements before you use them (float4, or an unrolled loop)"},
        {K::kImbalance, facts(V::kLastWave, {{F::kBlocks, 133}, {F::kSms, 132}, {F::kIdeal, 132}}),
         "every thread does the same work, but 133 blocks run on 132 SMs: some SMs run one block more while the others "
         "idle. Launch a multiple of 132 blocks (132 with a grid-stride loop), or use smaller blocks"},
        {K::kImbalance, facts(V::kNone, {{F::kLongest, 40}, {F::kAverage, 1.5}}),
         "the longest warp works for 40.0 µs, the average one for 1.5; finished SMs idle. Split long pieces of work, "
         "interleave rows among blocks, or distribute work with an atomic counter"},
        {K::kRegister, facts(V::kFromShared, {{F::kTimes, 2}, {F::kIdeal, 8}}),
         "2.0 shared-memory loads per multiply-add. Compute several outputs per thread (for example a column of 8), so "
         "that each loaded value is reused from registers"},
        {K::kTexture, facts(V::kPlainLoad, {{F::kActual, 8}, {F::kIdeal, 4}}),
         "plain loads do as well: threads fetch single texels row by row, within the image and unfiltered (8.0 sectors "
         "per warp; 4.0 by loads, which have lower latency and use less of the pipe). Textures pay off for columns, "
         "rotated images, filtering and edge handling"},
        {K::kTexture, facts(V::kIntoArray, {{F::kActual, 32}, {F::kIdeal, 16}}),
         "fetches take 32.0 sectors per warp from row-major memory; a CUDA array keeps neighbors of both dimensions "
         "together and needs 16.0. Copy the image into an array (cudaMallocArray, cudaMemcpy2DToArray)"},
        {K::kTexture, facts(V::kFilteredByUnit, {{F::kTimes, 4}}),
         "each thread fetches 4 texels that form two-by-two squares. If they are interpolated linearly, one fetch with "
         "cudaFilterModeLinear loads and weights all of them (8-bit weights)"},
        {K::kCopies, facts(V::kPageable, {{F::kBytes, 4e6}, {F::kMicroseconds, 300}, {F::kShare, 0.75}}),
         "4.0 MB move through pageable host memory; these copies take 75 % of the program's time. Allocate the buffer "
         "with cudaMallocHost, or register it (cudaHostRegister)"},
        {K::kCopies, facts(V::kRepeated, {{F::kBytes, 4e6}, {F::kMicroseconds, 300}, {F::kShare, 0.75}}),
         "4.0 MB are copied again although the device already has them. Copy them once, before the loop"},
        {K::kNoReuse, facts(V::kNone, {{F::kTimes, 1}, {F::kBarriers, 0}}),
         "shared memory cannot help here: no byte is requested twice by a block, and no thread reads what another "
         "thread wrote there. Keep the values in registers"},
        {K::kNoReuse, facts(V::kHardlyAny, {{F::kTimes, 1.05}, {F::kBarriers, 8}}),
         "shared memory cannot help here: hardly any byte is requested twice by a block, and no thread reads what "
         "another thread wrote there. Keep the values in registers, and remove the barriers that guard the array"},
        {K::kBarriers, facts(V::kNone, {{F::kBarriers, 32'768}}),
         "warps wait at barriers 32,768 times, but no thread reads what another thread of its block wrote, in shared "
         "or global memory. Remove the barriers"},
    };
    for (const Case& c : cases) EXPECT_EQ(message(c.rule, c.facts), c.words);
    EXPECT_TRUE(message(K::kOccupancy, occupancy).ends_with("48 registers fewer per thread (of 128), 24 would fit"));
    for (const auto& row : report::kNames<AdviceKind>)
        EXPECT_NE(message(row.value, facts(V::kNone, {{F::kActual, 1}})), "") << row.name << " has no words";
}

TEST(AdviceWords, OfWhatLetsMoreWarpsIn) {
    AdviceFacts told =
        facts(V::kFewerRegisters,
              {{F::kWarps, 16}, {F::kMaxWarps, 64}, {F::kWarpsThen, 24}, {F::kChange, -1}, {F::kChangeOf, 1280}});
    told.limiters = {SmResource::kRegisters, SmResource::kShared};
    EXPECT_EQ(message(K::kOccupancy, told),
              "16 of 64 warps fit on an SM (limited by registers and shared memory), too few to hide memory latency if "
              "threads wait for each load; with 1 register fewer per thread (of 1,280), 24 would fit");
    told.variant = V::kFewerSharedBytes;
    EXPECT_TRUE(message(K::kOccupancy, told)
                    .ends_with("load; with 1 B fewer of shared memory per block (of 1,280), 24 would fit"));
    told.variant = V::kOtherBlockSize;
    told.figures.set(F::kChange, 32);
    EXPECT_TRUE(message(K::kOccupancy, told).ends_with("load; with blocks of 1,312 threads, 24 would fit"));
}

TEST(AdviceWords, NameBuffersAsTheSourceDoes) {
    AdviceFacts told = facts(V::kNone, {{F::kTimes, 8}});
    told.buffers = {{1, "y", 8}};
    EXPECT_TRUE(message(K::kRegister, told).starts_with("each thread loads its element of y 8 times. "));
    EXPECT_TRUE(message(K::kTile, told).starts_with("each block loads each byte of y 8 times. "));
    told.buffers = {{0, "", 8}, {1, "y", 4}};
    EXPECT_TRUE(message(K::kTile, told).starts_with("each block loads each byte of arg0 8 times and of y 4 times. "));
    told.buffers.push_back({std::nullopt, "", 2});
    told.more_buffers = 1;
    EXPECT_TRUE(
        message(K::kTile, told)
            .starts_with("each block loads each byte of arg0 8 times, of y 4 times, of a buffer 2 times and others. "));
}

TEST(AdviceWords, PadRowsOrLeaveElementsOut) {
    AdviceFacts told = facts(V::kStores, {{F::kActual, 32}, {F::kIdeal, 1}, {F::kRowElements, 16}});
    EXPECT_EQ(message(K::kPad, told),
              "bank conflicts on shared stores (32.0 wavefronts per request, ideal 1.0). Pad the array: leave one "
              "element unused after every 16, that is index i + i / 16 instead of i, or pad [T][T] to [T][T + 1]");
    told.variable = "values";
    EXPECT_TRUE(
        message(K::kPad, told)
            .ends_with("Pad values: leave one element unused after every 16, that is index i + i / 16 instead of i"));
    told.extents = {32, 32};
    EXPECT_TRUE(message(K::kPad, told).ends_with("Pad values from [32][32] to [32][33]"));
}

TEST(AdviceWords, SwizzleOrPadRowsOfMatrices) {
    AdviceFacts told = facts(
        V::kLoads, {{F::kActual, 16}, {F::kIdeal, 4}, {F::kConflicts, 12}, {F::kRowBytes, 64}, {F::kRowsToRepeat, 2}});
    EXPECT_EQ(message(K::kSwizzle, told),
              "bank conflicts on matrix loads (ldmatrix, wmma): 16.0 wavefronts per request, ideal 4.0 (12 conflicts). "
              "Matrix rows are 64 B apart and map to the same banks. Swizzle: store 16 B chunk p of row r at chunk p ^ "
              "(r / 2 % 4); or pad rows to 80 B, as wmma allows. Use the same layout where the rows are written");
    told.variable = "tile";
    told.figures = {{F::kActual, 32}, {F::kIdeal, 4}, {F::kConflicts, 1}, {F::kRowBytes, 128}, {F::kRowsToRepeat, 1}};
    EXPECT_NE(message(K::kSwizzle, told).find("(1 conflict). Matrix rows are 128 B apart in tile"), std::string::npos);
    EXPECT_NE(message(K::kSwizzle, told).find("p ^ (r % 8); or pad"), std::string::npos);
}

TEST(AdviceWords, SayWhatTensorCoresMakeOfNumbers) {
    const AdviceFigures figures = {{F::kRows, 2048}, {F::kColumns, 1024}, {F::kDepth, 512}, {F::kRateRatio, 4.93}};
    EXPECT_TRUE(message(K::kTensor, facts(V::kAsTf32, figures))
                    .starts_with("this is a matrix product of 2,048 x 1,024 x 512 with scalar multiply-adds; tensor "
                                 "cores (wmma, mma.sync) multiply fp32 as tf32, at a peak rate at least 4.9 times as "
                                 "high. MMA operands keep 10 of 23 mantissa bits"));
    EXPECT_TRUE(message(K::kTensor, facts(V::kAsF64, figures)).ends_with("sums may differ by order"));
}

TEST(AdviceWords, TellWhatItComesToOnAFullDevice) {
    AdviceFacts told = facts(V::kNone, {{F::kActual, 8},
                                        {F::kBlocks, 2},
                                        {F::kFullBlocks, 1056},
                                        {F::kFullBytes, 7.6e6},
                                        {F::kFullMicroseconds, 1.6}});
    EXPECT_TRUE(message(K::kConstant, told)
                    .ends_with("global memory. The effect is too small to see at 2 blocks; on a full H200 (1,056 "
                               "blocks) it saves 7.6 MB and 1.6 µs"));
}

TEST(AdviceWords, AProfileThatWasReadKeepsWhatItSays) {
    Profile profile;
    profile.device = "a100";
    LaunchProfile& launch = profile.launches.emplace_back();
    launch.advice.resize(3);
    launch.advice[0].message = "as it was said then";
    launch.advice[0].facts.figures.set(F::kActual, 2);
    launch.advice[1].facts.figures = {{F::kActual, 32}, {F::kIdeal, 4}};
    speak(profile);
    EXPECT_EQ(launch.advice[0].message, "as it was said then");
    EXPECT_TRUE(launch.advice[1].message.starts_with("loads touch 32.0 sectors"));
    EXPECT_EQ(launch.advice[2].message, "") << "no facts, no words";
}

}  // namespace
}  // namespace tilescope::views

#include "scope/views/words/advice.h"

#include <algorithm>
#include <bit>
#include <cmath>

#include "scope/report/format.h"
#include "scope/views/words/reuse.h"

namespace tilescope::views {

using namespace report;
namespace {

using Seen = AdviceFigure;
using Variant = AdviceVariant;

// What the words of a rule are made of.
struct Telling {
    const AdviceFacts& facts;
    const std::string& device;

    bool is(Variant variant) const { return facts.variant == variant; }
    std::uint64_t count(Seen figure) const { return facts.figures.count(figure); }
    std::string number(Seen figure) const { return thousands(count(figure)); }
    std::string per_request(Seen figure) const { return report::per_request(facts.figures[figure]); }
    std::string times(Seen figure) const { return times_text(facts.figures[figure]); }
    // "1 turn", "2 turns"
    std::string counted(Seen figure, const char* one, const char* many) const {
        return number(figure) + " " + (count(figure) == 1 ? one : many);
    }
};

std::string say_coalesce(const Telling& told) {
    return std::string(told.is(Variant::kStores) ? "stores" : "loads") + " touch " + told.per_request(Seen::kActual) +
           " sectors per request, " + told.per_request(Seen::kIdeal) +
           " would do. Let neighboring threads access neighboring elements, for example through a shared-memory tile";
}

// Which copy, what became of it, and the line of code that keeps it whole.
std::string say_split_copy(const Telling& told) {
    const std::uint64_t bytes = told.count(Seen::kStructureBytes);
    const std::string vector = bytes == 16 ? "int4" : bytes == 8 ? "int2" : "int";  // numeric: sizes of CUDA's vectors
    std::string parts;
    if (told.count(Seen::kSplitLoads) > 1) parts = told.number(Seen::kSplitLoads) + " loads";
    if (told.count(Seen::kSplitStores) > 1)
        parts += (parts.empty() ? "" : " and ") + told.number(Seen::kSplitStores) + " stores";
    return "the compiler split a copy of " + std::to_string(bytes) + " aligned bytes into " + parts +
           "; one access would move them. Copy them as " + vector + ": *(" + vector + "*)&to = *(const " + vector +
           "*)&from";
}

std::string say_alignment(const Telling& told) {
    if (told.is(Variant::kSplitByCompiler)) return say_split_copy(told);
    const std::string bytes = told.number(Seen::kStructureBytes);
    const std::uint64_t whole = std::bit_ceil(told.count(Seen::kStructureBytes));
    return std::string("each thread ") + (told.is(Variant::kStores) ? "writes " : "reads ") + bytes +
           " adjacent bytes in " + told.per_request(Seen::kTimes) +
           " requests to the same sectors. Declare the structure alignas(" + std::to_string(whole) +
           ") and copy it by assignment, or use float4 or a similar type, so that one request moves them";
}

std::string say_half_lines(const Telling& told) {
    return told.per_request(Seen::kActual) + " of the " + told.number(Seen::kIdeal) +
           " sectors of each cache line are requested. Store data that is used together side by side (one array per "
           "field, or the hot fields in their own structure)";
}

std::string say_in_flight(const Telling& told) {
    return "warps wait for each load before they issue the next, and an SM has " + told.per_request(Seen::kWarps) +
           " warps: " + with_prefix(told.facts.figures[Seen::kBytes]) + "B in flight per SM, DRAM needs " +
           with_prefix(told.facts.figures[Seen::kWantedBytes]) + "B. Load " + told.number(Seen::kTimes) +
           " elements before you use them (" + (told.is(Variant::kWideLoads) ? "" : "float4, or ") +
           "an unrolled loop)";
}

std::string say_texture(const Telling& told) {
    const std::string actual = told.per_request(Seen::kActual), ideal = told.per_request(Seen::kIdeal);
    if (told.is(Variant::kIntoArray))
        return "fetches take " + actual +
               " sectors per warp from row-major memory; a CUDA array keeps neighbors of both dimensions together and "
               "needs " +
               ideal + ". Copy the image into an array (cudaMallocArray, cudaMemcpy2DToArray)";
    if (told.is(Variant::kFilteredByUnit))
        return "each thread fetches " + told.number(Seen::kTimes) +
               " texels that form two-by-two squares. If they are interpolated linearly, one fetch with "
               "cudaFilterModeLinear loads and weights all of them (8-bit weights)";
    return "plain loads do as well: threads fetch single texels row by row, within the image and unfiltered (" +
           actual + " sectors per warp; " + ideal +
           " by loads, which have lower latency and use less of the pipe). Textures pay off for columns, rotated "
           "images, filtering and edge handling";
}

std::string say_imbalance(const Telling& told) {
    if (told.is(Variant::kLastWave))
        return "every thread does the same work, but " + told.number(Seen::kBlocks) + " blocks run on " +
               told.number(Seen::kSms) +
               " SMs: some SMs run one block more while the others idle. Launch a multiple of " +
               told.number(Seen::kSms) + " blocks (" + told.number(Seen::kIdeal) +
               " with a grid-stride loop), or use smaller blocks";
    return "the longest warp works for " + told.per_request(Seen::kLongest) + " µs, the average one for " +
           told.per_request(Seen::kAverage) +
           "; finished SMs idle. Split long pieces of work, interleave rows among blocks, or distribute work with an "
           "atomic counter";
}

std::string say_copies(const Telling& told) {
    const std::string share = percent(told.facts.figures[Seen::kShare]);
    const std::string moved = with_prefix(told.facts.figures[Seen::kBytes]) + "B";
    if (told.is(Variant::kRepeated))
        return moved + " are copied again although the device already has them. Copy them once, before the loop";
    return moved + " move through pageable host memory; these copies take " + share +
           " of the program's time. Allocate the buffer with cudaMallocHost, or register it (cudaHostRegister)";
}

std::string say_small_launch(const Telling& told) {
    return told.number(Seen::kLaunches) + " launches of " + told.facts.kernel + " in a row take " +
           told.per_request(Seen::kMicroseconds) + " µs, with work for " + told.per_request(Seen::kAverage) +
           " µs each. Merge them into one launch, or, if each depends on the one before, record them as a CUDA graph";
}

std::string say_tile(const Telling& told) {
    const AdviceFacts& facts = told.facts;
    const std::string asked =
        "each block loads " + asked_text(facts.figures[Seen::kTimes], facts.buffers, facts.more_buffers) + ". ";
    return asked + (told.is(Variant::kOneAddress)
                        ? "All lanes of a warp read the same address: use constant memory if kernels only read the "
                          "data, or load it into shared memory once"
                        : "Load a tile into shared memory once, __syncthreads(), then read it from there");
}

std::string say_register(const Telling& told) {
    if (told.is(Variant::kFromShared))
        return told.per_request(Seen::kTimes) +
               " shared-memory loads per multiply-add. Compute several outputs per thread (for example a column of " +
               told.number(Seen::kIdeal) + "), so that each loaded value is reused from registers";
    const AskedBuffer buffer = told.facts.buffers.empty() ? AskedBuffer{} : told.facts.buffers.front();
    if (told.is(Variant::kAlike))
        return "all threads load the same few elements of " + name_of_buffer(buffer.name, buffer.parameter) + ", " +
               told.times(Seen::kTimes) +
               " times each. Read them into local variables before the loop, or declare the pointers __restrict__, so "
               "that the compiler can";
    return "each thread loads its element of " + name_of_buffer(buffer.name, buffer.parameter) + " " +
           told.times(Seen::kTimes) +
           " times. Read it into a local variable (a register) once and write it back at the end if it changes; or "
           "declare the pointers __restrict__, so that the compiler can";
}

// How to shift an array's elements apart. An array of rows gets longer rows; one without rows, or of open size, an
// element left out after every 32 words.
std::string how_to_pad(const Telling& told) {
    const AdviceFacts& facts = told.facts;
    if (facts.extents.size() > 1) {
        std::string rows, longer;
        for (std::size_t i = 0; i < facts.extents.size(); ++i) {
            const bool is_last = i + 1 == facts.extents.size();
            rows += "[" + std::to_string(facts.extents[i]) + "]";
            longer += "[" + std::to_string(facts.extents[i] + (is_last ? 1 : 0)) + "]";
        }
        return "Pad " + facts.variable + " from " + rows + " to " + longer;
    }
    const bool is_named = !facts.variable.empty();
    const std::string row = std::to_string(told.count(Seen::kRowElements));
    return "Pad " + (is_named ? facts.variable : "the array") + ": leave one element unused after every " + row +
           ", that is index i + i / " + row + " instead of i" + (is_named ? "" : ", or pad [T][T] to [T][T + 1]");
}

std::string say_pad(const Telling& told) {
    return std::string("bank conflicts on shared ") + (told.is(Variant::kLoads) ? "loads" : "stores") + " (" +
           told.per_request(Seen::kActual) + " wavefronts per request, ideal " + told.per_request(Seen::kIdeal) +
           "). " + how_to_pad(told);
}

// Which piece of a row lies where, so that eight rows lie in banks of their own: those rows that begin in the same bank
// change their pieces' places by turns.
std::string say_swizzle(const Telling& told) {
    constexpr std::uint64_t kPiece = 16, kPieces = 8;  // geometry: bytes of a matrix's row, and of them in all banks
    const std::uint64_t row = told.count(Seen::kRowBytes);
    const std::uint64_t repeat = std::clamp<std::uint64_t>(told.count(Seen::kRowsToRepeat), 1, kPieces);
    const std::string of_row = repeat == 1 ? "r" : "r / " + std::to_string(repeat);
    return std::string("bank conflicts on ") +
           (told.is(Variant::kLoads) ? "matrix loads (ldmatrix, wmma): " : "matrix stores: ") +
           told.per_request(Seen::kActual) + " wavefronts per request, ideal " + told.per_request(Seen::kIdeal) + " (" +
           told.counted(Seen::kConflicts, "conflict", "conflicts") + "). Matrix rows are " + std::to_string(row) +
           " B apart" + (told.facts.variable.empty() ? "" : " in " + told.facts.variable) +
           " and map to the same banks. Swizzle: store 16 B chunk p of row r at chunk p ^ (" + of_row + " % " +
           std::to_string(kPieces / repeat) + "); or pad rows to " + std::to_string(row + kPiece) +
           " B, as wmma allows. Use the same layout where the rows are written";
}

// What changes about the numbers is told with it.
std::string say_tensor(const Telling& told) {
    const std::string product =
        told.number(Seen::kRows) + " x " + told.number(Seen::kColumns) + " x " + told.number(Seen::kDepth);
    const std::string what = "this is a matrix product of " + product +
                             (told.is(Variant::kAsInt8) ? " with dp4a" : " with scalar multiply-adds") +
                             "; tensor cores (wmma, mma.sync) multiply ";
    const std::string at_least = ", at a peak rate at least " + told.times(Seen::kRateRatio) + " times as high";
    // Five such products on an H200 won 1.3 to 4.8 times what is promised (tests/advice/pairs/21_tensor_types.cu).
    const std::string floor = ". The saving assumes today's loads, and is a lower bound";
    if (told.is(Variant::kAsHalves))
        return what + "f16 and bf16 directly" + at_least +
               ", and accumulate in f16 or fp32; fp32 keeps more bits than sums here do" + floor;
    if (told.is(Variant::kAsF16) || told.is(Variant::kAsBf16))
        return what + (told.is(Variant::kAsF16) ? "f16" : "bf16") + " directly" + at_least +
               ", without conversion to float. Products are exact; the accumulator stays fp32, and sums may differ by "
               "order and rounding" +
               floor;
    if (told.is(Variant::kAsInt8)) return what + "bytes directly" + at_least + ". int32 sums are the same" + floor;
    if (told.is(Variant::kAsF64))
        return what + "doubles directly, at a peak rate " + told.times(Seen::kRateRatio) +
               " times as high; sums may differ by order";
    return what + "fp32 as tf32, at a peak rate at least " + told.times(Seen::kRateRatio) +
           " times as high. MMA operands keep 10 of 23 mantissa bits, the accumulator stays fp32. Three such products "
           "keep nearly all bits; f16 and bf16 are twice as fast again, with f16's range or 7 mantissa bits";
}

std::string say_shared_atomics(const Telling& told) {
    if (told.is(Variant::kMeetInLoops))
        return "shared memory has no unit for these atomics: each is a compare-and-swap loop, and lanes with the same "
               "address (" +
               told.times(Seen::kTimes) +
               " per address) iterate one after the other. Sum within the warp first (__shfl_down_sync), or give each "
               "lane its own copy";
    return "shared atomics take " + told.per_request(Seen::kActual) + " turns per request, as " +
           told.times(Seen::kTimes) +
           " lanes share an address. Combine equal values within the warp, or give each lane or warp its own copy";
}

std::string say_atomics(const Telling& told) {
    return told.counted(Seen::kOperations, "atomic operation takes", "atomic operations take") + " " +
           told.counted(Seen::kTurns, "turn", "turns") + " at L2, as " + told.times(Seen::kTimes) +
           (told.is(Variant::kMeetInBlocks)
                ? " threads of a block share an address. Sum in shared memory first, with as many elements per block "
                  "as "
                  "possible, and add once per block"
                : " lanes of a warp share an address. Sum within the warp first (__reduce_add_sync), and add once");
}

std::string say_fp64(const Telling& told) {
    const bool is_rate_known = told.facts.figures.find(Seen::kRateRatio).has_value();
    return told.number(Seen::kWidened) + " floats are converted to double and " + told.number(Seen::kNarrowed) +
           " results back to float, with " + told.number(Seen::kFlop) +
           " fp64 FLOP in between. Unless intended, write float constants (0.1f) and call float functions (sqrtf)" +
           (is_rate_known ? "; the " + gpu_name(told.device) + " computes fp32 " + told.times(Seen::kRateRatio) +
                                " times as fast as fp64"
                          : "");
}

std::string say_local(const Telling& told) {
    return "per-thread arrays are in local memory, which is off-chip" +
           (told.is(Variant::kScattered)
                ? ", and lanes access different elements at once (" + told.per_request(Seen::kActual) +
                      " sectors per request, ideal " + told.per_request(Seen::kIdeal) + ")"
                : std::string()) +
           ". Index them with constants only (unroll the loops), so that they become registers";
}

std::string say_spills(const Telling& told) {
    return "the compiler spills " + told.number(Seen::kSpilledBytes) +
           " B per thread to local memory because registers run out" +
           (told.is(Variant::kAsIfOnce) ? " (counted as if each spill ran once)" : "") +
           ". Keep fewer values alive, or allow more registers (__launch_bounds__, -maxrregcount)";
}

std::string say_constant(const Telling& told) {
    return "a warp reads " + told.per_request(Seen::kActual) +
           " constant-memory addresses per request, which are served one after another. Keep a table that lanes "
           "index differently in shared or global memory";
}

// The change that lets more warps in.
std::string cure(const Telling& told) {
    const double change = told.facts.figures[Seen::kChange];
    if (told.is(Variant::kOtherBlockSize)) {
        const double threads = told.facts.figures[Seen::kChangeOf] + change;
        return "blocks of " + thousands(static_cast<std::uint64_t>(std::max(0.0, threads))) + " threads";
    }
    const std::string size = thousands(static_cast<std::uint64_t>(std::abs(change)));
    const std::string direction = change < 0 ? " fewer" : " more", of = " (of " + told.number(Seen::kChangeOf) + ")";
    if (told.is(Variant::kFewerSharedBytes)) return size + " B" + direction + " of shared memory per block" + of;
    return size + (std::abs(change) == 1 ? " register" : " registers") + direction + " per thread" + of;
}

std::string say_occupancy(const Telling& told) {
    std::string limits;
    for (const SmResource limiter : told.facts.limiters)
        limits += (limits.empty() ? "" : " and ") + std::string(report::words_of(limiter));
    return told.number(Seen::kWarps) + " of " + told.number(Seen::kMaxWarps) + " warps fit on an SM (limited by " +
           limits + "), too few to hide memory latency if threads wait for each load; with " + cure(told) + ", " +
           told.number(Seen::kWarpsThen) + " would fit";
}

std::string say_divergence(const Telling& told) {
    return percent(told.facts.figures[Seen::kActiveShare]) +
           " of the lanes are active: " + told.number(Seen::kBranches) +
           " branches diverge within a warp. Make the condition depend on the warp instead of the lane, or give idle "
           "lanes the next elements";
}

std::string say_partial_warps(const Telling& told) {
    const std::uint64_t lanes = told.count(Seen::kLanes), threads = told.count(Seen::kThreads);
    return "blocks of " + told.counted(Seen::kThreads, "thread", "threads") + " leave " + thousands(lanes - threads) +
           " of " + thousands(lanes) + " lanes without work. Use a multiple of " + told.number(Seen::kWarpSize) +
           (told.facts.figures.find(Seen::kChangeOf) ? ", such as " + told.number(Seen::kChangeOf) : "");
}

std::string say_grid(const Telling& told) {
    return told.counted(Seen::kBlocks, "block keeps", "blocks keep") + " " + told.number(Seen::kBlocks) + " of " +
           told.number(Seen::kSms) +
           " SMs busy. Split the work among more threads: smaller pieces per thread, or several threads (such as a "
           "warp) per row";
}

std::string say_no_reuse(const Telling& told) {
    return std::string("shared memory cannot help here: ") + (told.is(Variant::kHardlyAny) ? "hardly any" : "no") +
           " byte is requested twice by a block, and no thread reads what another thread wrote there. Keep the values "
           "in registers" +
           (told.count(Seen::kBarriers) != 0 ? ", and remove the barriers that guard the array" : "");
}

std::string say_barriers(const Telling& told) {
    return "warps wait at barriers " + told.number(Seen::kBarriers) +
           " times, but no thread reads what another thread of its block wrote, in shared or global memory. Remove the "
           "barriers";
}

// What a saving comes to where the launch is too small to show it.
std::string at_full_size(const Telling& told) {
    if (!told.facts.figures.find(Seen::kFullBlocks)) return {};
    const auto bytes = told.facts.figures.find(Seen::kFullBytes);
    return ". The effect is too small to see at " + told.counted(Seen::kBlocks, "block", "blocks") + "; on a full " +
           gpu_name(told.device) + " (" + told.number(Seen::kFullBlocks) + " blocks) it saves " +
           (bytes ? with_prefix(*bytes) + "B and " : "") + told.per_request(Seen::kFullMicroseconds) + " µs";
}

// The further lines that the same change is about.
std::string other_lines(const Telling& told) {
    const std::vector<std::uint32_t>& lines = told.facts.lines;
    if (lines.empty()) return {};
    std::string text = lines.size() == 1 ? " (likewise line " : " (likewise lines ";
    for (std::size_t i = 0; i < lines.size(); ++i)
        text += (i == 0 ? "" : i + 1 == lines.size() ? " and " : ", ") + std::to_string(lines[i]);
    return text + ")";
}

struct RuleWords {
    AdviceKind rule;
    std::string (*say)(const Telling&);
};
constexpr RuleWords kRuleWords[] = {
    {AdviceKind::kCoalesce, &say_coalesce},
    {AdviceKind::kAlignment, &say_alignment},
    {AdviceKind::kHalfLines, &say_half_lines},
    {AdviceKind::kTile, &say_tile},
    {AdviceKind::kRegister, &say_register},
    {AdviceKind::kPad, &say_pad},
    {AdviceKind::kAtomics, &say_atomics},
    {AdviceKind::kSharedAtomics, &say_shared_atomics},
    {AdviceKind::kFp64, &say_fp64},
    {AdviceKind::kLocal, &say_local},
    {AdviceKind::kSpills, &say_spills},
    {AdviceKind::kConstant, &say_constant},
    {AdviceKind::kOccupancy, &say_occupancy},
    {AdviceKind::kDivergence, &say_divergence},
    {AdviceKind::kPartialWarps, &say_partial_warps},
    {AdviceKind::kGrid, &say_grid},
    {AdviceKind::kInFlight, &say_in_flight},
    {AdviceKind::kImbalance, &say_imbalance},
    {AdviceKind::kNoReuse, &say_no_reuse},
    {AdviceKind::kBarriers, &say_barriers},
    {AdviceKind::kTexture, &say_texture},
    {AdviceKind::kSwizzle, &say_swizzle},
    {AdviceKind::kTensor, &say_tensor},
    {AdviceKind::kCopies, &say_copies},
    {AdviceKind::kSmallLaunch, &say_small_launch},
};

}  // namespace

std::string advice_message(const Advice& advice, const std::string& device) {
    if (advice.facts.empty()) return {};
    const Telling told{advice.facts, device};
    for (const RuleWords& words : kRuleWords)
        if (words.rule == advice.rule) return words.say(told) + at_full_size(told) + other_lines(told);
    return {};
}

void speak_advice(LaunchProfile& launch, const std::string& device) {
    for (Advice& advice : launch.advice)
        if (advice.message.empty()) advice.message = advice_message(advice, device);
}

}  // namespace tilescope::views

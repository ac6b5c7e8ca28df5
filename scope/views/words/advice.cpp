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
           " sectors a request where " + told.per_request(Seen::kIdeal) +
           " would hold the bytes: let neighbouring threads of a warp take neighbouring elements, directly or by way "
           "of "
           "a tile in shared memory";
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
           ", where one access would move them: copy them as " + vector + ", *(" + vector + "*)&to = *(const " +
           vector + "*)&from";
}

std::string say_alignment(const Telling& told) {
    if (told.is(Variant::kSplitByCompiler)) return say_split_copy(told);
    const std::string bytes = told.number(Seen::kStructureBytes);
    const std::uint64_t whole = std::bit_ceil(told.count(Seen::kStructureBytes));
    return std::string("each thread ") + (told.is(Variant::kStores) ? "writes " : "reads ") + bytes +
           " B that lie together in " + told.per_request(Seen::kTimes) +
           " requests, each over the same sectors: declare the structure alignas(" + std::to_string(whole) +
           ") and copy it by assignment, or take a float4 or the like, and one request moves them";
}

std::string say_half_lines(const Telling& told) {
    return told.per_request(Seen::kActual) + " of the " + told.number(Seen::kIdeal) +
           " sectors of each line are asked for: keep together what is used together (an array for each field, or hot "
           "fields in a structure of their own), so that lines are asked for in full";
}

std::string say_in_flight(const Telling& told) {
    return "warps wait for each load before they ask for the next, and an SM has " + told.per_request(Seen::kWarps) +
           " of them: " + with_prefix(told.facts.figures[Seen::kBytes]) + "B under way on it where DRAM needs " +
           with_prefix(told.facts.figures[Seen::kWantedBytes]) + "B: load " + told.number(Seen::kTimes) +
           " elements at once before they are used (" + (told.is(Variant::kWideLoads) ? "" : "float4, or ") +
           "several of the loop's turns)";
}

std::string say_texture(const Telling& told) {
    const std::string actual = told.per_request(Seen::kActual), ideal = told.per_request(Seen::kIdeal);
    if (told.is(Variant::kIntoArray))
        return "fetches take " + actual +
               " sectors a warp of memory that lies in rows; the tiles of an array hold "
               "neighbours of both dimensions, and " +
               ideal + " would do: copy the image into one (cudaMallocArray, cudaMemcpy2DToArray)";
    if (told.is(Variant::kFilteredByUnit))
        return "each thread fetches " + told.number(Seen::kTimes) +
               " texels that are two by two neighbours: where they are weighed by how far the place is from each, one "
               "fetch with cudaFilterModeLinear brings and weighs all of them, with weights of 8 bits";
    return "a plain load does as well: threads fetch texels one at a time, in rows, within the image and as they lie "
           "there (" +
           actual + " sectors a warp; " + ideal +
           " by loads, which take less of the pipe and come sooner). Textures pay for columns and turned images, for "
           "filtering, and beyond edges";
}

std::string say_imbalance(const Telling& told) {
    if (told.is(Variant::kLastWave))
        return "every thread does the same work, but " + told.number(Seen::kBlocks) + " blocks meet " +
               told.number(Seen::kSms) +
               " SMs: some SMs run one block more while the others wait. Launch a multiple of " +
               told.number(Seen::kSms) + " blocks (" + told.number(Seen::kIdeal) +
               " with a grid-stride loop), or use smaller blocks";
    return "the longest warp works for " + told.per_request(Seen::kLongest) + " µs, the average one for " +
           told.per_request(Seen::kAverage) +
           ", and SMs that are done wait: cut the long pieces up, deal rows out in turn rather than in runs, or hand "
           "out work by an atomic counter";
}

std::string say_copies(const Telling& told) {
    const std::string share = percent(told.facts.figures[Seen::kShare]);
    const std::string moved = with_prefix(told.facts.figures[Seen::kBytes]) + "B";
    if (told.is(Variant::kRepeated))
        return moved + " are copied to the device that has them already: copy them once, before the loop";
    return moved +
           " go to or from pageable memory of the host, through a buffer of the driver's; these copies alone take " +
           share + " of the program's time: allocate it with cudaMallocHost, or register it (cudaHostRegister)";
}

std::string say_small_launch(const Telling& told) {
    return told.number(Seen::kLaunches) + " launches of " + told.facts.kernel + ", one right behind the other, take " +
           told.per_request(Seen::kMicroseconds) + " µs and have work for " + told.per_request(Seen::kAverage) +
           " µs each: do it in one launch, or, where each needs what the one before made, record them as a graph";
}

std::string say_tile(const Telling& told) {
    const AdviceFacts& facts = told.facts;
    const std::string asked =
        "a block asks for " + asked_text(facts.figures[Seen::kTimes], facts.buffers, facts.more_buffers) + ": ";
    return asked + (told.is(Variant::kOneAddress)
                        ? "all lanes of a warp want the same ones, so keep them in constant memory if kernels only "
                          "read them, or load them once into shared memory"
                        : "let its threads load each byte once into a tile in shared memory, wait at a barrier and "
                          "read it there");
}

std::string say_register(const Telling& told) {
    if (told.is(Variant::kFromShared))
        return "each product asks shared memory " + told.per_request(Seen::kTimes) +
               " times: let a thread make several elements of the result (a column of " + told.number(Seen::kIdeal) +
               ", say), so that what it loads into a register serves all of them";
    const AskedBuffer buffer = told.facts.buffers.empty() ? AskedBuffer{} : told.facts.buffers.front();
    if (told.is(Variant::kAlike))
        return "all threads ask for the same few elements of " + name_of_buffer(buffer.name, buffer.parameter) + ", " +
               told.times(Seen::kTimes) +
               " times each: read them into local variables before the loop, or declare the pointers __restrict__ so "
               "that the compiler may";
    return "each thread asks for its element of " + name_of_buffer(buffer.name, buffer.parameter) + " " +
           told.times(Seen::kTimes) +
           " times: read it into a local variable once, which is a register, and write it back at the end if it "
           "changes; or declare the pointers __restrict__, so that the compiler may";
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
        return "make the rows of " + facts.variable + " one element longer, " + longer + " instead of " + rows;
    }
    const bool is_named = !facts.variable.empty();
    const std::string row = std::to_string(told.count(Seen::kRowElements));
    return "leave an element of " + (is_named ? facts.variable : "the array") + " out after every " + row +
           ": index it by i + i / " + row + " instead of i" +
           (is_named ? "" : ", or make its rows one element longer, [T][T + 1] instead of [T][T]");
}

std::string say_pad(const Telling& told) {
    return std::string("shared ") + (told.is(Variant::kLoads) ? "loads" : "stores") + " take " +
           told.per_request(Seen::kActual) + " wavefronts where " + told.per_request(Seen::kIdeal) +
           " would do, for lanes ask one bank for different words: " + how_to_pad(told);
}

// Which piece of a row lies where, so that eight rows lie in banks of their own: those rows that begin in the same bank
// change their pieces' places by turns.
std::string say_swizzle(const Telling& told) {
    constexpr std::uint64_t kPiece = 16, kPieces = 8;  // geometry: bytes of a matrix's row, and of them in all banks
    const std::uint64_t row = told.count(Seen::kRowBytes);
    const std::uint64_t repeat = std::clamp<std::uint64_t>(told.count(Seen::kRowsToRepeat), 1, kPieces);
    const std::string of_row = repeat == 1 ? "r" : "r / " + std::to_string(repeat);
    return std::string(told.is(Variant::kLoads) ? "a load of matrices (ldmatrix, wmma)" : "a store of matrices") +
           " takes " + told.per_request(Seen::kActual) + " wavefronts where " + told.per_request(Seen::kIdeal) +
           " would do (" + told.counted(Seen::kConflicts, "conflict", "conflicts") + "): rows of a matrix, " +
           std::to_string(row) + " B apart" + (told.facts.variable.empty() ? "" : " in " + told.facts.variable) +
           ", meet in the same banks. Swizzle: keep piece p (16 B) of row r at place p ^ (" + of_row + " % " +
           std::to_string(kPieces / repeat) + "); or pad, the way that wmma has: let rows lie " +
           std::to_string(row + kPiece) + " B apart. Whoever writes the rows does the same";
}

// What changes about the numbers is told with it.
std::string say_tensor(const Telling& told) {
    const std::string product =
        told.number(Seen::kRows) + " x " + told.number(Seen::kColumns) + " x " + told.number(Seen::kDepth);
    const std::string what = "this is a product of " + product +
                             (told.is(Variant::kAsInt8) ? " by dp4a" : " by single multiply-adds") +
                             "; tensor cores (wmma, mma.sync) multiply ";
    const std::string at_least = ", at a peak at least " + told.times(Seen::kRateRatio) + " times as high";
    // Five such products on an H200 won 1.3 to 4.8 times what is promised (tests/advice/pairs/21_tensor_types.cu).
    const std::string floor = "; what it saves is told with the loads that there are now, and is the least";
    if (told.is(Variant::kAsHalves))
        return what + "f16 and bf16 as they are" + at_least +
               ", and sum in f16 or, of both, in fp32, which keeps more than sums here do" + floor;
    if (told.is(Variant::kAsF16) || told.is(Variant::kAsBf16))
        return what + (told.is(Variant::kAsF16) ? "f16" : "bf16") + " as it is" + at_least +
               ": nothing needs to be made float; products are exact, sums stay fp32 and may differ by the order and "
               "the last bits of their terms" +
               floor;
    if (told.is(Variant::kAsInt8))
        return what + "bytes as they are" + at_least + ": sums of int32 are the same" + floor;
    if (told.is(Variant::kAsF64))
        return what + "doubles as they are, at a peak " + told.times(Seen::kRateRatio) +
               " times as high; sums may differ by the order of their terms alone";
    return what + "fp32 as tf32, at a peak at least " + told.times(Seen::kRateRatio) +
           " times as high: factors keep 10 of 23 bits behind the point, sums stay fp32. Three such products for each "
           "keep nearly all bits; f16 and bf16 are twice as fast again, with f16's range or 7 bits";
}

std::string say_shared_atomics(const Telling& told) {
    if (told.is(Variant::kMeetInLoops))
        return "shared memory has no unit for these atomics: each is a loop that compares and swaps, and lanes that "
               "meet "
               "at an address (" +
               told.times(Seen::kTimes) +
               " times) go round it one after the other: sum within the warp first (__shfl_down_sync), or give lanes "
               "copies of their own";
    return "shared atomics take " + told.per_request(Seen::kActual) +
           " turns a request, for lanes meet at an address " + told.times(Seen::kTimes) +
           " times: combine equal values within the warp, or give each lane or warp a copy of its own";
}

std::string say_atomics(const Telling& told) {
    return told.counted(Seen::kOperations, "atomic operation takes", "atomic operations take") + " " +
           told.counted(Seen::kTurns, "turn", "turns") + " at L2, for " +
           (told.is(Variant::kMeetInBlocks)
                ? "threads of a block meet at an address " + told.times(Seen::kTimes) +
                      " times: sum in shared memory first, the more elements a block the better, and add once a block"
                : "lanes of a warp meet at an address " + told.times(Seen::kTimes) +
                      " times: sum within the warp first (__reduce_add_sync), and add once");
}

std::string say_fp64(const Telling& told) {
    const bool is_rate_known = told.facts.figures.find(Seen::kRateRatio).has_value();
    return told.number(Seen::kWidened) + " floats become double here and " + told.number(Seen::kNarrowed) +
           " results float again, with " + told.number(Seen::kFlop) +
           " FLOP of fp64 in between: unless that is meant, write constants with an f (0.1f) and call the functions of "
           "float (sqrtf)" +
           (is_rate_known
                ? "; the " + told.device + " computes fp32 " + told.times(Seen::kRateRatio) + " times as fast as fp64"
                : "");
}

std::string say_local(const Telling& told) {
    return "arrays of a thread lie in local memory, which is off the chip" +
           (told.is(Variant::kScattered)
                ? ", and lanes ask for different elements at once (" + told.per_request(Seen::kActual) +
                      " sectors a request where " + told.per_request(Seen::kIdeal) + " would do)"
                : std::string()) +
           ": index them by constants only (unroll the loops) and they become registers";
}

std::string say_spills(const Telling& told) {
    return "the compiler spills " + told.number(Seen::kSpilledBytes) +
           " B of each thread to local memory for want of registers" +
           (told.is(Variant::kAsIfOnce) ? " (counted as if each spill ran once)" : "") +
           ": keep fewer values alive, or allow more registers (__launch_bounds__, -maxrregcount)";
}

std::string say_constant(const Telling& told) {
    return "a warp reads " + told.per_request(Seen::kActual) +
           " addresses of constant memory at once and gets them one after another: keep a table that lanes index "
           "differently in shared or global memory";
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
    if (told.is(Variant::kFewerSharedBytes)) return size + " B" + direction + " of shared memory a block" + of;
    return size + (std::abs(change) == 1 ? " register" : " registers") + direction + " a thread" + of;
}

std::string say_occupancy(const Telling& told) {
    std::string limits;
    for (const SmResource limiter : told.facts.limiters)
        limits += (limits.empty() ? "" : " and ") + std::string(words_of(limiter));
    return told.number(Seen::kWarps) + " of " + told.number(Seen::kMaxWarps) + " warps fit on an SM (limited by " +
           limits + "), which leaves memory waiting if each thread waits for each load: " + cure(told) +
           " would make it " + told.number(Seen::kWarpsThen);
}

std::string say_divergence(const Telling& told) {
    return percent(told.facts.figures[Seen::kActiveShare]) +
           " of the lanes are active: " + told.number(Seen::kBranches) +
           " branches sent lanes of a warp different ways; let the condition depend on the warp rather than on the "
           "lane, or give idle lanes the next elements";
}

std::string say_partial_warps(const Telling& told) {
    const std::uint64_t lanes = told.count(Seen::kLanes), threads = told.count(Seen::kThreads);
    return "blocks of " + told.counted(Seen::kThreads, "thread", "threads") + " leave " + thousands(lanes - threads) +
           " of " + thousands(lanes) + " lanes without work: take a multiple of " + told.number(Seen::kWarpSize) +
           (told.facts.figures.find(Seen::kChangeOf) ? ", " + told.number(Seen::kChangeOf) + " say" : "");
}

std::string say_grid(const Telling& told) {
    return told.counted(Seen::kBlocks, "block keeps", "blocks keep") + " " + told.number(Seen::kBlocks) + " of " +
           told.number(Seen::kSms) +
           " SMs busy: split the work among more threads, in smaller pieces each or several threads (a warp, say) for "
           "a row";
}

std::string say_no_reuse(const Telling& told) {
    return std::string("shared memory cannot help here: ") + (told.is(Variant::kHardlyAny) ? "hardly any" : "no") +
           " byte is asked for twice by a block, and no thread reads what another put there; keep the values in "
           "registers" +
           (told.count(Seen::kBarriers) != 0 ? ", and the barriers that guard it go with it" : "");
}

std::string say_barriers(const Telling& told) {
    return "warps wait at barriers " + told.number(Seen::kBarriers) +
           " times, but no thread uses what another one of its block wrote, in shared or in global memory: leave them "
           "out";
}

// What a saving comes to where the launch is too small to show it.
std::string at_full_size(const Telling& told) {
    if (!told.facts.figures.find(Seen::kFullBlocks)) return {};
    const auto bytes = told.facts.figures.find(Seen::kFullBytes);
    return "; of a launch of " + told.counted(Seen::kBlocks, "block that is ", "blocks that is ") +
           "nothing to be seen, but with the " + told.device + " full, " + told.number(Seen::kFullBlocks) +
           " such blocks, it is " + (bytes ? with_prefix(*bytes) + "B and " : "") +
           told.per_request(Seen::kFullMicroseconds) + " µs";
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

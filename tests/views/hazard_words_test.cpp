// Facts of hazards, streams, pages and phases, and the sentences that are made of them.
#include <gtest/gtest.h>

#include <set>
#include <string>

#include "scope/report/hazard_enums.h"
#include "scope/views/words/hazards.h"
#include "scope/views/words/pages.h"
#include "scope/views/words/speak.h"

namespace tilescope::views {
namespace {

HazardMemory variable(const std::string& name, std::uint64_t byte, std::uint64_t bytes = 0) {
    HazardMemory memory;
    memory.naming = MemoryNaming::kVariable;
    memory.name = name;
    memory.byte = byte;
    memory.bytes = bytes;
    return memory;
}

HazardMemory allocation(std::uint64_t byte, std::uint64_t bytes) {
    HazardMemory memory;
    memory.naming = MemoryNaming::kAllocation;
    memory.byte = byte;
    memory.bytes = bytes;
    memory.allocated = {"a.cu", 3};
    return memory;
}

// Thread 5 at line 12, and thread 37 at line 9 of the same file.
Hazard hazard_at(HazardKind kind, HazardSpace space) {
    Hazard hazard;
    hazard.kind = kind;
    hazard.space = space;
    hazard.file = hazard.other_file = "a.cu";
    hazard.line = 12;
    hazard.other_line = 9;
    hazard.thread = {5, 0, 0};
    hazard.other_thread = {5, 1, 0};
    hazard.block = hazard.other_block = {2, 0, 0};
    return hazard;
}

Hazard race() {
    Hazard hazard = hazard_at(HazardKind::kRace, HazardSpace::kShared);
    hazard.facts.what = HazardCase::kRace;
    hazard.facts.act.deed = Deed::kRead;
    hazard.facts.other.deed = Deed::kWrite;
    hazard.facts.memory = variable("tile", 4);
    hazard.facts.remedy = Remedy::kBlockBarrier;
    hazard.facts.place = RemedyPlace::kLines;
    hazard.facts.first_line = 9;
    hazard.facts.last_line = 12;
    return hazard;
}

Hazard of_streams(HazardCase what, Remedy remedy) {
    Hazard hazard = hazard_at(HazardKind::kStreamRace, HazardSpace::kGlobal);
    hazard.facts.what = what;
    hazard.facts.act.deed = Deed::kRead;
    hazard.facts.act.doer = Doer::kKernel;
    hazard.facts.act.function = "sum(int*)";
    hazard.facts.act.stream = 3;
    hazard.facts.act.at = {"/src/k.cu", 40};
    hazard.facts.other.deed = Deed::kWrite;
    hazard.facts.other.doer = Doer::kCopy;
    hazard.facts.other.stream = 2;
    hazard.facts.memory = allocation(0, 16384);
    hazard.facts.remedy = remedy;
    return hazard;
}

TEST(HazardWords, ARaceNamesBothEndsAndThePlaceOfABarrier) {
    Hazard hazard = race();
    EXPECT_EQ(
        words::hazard_message(hazard),
        "thread 5 of block 2 reads tile, byte 4 at line 12; thread (5, 1) of block 2 writes it at line 9; nothing "
        "orders the two");
    EXPECT_EQ(words::hazard_hint(hazard), "add __syncthreads() between line 9 and line 12");
    hazard.facts.is_volatile = true;
    hazard.facts.act.deed = Deed::kStrongRead;
    hazard.other_file = "b.cu";
    EXPECT_EQ(
        words::hazard_message(hazard),
        "thread 5 of block 2 reads tile, byte 4 (volatile or relaxed) at line 12; thread (5, 1) of block 2 writes "
        "it at b.cu:9; nothing orders the two, and volatile does not");
}

TEST(HazardWords, ARaceThatOnlyAWarpgroupOrdersSaysWhoGuaranteesIt) {
    Hazard hazard = race();
    hazard.facts.is_met = true;
    const std::string message = words::hazard_message(hazard);
    EXPECT_TRUE(
        message.ends_with("nothing orders the two but the four warps of the warpgroup, which wait for each other "
                          "at wgmma on an H200; PTX doesn't guarantee that"))
        << message;
}

TEST(HazardWords, EveryPlaceOfABarrierHasItsWords) {
    Hazard hazard = race();
    const auto hint = [&](RemedyPlace place, bool is_conditional = false) {
        hazard.facts.place = place;
        hazard.facts.is_conditional = is_conditional;
        return words::hazard_hint(hazard);
    };
    EXPECT_EQ(hint(RemedyPlace::kCalls),
              "add __syncthreads() after line 9 and before line 12, between the calls of their functions");
    EXPECT_EQ(hint(RemedyPlace::kLoop), "add __syncthreads() after line 9, before the loop comes round to line 12");
    EXPECT_EQ(hint(RemedyPlace::kNextTime), "add __syncthreads() after line 9, before line 12 comes again");
    EXPECT_EQ(hint(RemedyPlace::kBetween), "add __syncthreads() between line 9 and line 12");
    EXPECT_EQ(hint(RemedyPlace::kBetweenTurned, true),
              "add __syncthreads() between line 12 and line 9, where all threads come by");
    EXPECT_EQ(
        hint(RemedyPlace::kWithin, true),
        "line 12 both reads and writes: read into a variable, add __syncthreads() where all threads come by, then "
        "write; if several threads update one element there, use an atomic");
    hazard.facts.remedy = Remedy::kWarpBarrier;
    EXPECT_EQ(hint(RemedyPlace::kBetween),
              "add __syncthreads() between line 9 and line 12 (__syncwarp() is enough here: the two are of one warp)");
    // Not all threads of the block would come to a barrier of the block.
    EXPECT_EQ(hint(RemedyPlace::kBetween, true),
              "add __syncwarp() between line 9 and line 12, where all lanes of the warp come by");
}

TEST(HazardWords, ABarrierOfTheBlockGoesOutsideTheCondition) {
    Hazard hazard = race();
    hazard.facts.is_conditional = true;
    hazard.facts.parted = {"a.cu", 8};
    hazard.facts.place = RemedyPlace::kLoop;
    EXPECT_EQ(words::hazard_hint(hazard),
              "add __syncthreads() after line 9, before the loop comes round to line 12, where all threads come by, "
              "outside the condition at line 8");
    hazard.facts.place = RemedyPlace::kBetween;
    EXPECT_EQ(words::hazard_hint(hazard),
              "add __syncthreads() between line 9 and line 12, where all threads come by, outside the condition at "
              "line 8");
}

TEST(HazardWords, AHandOverByOneLaneNeedsABarrierOfItsWarp) {
    Hazard hazard = race();
    hazard.facts.remedy = Remedy::kWarpHandOver;
    hazard.facts.is_behind = true;
    EXPECT_EQ(words::hazard_hint(hazard),
              "add __syncwarp() after line 9, before another lane of that warp lets the other warp go on: nothing "
              "orders the two lanes");
    hazard.facts.is_behind = false;
    hazard.facts.hands_on_act = true;
    EXPECT_EQ(words::hazard_hint(hazard),
              "add __syncwarp() before line 12, behind the wait of another lane of that warp: nothing orders the two "
              "lanes");
}

TEST(HazardWords, AReadThatOnlyDecidesNeedsARelaxedAccess) {
    Hazard hazard = race();
    hazard.facts.only_decides = true;
    hazard.facts.remedy = Remedy::kRelaxedRead;
    EXPECT_EQ(words::hazard_hint(hazard),
              "read it with a relaxed or volatile access at line 12: *(volatile T*)p, or "
              "cuda::atomic_ref<T>(*p).load(cuda::memory_order_relaxed)");
    EXPECT_NE(words::hazard_message(hazard).find("the value is only compared"), std::string::npos);
}

TEST(HazardWords, AStaleReadNamesItsPathAndBothThreads) {
    Hazard hazard = hazard_at(HazardKind::kStaleRead, HazardSpace::kGlobal);
    hazard.facts.what = HazardCase::kStaleRead;
    hazard.facts.act.deed = Deed::kRead;
    hazard.facts.other.deed = Deed::kWrite;
    hazard.facts.memory = variable("in", 4);
    hazard.facts.remedy = Remedy::kCoherentRead;
    const std::string begin = "thread 5 of block 2 reads in, byte 4 through ";
    const std::string end = " at line 12; thread (5, 1) of block 2 writes it at line 9 in the same launch";
    EXPECT_EQ(words::hazard_message(hazard),
              begin + "the read-only cache (ld.global.nc)" + end +
                  ": the read may bring the old value, and neither a barrier nor a fence helps; where the source has "
                  "no __ldg, the compiler chose this path for a pointer that is declared const and __restrict__, and "
                  "the program breaks that promise");
    EXPECT_EQ(words::hazard_hint(hazard),
              "read it with a plain load at line 12: no __ldg, and no const __restrict__ on a pointer to memory that "
              "the kernel writes");
    hazard.facts.is_before = true;
    EXPECT_EQ(words::hazard_message(hazard),
              begin + "the read-only cache (ld.global.nc)" + end +
                  ", later: CUDA requires memory that no thread writes while the kernel runs");
    hazard.facts.is_before = false;
    hazard.facts.is_texture = true;
    EXPECT_EQ(
        words::hazard_message(hazard),
        begin + "a texture" + end + ": the read may bring the old value, and neither a barrier nor a fence helps");
    EXPECT_EQ(words::hazard_hint(hazard),
              "read it with a plain load or surf2Dread at line 12, or in a launch of its own");
}

TEST(HazardWords, WhatLeavesAVariableSaysByHowMuch) {
    Hazard hazard = hazard_at(HazardKind::kOutOfBounds, HazardSpace::kGlobal);
    HazardFacts& facts = hazard.facts;
    facts.what = HazardCase::kLeavesVariable;
    facts.act.deed = Deed::kWrite;
    facts.bytes = 4;
    facts.from = variable("a", 0, 256);
    facts.from.allocated = {"a.cu", 3};
    facts.memory = variable("b", 8);
    facts.beyond = 0;
    const std::string begin =
        "thread 5 of block 2 writes 4 bytes by an index into a, which has 256 bytes (allocated at ";
    EXPECT_EQ(words::hazard_message(hazard), begin + "a.cu:3): 0 bytes past its end, at b, byte 8");
    facts.beyond = -12;
    EXPECT_EQ(words::hazard_message(hazard), begin + "a.cu:3): 12 bytes before its beginning, at b, byte 8");
    facts.is_across = true;
    EXPECT_EQ(words::hazard_message(hazard), begin + "a.cu:3): across its end, at b, byte 8");
    facts.remedy = Remedy::kCheckIndex;
    EXPECT_EQ(words::hazard_hint(hazard), "check the index against the array's own size");
}

TEST(HazardWords, WhatLeavesARowSaysWhoKnowsHowLongRowsAre) {
    Hazard hazard = hazard_at(HazardKind::kOutOfBounds, HazardSpace::kGlobal);
    HazardFacts& facts = hazard.facts;
    facts.what = HazardCase::kCrossesRow;
    facts.act.deed = Deed::kRead;
    facts.bytes = 4;
    facts.from = variable("a", 0);
    facts.row = 2;
    facts.other_row = 3;
    facts.elements = 50;
    const std::string begin = "thread 5 of block 2 reads 4 bytes ";
    EXPECT_EQ(words::hazard_message(hazard),
              begin +
                  "of row 3 of a, past the end of row 2: the thread beside it has that row's last element (rows of "
                  "50 elements, as the index says)");
    facts.row = -1;
    facts.other_row = 0;
    facts.option = "--shape a=40x50";
    EXPECT_EQ(words::hazard_message(hazard),
              begin + "before row 0 of a: the thread beside it has that row's first element (--shape a=40x50)");
}

TEST(HazardWords, WhatWaitsSaysForWhat) {
    Hazard hazard = hazard_at(HazardKind::kOutOfBounds, HazardSpace::kGlobal);
    HazardFacts& facts = hazard.facts;
    facts.what = HazardCase::kExactFit;
    facts.memory = variable("out", 0);
    facts.reaches = 4096;
    EXPECT_EQ(words::hazard_message(hazard),
              "no check guards this access, and only this size keeps it in bounds: the last thread of the grid has the "
              "last of the 4,096 elements of out");
    facts.what = HazardCase::kIndexWraps;
    facts.limit = 2147483647;
    facts.reaches = 2147483648;
    EXPECT_EQ(words::hazard_message(hazard),
              "this index has 32 bits, which hold at most 2,147,483,647, and comes to 2,147,483,648 in this grid: it "
              "wraps round, and later threads have the elements of earlier ones or none");
    hazard.kind = HazardKind::kDivergentBarrier;
    facts.what = HazardCase::kLuckyBarrier;
    EXPECT_EQ(words::hazard_message(hazard),
              "threads come to this barrier by the condition at line 9, which follows from their place in the block: "
              "all of each block went one way with this size, and with another one they need not");
}

TEST(HazardWords, AnUndefinedValueSaysWhereItWasRead) {
    Hazard hazard = hazard_at(HazardKind::kUninitialized, HazardSpace::kGlobal);
    HazardFacts& facts = hazard.facts;
    facts.what = HazardCase::kUndefinedUse;
    facts.act.deed = Deed::kBranchOn;
    facts.other.deed = Deed::kRead;
    facts.memory = variable("in", 0);
    const std::string begin = "thread 5 of block 2 branches at line 12 by an undefined value: ";
    EXPECT_EQ(words::hazard_message(hazard),
              begin + "thread (5, 1) of block 2 read in, byte 0 at line 9, which nobody had written");
    hazard.other_thread = hazard.thread;
    facts.stored.at = {"a.cu", 10};
    EXPECT_EQ(words::hazard_message(hazard),
              begin + "it read in, byte 0 at line 9, which nobody had written; line 10 stored it on the way");
    facts.is_from_lane = true;
    EXPECT_EQ(words::hazard_message(hazard), begin + "the shuffle at line 9 brought it from a lane that takes no part");
}

TEST(HazardWords, DeadFrameNamesTheFunctionThatReturned) {
    Hazard hazard = hazard_at(HazardKind::kUseAfterFree, HazardSpace::kLocal);
    HazardFacts& facts = hazard.facts;
    facts.what = HazardCase::kDeadFrame;
    facts.act.deed = Deed::kRead;
    facts.bytes = 4;
    facts.other.function = "make(int)";
    facts.remedy = Remedy::kOutlive;
    EXPECT_EQ(words::hazard_message(hazard),
              "thread 5 of block 2 reads 4 bytes of a local variable of make(int), which has returned: the pointer "
              "dangles, and the next call overwrites that memory");
    EXPECT_EQ(words::hazard_hint(hazard),
              "let the caller own the array and pass a pointer to it, or return the values in a struct");
}

TEST(HazardWords, PlainReadBehindAnAtomicAsksForAFence) {
    Hazard hazard = hazard_at(HazardKind::kRace, HazardSpace::kGlobal);
    hazard.facts.what = HazardCase::kNoAcquire;
    hazard.facts.memory = variable("parts", 4);
    hazard.facts.remedy = Remedy::kAcquireFence;
    EXPECT_EQ(words::hazard_message(hazard),
              "thread 5 of block 2 reads parts, byte 4 at line 12 with a plain load after an atomic announced it, but "
              "no fence stands between the two; thread (5, 1) of block 2 wrote it at line 9. L1 may still hold the "
              "old value");
    EXPECT_EQ(words::hazard_hint(hazard),
              "add __threadfence() between the atomic and line 12, or read with volatile, __ldcg() or an acquire "
              "load");
}

TEST(HazardWords, OverlappingCopySaysHowFarApartBothSidesBegin) {
    Hazard hazard = hazard_at(HazardKind::kOverlappingCopy, HazardSpace::kGlobal);
    HazardFacts& facts = hazard.facts;
    facts.what = HazardCase::kOverlappingCopy;
    facts.act.doer = Doer::kCopy;
    facts.bytes = 64;
    facts.reaches = 56;
    facts.beyond = 8;
    facts.memory = allocation(8, 4096);
    facts.remedy = Remedy::kCopyApart;
    EXPECT_EQ(words::hazard_message(hazard),
              "source and target of the copy on the default stream overlap: they share 56 bytes of 64 bytes, from "
              "byte 8 of 4,096 bytes allocated at a.cu:3 on; the target begins 8 bytes after the source. CUDA leaves "
              "the result undefined");
    facts.is_same_value = true;
    facts.beyond = 0;
    EXPECT_EQ(words::hazard_message(hazard),
              "the copy on the default stream copies 64 bytes onto themselves, from byte 8 of 4,096 bytes allocated "
              "at a.cu:3 on: CUDA does not allow source and target to overlap, and here the copy changes nothing");
    EXPECT_EQ(words::hazard_hint(hazard), "leave the copy out");
}

TEST(HazardWords, SkippedFieldNamesTheThreadAndBothStores) {
    Hazard hazard = hazard_at(HazardKind::kUninitialized, HazardSpace::kGlobal);
    HazardFacts& facts = hazard.facts;
    facts.what = HazardCase::kSkippedField;
    facts.undefined = 4;
    facts.memory = allocation(452, 1536);
    facts.other.function = "move(Point*, int)";
    facts.other.at = {"/src/a.cu", 9};
    facts.stored.at = {"/src/a.cu", 8};
    facts.reaches = 127;
    facts.remedy = Remedy::kWriteField;
    EXPECT_EQ(words::hazard_message(hazard),
              "the host copies a field of 4 bytes that nobody wrote, at byte 452 of 1,536 bytes allocated at a.cu:3: "
              "thread (5, 1) of block 2 in move(Point*, int) wrote other fields of its element (a.cu:8) but not this "
              "one (a.cu:9), which other threads wrote 127 times");
}

TEST(HazardWords, LanesAreNumbered) {
    Hazard hazard = hazard_at(HazardKind::kDivergentBarrier, HazardSpace::kNone);
    hazard.facts.what = HazardCase::kMissingLanes;
    hazard.facts.lanes = 0xfffff;
    hazard.facts.other_lanes = 0xfff00000;
    EXPECT_EQ(
        words::hazard_message(hazard),
        "the member mask names lanes 20-31, which went another way and ended; lanes 0-19 went on without them, as "
        "on a GPU, but CUDA leaves the result undefined");
    hazard.facts.what = HazardCase::kAbsentSource;
    hazard.facts.lanes = 1u << 12;
    hazard.facts.act.number = 12;
    hazard.facts.other.number = 20;
    EXPECT_EQ(words::hazard_message(hazard),
              "lane 12 reads from lane 20, which has ended or never was: the value is undefined, 0 on an H200");
}

TEST(HazardWords, StreamsNameBothPiecesOfWork) {
    const Hazard race = of_streams(HazardCase::kStreamRace, Remedy::kEvent);
    EXPECT_EQ(words::hazard_message(race),
              "kernel sum(int*) on stream 3 reads (k.cu:40) what the copy on stream 2 writes, and nothing orders them: "
              "byte 0 of 16,384 bytes allocated at a.cu:3");
    EXPECT_EQ(words::hazard_hint(race),
              "record an event on stream 2 behind the first, and let stream 3 wait for it (cudaStreamWaitEvent)");
    Hazard host = of_streams(HazardCase::kHostRace, Remedy::kSynchronize);
    std::swap(host.facts.act, host.facts.other);
    host.facts.act = {Deed::kRead, Doer::kHost, "main", 0, 0, 0, {}};
    host.facts.memory.kind = MemoryKind::kManaged;
    EXPECT_EQ(
        words::hazard_message(host),
        "host code in main reads byte 0 of 16,384 bytes of managed memory allocated at a.cu:3 before it has waited "
        "for kernel sum(int*) on stream 3, which reads it (k.cu:40)");
    EXPECT_EQ(words::hazard_hint(host),
              "cudaStreamSynchronize() of stream 3, or cudaDeviceSynchronize(), before a.cu:12");
}

TEST(HazardWords, TheHostReadsWhatNobodyWrote) {
    Hazard hazard = hazard_at(HazardKind::kUninitialized, HazardSpace::kGlobal);
    HazardFacts& facts = hazard.facts;
    facts.what = HazardCase::kHostReadsPartly;
    facts.bytes = 1024;
    facts.undefined = 1;
    facts.memory = allocation(1023, 1024);
    EXPECT_EQ(words::hazard_message(hazard),
              "of the 1,024 bytes that the host copies nobody wrote 1 byte; the first of them is byte 1,023 of 1,024 "
              "bytes allocated at a.cu:3");
    facts.what = HazardCase::kHostReadsUndefined;
    facts.stored.deed = Deed::kWrite;
    facts.stored.function = facts.other.function = "k(int*)";
    facts.stored.at = {"/src/k.cu", 7};
    facts.other.at = {"/src/k.cu", 5};
    facts.from = variable("in", 0);
    EXPECT_EQ(words::hazard_message(hazard),
              "the host copies 1 byte with undefined values, byte 1,023 of 1,024 bytes allocated at a.cu:3: k.cu:7 in "
              "k(int*) stored them; they come from in, byte 0, which line 5 read and nobody had written");
}

TEST(HazardWords, LeaksCountTheirAllocations) {
    Hazard hazard;
    hazard.kind = HazardKind::kLeak;
    hazard.count = 1000;
    hazard.facts.what = HazardCase::kLeak;
    hazard.facts.bytes = 4096000;
    hazard.facts.memory.kind = MemoryKind::kPinned;
    hazard.facts.remedy = Remedy::kFree;
    EXPECT_EQ(words::hazard_message(hazard),
              "4,096,000 bytes of pinned host memory in 1,000 allocations were never freed");
    EXPECT_EQ(words::hazard_hint(hazard), "cudaFreeHost() each before the program ends");
}

TEST(HazardWords, EveryCaseAndEveryRemedySaysSomethingOfItsOwn) {
    Hazard hazard = of_streams(HazardCase::kNone, Remedy::kNone);
    std::set<std::string> messages, hints;
    for (const auto& row : report::kNames<HazardCase>) {
        hazard.facts.what = row.value;
        EXPECT_EQ(words::hazard_message(hazard).empty(), row.value == HazardCase::kNone) << row.name;
        EXPECT_TRUE(messages.insert(words::hazard_message(hazard)).second) << row.name;
    }
    for (const auto& row : report::kNames<Remedy>) {
        hazard.facts.remedy = row.value;
        EXPECT_EQ(words::hazard_hint(hazard).empty(), row.value == Remedy::kNone) << row.name;
        EXPECT_TRUE(hints.insert(words::hazard_hint(hazard)).second) << row.name;
    }
}

TEST(HazardWords, WhatHasNoFactsKeepsItsWords) {
    Profile profile;
    profile.hazards = {race(), race(), race()};
    profile.hazards[1].facts = {};
    profile.hazards[1].message = "as it was";
    profile.hazards[1].hint = "as well";
    profile.hazards[2].facts = {};
    profile.hazards[2].facts.remedy = Remedy::kCooperative;
    profile.hazards[2].message = "a trap";
    speak(profile);
    EXPECT_EQ(profile.hazards[0].message, words::hazard_message(race()));
    EXPECT_EQ(profile.hazards[0].hint, words::hazard_hint(race()));
    EXPECT_EQ(profile.hazards[1].message + profile.hazards[1].hint, "as it wasas well");
    EXPECT_EQ(profile.hazards[2].message, "a trap");
    EXPECT_NE(profile.hazards[2].hint.find("cudaLaunchCooperativeKernel()"), std::string::npos);
}

TEST(PageWords, EachTroubleHasItsAdvice) {
    PageReport pages;
    pages.touched_bytes = 16'777'216;
    pages.trouble = PageTrouble::kThrash;
    EXPECT_NE(words::pages_message(pages).find("16,777,216 B of managed memory"), std::string::npos);
    pages.trouble = PageTrouble::kPingPong;
    EXPECT_NE(words::pages_message(pages).find("go back and forth"), std::string::npos);
    pages.trouble = PageTrouble::kFaults;
    EXPECT_NE(words::pages_message(pages).find("cudaMemPrefetchAsync before the launch"), std::string::npos);
    pages.trouble = PageTrouble::kNone;
    EXPECT_EQ(words::pages_message(pages), "");
}

TEST(PhaseWords, StatementsGetTheirText) {
    PhaseStatement statement;
    statement.kind = StatementKind::kCopy;
    statement.target = "Mds[0][0]";
    statement.terms = {"M[0][0]"};
    statement.term_count = 1;
    Profile profile;
    Phase phase;
    phase.rows = {{0, {{statement}}, {}}};
    profile.trace.emplace().phases = {phase};
    speak(profile);
    EXPECT_EQ(profile.trace->phases[0].rows[0].cells[0][0].text, "M[0][0] → Mds[0][0]");
}

}  // namespace
}  // namespace tilescope::views

// RaceFacts: facts about races that follow from a program's text.
//
// Owns: RaceFacts, made while lowering, on request only (isa::LowerRequest::with_races). Guarantees: a plain read is
// listed only if every path of its value through the function is known. Does not model: values in calls of device
// functions that were not inlined.
#pragma once

#include <cstdint>
#include <vector>

namespace tilescope::machine {

// A plain load of global memory whose value decides whether code runs, and reaches nothing else.
struct PlainRead {
    std::uint32_t op = 0;
    // The value is the first guess of a compare-and-swap at the same address, which checks it.
    bool is_guess = false;
    // The value reaches nothing but comparisons, and the code that depends on them meets no other threads.
    bool only_decides = false;
    // Some of that code has another effect when it runs twice: an addition, or a store of a value that varies.
    bool has_effects = false;
    std::vector<std::uint32_t> loads, stores;  // ops of the plain loads and stores in that code
};

struct RaceFacts {
    static constexpr std::uint32_t kNoOp = 0xffffffffu;

    // By op: the branch, or the guard of the op itself, that keeps some threads of a block from this op. kNoOp: all
    // threads of the block run it together.
    std::vector<std::uint32_t> parted_by;
    std::vector<PlainRead> reads;  // by op, ascending
};

}  // namespace tilescope::machine

// IndexFacts: what addresses of a program consist of, if it is visible: sums of products of thread indices, launch
// shape and kernel parameters. It also lists barriers behind thread-dependent conditions.
//
// Owns: IndexForm and IndexFacts. Guarantees: made while lowering, on request only (isa::LowerRequest::with_indices).
// Unknown parts are left out or marked kOther, never guessed. Does not model: carries; a form is the exact number
// without overflow.
#pragma once

#include <cstdint>
#include <tuple>
#include <vector>

namespace tilescope::machine {

enum class IndexFactor : std::uint8_t {
    kTidX,
    kTidY,
    kTidZ,
    kCtaidX,
    kCtaidY,
    kCtaidZ,
    kNtidX,
    kNtidY,
    kNtidZ,
    kNctaidX,
    kNctaidY,
    kNctaidZ,
    kParameter,  // an integer at `which` of the parameters, of `bytes`
    kTurns,      // how often the loop of register `which` has come round
    kOther,      // register `which`, of which nothing else is known
};

struct IndexAtom {
    IndexFactor what = IndexFactor::kOther;
    std::uint32_t which = 0;
    std::uint8_t bytes = 4;
    bool operator==(const IndexAtom&) const = default;
    bool operator<(const IndexAtom& other) const {
        return std::tie(what, which, bytes) < std::tie(other.what, other.which, other.bytes);
    }
};

// A constant times the product of its factors; no factor: the constant.
struct IndexTerm {
    std::int64_t scale = 0;
    std::vector<IndexAtom> factors;
};
using IndexForm = std::vector<IndexTerm>;

// An access to global memory that counts from what a parameter points to.
struct AccessIndex {
    std::uint32_t op = 0;
    std::int32_t pointer = -1;  // index into Program::pointers
    std::uint8_t width = 0;     // bytes a thread
    bool is_guarded = false;    // some way through the program does not come by it
    IndexForm bytes;            // from there
};

// A value of 32 bits that becomes part of an address of 64.
struct WidenedIndex {
    std::uint32_t op = 0;
    bool is_signed = false;
    IndexForm form;
};

// Two integers of which the program asks which is less.
struct IndexComparison {
    IndexForm left, right;
};

// A barrier that threads come to by one way of a branch, which way follows from their place in the block alone.
struct ConditionalBarrier {
    std::uint32_t barrier = 0, branch = 0;  // ops
};

struct IndexFacts {
    std::vector<AccessIndex> accesses;
    std::vector<WidenedIndex> widened;
    std::vector<IndexComparison> comparisons;
    std::vector<ConditionalBarrier> barriers;
};

}  // namespace tilescope::machine

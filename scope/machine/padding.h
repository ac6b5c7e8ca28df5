// PaddingPlan: where a program fills shared memory with zeros of its own, and which products use them. An observer
// uses it to tell padded floating-point work from useful work.
//
// Owns: PaddingPlan. Guarantees: made while lowering (isa/assembler/padding.h). A program without such places has an
// empty one. Does not model: anything at run time.
#pragma once

#include <cstdint>
#include <vector>

namespace tilescope::machine {

struct PaddingPlan {
    // A store to shared memory whose element is 0 wherever none of the loads went before it: `i < n ? a[i] : 0`.
    struct Fill {
        std::uint32_t op = 0, element = 0, elements = 1;  // which of how many
        std::vector<std::uint32_t> loads;                 // ops, of global memory; none: always 0
    };
    // What an element of a load of shared memory gave.
    struct Value {
        std::uint32_t op = 0, element = 0, elements = 1;
    };
    enum class Type : std::uint8_t { kFp16, kFp32, kFp64 };
    static constexpr std::int32_t kNoValue = -1;
    // A multiplication, or multiply-add, one of whose factors is such a value.
    struct Product {
        std::uint32_t op = 0;
        std::uint32_t after = 0;  // the load that is the last before it in its basic block, as op: both run as often
        Type type = Type::kFp32;
        std::uint8_t flop = 0;                           // of one thread
        std::int32_t factors[2] = {kNoValue, kNoValue};  // into values
    };

    std::vector<Fill> fills;
    std::vector<Value> values;
    std::vector<Product> products;
    std::uint8_t granule = 4;  // bytes: the least element among fills and values
};

}  // namespace tilescope::machine

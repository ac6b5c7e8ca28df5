// Integer arithmetic: add, sub, mul, mad, div, rem, abs, neg, min, max, carries, dot products, bit counting.
#include "scope/isa/binding.h"
#include "scope/isa/family_list.h"
#include "scope/isa/lane_functions.h"

namespace tilescope::isa::TILESCOPE_TARGET {
namespace {

// Sums wrap: computed in the unsigned type, as PTX says.
template <class T>
struct Add {
    static T apply(T a, T b) { return static_cast<T>(a + b); }
};

OpFn bind_add(Binding& b) {
    switch (bytes_of(b.type())) {
        case 2: return &binary<std::uint16_t, std::uint16_t, std::uint16_t, Add<std::uint16_t>>;
        case 4: return &binary<std::uint32_t, std::uint32_t, std::uint32_t, Add<std::uint32_t>>;
        default: return &binary<std::uint64_t, std::uint64_t, std::uint64_t, Add<std::uint64_t>>;
    }
}

constexpr Row kRows[] = {
    {.syntax = "add.[u16 u32 u64 s16 s32 s64]", .operands = "=T0 T0 T0", .kind = Class::kInteger, .bind = &bind_add},
};

}  // namespace

const Family& integer_family() {
    static constexpr Family kFamily{"integer", "integer arithmetic", kRows, std::size(kRows)};
    return kFamily;
}

}  // namespace tilescope::isa::TILESCOPE_TARGET

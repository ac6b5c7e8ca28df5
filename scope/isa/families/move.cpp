// mov in all its forms: between registers, of predicates, of addresses, and packing and unpacking of brace vectors.
#include <string>

#include "scope/isa/families/choose.h"
#include "scope/isa/table/family_list.h"

namespace tilescope::isa::TILESCOPE_TARGET {
namespace {

struct Bits128 {
    std::uint64_t low, high;
};

template <class T>
struct Copy {
    static T apply(T a) { return a; }
};
OpFn bind_move(Binding& b) {
    if (b.type() == Type::kB128) return &unary<Bits128, Bits128, Copy<Bits128>>;
    return unary_bits<Copy>(b.type());
}

void move_predicate(Warp& warp, const Op& op) { warp.set_predicate(op.dst, source_mask(warp, op, op.a, 1)); }
OpFn bind_move_predicate(Binding& b) {
    note_negations(b);
    return &move_predicate;
}

// ---- packing --------------------------------------------------------------------------------------------------------

constexpr unsigned kMaxElements = 4;

// The registers of a brace vector. 8-bit elements lie in 16-bit registers.
struct Elements {
    machine::Operand slots[kMaxElements];
    bool present[kMaxElements] = {};
};

template <class E>
using Held = std::conditional_t<sizeof(E) == 1, std::uint16_t, E>;

// A value of W as its parts of type E, and back.
template <class W, class E>
struct Parts {
    static E get(W whole, unsigned n) { return static_cast<E>(whole >> 8 * sizeof(E) * n); }
    static W put(E part, unsigned n) { return static_cast<W>(static_cast<W>(part) << 8 * sizeof(E) * n); }
    static W join(W a, W b) { return static_cast<W>(a | b); }
};
template <class E>
struct Parts<Bits128, E> {
    static constexpr unsigned kPerWord = 8 / sizeof(E);
    static E get(Bits128 whole, unsigned n) {
        return static_cast<E>((n < kPerWord ? whole.low : whole.high) >> 8 * sizeof(E) * (n % kPerWord));
    }
    static Bits128 put(E part, unsigned n) {
        const std::uint64_t word = std::uint64_t{part} << 8 * sizeof(E) * (n % kPerWord);
        return n < kPerWord ? Bits128{word, 0} : Bits128{0, word};
    }
    static Bits128 join(Bits128 a, Bits128 b) { return {a.low | b.low, a.high | b.high}; }
};

template <class W, class E, unsigned kCount>
void pack(Warp& warp, const Op& op) {
    const auto& from = *static_cast<const Elements*>(op.extra);
    const Held<E>* parts[kCount];
    for (unsigned n = 0; n < kCount; ++n) parts[n] = warp.source<Held<E>>(from.slots[n]);
    write_lanes(warp.exec, warp.target<W>(op.dst), [&](unsigned i) -> W {
        W whole = Parts<W, E>::put(static_cast<E>(parts[0][i]), 0);
        for (unsigned n = 1; n < kCount; ++n)
            whole = Parts<W, E>::join(whole, Parts<W, E>::put(static_cast<E>(parts[n][i]), n));
        return whole;
    });
}

// The whole is read before any part is written: a part may lie where the whole does.
template <class W, class E, unsigned kCount>
void unpack(Warp& warp, const Op& op) {
    const auto& to = *static_cast<const Elements*>(op.extra);
    const W* whole = warp.source<W>(op.a);
    alignas(64) Held<E> parts[kCount][machine::kWarpSize];
    for (unsigned n = 0; n < kCount; ++n)
        for (unsigned i = 0; i < machine::kWarpSize; ++i) parts[n][i] = Parts<W, E>::get(whole[i], n);
    for (unsigned n = 0; n < kCount; ++n)
        if (to.present[n])
            write_lanes(warp.exec, warp.target<Held<E>>(to.slots[n]), [&](unsigned i) { return parts[n][i]; });
}

// Fills op.extra; false when the elements do not make up the whole.
template <class E>
bool take_elements(Binding& b, const BoundOperand& vector, bool sinks) {
    const unsigned count = bytes_of(b.type()) / sizeof(E);
    if (vector.elements.size() != count) {
        b.fail("a vector of " + std::to_string(vector.elements.size()) + " elements of " +
                   std::to_string(8 * sizeof(E)) + " bits does not make " + std::to_string(8 * bytes_of(b.type())),
               "give " + std::to_string(count) + " elements");
        return false;
    }
    Elements elements;
    for (unsigned n = 0; n < count; ++n) {
        elements.slots[n] = vector.elements[n].slot;
        elements.present[n] = vector.elements[n].kind == BoundKind::kValue;
        if (!elements.present[n] && !sinks) {
            b.fail("the sink _ is not a value to pack");
            return false;
        }
    }
    b.op.extra = b.keep(elements);
    return true;
}

template <class W, class E>
OpFn bind_pack(Binding& b) {
    if (!take_elements<E>(b, b.operands[1], false)) return nullptr;
    return &pack<W, E, sizeof(W) / sizeof(E)>;
}
template <class W, class E>
OpFn bind_unpack(Binding& b) {
    if (!take_elements<E>(b, b.operands[0], true)) return nullptr;
    b.op.a = b.operands[1].slot;
    return &unpack<W, E, sizeof(W) / sizeof(E)>;
}

using U8 = std::uint8_t;
using U16 = std::uint16_t;
using U32 = std::uint32_t;
using U64 = std::uint64_t;

constexpr Class kMove = Class::kMove;
constexpr Needs kWide{83, 70};
constexpr Row kMoveRows[] = {
    {.syntax = "mov.pred",
     .operands = "=pred pred",
     .kind = kMove,
     .effect = effect::kMove,
     .bind = &bind_move_predicate},
    // The source may also be the name of a variable or a function: its address, an immediate by then.
    {.syntax = "mov.[b16 u16 s16 b32 u32 s32 f32 b64 u64 s64 f64]",
     .operands = "=T0 T0",
     .kind = kMove,
     .effect = effect::kMove,
     .bind = &bind_move},
    {.syntax = "mov.b128",
     .operands = "=T0 T0",
     .kind = kMove,
     .effect = effect::kMove,
     .bind = &bind_move,
     .needs = kWide},
    {.syntax = "mov.b16", .operands = "=b16 {b8}", .kind = kMove, .effect = effect::kMove, .bind = &bind_pack<U16, U8>},
    {.syntax = "mov.b32",
     .operands = "=b32 {b16}",
     .kind = kMove,
     .effect = effect::kMove,
     .bind = &bind_pack<U32, U16>},
    {.syntax = "mov.b32", .operands = "=b32 {b8}", .kind = kMove, .effect = effect::kMove, .bind = &bind_pack<U32, U8>},
    {.syntax = "mov.b64",
     .operands = "=b64 {b32}",
     .kind = kMove,
     .effect = effect::kMove,
     .bind = &bind_pack<U64, U32>},
    {.syntax = "mov.b64",
     .operands = "=b64 {b16}",
     .kind = kMove,
     .effect = effect::kMove,
     .bind = &bind_pack<U64, U16>},
    {.syntax = "mov.b128",
     .operands = "=b128 {b64}",
     .kind = kMove,
     .effect = effect::kMove,
     .bind = &bind_pack<Bits128, U64>,
     .needs = kWide},
    {.syntax = "mov.b128",
     .operands = "=b128 {b32}",
     .kind = kMove,
     .effect = effect::kMove,
     .bind = &bind_pack<Bits128, U32>,
     .needs = kWide},
    {.syntax = "mov.b16",
     .operands = "={b8} b16",
     .kind = kMove,
     .effect = effect::kMove,
     .bind = &bind_unpack<U16, U8>},
    {.syntax = "mov.b32",
     .operands = "={b16} b32",
     .kind = kMove,
     .effect = effect::kMove,
     .bind = &bind_unpack<U32, U16>},
    {.syntax = "mov.b32",
     .operands = "={b8} b32",
     .kind = kMove,
     .effect = effect::kMove,
     .bind = &bind_unpack<U32, U8>},
    {.syntax = "mov.b64",
     .operands = "={b32} b64",
     .kind = kMove,
     .effect = effect::kMove,
     .bind = &bind_unpack<U64, U32>},
    {.syntax = "mov.b64",
     .operands = "={b16} b64",
     .kind = kMove,
     .effect = effect::kMove,
     .bind = &bind_unpack<U64, U16>},
    {.syntax = "mov.b128",
     .operands = "={b64} b128",
     .kind = kMove,
     .effect = effect::kMove,
     .bind = &bind_unpack<Bits128, U64>,
     .needs = kWide},
    {.syntax = "mov.b128",
     .operands = "={b32} b128",
     .kind = kMove,
     .effect = effect::kMove,
     .bind = &bind_unpack<Bits128, U32>,
     .needs = kWide},
};

}  // namespace

const Family& move_family() {
    static constexpr Family kFamily{"move", "moves between registers", kMoveRows, std::size(kMoveRows)};
    return kFamily;
}

}  // namespace tilescope::isa::TILESCOPE_TARGET

// atom and red on global and shared memory.
#include <bit>
#include <iterator>

#include "scope/isa/families/atomic_update.h"
#include "scope/isa/families/memory_policy.h"
#include "scope/isa/table/access_words.h"
#include "scope/isa/table/binding.h"
#include "scope/isa/table/family_list.h"

namespace tilescope::isa::TILESCOPE_TARGET {
namespace {

using machine::OpFn;

template <class T>
OpFn pick_bits(std::string_view name) {
    if (name == "exch") return &update<T, Exchange<T>>;
    if (name == "cas") return &update<T, CompareAndSwap<T>>;
    if constexpr (sizeof(T) <= 8) {
        if (name == "and") return &update<T, And<T>>;
        if (name == "or") return &update<T, Or<T>>;
        if (name == "xor") return &update<T, Xor<T>>;
    }
    return nullptr;
}

template <class T>
OpFn pick_integer(std::string_view name) {
    if (name == "add") return &update<T, Add<T>>;
    if (name == "min") return &update<T, Min<T>>;
    if (name == "max") return &update<T, Max<T>>;
    if constexpr (sizeof(T) == 4) {
        if (name == "inc") return &update<T, Increment<T>>;
        if (name == "dec") return &update<T, Decrement<T>>;
    }
    return pick_bits<T>(name);
}

OpFn pick_atomic(std::string_view name, Type type) {
    switch (type) {
        case Type::kU32: return pick_integer<std::uint32_t>(name);
        case Type::kS32:
            if (name == "min") return &update<std::uint32_t, MinSigned<std::uint32_t, std::int32_t>>;
            if (name == "max") return &update<std::uint32_t, MaxSigned<std::uint32_t, std::int32_t>>;
            return pick_integer<std::uint32_t>(name);
        case Type::kU64: return pick_integer<std::uint64_t>(name);
        case Type::kS64:
            if (name == "min") return &update<std::uint64_t, MinSigned<std::uint64_t, std::int64_t>>;
            if (name == "max") return &update<std::uint64_t, MaxSigned<std::uint64_t, std::int64_t>>;
            return pick_integer<std::uint64_t>(name);
        case Type::kB16: return pick_bits<std::uint16_t>(name);
        case Type::kB32: return pick_bits<std::uint32_t>(name);
        case Type::kB64: return pick_bits<std::uint64_t>(name);
        case Type::kB128: return pick_bits<Wide>(name);
        case Type::kF32: return &update<std::uint32_t, AddFloat>;
        case Type::kF64: return &update<std::uint64_t, AddDouble>;
        case Type::kF16: return &update<std::uint16_t, AddHalf<F16>>;
        case Type::kBf16: return &update<std::uint16_t, AddHalf<Bf16>>;
        case Type::kF16x2: return &update<std::uint32_t, Both<AddHalf<F16>>>;
        case Type::kBf16x2: return &update<std::uint32_t, Both<AddHalf<Bf16>>>;
        default: return nullptr;
    }
}

template <class Half>
OpFn pick_half_vector(bool both) {
    return both ? &update_vector<std::uint32_t, Both<Half>> : &update_vector<std::uint16_t, Half>;
}

OpFn pick_vector(std::string_view name, Type type) {
    if (type == Type::kF32) return &update_vector<std::uint32_t, AddFloat>;
    const bool both = bytes_of(type) == 4, brain = type == Type::kBf16 || type == Type::kBf16x2;
    if (name == "add") return brain ? pick_half_vector<AddHalf<Bf16>>(both) : pick_half_vector<AddHalf<F16>>(both);
    if (name == "min")
        return brain ? pick_half_vector<ExtremeHalf<Bf16, false>>(both)
                     : pick_half_vector<ExtremeHalf<F16, false>>(both);
    return brain ? pick_half_vector<ExtremeHalf<Bf16, true>>(both) : pick_half_vector<ExtremeHalf<F16, true>>(both);
}

// The registers of a vector, or of a sink in its place: each exactly as wide as the element.
bool read_elements(Binding& binding, const BoundOperand& from, unsigned count, ElementList& list) {
    list.count = count;
    if (from.kind == BoundKind::kAbsent) return true;
    if (from.kind != BoundKind::kVector || from.elements.size() != count) {
        binding.fail("the number of registers does not fit the vector width");
        return false;
    }
    const unsigned bytes = bytes_of(binding.type());
    for (unsigned k = 0; k < count; ++k) {
        const BoundOperand& element = from.elements[k];
        list.present[k] = element.kind == BoundKind::kValue;
        if (list.present[k] && element.bytes != bytes) {
            binding.fail("a register that is wider than the element");
            return false;
        }
        list.registers[k] = element.slot;
    }
    return true;
}

// Where it is, and the policy for the second-level cache that may come last.
bool bind_place(Binding& binding, const BoundOperand& address) {
    Op& op = binding.op;
    op.a = address.slot;
    op.immediate = address.value;
    op.flags |= address.bytes == 4 ? kNarrowAddress : 0;
    const Space space = space_of(binding.form);
    if (space == Space::kShared) op.flags |= kOnShared;
    if (space == Space::kGlobal) op.flags |= kOnGlobal;
    const bool has_policy = !binding.has("cas") && binding.operands.back().kind == BoundKind::kValue;
    const bool wants_policy = binding.has("L2::cache_hint");
    if (has_policy != wants_policy) binding.fail("a cache policy that only the spelling or only the operands have");
    if (wants_policy && space == Space::kShared) binding.fail("a policy of the second-level cache on shared memory");
    return binding.failure().empty();
}

// What is wider than the policy is read where the policy would stand.
void take_policy_last(Binding& binding) {
    if (binding.op.width <= 8 || binding.op.extra != nullptr) take_policy(binding, binding.operands.back());
}

std::string_view name_of(const Binding& binding) {
    return binding.form.one_of({"add", "min", "max", "inc", "dec", "and", "or", "xor", "exch", "cas"});
}

// What ptxas 13.0 makes of it for sm_90 (November 2026): RED where nobody reads the old value, the address is global
// and the operation is arithmetic; a loop of compare-and-swap for 16 bits, and on shared memory for floats and for 64
// bits.
void note_machine_code(Op& op, std::string_view name, Type type) {
    const unsigned bytes = bytes_of(type);
    const bool swaps = name == "exch" || name == "cas";
    const bool is_generic = (op.flags & (kOnShared | kOnGlobal)) == 0;
    if (swaps || is_generic) op.flags |= kStaysAtomic;
    if (bytes == 2) op.flags |= kLoops;
    if (is_float(type) || (bytes == 8 && !swaps)) op.flags |= kLoopsOnShared;
}

OpFn bind(Binding& binding, bool has_result) {
    Op& op = binding.op;
    const unsigned bytes = bytes_of(binding.type());
    op.width = static_cast<std::uint8_t>(bytes);
    if (!bind_place(binding, binding.operands[has_result ? 1 : 0])) return nullptr;
    const std::string_view name = name_of(binding);
    const std::size_t first = has_result ? 2 : 1;
    op.b = binding.operands[first].slot;
    op.c = name == "cas" ? binding.operands[first + 1].slot : op.b;
    take_policy_last(binding);
    const bool unused = !has_result || binding.operands[0].kind == BoundKind::kAbsent;
    if (unused) op.flags |= kNoResult;
    note_machine_code(op, name, binding.type());
    // What ptxas 13.0 turns into ATOMS.POPC.INC: adding one, or counting up without an end.
    const BoundOperand& by = binding.operands[first];
    const bool adds_one =
        (name == "add" && by.value == 1) || (name == "inc" && static_cast<std::uint32_t>(by.value) == ~0u);
    if (unused && bytes == 4 && !is_float(binding.type()) && by.is_immediate && adds_one) op.flags |= kAddsOne;
    // Integer sums and the like come out the same in any order of blocks; the rest does not.
    const bool commutes =
        unused && name != "exch" && name != "cas" && name != "inc" && name != "dec" && !is_float(binding.type());
    if (!commutes && !(op.flags & kOnShared)) op.flags |= kOrderDependent;
    const OpFn fn = pick_atomic(name, binding.type());
    if (!fn) binding.fail("this operation on this type");
    return fn;
}

OpFn bind_vector(Binding& binding, bool has_result) {
    Op& op = binding.op;
    const unsigned count = binding.has("v2") ? 2 : binding.has("v4") ? 4 : 8;
    op.width = static_cast<std::uint8_t>(bytes_of(binding.type()) * count);
    if (!bind_place(binding, binding.operands[has_result ? 1 : 0])) return nullptr;
    VectorOperands with;
    if (!read_elements(binding, binding.operands[has_result ? 2 : 1], count, with.from)) return nullptr;
    if (has_result && !read_elements(binding, binding.operands[0], count, with.to)) return nullptr;
    if (!has_result || binding.operands[0].kind == BoundKind::kAbsent) op.flags |= kNoResult;
    op.flags |= kOrderDependent;
    op.extra = binding.keep(with);
    take_policy_last(binding);
    return pick_vector(name_of(binding), binding.type());
}

OpFn bind_atom(Binding& binding) { return bind(binding, true); }
OpFn bind_red(Binding& binding) { return bind(binding, false); }
OpFn bind_vector_atom(Binding& binding) { return bind_vector(binding, true); }
OpFn bind_vector_red(Binding& binding) { return bind_vector(binding, false); }

#define WHERE "{.[global shared shared::cta shared::cluster]}"
#define SCOPES "{.[cta cluster gpu sys]}"
#define POLICY "{.L2::cache_hint}"
#define SWAP "atom{.[relaxed acquire release acq_rel]}" SCOPES WHERE
#define ATOM "atom{.[relaxed acquire release acq_rel]}" SCOPES WHERE POLICY
#define RED "red{.[relaxed release]}" SCOPES WHERE POLICY
#define VECTOR_ATOM "atom{.[relaxed acquire release acq_rel]}" SCOPES "{.global}" POLICY
#define VECTOR_RED "red{.[relaxed release]}" SCOPES "{.global}" POLICY
#define BY_DEFAULT .order = machine::Order::kRelaxed, .scope = machine::Scope::kGpu

constexpr Row kAtomicRows[] = {
    {.syntax = ATOM ".add.[u32 s32 u64]",
     .operands = "=T0 [] T0 b64?",
     .kind = Class::kMemory,
     .effect = effect::kAtomic,
     .bind = &bind_atom,
     BY_DEFAULT},
    {.syntax = ATOM ".add.[f32 f64]",
     .operands = "=T0 [] T0 b64?",
     .kind = Class::kMemory,
     .effect = effect::kAtomic,
     .bind = &bind_atom,
     .needs = {50, 60},
     BY_DEFAULT},
    {.syntax = ATOM ".add.noftz.[f16 f16x2]",
     .operands = "=T0 [] T0 b64?",
     .kind = Class::kMemory,
     .effect = effect::kAtomic,
     .bind = &bind_atom,
     .needs = {63, 70},
     BY_DEFAULT},
    {.syntax = ATOM ".add.noftz.[bf16 bf16x2]",
     .operands = "=T0 [] T0 b64?",
     .kind = Class::kMemory,
     .effect = effect::kAtomic,
     .bind = &bind_atom,
     .needs = {78, 90},
     BY_DEFAULT},
    {.syntax = ATOM ".[min max].[u32 s32 u64 s64]",
     .operands = "=T0 [] T0 b64?",
     .kind = Class::kMemory,
     .effect = effect::kAtomic,
     .bind = &bind_atom,
     BY_DEFAULT},
    {.syntax = ATOM ".[inc dec].u32",
     .operands = "=T0 [] T0 b64?",
     .kind = Class::kMemory,
     .effect = effect::kAtomic,
     .bind = &bind_atom,
     BY_DEFAULT},
    {.syntax = ATOM ".[and or xor].[b32 b64]",
     .operands = "=T0 [] T0 b64?",
     .kind = Class::kMemory,
     .effect = effect::kAtomic,
     .bind = &bind_atom,
     BY_DEFAULT},
    {.syntax = ATOM ".exch.[b32 b64]",
     .operands = "=T0 [] T0 b64?",
     .kind = Class::kMemory,
     .effect = effect::kAtomic,
     .bind = &bind_atom,
     BY_DEFAULT},
    {.syntax = ATOM ".exch.b128",
     .operands = "=T0 [] T0 b64?",
     .kind = Class::kMemory,
     .effect = effect::kAtomic,
     .bind = &bind_atom,
     .needs = {83, 90},
     BY_DEFAULT},
    {.syntax = SWAP ".cas.[b16 b32 b64]",
     .operands = "=T0 [] T0 T0",
     .kind = Class::kMemory,
     .effect = effect::kAtomic,
     .bind = &bind_atom,
     BY_DEFAULT},
    {.syntax = SWAP ".cas.b128",
     .operands = "=T0 [] T0 T0",
     .kind = Class::kMemory,
     .effect = effect::kAtomic,
     .bind = &bind_atom,
     .needs = {83, 90},
     BY_DEFAULT},
    {.syntax = VECTOR_ATOM ".add.[v2 v4].f32",
     .operands = "=V0 [] V0 b64?",
     .kind = Class::kMemory,
     .effect = effect::kAtomic,
     .bind = &bind_vector_atom,
     .needs = {81, 90},
     BY_DEFAULT},
    {.syntax = VECTOR_ATOM ".[add min max].noftz.[v2 v4].[f16 f16x2 bf16 bf16x2]",
     .operands = "=V0 [] V0 b64?",
     .kind = Class::kMemory,
     .effect = effect::kAtomic,
     .bind = &bind_vector_atom,
     .needs = {81, 90},
     BY_DEFAULT},
    {.syntax = VECTOR_ATOM ".[add min max].noftz.v8.[f16 bf16]",
     .operands = "=V0 [] V0 b64?",
     .kind = Class::kMemory,
     .effect = effect::kAtomic,
     .bind = &bind_vector_atom,
     .needs = {81, 90},
     BY_DEFAULT},
    {.syntax = RED ".add.[u32 s32 u64]",
     .operands = "[] T0 b64?",
     .kind = Class::kMemory,
     .effect = effect::kReduction,
     .bind = &bind_red,
     BY_DEFAULT},
    {.syntax = RED ".add.[f32 f64]",
     .operands = "[] T0 b64?",
     .kind = Class::kMemory,
     .effect = effect::kReduction,
     .bind = &bind_red,
     .needs = {50, 60},
     BY_DEFAULT},
    {.syntax = RED ".add.noftz.[f16 f16x2]",
     .operands = "[] T0 b64?",
     .kind = Class::kMemory,
     .effect = effect::kReduction,
     .bind = &bind_red,
     .needs = {63, 70},
     BY_DEFAULT},
    {.syntax = RED ".add.noftz.[bf16 bf16x2]",
     .operands = "[] T0 b64?",
     .kind = Class::kMemory,
     .effect = effect::kReduction,
     .bind = &bind_red,
     .needs = {78, 90},
     BY_DEFAULT},
    {.syntax = RED ".[min max].[u32 s32 u64 s64]",
     .operands = "[] T0 b64?",
     .kind = Class::kMemory,
     .effect = effect::kReduction,
     .bind = &bind_red,
     BY_DEFAULT},
    {.syntax = RED ".[inc dec].u32",
     .operands = "[] T0 b64?",
     .kind = Class::kMemory,
     .effect = effect::kReduction,
     .bind = &bind_red,
     BY_DEFAULT},
    {.syntax = RED ".[and or xor].[b32 b64]",
     .operands = "[] T0 b64?",
     .kind = Class::kMemory,
     .effect = effect::kReduction,
     .bind = &bind_red,
     BY_DEFAULT},
    {.syntax = VECTOR_RED ".add.[v2 v4].f32",
     .operands = "[] V0 b64?",
     .kind = Class::kMemory,
     .effect = effect::kReduction,
     .bind = &bind_vector_red,
     .needs = {81, 90},
     BY_DEFAULT},
    {.syntax = VECTOR_RED ".[add min max].noftz.[v2 v4].[f16 f16x2 bf16 bf16x2]",
     .operands = "[] V0 b64?",
     .kind = Class::kMemory,
     .effect = effect::kReduction,
     .bind = &bind_vector_red,
     .needs = {81, 90},
     BY_DEFAULT},
    {.syntax = VECTOR_RED ".[add min max].noftz.v8.[f16 bf16]",
     .operands = "[] V0 b64?",
     .kind = Class::kMemory,
     .effect = effect::kReduction,
     .bind = &bind_vector_red,
     .needs = {81, 90},
     BY_DEFAULT},
};

}  // namespace

const Family& atomic_family() {
    static constexpr Family kFamily{"atomic", "atomics and reductions", kAtomicRows, std::size(kAtomicRows)};
    return kFamily;
}

}  // namespace tilescope::isa::TILESCOPE_TARGET

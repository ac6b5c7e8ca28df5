// Functions of the CUDA device library (__nv_sinf, ...) as instruction rows: one row per function, its syntax the name.
//
// Guarantees: the float functions of device_single.h have nvcc's bits. Others are computed in double precision and
// rounded once, double functions by the host's library, so that results are within the errors that CUDA documents.
// Conversions, integer functions and the _rn, _rz, _rd, _ru arithmetic are exact. The code is compiled once, not per
// instruction set: calls per lane do not vectorize.
// Does not model: functions that take pointers (sincos, modf, frexp, remquo, norm of an array, nan).
#pragma once

#include <bit>
#include <cfenv>
#include <cmath>
#include <cstdint>
#include <vector>

#include "scope/isa/table/binding.h"
#include "scope/isa/table/row.h"
#include "scope/machine/warp.h"

namespace tilescope::isa {

const Family& device_functions();

namespace device {

using F32 = float;
using F64 = double;
using S32 = std::int32_t;
using U32 = std::uint32_t;
using S64 = std::int64_t;
using U64 = std::uint64_t;

// Rows of each file.
void add_elementary(std::vector<Row>& rows);
void add_special(std::vector<Row>& rows);
void add_rounded(std::vector<Row>& rows);
void add_integer(std::vector<Row>& rows);
void add_simd(std::vector<Row>& rows);

inline constexpr unsigned kMaxArguments = 4;
struct Arguments {
    machine::Operand slot[kMaxArguments];
};

// Out of line: one copy per signature.
template <class R, class... A, std::size_t... I>
[[gnu::noinline]] void run_lanes(machine::Warp& warp, const machine::Op& op, R (*function)(A...),
                                 std::index_sequence<I...>) {
    const auto& arguments = *static_cast<const Arguments*>(op.extra);
    R* d = warp.target<R>(op.dst);
    for (std::uint32_t left = warp.exec; left != 0; left &= left - 1) {
        const int lane = std::countr_zero(left);
        d[lane] = function(warp.source<A>(arguments.slot[I])[lane]...);
    }
}
template <class R, class... A>
void run_function(machine::Warp& warp, const machine::Op& op, R (*function)(A...)) {
    run_lanes(warp, op, function, std::index_sequence_for<A...>{});
}
template <auto kFunction>
void call(machine::Warp& warp, const machine::Op& op) {
    run_function(warp, op, +kFunction);
}

// Keeps the operands of all arguments in op.extra.
void keep_arguments(Binding& b);
template <auto kFunction>
machine::OpFn bind(Binding& b) {
    keep_arguments(b);
    return &call<kFunction>;
}

template <class T>
constexpr const char* type_text() {
    if (std::is_same_v<T, F32>) return "f32";
    if (std::is_same_v<T, F64>) return "f64";
    if (std::is_same_v<T, S32>) return "s32";
    if (std::is_same_v<T, U32>) return "u32";
    return std::is_same_v<T, S64> ? "s64" : "u64";
}
// "=f32 f32 s32"
template <class R, class... A>
struct SignatureText {
    char text[2 + 4 * (1 + sizeof...(A))] = {};
    constexpr SignatureText() {
        unsigned at = 0;
        text[at++] = '=';
        for (const char* type : {type_text<R>(), type_text<A>()...}) {
            if (at > 1) text[at++] = ' ';
            while (*type) text[at++] = *type++;
        }
    }
};
template <class R, class... A>
inline constexpr SignatureText<R, A...> kSignatureText{};
template <class R, class... A>
constexpr const char* signature_text(R (*)(A...)) {
    return kSignatureText<R, A...>.text;
}

void append(std::vector<Row>& rows, const char* name, const char* operands, machine::OpFn (*bind)(Binding&), Class kind,
            const Operations& operations);
template <auto kFunction>
void add_row(std::vector<Row>& rows, const char* name, Class kind = Class::kFloat, const Operations& operations = {}) {
    append(rows, name, signature_text(+kFunction), &bind<kFunction>, kind, operations);
}

// What a function comes to in PTX where the compiler has NVIDIA's library at hand (nvcc 13.0.88, November 2026), run on
// ordinary arguments (around 1, no infinities), so that work is the same through both compilers.
constexpr Operations operations(Counter add, Counter mul, Counter fma, Counter special,
                                const std::array<unsigned, 4>& amounts) {
    const Counter counters[] = {add, mul, fma, special};
    Operations made{};
    std::size_t used = 0;
    for (std::size_t i = 0; i < amounts.size(); ++i)
        if (amounts[i] != 0) made[used++] = {counters[i], static_cast<std::uint8_t>(amounts[i])};
    return made;
}
constexpr Operations f32(unsigned add, unsigned mul, unsigned fma, unsigned special = 0) {
    return operations(Counter::kFp32Add, Counter::kFp32Mul, Counter::kFp32Fma, Counter::kFp32Special,
                      {add, mul, fma, special});
}
constexpr Operations f64(unsigned add, unsigned mul, unsigned fma, unsigned special = 0) {
    return operations(Counter::kFp64Add, Counter::kFp64Mul, Counter::kFp64Fma, Counter::kFp64Special,
                      {add, mul, fma, special});
}

// A float result: rounded once, a NaN as the device has it.
inline F32 single(F64 x) { return std::isnan(x) ? std::bit_cast<F32>(0x7fffffffu) : static_cast<F32>(x); }

}  // namespace device
}  // namespace tilescope::isa

// TILESCOPE_FUNCTION(name, (parameters), expression), and behind them the arithmetic that it comes to, if any.
#define TILESCOPE_FUNCTION(name, parameters, expression, ...) \
    add_row<[] parameters { return (expression); }>(rows, "__nv_" #name, Class::kFloat __VA_OPT__(, ) __VA_ARGS__)
// A function of one or two doubles and its float form, computed in double.
// TILESCOPE_COUNTED: with the arithmetic of the one and of the other.
#define TILESCOPE_COUNTED(name, expression, of_double, of_float)   \
    TILESCOPE_FUNCTION(name, (F64 a)->F64, expression, of_double); \
    add_row<[](F32 x) -> F32 {                                     \
        const F64 a = x;                                           \
        return single(expression);                                 \
    }>(rows, "__nv_" #name "f", Class::kFloat, of_float)
#define TILESCOPE_COUNTED2(name, expression, of_double, of_float)         \
    TILESCOPE_FUNCTION(name, (F64 a, F64 b)->F64, expression, of_double); \
    add_row<[](F32 x, F32 y) -> F32 {                                     \
        const F64 a = x, b = y;                                           \
        return single(expression);                                        \
    }>(rows, "__nv_" #name "f", Class::kFloat, of_float)
#define TILESCOPE_BOTH(name, expression) TILESCOPE_COUNTED(name, expression, Operations{}, Operations{})
#define TILESCOPE_BOTH2(name, expression) TILESCOPE_COUNTED2(name, expression, Operations{}, Operations{})

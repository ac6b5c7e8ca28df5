#include "scope/cli/launch_arguments.h"

#include <algorithm>
#include <array>
#include <charconv>
#include <cmath>
#include <cstring>
#include <limits>
#include <optional>
#include <string_view>
#include <type_traits>
#include <utility>

#include "scope/base/npy.h"

namespace tilescope::cli {
namespace {

constexpr std::array<ElementInfo, 14> kElements = {{{"i8", 'i', 1, false},
                                                    {"u8", 'u', 1, false},
                                                    {"i16", 'i', 2, false},
                                                    {"u16", 'u', 2, false},
                                                    {"i32", 'i', 4, false},
                                                    {"u32", 'u', 4, false},
                                                    {"i64", 'i', 8, false},
                                                    {"u64", 'u', 8, false},
                                                    {"f16", 'f', 2, true},
                                                    {"bf16", 'u', 2, true},
                                                    {"f8e4m3", 'u', 1, true},
                                                    {"f8e5m2", 'u', 1, true},
                                                    {"f32", 'f', 4, true},
                                                    {"f64", 'f', 8, true}}};

// What CUDA C++ and PTX call them.
constexpr std::pair<std::string_view, ElementType> kOtherNames[] = {
    {"char", ElementType::kI8},
    {"signed char", ElementType::kI8},
    {"unsigned char", ElementType::kU8},
    {"bool", ElementType::kU8},
    {"short", ElementType::kI16},
    {"unsigned short", ElementType::kU16},
    {"int", ElementType::kI32},
    {"unsigned", ElementType::kU32},
    {"unsigned int", ElementType::kU32},
    {"long", ElementType::kI64},
    {"long long", ElementType::kI64},
    {"unsigned long", ElementType::kU64},
    {"unsigned long long", ElementType::kU64},
    {"size_t", ElementType::kU64},
    {"half", ElementType::kF16},
    {"__half", ElementType::kF16},
    {"__nv_bfloat16", ElementType::kBf16},
    {"nv_bfloat16", ElementType::kBf16},
    {"__nv_fp8_e4m3", ElementType::kF8e4m3},
    {"__nv_fp8_e5m2", ElementType::kF8e5m2},
    {"e4m3", ElementType::kF8e4m3},
    {"e5m2", ElementType::kF8e5m2},
    {"float", ElementType::kF32},
    {"double", ElementType::kF64},
};

constexpr const char* kForms =
    "write TYPE=VALUE or buffer:TYPE[DIMxDIM...]=random|zeros|ones|iota|@FILE.npy, with TYPE one of i8 u8 i16 u16 i32 "
    "u32 i64 u64 f16 bf16 f8e4m3 f8e5m2 f32 f64, or its name in CUDA C++";

// A floating-point type of at most 16 bits. Values are rounded to the nearest one, of two the even one. Those that are
// too large become infinite, or the largest where 8 bits hold them, as CUDA's conversions do.
template <class Bits, int kExponentBits, int kMantissaBits, unsigned kLargest>
struct SmallFloat {
    Bits bits = 0;

    static SmallFloat of(double value) {
        constexpr int kBias = (1 << (kExponentBits - 1)) - 1;
        constexpr unsigned kAll = (1u << (kExponentBits + kMantissaBits)) - 1, kSign = kAll + 1;
        const unsigned sign = std::signbit(value) ? kSign : 0;
        if (std::isnan(value)) return {static_cast<Bits>(kAll)};
        const double size = std::fabs(value);
        if (size == 0) return {static_cast<Bits>(sign)};
        constexpr bool kSaturates = sizeof(Bits) == 1;
        const int exponent = std::isinf(size) ? 1024 : std::max(std::ilogb(size), 1 - kBias);
        unsigned bits = kLargest + 1;
        if (exponent <= kBias + 1) {
            const auto steps = static_cast<unsigned>(std::nearbyint(std::ldexp(size, kMantissaBits - exponent)));
            bits = (static_cast<unsigned>(exponent + kBias) << kMantissaBits) + steps - (1u << kMantissaBits);
        }
        return {static_cast<Bits>(sign | std::min(bits, kSaturates ? kLargest : kLargest + 1))};
    }
};
using Half = SmallFloat<std::uint16_t, 5, 10, 0x7bff>;
using Bfloat = SmallFloat<std::uint16_t, 8, 7, 0x7f7f>;
using E4m3 = SmallFloat<std::uint8_t, 4, 3, 0x7e>;
using E5m2 = SmallFloat<std::uint8_t, 5, 2, 0x7b>;
template <class T>
constexpr bool kIsSmall =
    std::is_same_v<T, Half> || std::is_same_v<T, Bfloat> || std::is_same_v<T, E4m3> || std::is_same_v<T, E5m2>;

// Calls use(T{}) with the C++ type of an element.
template <class Use>
auto with_type(ElementType type, Use use) {
    switch (type) {
        case ElementType::kI8: return use(std::int8_t{});
        case ElementType::kU8: return use(std::uint8_t{});
        case ElementType::kI16: return use(std::int16_t{});
        case ElementType::kU16: return use(std::uint16_t{});
        case ElementType::kI32: return use(std::int32_t{});
        case ElementType::kU32: return use(std::uint32_t{});
        case ElementType::kI64: return use(std::int64_t{});
        case ElementType::kU64: return use(std::uint64_t{});
        case ElementType::kF16: return use(Half{});
        case ElementType::kBf16: return use(Bfloat{});
        case ElementType::kF8e4m3: return use(E4m3{});
        case ElementType::kF8e5m2: return use(E5m2{});
        case ElementType::kF32: return use(float{});
        case ElementType::kF64: break;
    }
    return use(double{});
}

std::optional<ElementType> type_by_name(std::string_view name) {
    for (std::size_t i = 0; i < kElements.size(); ++i)
        if (name == kElements[i].name) return static_cast<ElementType>(i);
    for (const auto& [other, type] : kOtherNames)
        if (name == other) return type;
    return std::nullopt;
}

Diagnostic bad_argument(const std::string& text, const std::string& what, const std::string& hint = kForms) {
    return error("cli-argument", {}, "--arg " + text + ": " + what, hint);
}

template <class T>
std::optional<T> number(std::string_view text) {
    if constexpr (kIsSmall<T>) {
        const auto value = number<double>(text);
        return value ? std::optional(T::of(*value)) : std::nullopt;
    } else {
        T value{};
        const char* end = text.data() + text.size();
        if constexpr (std::is_integral_v<T>) {
            if (text.starts_with("0x") || text.starts_with("0X")) {
                // All bits of the type may be given in hexadecimal.
                std::make_unsigned_t<T> bits{};
                const auto [stop, status] = std::from_chars(text.data() + 2, end, bits, 16);
                if (status != std::errc() || stop != end || text.size() == 2) return std::nullopt;
                return static_cast<T>(bits);
            }
        }
        const auto [stop, status] = std::from_chars(text.data(), end, value);
        if (status != std::errc() || stop != end || text.empty()) return std::nullopt;
        return value;
    }
}

Result<LaunchArgument> parse_scalar(LaunchArgument argument, std::string_view type, std::string_view value) {
    const auto element = type_by_name(type);
    if (!element) return bad_argument(argument.text, "there is no type \"" + std::string(type) + "\"");
    argument.type = *element;
    argument.bytes = element_info(*element).bytes;
    const bool fits = with_type(*element, [&](auto zero) {
        const auto parsed = number<decltype(zero)>(value);
        if (parsed) std::memcpy(argument.value.data(), &*parsed, sizeof *parsed);
        return parsed.has_value();
    });
    if (!fits)
        return bad_argument(argument.text,
                            "\"" + std::string(value) + "\" is not a value of type " + element_info(*element).name);
    return argument;
}

// "1024x1024"; nothing when it is not that.
std::optional<std::vector<std::uint64_t>> parse_array_shape(std::string_view text) {
    constexpr std::size_t kMaxDimensions = 16;
    std::vector<std::uint64_t> shape;
    for (;;) {
        const std::size_t cross = text.find('x');
        const auto extent = number<std::uint64_t>(text.substr(0, cross));
        if (!extent || *extent == 0 || shape.size() == kMaxDimensions) return std::nullopt;
        shape.push_back(*extent);
        if (cross == std::string_view::npos) return shape;
        text.remove_prefix(cross + 1);
    }
}

std::string shape_text(std::span<const std::uint64_t> shape) {
    std::string text;
    for (std::uint64_t extent : shape) text += (text.empty() ? "" : "x") + std::to_string(extent);
    return "[" + text + "]";
}

Result<LaunchArgument> read_contents(LaunchArgument argument, const std::string& file) {
    auto array = read_npy(file);
    if (!array) return array.errors();
    const ElementInfo& element = element_info(argument.type);
    if (array->kind != element.npy_kind || array->item_bytes != element.bytes)
        return bad_argument(argument.text,
                            file + " holds elements of type " + array->kind + std::to_string(8 * array->item_bytes) +
                                ", not " + element.name,
                            "convert it: numpy.save(file, a.astype(...))");
    if (!argument.shape.empty() && argument.shape != array->shape)
        return bad_argument(argument.text, file + " has the shape " + shape_text(array->shape),
                            "leave the shape out to take the file's");
    argument.shape = std::move(array->shape);
    argument.contents = std::move(array->data);
    argument.bytes = argument.contents.size();
    argument.fill = Fill::kFile;
    return argument;
}

Result<LaunchArgument> parse_buffer(LaunchArgument argument, std::string_view spec, std::string_view fill) {
    argument.is_buffer = true;
    const std::size_t bracket = spec.find('[');
    const auto element = type_by_name(spec.substr(0, bracket));
    if (!element)
        return bad_argument(argument.text, "there is no type \"" + std::string(spec.substr(0, bracket)) + "\"");
    argument.type = *element;
    if (bracket != std::string_view::npos) {
        if (spec.back() != ']') return bad_argument(argument.text, "']' is missing");
        const auto shape = parse_array_shape(spec.substr(bracket + 1, spec.size() - bracket - 2));
        if (!shape) return bad_argument(argument.text, "the shape is not numbers of at least 1 with x between them");
        argument.shape = *shape;
    }
    if (fill.starts_with('@')) return read_contents(std::move(argument), std::string(fill.substr(1)));
    if (argument.shape.empty()) return bad_argument(argument.text, "the buffer has no shape");
    const auto count = element_count(argument.shape);
    if (!count || __builtin_mul_overflow(*count, element_info(*element).bytes, &argument.bytes) ||
        argument.bytes > std::uint64_t{1} << 46)
        return bad_argument(argument.text, "the buffer is too large");
    constexpr std::pair<std::string_view, Fill> kFills[] = {
        {"zeros", Fill::kZeros}, {"ones", Fill::kOnes}, {"iota", Fill::kIota}, {"random", Fill::kRandom}};
    for (const auto& [name, value] : kFills) {
        if (fill != name) continue;
        argument.fill = value;
        return argument;
    }
    return bad_argument(argument.text, "cannot fill a buffer with \"" + std::string(fill) + "\"");
}

// Splitmix64 (Steele, Lea and Flood, 2014): one multiply-xorshift round over a counter, so that element i needs no
// other element.
std::uint64_t scramble(std::uint64_t x) {
    x += 0x9E3779B97F4A7C15;
    x = (x ^ (x >> 30)) * 0xBF58476D1CE4E5B9;
    x = (x ^ (x >> 27)) * 0x94D049BB133111EB;
    return x ^ (x >> 31);
}

template <class T>
T element(Fill fill, std::uint64_t index, std::uint64_t seed) {
    if constexpr (kIsSmall<T>)
        return T::of(element<float>(fill, index, seed));
    else {
        if (fill == Fill::kOnes) return T{1};
        if (fill == Fill::kIota) return static_cast<T>(index);
        const std::uint64_t bits = scramble(seed + index);
        if constexpr (std::is_same_v<T, float>) return static_cast<float>(bits >> 40) * 0x1p-24F;
        if constexpr (std::is_same_v<T, double>) return static_cast<double>(bits >> 11) * 0x1p-53;
        return static_cast<T>(bits % 100);
    }
}

std::string kind_text(ParameterKind kind) {
    switch (kind) {
        case ParameterKind::kInteger: return ", an integer";
        case ParameterKind::kFloat: return ", floating point";
        case ParameterKind::kPointer: return ", a pointer";
        case ParameterKind::kUnknown: break;
    }
    return {};
}

// Whether the bits of the argument mean to the kernel what they mean to the user.
bool suits(const LaunchArgument& argument, ParameterKind kind) {
    const bool is_float = !argument.is_buffer && element_info(argument.type).is_float;
    switch (kind) {
        case ParameterKind::kInteger:
        case ParameterKind::kPointer: return !is_float;
        case ParameterKind::kFloat: return is_float;
        case ParameterKind::kUnknown: break;
    }
    return true;
}

// " (data)", or nothing where a compiler made the name up ("_Z1kPf_param_0").
std::string shown_name(const KernelInfo& kernel, std::size_t index) {
    const std::string& name = kernel.parameters[index].name;
    const bool is_made_up = name.empty() || name == kernel.entry + "_param_" + std::to_string(index);
    return is_made_up ? std::string() : " (" + name + ")";
}

std::string describe_parameters(const KernelInfo& kernel) {
    if (kernel.parameters.empty()) return kernel.name + " takes no parameters";
    std::string text = kernel.name + " takes " + std::to_string(kernel.parameters.size()) + ":";
    for (std::size_t i = 0; i < kernel.parameters.size(); ++i) {
        const KernelParameter& parameter = kernel.parameters[i];
        const bool is_named = !shown_name(kernel, i).empty();
        text += " " + (is_named ? parameter.name : "argument " + std::to_string(i)) + " (" +
                std::to_string(parameter.size) + " B" + kind_text(parameter.kind) + ")" +
                (i + 1 == kernel.parameters.size() ? "" : ",");
    }
    return text + "; a pointer is 8 B and takes a buffer";
}

}  // namespace

const ElementInfo& element_info(ElementType type) { return kElements[static_cast<std::size_t>(type)]; }

Result<LaunchArgument> parse_argument(const std::string& text) {
    LaunchArgument argument;
    argument.text = text;
    const std::string_view view = argument.text;
    const std::size_t equals = view.find('=');
    if (equals == std::string_view::npos) return bad_argument(text, "'=' is missing");
    const std::string left(view.substr(0, equals)), right(view.substr(equals + 1));
    constexpr std::string_view kBuffer = "buffer:";
    if (left.starts_with(kBuffer))
        return parse_buffer(std::move(argument), std::string_view(left).substr(kBuffer.size()), right);
    return parse_scalar(std::move(argument), left, right);
}

void fill(const LaunchArgument& argument, std::size_t position, std::span<std::byte> into) {
    if (argument.fill == Fill::kZeros) return;
    if (argument.fill == Fill::kFile) {
        if (!argument.contents.empty()) std::memcpy(into.data(), argument.contents.data(), argument.contents.size());
        return;
    }
    const std::uint64_t seed = scramble(position + 1);
    with_type(argument.type, [&](auto zero) {
        using T = decltype(zero);
        for (std::uint64_t i = 0; i < argument.bytes / sizeof(T); ++i) {
            const T value = element<T>(argument.fill, i, seed);
            std::memcpy(into.data() + i * sizeof(T), &value, sizeof value);
        }
        return true;
    });
}

Result<std::vector<std::byte>> bind_parameters(const KernelInfo& kernel, std::span<const LaunchArgument> arguments,
                                               std::span<const std::uint64_t> addresses) {
    const std::string hint = describe_parameters(kernel);
    if (arguments.size() != kernel.parameters.size())
        return error("cli-argument", {},
                     std::to_string(arguments.size()) + " arguments were given for a kernel of " +
                         std::to_string(kernel.parameters.size()) + " parameters",
                     hint);
    std::vector<std::byte> buffer(kernel.parameter_bytes);
    Diagnostics errors;
    for (std::size_t i = 0; i < arguments.size(); ++i) {
        const KernelParameter& parameter = kernel.parameters[i];
        const LaunchArgument& argument = arguments[i];
        const std::size_t size = argument.is_buffer ? sizeof(std::uint64_t) : element_info(argument.type).bytes;
        if (size != parameter.size || parameter.offset > buffer.size() || size > buffer.size() - parameter.offset) {
            errors.push_back(error("cli-argument", {},
                                   "--arg " + argument.text + " has " + std::to_string(size) + " bytes, parameter " +
                                       std::to_string(i) + shown_name(kernel, i) + " has " +
                                       std::to_string(parameter.size),
                                   hint));
            continue;
        }
        if (!suits(argument, parameter.kind)) {
            const bool wants_float = parameter.kind == ParameterKind::kFloat;
            const std::string kind = argument.is_buffer ? "a buffer"
                                     : wants_float      ? "an integer"
                                                        : "a floating-point number";
            errors.push_back(error("cli-argument", {},
                                   "--arg " + argument.text + " is " + kind + ", parameter " + std::to_string(i) +
                                       shown_name(kernel, i) + " is" + kind_text(parameter.kind).substr(1),
                                   hint));
            continue;
        }
        const void* from = argument.is_buffer ? static_cast<const void*>(&addresses[i]) : argument.value.data();
        std::memcpy(buffer.data() + parameter.offset, from, size);
    }
    if (!errors.empty()) return errors;
    return buffer;
}

Result<SaveRequest> parse_save(const std::string& text, std::span<const LaunchArgument> arguments) {
    const std::size_t equals = text.find('=');
    const auto index = number<std::uint64_t>(std::string_view(text).substr(0, equals));
    if (equals == std::string::npos || !index || equals + 1 == text.size())
        return error("cli-save", {}, "--save " + text + ": this is not INDEX=FILE.npy", "the first --arg is 0");
    if (*index >= arguments.size() || !arguments[*index].is_buffer)
        return error("cli-save", {}, "--save " + text + ": argument " + std::to_string(*index) + " is not a buffer",
                     std::to_string(arguments.size()) + " arguments were given; the first is 0");
    return SaveRequest{static_cast<std::size_t>(*index), text.substr(equals + 1)};
}

}  // namespace tilescope::cli

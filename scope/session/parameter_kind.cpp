#include "scope/session/parameter_kind.h"

#include <algorithm>
#include <array>

namespace tilescope {
namespace {

constexpr std::array<std::string_view, 2> kFloats = {"float", "double"};
constexpr std::array<std::string_view, 12> kIntegers = {
    "bool", "char", "signed char",  "unsigned char", "short",     "unsigned short",
    "int",  "long", "unsigned int", "unsigned long", "long long", "unsigned long long"};

template <class List>
bool holds(const List& list, std::string_view type) {
    return std::find(list.begin(), list.end(), type) != list.end();
}

}  // namespace

bool points_to_structure(std::string_view type) {
    constexpr std::array<std::string_view, 4> kSmallFloats = {"__half", "__nv_bfloat16", "__nv_fp8_e4m3",
                                                              "__nv_fp8_e5m2"};
    if (!type.ends_with('*')) return false;
    type.remove_suffix(1);
    for (const std::string_view qualifier : {" const", " volatile"})
        if (type.ends_with(qualifier)) type.remove_suffix(qualifier.size());
    return type != "void" && !type.ends_with('*') && !holds(kFloats, type) && !holds(kIntegers, type) &&
           !holds(kSmallFloats, type);
}

ParameterKind parameter_kind(const ptx::Variable& parameter, std::string_view type) {
    if (!parameter.dimensions.empty() || parameter.vector != 1) return ParameterKind::kUnknown;
    if (parameter.type.starts_with('f') || parameter.type == "bf16") return ParameterKind::kFloat;
    if (parameter.is_pointer || type.ends_with('*') || type.ends_with('&')) return ParameterKind::kPointer;
    if (parameter.type.starts_with('u') || parameter.type.starts_with('s')) return ParameterKind::kInteger;
    if (holds(kFloats, type)) return ParameterKind::kFloat;
    return holds(kIntegers, type) ? ParameterKind::kInteger : ParameterKind::kUnknown;
}

}  // namespace tilescope

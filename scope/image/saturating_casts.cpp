#include "scope/image/saturating_casts.h"

#include <optional>

#include "scope/image/text_lines.h"

namespace tilescope::image {
namespace {

// "  %5 = tail call i8 @llvm.fptoui.sat.i8.f32(float %4), !dbg !7" in parts.
struct Cast {
    std::string_view result;  // %5
    bool is_signed = false;
    std::string_view to;       // i8
    std::string_view operand;  // float %4
    std::string_view rest;     // , !dbg !7
};

std::optional<Cast> saturating_cast(std::string_view line) {
    constexpr std::string_view kCall = "call ", kFunction = " @llvm.fpto";
    Cast cast;
    const std::size_t equals = line.find(" = ");
    const std::size_t function = line.find(kFunction);
    const std::size_t call = line.find(kCall);
    if (!line.starts_with("  %") || equals == std::string_view::npos || function == std::string_view::npos ||
        call == std::string_view::npos || call < equals || function < call)
        return std::nullopt;
    cast.result = line.substr(2, equals - 2);
    cast.to = line.substr(call + kCall.size(), function - call - kCall.size());
    take(cast.to, "noundef ");
    std::string_view tail = line.substr(function + kFunction.size());
    cast.is_signed = take(tail, "si.sat.");
    if (!cast.is_signed && !take(tail, "ui.sat.")) return std::nullopt;
    const std::size_t open = tail.find('('), close = tail.find(')');
    if (open == std::string_view::npos || close == std::string_view::npos) return std::nullopt;
    cast.operand = tail.substr(open + 1, close - open - 1);
    cast.rest = tail.substr(close + 1);
    // Behind the arguments there may be the number of a group of attributes, which a cast has not.
    if (cast.rest.starts_with(" #")) cast.rest.remove_prefix(std::min(cast.rest.find(','), cast.rest.size()));
    return cast;
}

}  // namespace

std::string use_device_casts(std::string_view llvm_ir) {
    std::string out;
    out.reserve(llvm_ir.size());
    each_line(llvm_ir, [&](std::string_view line) {
        const auto cast = saturating_cast(line);
        if (!cast) {
            out.append(line).append("\n");
            return;
        }
        const std::string result(cast->result);
        const bool narrow = cast->to == "i8" || cast->to == "i16";
        const std::string wide = narrow ? "%tilescope.cast." + result.substr(1) : result;
        out.append("  ").append(wide).append(cast->is_signed ? " = fptosi " : " = fptoui ").append(cast->operand);
        out.append(" to ").append(narrow ? "i32" : cast->to).append(cast->rest).append("\n");
        if (narrow)
            out.append("  ")
                .append(result)
                .append(" = trunc i32 ")
                .append(wide)
                .append(" to ")
                .append(cast->to)
                .append(cast->rest)
                .append("\n");
    });
    return out;
}

}  // namespace tilescope::image

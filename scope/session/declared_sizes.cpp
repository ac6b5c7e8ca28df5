#include "scope/session/declared_sizes.h"

#include <algorithm>

#include <fmt/format.h>

#include "scope/isa/lower.h"
#include "scope/report/format.h"

namespace tilescope {
namespace {

constexpr std::uint64_t kParameterBytes = 4352, kManyParameterBytes = 32764;

// PTX 8.1 allows more, for sm_70 and later.
bool allows_many(const isa::TargetLimits& limits) { return limits.version >= 81 && limits.target.sm >= 70; }

using Wide = unsigned __int128;

// Wider than any address, so that no declaration makes it wrap.
Wide bytes_of(const std::vector<ptx::Variable>& parameters) {
    Wide at = 0;
    for (const ptx::Variable& parameter : parameters) {
        const Wide align = std::max<std::uint64_t>(1, isa::alignment_of(parameter));
        at = (at + align - 1) / align * align;
        const auto size = isa::size_of(parameter);
        at += size ? Wide{*size} : Wide{1} << 64;
    }
    return at;
}

std::string text_of(Wide bytes) {
    constexpr Wide kMost = ~std::uint64_t{0};
    return bytes > kMost ? std::string("more than 2^48 bytes")
                         : report::thousands(static_cast<std::uint64_t>(bytes)) + " bytes";
}

}  // namespace

Status check_parameter_sizes(const ptx::Module& module, const isa::TargetLimits& limits) {
    const bool is_many = allows_many(limits);
    const std::uint64_t limit = is_many ? kManyParameterBytes : kParameterBytes;
    for (const ptx::Function& function : module.functions) {
        if (!function.is_entry) continue;
        const Wide bytes = bytes_of(function.parameters);
        if (bytes <= limit) continue;
        return error("session-too-many-parameters", {module.name, function.position.line, function.position.column},
                     fmt::format("kernel '{}' has {} of parameters, and at most {} bytes are allowed", function.name,
                                 text_of(bytes), report::thousands(limit)),
                     is_many ? std::string("pass a pointer to the data in global memory")
                             : fmt::format("PTX 8.1 with a target of sm_70 or later allows {} bytes",
                                           report::thousands(kManyParameterBytes)));
    }
    return Success{};
}

}  // namespace tilescope

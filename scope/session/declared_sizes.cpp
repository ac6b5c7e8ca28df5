#include "scope/session/declared_sizes.h"

#include <algorithm>

#include <fmt/format.h>

#include "scope/isa/lower.h"
#include "scope/report/format.h"

namespace tilescope {
namespace {

// A page of device memory, which is how finely memory is placed for a program; and the registers of one declaring
// function, far beyond what a compiler writes.
constexpr std::uint64_t kMostAlignment = std::uint64_t{1} << 21, kMostRegisters = std::uint64_t{1} << 22;

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

class Declarations {
public:
    explicit Declarations(const ptx::Module& module) : module_(module) {}

    Status check() {
        for (const ptx::Variable& variable : module_.variables)
            if (!check(variable)) return errors_;
        for (const ptx::Function& function : module_.functions) {
            registers_ = 0;
            if (function.body && !check(*function.body)) return errors_;
        }
        return Success{};
    }

private:
    bool check(const ptx::Block& block) {
        for (const ptx::Statement& statement : block.statements) {
            if (const auto* variable = std::get_if<ptx::Variable>(&statement); variable && !check(*variable))
                return false;
            if (const auto* inner = std::get_if<std::unique_ptr<ptx::Block>>(&statement); inner && !check(**inner))
                return false;
        }
        return true;
    }

    bool check(const ptx::Variable& variable) {
        if (variable.space == "reg") {
            registers_ += std::uint64_t{variable.count.value_or(1)} * variable.vector;
            if (registers_ <= kMostRegisters) return true;
            errors_ =
                error("session-too-many-registers", place_of(variable),
                      fmt::format("'{}' brings the function to {} registers, and at most {} are supported",
                                  variable.name, report::thousands(registers_), report::thousands(kMostRegisters)));
            return false;
        }
        const std::uint64_t align = isa::alignment_of(variable);
        if (align <= kMostAlignment) return true;
        errors_ = error("session-alignment-too-large", place_of(variable),
                        fmt::format("'{}' has an alignment of {} bytes, and at most {} are supported", variable.name,
                                    report::thousands(align), report::thousands(kMostAlignment)));
        return false;
    }

    SourceLocation place_of(const ptx::Variable& variable) const {
        return {module_.name, variable.position.line, variable.position.column};
    }

    const ptx::Module& module_;
    std::uint64_t registers_ = 0;  // of the function so far
    Status errors_ = Success{};
};

}  // namespace

Status check_declarations(const ptx::Module& module) { return Declarations(module).check(); }

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

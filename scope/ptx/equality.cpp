#include "scope/ptx/equality.h"

#include <algorithm>
#include <tuple>

namespace tilescope::ptx {
namespace {

// Members rather than free functions: inside a class every overload sees all others.
struct Same {
    template <class T>
    static bool same(const std::vector<T>& a, const std::vector<T>& b) {
        return std::equal(a.begin(), a.end(), b.begin(), b.end(), [](const T& x, const T& y) { return same(x, y); });
    }

    template <class T>
    static bool same(const std::optional<T>& a, const std::optional<T>& b) {
        return a.has_value() == b.has_value() && (!a || same(*a, *b));
    }

    // Variants of the same alternative with the same content.
    template <class Variant>
    static bool same_alternative(const Variant& a, const Variant& b) {
        if (a.index() != b.index()) return false;
        return std::visit([&](const auto& left) { return same(left, std::get<std::decay_t<decltype(left)>>(b)); }, a);
    }

    static bool same(const std::string& a, const std::string& b) { return a == b; }
    static bool same(const IntegerLiteral& a, const IntegerLiteral& b) {
        return a.value == b.value && a.is_unsigned == b.is_unsigned;
    }
    static bool same(const FloatLiteral& a, const FloatLiteral& b) {
        return a.bits == b.bits && a.is_single == b.is_single;
    }
    static bool same(const Symbol& a, const Symbol& b) {
        return std::tie(a.name, a.component, a.offset, a.index) == std::tie(b.name, b.component, b.offset, b.index);
    }
    static bool same(const AddressOperand& a, const AddressOperand& b) {
        return same(a.base, b.base) && a.offset == b.offset && same(a.coordinates, b.coordinates) &&
               a.is_unified == b.is_unified;
    }
    static bool same(const VectorOperand& a, const VectorOperand& b) { return same(a.elements, b.elements); }
    static bool same(const ListOperand& a, const ListOperand& b) { return same(a.elements, b.elements); }
    static bool same(const PairOperand& a, const PairOperand& b) { return same(a.elements, b.elements); }
    static bool same(const Operand& a, const Operand& b) {
        return a.negated == b.negated && a.minus == b.minus && same_alternative(a.value, b.value);
    }

    static bool same(const Loc& a, const Loc& b) {
        auto fields = [](const Loc& loc) {
            return std::tie(loc.file, loc.line, loc.column, loc.inlined_function, loc.inlined_function_offset,
                            loc.inlined_file, loc.inlined_line, loc.inlined_column);
        };
        return fields(a) == fields(b);
    }

    static bool same(const Initializer& a, const Initializer& b) {
        return a.is_generic == b.is_generic && a.mask == b.mask && a.field == b.field &&
               same_alternative(a.value, b.value);
    }

    static bool same(const Variable& a, const Variable& b) {
        auto fields = [](const Variable& variable) {
            return std::tie(variable.space, variable.attributes, variable.align, variable.type, variable.vector,
                            variable.name, variable.count, variable.dimensions, variable.is_pointer,
                            variable.pointer_space, variable.pointer_align, variable.linkage);
        };
        return fields(a) == fields(b) && same(a.initializer, b.initializer);
    }

    static bool same(const Guard& a, const Guard& b) { return a.predicate == b.predicate && a.negated == b.negated; }
    static bool same(const Instruction& a, const Instruction& b) {
        return same(a.guard, b.guard) && a.opcode == b.opcode && a.modifiers == b.modifiers &&
               same(a.operands, b.operands) && a.loc == b.loc;
    }
    static bool same(const Label& a, const Label& b) { return a.name == b.name; }
    static bool same(const TargetList& a, const TargetList& b) {
        return std::tie(a.label, a.is_calls, a.targets) == std::tie(b.label, b.is_calls, b.targets);
    }
    static bool same(const Pragma& a, const Pragma& b) { return a.texts == b.texts; }
    static bool same(const CallPrototype& a, const CallPrototype& b) {
        return a.label == b.label && same(a.returns, b.returns) && same(a.parameters, b.parameters) &&
               a.noreturn == b.noreturn && a.abi_preserve == b.abi_preserve;
    }
    static bool same(const Block& a, const Block& b) { return same(a.statements, b.statements); }
    static bool same(const std::unique_ptr<Block>& a, const std::unique_ptr<Block>& b) { return same(*a, *b); }
    static bool same(const Statement& a, const Statement& b) { return same_alternative(a, b); }

    static bool same(const FunctionDirective& a, const FunctionDirective& b) {
        return a.name == b.name && a.values == b.values;
    }
    static bool same(const Function& a, const Function& b) {
        auto fields = [](const Function& function) {
            return std::tie(function.is_entry, function.linkage, function.attributes, function.name);
        };
        return fields(a) == fields(b) && same(a.returns, b.returns) && same(a.parameters, b.parameters) &&
               same(a.directives, b.directives) && same(a.pragmas, b.pragmas) && same(a.locs, b.locs) &&
               same(a.body, b.body);
    }

    static bool same(const File& a, const File& b) {
        return std::tie(a.index, a.name, a.timestamp, a.size) == std::tie(b.index, b.name, b.timestamp, b.size);
    }
    static bool same(const Alias& a, const Alias& b) { return a.name == b.name && a.aliasee == b.aliasee; }
    static bool same(const Section& a, const Section& b) { return a.name == b.name && a.lines == b.lines; }
    static bool same(const Module::Item& a, const Module::Item& b) { return a.kind == b.kind && a.index == b.index; }
};

}  // namespace

bool equal(const Module& a, const Module& b) {
    auto fields = [](const Module& module) {
        return std::tie(module.version_major, module.version_minor, module.target, module.address_size);
    };
    return fields(a) == fields(b) && Same::same(a.files, b.files) && Same::same(a.variables, b.variables) &&
           Same::same(a.functions, b.functions) && Same::same(a.aliases, b.aliases) &&
           Same::same(a.sections, b.sections) && Same::same(a.pragmas, b.pragmas) && Same::same(a.order, b.order);
}

bool equal(const Instruction& a, const Instruction& b) { return Same::same(a, b); }

}  // namespace tilescope::ptx

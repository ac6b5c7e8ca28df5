#include "scope/ptx/printer.h"

#include <limits>
#include <utility>

#include "scope/ptx/string_literal.h"

namespace tilescope::ptx {
namespace {

class Printer {
public:
    std::string take() { return std::move(text_); }

    void print(const Module& module);
    void print(const Instruction& instruction);

private:
    Printer& operator<<(std::string_view text) {
        text_ += text;
        return *this;
    }
    Printer& operator<<(char character) {
        text_ += character;
        return *this;
    }
    Printer& operator<<(std::int64_t value) { return *this << std::string_view(std::to_string(value)); }
    Printer& operator<<(std::uint64_t value) { return *this << std::string_view(std::to_string(value)); }
    Printer& operator<<(std::uint32_t value) { return *this << std::uint64_t{value}; }

    template <class List, class Each>
    void separated(const List& list, std::string_view separator, Each each) {
        bool is_first = true;
        for (const auto& element : list) {
            if (!is_first) *this << separator;
            is_first = false;
            each(element);
        }
    }
    void operands(const std::vector<Operand>& list) {
        separated(list, ", ", [&](const Operand& operand) { print(operand); });
    }

    void print(const Operand& operand);
    void print(const IntegerLiteral& literal);
    void print(const FloatLiteral& literal);
    void print(const Symbol& symbol);
    void print(const AddressOperand& address);
    void print(const VectorOperand& vector);
    void print(const ListOperand& list);
    void print(const PairOperand& pair);
    void offset(std::int64_t value);

    void print(const Variable& variable);
    void attributes(const std::vector<std::string>& list);
    void print(const Initializer& initializer);
    void print(const std::vector<Initializer>& list);
    void parameters(const std::vector<Variable>& list);

    void print(const Block& block);
    void print(const Function& function);
    void print(const File& file);
    void print(const Alias& alias);
    void print(const Section& section);
    void item(const Module& module, const Module::Item& item);

    // Statements, each a line without its indentation.
    void print(const Label& label) { *this << label.name << ':'; }
    void print(const TargetList& list);
    void print(const CallPrototype& prototype);
    void print(const Pragma& pragma);
    void print(const Loc& loc);
    void print(const std::unique_ptr<Block>& block) { print(*block); }
    void statement(const Variable& variable) { print(variable), *this << ';'; }
    template <class T>
    void statement(const T& other) {
        print(other);
    }

    std::string text_;
    int depth_ = 0;
};

// ---- operands

void Printer::print(const Operand& operand) {
    if (operand.negated) *this << '!';
    if (operand.minus) *this << '-';
    std::visit([&](const auto& value) { print(value); }, operand.value);
}

// -2^63 has no signed literal of its own: its digits are an unsigned one.
void Printer::print(const IntegerLiteral& literal) {
    if (literal.is_unsigned) {
        *this << static_cast<std::uint64_t>(literal.value) << 'U';
    } else if (literal.value == std::numeric_limits<std::int64_t>::min()) {
        *this << "(.s64)" << static_cast<std::uint64_t>(literal.value);
    } else {
        *this << literal.value;
    }
}

void Printer::print(const FloatLiteral& literal) {
    constexpr char kDigits[] = "0123456789ABCDEF";
    *this << (literal.is_single ? "0f" : "0d");
    for (int shift = literal.is_single ? 28 : 60; shift >= 0; shift -= 4) *this << kDigits[literal.bits >> shift & 15];
}

void Printer::offset(std::int64_t value) {
    if (value != 0) *this << '+' << value;
}

void Printer::print(const Symbol& symbol) {
    *this << symbol.name;
    if (!symbol.component.empty()) *this << '.' << symbol.component;
    if (symbol.index >= 0) *this << '[' << symbol.index << ']';
    offset(symbol.offset);
}

void Printer::print(const AddressOperand& address) {
    *this << '[';
    if (address.base) {
        print(*address.base);
        offset(address.offset);
    } else {
        *this << address.offset;
    }
    if (!address.coordinates.empty()) {
        *this << ", ";
        operands(address.coordinates);
    }
    *this << (address.is_unified ? "].unified" : "]");
}

void Printer::print(const VectorOperand& vector) {
    *this << '{';
    operands(vector.elements);
    *this << '}';
}

void Printer::print(const ListOperand& list) {
    *this << '(';
    operands(list.elements);
    *this << ')';
}

void Printer::print(const PairOperand& pair) {
    separated(pair.elements, "|", [&](const Operand& operand) { print(operand); });
}

// ---- declarations

void Printer::attributes(const std::vector<std::string>& list) {
    if (list.empty()) return;
    *this << " .attribute(";
    separated(list, ", ", [&](const std::string& attribute) { *this << attribute; });
    *this << ')';
}

void Printer::print(const Variable& variable) {
    if (!variable.linkage.empty()) *this << '.' << variable.linkage << ' ';
    *this << '.' << variable.space;
    attributes(variable.attributes);
    if (variable.align != 0) *this << " .align " << variable.align;
    if (variable.vector != 1) *this << " .v" << variable.vector;
    *this << " ." << variable.type;
    if (variable.is_pointer) {
        *this << " .ptr";
        if (!variable.pointer_space.empty()) *this << " ." << variable.pointer_space;
        if (variable.pointer_align != 0) *this << " .align " << variable.pointer_align;
    }
    *this << ' ' << variable.name;
    if (variable.count) *this << '<' << *variable.count << '>';
    for (std::uint64_t size : variable.dimensions) {
        *this << '[';
        if (size != 0) *this << size;
        *this << ']';
    }
    if (variable.initializer) {
        *this << " = ";
        print(*variable.initializer);
    }
}

void Printer::print(const Initializer& initializer) {
    if (!initializer.field.empty()) *this << initializer.field << " = ";
    if (initializer.mask) *this << *initializer.mask << '(';
    const auto* symbol = std::get_if<Symbol>(&initializer.value);
    if (initializer.is_generic && symbol != nullptr) {
        Symbol base = *symbol;
        base.offset = 0;
        *this << "generic(";
        print(base);
        *this << ')';
        offset(symbol->offset);
    } else {
        std::visit([&](const auto& value) { print(value); }, initializer.value);
    }
    if (initializer.mask) *this << ')';
}

void Printer::print(const std::vector<Initializer>& list) {
    *this << '{';
    separated(list, ", ", [&](const Initializer& initializer) { print(initializer); });
    *this << '}';
}

void Printer::parameters(const std::vector<Variable>& list) {
    *this << '(';
    separated(list, ", ", [&](const Variable& parameter) { print(parameter); });
    *this << ')';
}

// ---- statements

void Printer::print(const Instruction& instruction) {
    if (instruction.guard) *this << (instruction.guard->negated ? "@!" : "@") << instruction.guard->predicate << ' ';
    *this << instruction.opcode;
    for (const std::string& modifier : instruction.modifiers) *this << '.' << modifier;
    if (!instruction.operands.empty()) *this << ' ';
    operands(instruction.operands);
    *this << ';';
}

void Printer::print(const TargetList& list) {
    *this << list.label << ": ." << (list.is_calls ? "calltargets " : "branchtargets ");
    separated(list.targets, ", ", [&](const std::string& target) { *this << target; });
    *this << ';';
}

void Printer::print(const CallPrototype& prototype) {
    *this << prototype.label << ": .callprototype ";
    parameters(prototype.returns);
    *this << " _ ";
    parameters(prototype.parameters);
    if (prototype.noreturn) *this << " .noreturn";
    if (!prototype.abi_preserve.empty()) *this << ' ' << prototype.abi_preserve;
    *this << ';';
}

void Printer::print(const Pragma& pragma) {
    *this << ".pragma ";
    separated(pragma.texts, ", ", [&](const std::string& text) { *this << quote(text); });
    *this << ';';
}

void Printer::print(const Loc& loc) {
    *this << ".loc " << loc.file << ' ' << loc.line << ' ' << loc.column;
    if (loc.inlined_function.empty()) return;
    *this << ", function_name " << loc.inlined_function;
    offset(loc.inlined_function_offset);
    *this << ", inlined_at " << loc.inlined_file << ' ' << loc.inlined_line << ' ' << loc.inlined_column;
}

void Printer::print(const Block& block) {
    *this << "{\n";
    ++depth_;
    for (const Statement& one : block.statements) {
        if (!std::holds_alternative<Label>(one)) text_.append(static_cast<std::size_t>(depth_), '\t');
        std::visit([&](const auto& value) { statement(value); }, one);
        *this << '\n';
    }
    --depth_;
    text_.append(static_cast<std::size_t>(depth_), '\t');
    *this << '}';
}

// ---- module

void Printer::print(const Function& function) {
    if (!function.linkage.empty()) *this << '.' << function.linkage << ' ';
    *this << (function.is_entry ? ".entry" : ".func");
    attributes(function.attributes);
    *this << ' ';
    if (!function.returns.empty()) {
        parameters(function.returns);
        *this << ' ';
    }
    *this << function.name << '(';
    separated(function.parameters, ",", [&](const Variable& parameter) { *this << "\n\t", print(parameter); });
    *this << (function.parameters.empty() ? ")" : "\n)");
    for (const FunctionDirective& directive : function.directives) {
        *this << "\n." << directive.name;
        if (!directive.values.empty()) *this << ' ';
        separated(directive.values, ", ", [&](std::int64_t value) { *this << value; });
    }
    for (const Pragma& pragma : function.pragmas) *this << '\n', print(pragma);
    if (function.body) {
        *this << '\n';
        print(*function.body);
    } else {
        *this << ';';
    }
}

void Printer::print(const File& file) {
    *this << ".file " << file.index << ' ' << quote(file.name);
    if (!file.timestamp) return;
    *this << ", " << *file.timestamp;
    if (file.size) *this << ", " << *file.size;
}

void Printer::print(const Alias& alias) { *this << ".alias " << alias.name << ", " << alias.aliasee << ';'; }

void Printer::print(const Section& section) {
    *this << ".section " << section.name << "\n{\n";
    for (const std::string& line : section.lines) *this << line << '\n';
    *this << '}';
}

void Printer::item(const Module& module, const Module::Item& item) {
    switch (item.kind) {
        case Module::ItemKind::kFile: return statement(module.files[item.index]);
        case Module::ItemKind::kVariable: return statement(module.variables[item.index]);
        case Module::ItemKind::kFunction: return statement(module.functions[item.index]);
        case Module::ItemKind::kAlias: return statement(module.aliases[item.index]);
        case Module::ItemKind::kSection: return statement(module.sections[item.index]);
        case Module::ItemKind::kPragma: return statement(module.pragmas[item.index]);
    }
}

void Printer::print(const Module& module) {
    *this << ".version " << module.version_major << '.' << module.version_minor << "\n.target ";
    separated(module.target, ", ", [&](const std::string& target) { *this << target; });
    *this << "\n.address_size " << module.address_size << "\n\n";
    for (const Module::Item& each : module.order) {
        item(module, each);
        *this << '\n';
    }
}

}  // namespace

std::string print(const Module& module) {
    Printer printer;
    printer.print(module);
    return printer.take();
}

std::string print(const Instruction& instruction) {
    Printer printer;
    printer.print(instruction);
    return printer.take();
}

}  // namespace tilescope::ptx

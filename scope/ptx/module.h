// The syntax tree of a PTX module: everything the text says, nothing of what it means.
//
// Owns: Module and the nodes under it. The parser (parser.h) makes one from text, the printer (printer.h) writes one
// back; parse(print(m)) equals m in all but source positions.
// Guarantees: generic syntax. Opcodes and modifiers are strings, there is no list of instructions here; adding an
// instruction never touches this room. Every node knows its position in the PTX text.
// Does not model: execution, types beyond their spelling, or whether an operand fits its instruction (scope/isa does).
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <variant>
#include <vector>

namespace tilescope::ptx {

// Position in the PTX text itself; line and column count from 1.
struct Position {
    std::uint32_t line = 0;
    std::uint32_t column = 0;
};

// ---- operands -------------------------------------------------------------------------------------------------------

// An integer literal or a folded constant expression. PTX integers are 64 bits; is_unsigned for a U suffix or a value
// that only fits unsigned.
struct IntegerLiteral {
    std::int64_t value = 0;
    bool is_unsigned = false;
};

// A floating literal: 0fXXXXXXXX (is_single) or 0dXXXXXXXXXXXXXXXX, or decimal (kept as double). bits holds the
// pattern. A decimal literal in an f32 place is a double here; who gives it a meaning rounds it.
struct FloatLiteral {
    std::uint64_t bits = 0;
    bool is_single = false;
};

// A register, variable, label, function or special register, as spelled ("%r1", "%tid.x", "shmem", "_").
// component: for "name.x" on a vector register ("x", "y", "z", "w", or "r", "g", "b", "a"), else empty. The dotted
// special registers (%tid.x, %ntid.y, %ctaid.z, ...) are kept as name "%tid" and component "x".
// Byte and half selectors of the video instructions ("%r1.b0", "%r2.h10") are components too.
// offset: for "name+4" or "name-4" outside brackets (as in mov.u64 %rd1, table+16).
// index: for "name[3]" outside brackets, an element (not a byte) index into a declared array; -1 when not given.
struct Symbol {
    std::string name;
    std::string component;
    std::int64_t offset = 0;
    std::int64_t index = -1;
};

struct Operand;

// [base+offset]; base absent for an absolute address. Texture forms [tex, {coords}] and tensor-map forms
// [map, {coords}] put what follows the comma into `coordinates`.
struct AddressOperand {
    std::optional<Symbol> base;
    std::int64_t offset = 0;
    std::vector<Operand> coordinates;
    bool is_unified = false;  // "[a].unified"
};

// {a, b, c, d}: vector operands of ld/st/mov/mma, and initialiser-like braces in operand position.
struct VectorOperand {
    std::vector<Operand> elements;
};

// (a, b, ...): the return list and argument list of call.
struct ListOperand {
    std::vector<Operand> elements;
};

// a|b: the two destinations of setp and shfl ("%p1|%p2"). negated operands: "!%p1" sets negated.
struct PairOperand {
    std::vector<Operand> elements;
};

struct Operand {
    std::variant<Symbol, IntegerLiteral, FloatLiteral, AddressOperand, VectorOperand, ListOperand, PairOperand> value;
    bool negated = false;  // "!%p"
    bool minus = false;    // "-%r" (rare: unary minus on a symbol)
    Position position;
};

// ---- source locations -----------------------------------------------------------------------------------------------

// One .loc directive: `.loc file line column [, function_name label{+offset}, inlined_at file line column]`.
struct Loc {
    std::uint32_t file = 0;  // index of a .file directive
    std::uint32_t line = 0;
    std::uint32_t column = 0;
    std::string inlined_function;  // label of the name, empty when not inlined
    std::int64_t inlined_function_offset = 0;
    std::uint32_t inlined_file = 0, inlined_line = 0, inlined_column = 0;
};

// ---- declarations ---------------------------------------------------------------------------------------------------

// Initialiser of a variable: literals, symbols (address of, with offset; generic(x) sets is_generic; masks as
// 0xFF(sym) set mask) or nested lists. field: the name before "=" in the initialiser of a sampler or texture
// ("filter_mode = nearest"), else empty.
struct Initializer {
    std::variant<IntegerLiteral, FloatLiteral, Symbol, std::vector<Initializer>> value;
    bool is_generic = false;
    std::optional<std::uint64_t> mask;
    std::string field;
};

// A variable, parameter or register declaration.
// space: "reg", "const", "global", "local", "param", "shared", "tex", "sreg" without the dot.
// type: "b32", "f32", "pred", "texref", "samplerref", "surfref", ...; vector: 1, 2 or 4 (also 8 where PTX 9 allows).
// A parameterised register range ".reg .b32 %r<5>" sets count = 5 and name "%r"; it stands for %r0..%r4.
// dimensions: of the array, outermost first, in elements; 0 for an unsized one ("[]").
struct Variable {
    std::string space;
    std::vector<std::string> attributes;  // ".managed", ".unified(19,95)" as spelled inside .attribute(...)
    std::uint64_t align = 0;              // bytes; 0 when not given
    std::string type;
    std::uint32_t vector = 1;
    std::string name;
    std::optional<std::uint32_t> count;
    std::vector<std::uint64_t> dimensions;
    std::optional<Initializer> initializer;
    // For kernel parameters: ".param .u64 .ptr .global .align 4 p": pointee space ("" when generic) and alignment.
    bool is_pointer = false;
    std::string pointer_space;
    std::uint64_t pointer_align = 0;
    std::string linkage;  // "extern", "visible", "weak", "common" or ""
    Position position;
};

// ---- statements -----------------------------------------------------------------------------------------------------

struct Guard {
    std::string predicate;
    bool negated = false;
};

// `@%p ld.global.nc.v4.f32 {...}, [%rd1+16];` has opcode "ld", modifiers {"global", "nc", "v4", "f32"}.
// A modifier that carries "::" keeps it ("shared::cta", "L2::128B", "cluster").
struct Instruction {
    std::optional<Guard> guard;
    std::string opcode;
    std::vector<std::string> modifiers;
    std::vector<Operand> operands;
    std::int32_t loc = -1;  // index into Function::locs of the .loc in force; -1 when none
    Position position;
};

struct Label {
    std::string name;
    Position position;
};

// `.branchtargets`, `.calltargets` and `.callprototype`: a label with a list or a signature.
struct CallPrototype;
struct TargetList {
    std::string label;
    bool is_calls = false;  // .calltargets rather than .branchtargets
    std::vector<std::string> targets;
    Position position;
};

struct Pragma {
    std::vector<std::string> texts;  // without quotes
    Position position;
};

struct Block;
struct CallPrototype {
    std::string label;
    std::vector<Variable> returns;
    std::vector<Variable> parameters;
    bool noreturn = false;
    std::string abi_preserve;  // as spelled, "" when absent
    Position position;
};

using Statement =
    std::variant<Instruction, Label, Variable, TargetList, CallPrototype, Pragma, Loc, std::unique_ptr<Block>>;

// { ... }: a scope of its own for declarations.
struct Block {
    std::vector<Statement> statements;
    Position position;
};

// A performance-tuning directive of a function: ".maxntid 256, 1, 1", ".minnctapersm 2", ".maxnreg 32",
// ".reqntid", ".noreturn", ".reqnctapercluster", ".explicitcluster", ".maxclusterrank", ".abi_preserve", ... by name
// without the dot, with its integers.
struct FunctionDirective {
    std::string name;
    std::vector<std::int64_t> values;
};

struct Function {
    bool is_entry = false;
    std::string linkage;  // "visible", "extern", "weak", "" ...
    std::vector<std::string> attributes;
    std::string name;
    std::vector<Variable> returns;
    std::vector<Variable> parameters;
    std::vector<FunctionDirective> directives;
    std::vector<Pragma> pragmas;  // between the parameters and the body
    std::vector<Loc> locs;        // every .loc of the body, in order; Instruction::loc indexes it
    std::optional<Block> body;    // absent for a declaration
    Position position;
};

struct File {
    std::uint32_t index = 0;
    std::string name;
    std::optional<std::uint64_t> timestamp, size;
};

// ".alias fAlias, fAliasee;"
struct Alias {
    std::string name;
    std::string aliasee;
};

// .section and its dwarf lines, kept as text for the printer (and .debug_str labels for inlined names): one entry for
// each line of the source that says something, without comments, single spaces where there was space.
struct Section {
    std::string name;
    std::vector<std::string> lines;
};

// version: ".version 8.3" is {8, 3}; address_size is 64 when the text does not say; target: {"sm_90a",
// "texmode_independent", "debug"}; address_size 32 or 64. Order of top-level items matters only for printing; `order`
// keeps it.
struct Module {
    std::string name;  // file name for diagnostics
    std::uint32_t version_major = 0, version_minor = 0;
    std::vector<std::string> target;
    std::uint32_t address_size = 64;
    std::vector<File> files;
    std::vector<Variable> variables;
    std::vector<Function> functions;
    std::vector<Alias> aliases;
    std::vector<Section> sections;
    std::vector<Pragma> pragmas;
    enum class ItemKind : std::uint8_t { kFile, kVariable, kFunction, kAlias, kSection, kPragma };
    struct Item {
        ItemKind kind;
        std::uint32_t index;
    };
    std::vector<Item> order;
};

}  // namespace tilescope::ptx

#include "scope/session/loaded_module.h"

#include <algorithm>
#include <cstring>

#include "scope/image/variable_place.h"
#include "scope/isa/lower.h"
#include "scope/isa/table/types.h"
#include "scope/ptx/parser.h"
#include "scope/ptx/printer.h"
#include "scope/session/declared_sizes.h"
#include "scope/session/target_check.h"

namespace tilescope {
namespace {

// CUDA has 64 KiB of constant memory a module, and no global variable larger than the address space allows.
constexpr std::uint64_t kConstantBytes = 65536;
constexpr std::uint64_t kConstantGap = 256;  // alignment of constants, and what keeps neighbours apart

std::uint64_t masked(std::uint64_t value, const std::optional<std::uint64_t>& mask) {
    if (!mask || *mask == 0) return value;
    value &= *mask;
    std::uint64_t low = *mask;
    while ((low & 1) == 0) {
        low >>= 1;
        value >>= 1;
    }
    return value;
}

// A literal in the pattern of an element type.
std::uint64_t pattern(const ptx::FloatLiteral& literal, isa::Type type) {
    double wide;
    float narrow;
    if (literal.is_single) {
        const auto bits = static_cast<std::uint32_t>(literal.bits);
        std::memcpy(&narrow, &bits, 4);
        wide = narrow;
    } else {
        std::memcpy(&wide, &literal.bits, 8);
        narrow = static_cast<float>(wide);
    }
    std::uint64_t bits = 0;
    if (type == isa::Type::kF32)
        std::memcpy(&bits, &narrow, 4);
    else if (type == isa::Type::kF64)
        std::memcpy(&bits, &wide, 8);
    else
        bits = literal.bits;
    return bits;
}

void add_lines(const ptx::Block& block, std::unordered_map<std::uint32_t, const ptx::Instruction*>& by_line) {
    for (const ptx::Statement& statement : block.statements) {
        if (const auto* inner = std::get_if<std::unique_ptr<ptx::Block>>(&statement)) add_lines(**inner, by_line);
        if (const auto* instruction = std::get_if<ptx::Instruction>(&statement))
            by_line.try_emplace(instruction->position.line, instruction);
    }
}

bool is_placed(const ptx::Variable& variable) { return variable.space == "global" || variable.space == "const"; }

}  // namespace

Result<std::unique_ptr<LoadedModule>> LoadedModule::load(std::string_view ptx, std::string name,
                                                         machine::Memory& memory,
                                                         std::span<const HostStorage> host_storage, bool contracts) {
    auto module = ptx::parse(ptx, std::move(name));
    if (!module) return module.errors();
    if (module->address_size != 64)
        return error("session-address-size", {module->name, 0, 0}, "the module has 32-bit addresses",
                     "compile for 64 bits");
    if (Status sizes = check_parameter_sizes(*module, limits_of(*module, ptx)); !sizes) return sizes.errors();
    if (Status declared = check_declarations(*module); !declared) return declared.errors();
    std::unique_ptr<LoadedModule> loaded(new LoadedModule(std::move(module).value(), memory));
    loaded->contracts_ = contracts;
    loaded->host_storage_.assign(host_storage.begin(), host_storage.end());
    if (Status placed = loaded->place_variables(); !placed) return placed.errors();
    if (Status done = loaded->initialise(); !done) return done.errors();
    return loaded;
}

LoadedModule::~LoadedModule() {
    for (const ModuleVariable& variable : variables_) memory_.release(reinterpret_cast<void*>(variable.address));
    if (constant_region_ != 0) memory_.give_back_range(constant_region_, constant_bytes_);
}

// Constants lie together within one 4 GiB piece of the address space: code may keep their addresses in 32 bits, and the
// upper half is then the same for all (Program::constant_base).
bool LoadedModule::reserve_constants() {
    std::uint64_t bytes = kConstantGap;
    for (const ptx::Variable& variable : module_.variables) {
        // Those that are too large are rejected when they are placed.
        const std::uint64_t size = std::min(isa::size_of(variable).value_or(0), kConstantBytes);
        if (variable.space == "const") bytes += (size / kConstantGap + 2) * kConstantGap;
    }
    constexpr std::uint64_t kPiece = std::uint64_t{1} << 32U;
    constant_bytes_ = bytes;
    constant_region_ = next_constant_ = memory_.take_range(bytes, kPiece);
    return constant_region_ != 0;
}

void* LoadedModule::place_constant(std::uint64_t size) {
    void* at = reinterpret_cast<void*>(next_constant_);
    next_constant_ += (size / kConstantGap + 2) * kConstantGap;
    return memory_.adopt(at, size, machine::AllocationKind::kConstant, false) ? at : nullptr;
}

// On the host's own variable where it has one.
void* LoadedModule::place_managed(const std::string& name, std::uint64_t size) {
    const auto on_host = std::find_if(host_storage_.begin(), host_storage_.end(),
                                      [&](const HostStorage& storage) { return storage.name == name; });
    if (on_host == host_storage_.end()) return memory_.allocate(size, machine::AllocationKind::kManaged);
    if (on_host->size < size) return nullptr;
    return memory_.adopt(on_host->base, size, machine::AllocationKind::kManaged) ? on_host->base : nullptr;
}

Diagnostic LoadedModule::no_memory_for(const ptx::Variable& variable, const SourceLocation& at,
                                       std::uint64_t size) const {
    const std::string name = "'" + variable.name + "'";
    if (!memory_.budget().fits(size))
        return error(kMemoryLimitCode, at, memory_.budget().refusal(size, "the variable " + name), kMemoryLimitHint);
    return error("session-out-of-memory", at,
                 "no memory for " + name + ", which has " + std::to_string(size) + " bytes",
                 "the device has " + std::to_string(memory_.capacity()) + " bytes; --device-memory may raise it");
}

// No compiler writes that, and ptxas refuses it.
Diagnostic LoadedModule::defined_twice(const std::string& name, const SourceLocation& at) const {
    return error("session-defined-twice", at, "'" + name + "' is defined twice in one module");
}

Status LoadedModule::place_variables() {
    std::uint64_t constant = 0;
    if (!reserve_constants()) return error("session-out-of-memory", {module_.name, 0, 0}, "no memory for constants");
    for (const ptx::Variable& variable : module_.variables) {
        if (!is_placed(variable)) continue;
        const SourceLocation at = image::place_of_variable(module_, variable);
        if (variable.type == "texref" || variable.type == "surfref" || variable.type == "samplerref") {
            refused_.emplace(variable.name, error("session-texture-reference", at,
                                                  "texture references are not supported: '" + variable.name + "'",
                                                  "use texture objects"));
        } else if (variable.linkage == "extern" && !variable.initializer) {
            refused_.emplace(
                variable.name,
                error("session-extern-variable", at,
                      "'" + variable.name + "' is defined in another file, which is not linked with this one",
                      "name the file that defines it as well, and have the files' device code linked "
                      "(--compile-flags=-rdc=true)"));
        } else if (Status placed = place(variable, constant); !placed) {
            return placed;
        }
    }
    return Success{};
}

Status LoadedModule::place(const ptx::Variable& variable, std::uint64_t& constant) {
    const SourceLocation at = image::place_of_variable(module_, variable);
    const std::optional<std::uint64_t> size = isa::size_of(variable);
    const bool is_constant = variable.space == "const";
    if (by_name_.count(variable.name) != 0) return defined_twice(variable.name, at);
    if (size && is_constant) constant += *size;
    if (!size || constant > kConstantBytes)
        return error("session-variable-too-large", at,
                     is_constant ? "constant variables take more than 65,536 bytes: '" + variable.name + "'"
                                 : "'" + variable.name + "' is too large");
    const bool is_managed = std::any_of(variable.attributes.begin(), variable.attributes.end(),
                                        [](const std::string& a) { return a.find("managed") != std::string::npos; });
    void* storage = is_constant  ? place_constant(*size)
                    : is_managed ? place_managed(variable.name, *size)
                                 : memory_.allocate(*size, machine::AllocationKind::kModule);
    if (!storage) return no_memory_for(variable, at, *size);
    by_name_.emplace(variable.name, variables_.size());
    variables_.push_back({variable.name, reinterpret_cast<std::uint64_t>(storage), *size, is_constant, is_managed});
    return Success{};
}

Status LoadedModule::initialise() {
    for (const ptx::Function& function : module_.functions)
        if (function.body && !functions_.emplace(function.name, &function).second)
            return defined_twice(function.name, {module_.name, function.position.line, function.position.column});
    for (const ptx::Variable& variable : module_.variables) {
        if (!is_placed(variable) || !variable.initializer || refused_.count(variable.name) != 0) continue;
        const ModuleVariable& placed = variables_[by_name_.at(variable.name)];
        std::uint64_t left = placed.size;
        if (Status done = write(variable, *variable.initializer, placed.address, left, 0); !done) return done;
    }
    return Success{};
}

// Writes one initialiser at `at`, which has `left` bytes; nested lists fill sub-arrays of the declared dimensions.
Status LoadedModule::write(const ptx::Variable& variable, const ptx::Initializer& initializer, std::uint64_t at,
                           std::uint64_t& left, unsigned depth) {
    const SourceLocation where{module_.name, variable.position.line, variable.position.column};
    const isa::Type type = isa::type_by_name(variable.type);
    const std::uint64_t element = isa::bytes_of(type);
    if (const auto* list = std::get_if<std::vector<ptx::Initializer>>(&initializer.value)) {
        std::uint64_t stride = element * (depth + 1 > variable.dimensions.size() ? 1 : variable.vector);
        for (std::size_t d = depth + 1; d < variable.dimensions.size(); ++d) stride *= variable.dimensions[d];
        std::uint64_t used = 0;
        for (const ptx::Initializer& inner : *list) {
            // An address in a list of bytes takes its mask's one byte.
            if (used + stride > left)
                return error("session-bad-initializer", where, "'" + variable.name + "' has more values than it holds");
            std::uint64_t room = stride;
            if (Status done = write(variable, inner, at + used, room, depth + 1); !done) return done;
            used += stride;
        }
        return Success{};
    }
    std::uint64_t value = 0;
    if (const auto* integer = std::get_if<ptx::IntegerLiteral>(&initializer.value)) {
        value = static_cast<std::uint64_t>(integer->value);
        if (type == isa::Type::kF32 || type == isa::Type::kF64) {
            ptx::FloatLiteral literal;
            const auto wide = static_cast<double>(integer->value);
            std::memcpy(&literal.bits, &wide, 8);
            value = pattern(literal, type);
        }
    } else if (const auto* literal = std::get_if<ptx::FloatLiteral>(&initializer.value)) {
        value = pattern(*literal, type);
    } else {
        const auto& symbol = std::get<ptx::Symbol>(initializer.value);
        const auto address = address_of(symbol.name);
        if (address) {
            value = masked(*address + static_cast<std::uint64_t>(symbol.offset), initializer.mask);
        } else {
            refused_.emplace(variable.name, error("session-bad-initializer", where,
                                                  "'" + variable.name + "' holds the address of '" + symbol.name +
                                                      "', which is no variable and no device function of this module"));
        }
    }
    if (element > left || element > 8)
        return error("session-bad-initializer", where, "'" + variable.name + "' has a value that it cannot hold");
    std::memcpy(memory_.bytes(at), &value, element);
    return Success{};
}

// Of a variable, or what a pointer to a function holds.
std::optional<std::uint64_t> LoadedModule::address_of(const std::string& name) const {
    if (const auto variable = by_name_.find(name); variable != by_name_.end())
        return variables_[variable->second].address;
    const auto function = functions_.find(name);
    return function == functions_.end() ? std::nullopt : isa::function_handle(module_, *function->second);
}

std::optional<Diagnostic> LoadedModule::refusal_of(std::string_view name) const {
    const auto found = refused_.find(name);
    return found == refused_.end() ? std::nullopt : std::optional(found->second);
}

std::optional<ModuleVariable> LoadedModule::find_variable(std::string_view name) const {
    auto found = by_name_.find(name);
    if (found == by_name_.end()) return std::nullopt;
    return variables_[found->second];
}

isa::LowerRequest LoadedModule::lower_request(std::string_view entry) const {
    isa::LowerRequest request;
    request.module = &module_;
    request.entry = entry;
    request.constant_base = next_constant_ >> 32 << 32;
    request.constants_at = constant_region_;
    request.constants_bytes = constant_bytes_;
    request.address_of = [this](std::string_view name) -> std::optional<std::uint64_t> {
        const auto variable = find_variable(name);
        return variable ? std::optional(variable->address) : std::nullopt;
    };
    request.shared_base = shared_base_;
    request.shared_reserved_used = shared_reserved_used_;
    request.contracts = contracts_;
    request.with_flow = keeps_flow_;
    request.with_indices = keeps_indices_;
    request.with_races = keeps_races_;
    request.lists_checks = lists_checks_;
    request.is_without = is_without_;
    request.refusal_of = [this](std::string_view name) { return refusal_of(name); };
    return request;
}

const Result<std::unique_ptr<machine::Program>>& LoadedModule::program(std::string_view entry) {
    auto found = programs_.find(entry);
    if (found != programs_.end()) return found->second;
    isa::LowerRequest request = lower_request(entry);
    request.padding = &paddings_[std::string(entry)];
    return programs_.emplace(std::string(entry), isa::lower(request)).first->second;
}

std::string LoadedModule::instruction_at(std::uint32_t line) {
    if (by_line_.empty())
        for (const ptx::Function& function : module_.functions)
            if (function.body) add_lines(*function.body, by_line_);
    const auto found = by_line_.find(line);
    return found == by_line_.end() ? std::string() : ptx::print(*found->second);
}

Result<std::unique_ptr<machine::Program>> LoadedModule::traceable_program(std::string_view entry) const {
    isa::LowerRequest request = lower_request(entry);
    request.with_flow = true;
    return isa::lower(request);
}

}  // namespace tilescope

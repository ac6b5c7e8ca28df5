// Step 1: what every name of a function means, scope by scope; instructions in order.
#include <algorithm>

#include "scope/isa/lower/lowering.h"

namespace tilescope::isa {

std::optional<std::uint64_t> size_of(const ptx::Variable& variable) {
    unsigned __int128 bytes = bytes_of(type_by_name(variable.type));
    bytes *= variable.vector;
    for (std::uint64_t dimension : variable.dimensions) {
        bytes *= dimension;
        if (bytes > (std::uint64_t{1} << 48)) return std::nullopt;
    }
    return static_cast<std::uint64_t>(bytes);
}

std::uint64_t alignment_of(const ptx::Variable& variable) {
    if (variable.align != 0) return variable.align;
    return std::max<std::uint64_t>(1, std::uint64_t{bytes_of(type_by_name(variable.type))} * variable.vector);
}

std::vector<ParameterPlace> place_parameters(const std::vector<ptx::Variable>& parameters) {
    std::vector<ParameterPlace> places;
    std::uint64_t at = 0;
    for (const ptx::Variable& parameter : parameters) {
        const std::uint64_t align = std::max<std::uint64_t>(1, alignment_of(parameter));
        at = (at + align - 1) / align * align;
        const std::uint64_t size = size_of(parameter).value_or(0);
        places.push_back(
            {static_cast<std::uint32_t>(at), static_cast<std::uint32_t>(size), static_cast<std::uint32_t>(align)});
        at += size;
    }
    return places;
}

namespace {

constexpr std::uint64_t kMaxLocalBytes = 512 * 1024;  // per thread, on every device so far
constexpr std::uint32_t kMaxRegisters = 1u << 22;

std::uint8_t register_bytes(Type type) {
    if (type == Type::kPred) return 0;
    return static_cast<std::uint8_t>(std::max(2u, bytes_of(type)));
}

class Names {
public:
    Names(Lowering& lowering, FunctionCode& code) : lowering_(lowering), code_(code) {}

    void run() {
        NameScope& scope = open(nullptr);
        for (const ptx::Variable& formal : code_.text->returns)
            code_.formal_results.push_back(add_parameter(scope, formal, true));
        if (!code_.text->is_entry)
            for (const ptx::Variable& formal : code_.text->parameters)
                code_.formals.push_back(add_parameter(scope, formal, true));
        walk(*code_.text->body, scope);
    }

private:
    NameScope& open(NameScope* parent) {
        code_.scopes.push_back(std::make_unique<NameScope>());
        code_.scopes.back()->parent = parent;
        return *code_.scopes.back();
    }

    void walk(const ptx::Block& block, NameScope& scope) {
        // Labels, tables and declarations may be used before they stand.
        for (const ptx::Statement& statement : block.statements) {
            if (const auto* label = std::get_if<ptx::Label>(&statement)) {
                Entity entity;
                entity.kind = EntityKind::kLabel;
                entity.label = static_cast<std::uint32_t>(code_.label_blocks.size());
                code_.label_blocks.push_back(machine::kNoBlock);
                add(scope, label->name, entity, label->position);
            } else if (const auto* list = std::get_if<ptx::TargetList>(&statement)) {
                Entity entity;
                entity.kind = EntityKind::kTargets;
                entity.targets = list;
                add(scope, list->label, entity, list->position);
            } else if (const auto* prototype = std::get_if<ptx::CallPrototype>(&statement)) {
                Entity entity;
                entity.kind = EntityKind::kPrototype;
                entity.prototype = prototype;
                add(scope, prototype->label, entity, prototype->position);
            } else if (const auto* variable = std::get_if<ptx::Variable>(&statement)) {
                declare(scope, *variable);
            }
        }
        for (const ptx::Statement& statement : block.statements) {
            if (const auto* label = std::get_if<ptx::Label>(&statement)) {
                start_block();
                code_.label_blocks[scope.names.at(label->name).label] =
                    static_cast<std::uint32_t>(code_.blocks.size() - 1);
            } else if (const auto* instruction = std::get_if<ptx::Instruction>(&statement)) {
                if (code_.blocks.empty() || ended_) start_block();
                ended_ = false;
                lowering_.lower_operands(code_, scope, *instruction);
                if (!code_.instructions.empty() && code_.instructions.back().control != Control::kNone) ended_ = true;
            } else if (const auto* pragma = std::get_if<ptx::Pragma>(&statement)) {
                if (!code_.blocks.empty() &&
                    std::find(pragma->texts.begin(), pragma->texts.end(), "nounroll") != pragma->texts.end())
                    code_.blocks.back().keeps_loop = true;
            } else if (const auto* inner = std::get_if<std::unique_ptr<ptx::Block>>(&statement)) {
                walk(**inner, open(&scope));
            }
        }
    }

    void start_block() {
        code_.blocks.emplace_back();
        ended_ = false;
    }

    void add(NameScope& scope, const std::string& name, const Entity& entity, const ptx::Position& at) {
        if (!scope.names.emplace(name, entity).second)
            lowering_.fail("isa-duplicate-name", at, "'" + name + "' is declared twice in one scope");
    }

    std::int32_t add_registers(std::uint32_t count, std::uint8_t bytes, bool fixed) {
        const auto first = static_cast<std::int32_t>(code_.registers.size());
        VirtualRegister reg;
        reg.bytes = bytes;
        reg.fixed = fixed;
        code_.registers.resize(code_.registers.size() + count, reg);
        return first;
    }

    void declare(NameScope& scope, const ptx::Variable& variable) {
        Entity entity;
        if (variable.space == "reg") {
            entity.kind = EntityKind::kRegister;
            entity.count = variable.count.value_or(1);
            entity.components = variable.vector;
            const std::uint64_t all = std::uint64_t{entity.count} * entity.components;
            if (all + code_.registers.size() > kMaxRegisters) {
                lowering_.fail("isa-too-many-registers", variable.position, "the function declares too many registers");
                return;
            }
            entity.first =
                add_registers(static_cast<std::uint32_t>(all), register_bytes(type_by_name(variable.type)), false);
            if (variable.count)
                scope.ranges.emplace(variable.name, entity);
            else
                add(scope, variable.name, entity, variable.position);
        } else if (variable.space == "local") {
            entity.kind = EntityKind::kLocal;
            entity.offset = place_local(variable, variable.position);
            add(scope, variable.name, entity, variable.position);
        } else if (variable.space == "shared") {
            entity.kind = EntityKind::kShared;
            entity.offset = lowering_.local_shared(variable);
            add(scope, variable.name, entity, variable.position);
        } else if (variable.space == "param") {
            add_parameter(scope, variable, false);
        } else {
            lowering_.fail(
                "isa-unsupported-variable", variable.position,
                "a ." + variable.space + " variable inside a function is not supported: '" + variable.name + "'");
        }
    }

    std::uint64_t place_local(const ptx::Variable& variable, const ptx::Position& at) {
        const std::uint64_t align = std::max<std::uint64_t>(4, alignment_of(variable));
        const std::uint64_t offset = (code_.local_bytes + align - 1) / align * align;
        const std::uint64_t size = size_of(variable).value_or(kMaxLocalBytes + 1);
        if (offset + size > kMaxLocalBytes) {
            lowering_.fail("isa-too-much-local-memory", at,
                           "'" + variable.name + "' takes the thread's local memory beyond " +
                               std::to_string(kMaxLocalBytes) + " bytes");
            return 0;
        }
        code_.local_bytes = (offset + size + 3) / 4 * 4;
        return offset;
    }

    std::int32_t add_parameter(NameScope& scope, const ptx::Variable& variable, bool formal) {
        ParameterVariable parameter;
        const Type type = type_by_name(variable.type);
        parameter.bytes = size_of(variable).value_or(0);
        if (variable.space == "reg" || (variable.dimensions.empty() && variable.vector == 1)) {
            parameter.reg = add_registers(1, register_bytes(type), formal);
            parameter.bytes = bytes_of(type);
        } else {
            parameter.local_offset = place_local(variable, variable.position);
        }
        Entity entity;
        entity.kind = variable.space == "reg" ? EntityKind::kRegister : EntityKind::kParameter;
        entity.first = parameter.reg;
        entity.parameter = static_cast<std::int32_t>(code_.parameters.size());
        code_.parameters.push_back(parameter);
        add(scope, variable.name, entity, variable.position);
        return entity.parameter;
    }

    Lowering& lowering_;
    FunctionCode& code_;
    bool ended_ = true;
};

}  // namespace

void Lowering::lower_names(FunctionCode& code) { Names(*this, code).run(); }

}  // namespace tilescope::isa

// Reads one instruction's operands against a row's signature. Internal to scope/isa/lower*.cpp.
#pragma once

#include "scope/isa/lower/lowering.h"
#include "scope/isa/table/special_registers.h"

namespace tilescope::isa {

class OperandReader {
public:
    OperandReader(Lowering& lowering, FunctionCode& code, NameScope& scope, const ptx::Instruction& text)
        : lowering_(lowering), code_(code), scope_(scope), text_(text) {}
    void run();

private:
    std::uint32_t add(Instruction&& instruction);
    std::string spelling() const;
    void fail(std::string code, std::string message, std::string hint = {});
    bool no(std::string reason);
    bool match(const Candidate& candidate, Instruction& instruction);
    Type type_of(const Candidate& candidate, const Token& token) const;
    bool read(const Candidate& candidate, const Token& token, const ptx::Operand& from, OpenOperand& to,
              Instruction& instruction);
    bool read_pair(const ptx::PairOperand& pair, const Token& token, Type type, OpenOperand& to);
    bool read_vector_pair(const ptx::PairOperand& pair, const Token& token, Type type, OpenOperand& to);
    bool read_vector(const std::vector<ptx::Operand>& elements, Type type, bool loose, OpenOperand& to);
    // What may name a part of its register, or stand behind a minus.
    bool read_part(const ptx::Operand& from, const Token& token, Type type, OpenOperand& to);
    // A register, an immediate or a special register.
    bool read_value(const ptx::Operand& from, Type type, unsigned bytes, bool loose, OpenOperand& to);
    bool immediate(std::uint64_t bits, Type type, unsigned bytes, OpenOperand& to);
    bool read_entity(const ptx::Symbol& symbol, const Entity& entity, Type type, unsigned bytes, bool loose,
                     OpenOperand& to);
    bool use_register(std::int32_t reg, Type type, unsigned bytes, bool loose, OpenOperand& to);
    bool read_special(const SpecialRegister& special, unsigned bytes, OpenOperand& to);
    // An internal instruction that writes a fresh register just before this one.
    std::int32_t prefix(std::string_view opcode, std::int64_t value, unsigned bytes);
    bool frame_address(std::uint64_t offset, unsigned bytes, OpenOperand& to);
    // A module variable or a function: its address.
    bool read_global_symbol(const ptx::Symbol& symbol, Type type, unsigned bytes, OpenOperand& to);
    std::optional<ParameterPlace> kernel_parameter(std::string_view name) const;
    bool read_address(const Candidate& candidate, const ptx::Operand& from, OpenOperand& to);
    // A texture or surface and coordinates: a vector of the handle and them.
    bool read_indexed(const Candidate& candidate, const ptx::Operand& from, OpenOperand& to);
    // How many elements the access has, and how wide the registers are.
    struct AccessShape {
        unsigned elements = 1, element_bytes = 4;
        bool is_signed = false;
        std::vector<unsigned> register_bytes;
    };
    AccessShape shape_of(const Candidate& candidate) const;
    // ld.param of a kernel parameter: values that the launch broadcasts.
    bool read_kernel_parameter(const Candidate& candidate, const ParameterPlace& place, OpenOperand& to);
    // ld.param and st.param of a device function: a register when the parameter is scalar, else bytes on the stack.
    bool read_function_parameter(const Candidate& candidate, const ParameterVariable& parameter, OpenOperand& to);
    bool read_label(const ptx::Operand& from, Instruction& instruction);
    bool read_list(const ptx::Operand& from, Instruction& instruction);
    bool match_call(Instruction& instruction);
    bool read_call_values(const ptx::ListOperand& list, bool writes, OpenCall& call);
    bool bind_library_call(OpenCall& call, Instruction& instruction);
    const Entity* find(std::string_view name) const;
    std::int32_t register_of(std::string_view name, std::string_view component, const Entity& entity) const;
    static bool is_range(const Entity& entity) { return entity.count != 1; }
    Lowering& lowering_;
    FunctionCode& code_;
    NameScope& scope_;
    const ptx::Instruction& text_;
    std::string reason_;
    std::vector<Instruction> before_;
};

}  // namespace tilescope::isa

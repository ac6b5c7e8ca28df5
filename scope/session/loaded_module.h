// A PTX module in memory: its variables placed and initialised, its kernels lowered when first wanted.
//
// Guarantees: variable storage lies in the session's Memory (constants read-only for kernels); lowering a kernel
// happens once. Does not model: linking of several modules; an .extern variable or function must be defined in the same
// module.
#pragma once

#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <set>
#include <span>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "scope/base/result.h"
#include "scope/isa/lower.h"
#include "scope/machine/memory.h"
#include "scope/machine/padding.h"
#include "scope/machine/program.h"
#include "scope/ptx/module.h"
#include "scope/session/session.h"

namespace tilescope {

class LoadedModule {
public:
    static Result<std::unique_ptr<LoadedModule>> load(std::string_view ptx, std::string name, machine::Memory& memory,
                                                      std::span<const HostStorage> host_storage = {},
                                                      bool contracts = true);
    ~LoadedModule();

    const ptx::Module& text() const { return module_; }
    const std::vector<ModuleVariable>& variables() const { return variables_; }
    std::optional<ModuleVariable> find_variable(std::string_view name) const;
    // Why kernels cannot use a variable, where they cannot; those that do not are none the worse.
    std::optional<Diagnostic> refusal_of(std::string_view name) const;
    // The kernel's program, or why it cannot be had. The same answer every time.
    const Result<std::unique_ptr<machine::Program>>& program(std::string_view entry);
    // Of a kernel whose program is there: what of its floating-point work may be padding.
    const machine::PaddingPlan& padding(std::string_view entry) const { return paddings_.find(entry)->second; }
    // The instruction of a line of the PTX, as the printer writes it; empty: there is none.
    std::string instruction_at(std::uint32_t line);
    // Whether nobody asked this of that kernel before.
    bool is_first_look(std::string_view entry) { return looked_at_.insert(std::string(entry)).second; }
    // The address of a block's first byte of shared memory, and of how many bytes before it CUDA's own code may use.
    void place_shared_memory(std::uint64_t base, std::uint64_t reserved_used) {
        shared_base_ = static_cast<std::uint32_t>(base);
        shared_reserved_used_ = static_cast<std::uint32_t>(reserved_used);
    }
    // Programs lowered from here on know what their ops do with values.
    void keep_flow() { keeps_flow_ = true; }
    // And what their addresses are made of.
    void keep_indices() { keeps_indices_ = true; }
    // And what their text says of races.
    void keep_races() { keeps_races_ = true; }
    // They also list their checks of an index, and run without those that `is_without` names by file and line.
    void list_checks(std::function<bool(std::string_view, std::uint32_t)> is_without) {
        lists_checks_ = true;
        is_without_ = std::move(is_without);
    }
    // Another copy, of the caller's own, that knows what its ops do with values.
    Result<std::unique_ptr<machine::Program>> traceable_program(std::string_view entry) const;

private:
    LoadedModule(ptx::Module module, machine::Memory& memory) : module_(std::move(module)), memory_(memory) {}
    isa::LowerRequest lower_request(std::string_view entry) const;
    bool reserve_constants();
    void* place_constant(std::uint64_t size);
    void* place_managed(const std::string& name, std::uint64_t size);
    Diagnostic defined_twice(const std::string& name, const SourceLocation& at) const;
    Diagnostic no_memory_for(const ptx::Variable& variable, const SourceLocation& at, std::uint64_t size) const;
    Status place_variables();
    Status place(const ptx::Variable& variable, std::uint64_t& constant);
    Status initialise();
    std::optional<std::uint64_t> address_of(const std::string& name) const;
    Status write(const ptx::Variable& variable, const ptx::Initializer& initializer, std::uint64_t at,
                 std::uint64_t& left, unsigned depth);

    ptx::Module module_;
    machine::Memory& memory_;
    bool keeps_flow_ = false, keeps_indices_ = false, keeps_races_ = false, contracts_ = true, lists_checks_ = false;
    std::function<bool(std::string_view, std::uint32_t)> is_without_;
    std::vector<HostStorage> host_storage_;
    std::uint32_t shared_base_ = 0, shared_reserved_used_ = 0;
    std::uint64_t constant_region_ = 0, constant_bytes_ = 0, next_constant_ = 0;
    std::vector<ModuleVariable> variables_;
    std::unordered_map<std::string_view, std::size_t> by_name_;
    std::unordered_map<std::string_view, Diagnostic> refused_;
    std::unordered_map<std::string_view, const ptx::Function*> functions_;  // with a body
    std::map<std::string, Result<std::unique_ptr<machine::Program>>, std::less<>> programs_;
    std::map<std::string, machine::PaddingPlan, std::less<>> paddings_;
    std::set<std::string> looked_at_;                                     // (is_first_look)
    std::unordered_map<std::uint32_t, const ptx::Instruction*> by_line_;  // the first of each; made when first wanted
};

}  // namespace tilescope

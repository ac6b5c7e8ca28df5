// From PTX text to a Program: names resolved, instructions bound to their rows, flow and registers laid out.
//
// Guarantees: a kernel that lowers runs; anything its reachable code needs and the rows do not offer is a Diagnostic
// with the PTX line. Does not model: what instructions do (rows), or where module variables lie (the caller says).
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <string_view>

#include "scope/base/result.h"
#include "scope/isa/table/row.h"
#include "scope/machine/padding.h"
#include "scope/machine/program.h"
#include "scope/ptx/module.h"

namespace tilescope::isa {

struct LowerRequest {
    const ptx::Module* module = nullptr;
    std::string_view entry;  // name of the kernel
    // Address of a module-scope .global or .const variable; nothing when there is none of that name.
    std::function<std::optional<std::uint64_t>(std::string_view)> address_of;
    // Why a variable of the module cannot be used, where it cannot; may be empty.
    std::function<std::optional<Diagnostic>(std::string_view)> refusal_of;
    // Upper 32 bits, in place, that all addresses of .const variables share.
    std::uint64_t constant_base = 0;
    // Where these variables lie, and in how many bytes.
    std::uint64_t constants_at = 0, constants_bytes = 0;
    // The address of a block's first byte of shared memory; and how many bytes before it, from address 0 on, a program
    // may use that asks for special registers where they lie.
    std::uint32_t shared_base = 0, shared_reserved_used = 0;
    // Whether products and sums are fused as ptxas fuses them; not where it was told --fmad=false.
    bool contracts = true;
    // Whether Program::flow is wanted: what each op does with values.
    bool with_flow = false;
    // Whether Program::bounds_checks is wanted, and which of them, by file and line, the program is to run without; the
    // latter may be empty.
    bool lists_checks = false;
    std::function<bool(std::string_view file, std::uint32_t line)> is_without;
    // Whether Program::index_facts is wanted.
    bool with_indices = false;
    // Whether Program::race_facts is wanted.
    bool with_races = false;
    // Where not null: told where the program fills its tiles with zeros and what multiplies them.
    machine::PaddingPlan* padding = nullptr;
    // Told the row of each instruction that found one; may be empty. For tests and tools.
    std::function<void(const Row&)> on_row;
};

Result<std::unique_ptr<machine::Program>> lower(const LowerRequest& request);

// What a pointer to a function of the module holds: the same in all of the module's kernels, so that one may call what
// another stored; null is no function. Nothing for a function without a body.
std::optional<std::uint64_t> function_handle(const ptx::Module& module, const ptx::Function& function);

// Where parameter `index` of a kernel lies in its parameter buffer, and the buffer's size: natural alignment, in order.
struct ParameterPlace {
    std::uint32_t offset = 0, size = 0, align = 1;
};
std::vector<ParameterPlace> place_parameters(const std::vector<ptx::Variable>& parameters);

// Bytes of a variable: element type times vector width times dimensions; nothing when that overflows. An unsized
// dimension counts 0.
std::optional<std::uint64_t> size_of(const ptx::Variable& variable);
// Its alignment: .align, else the element's.
std::uint64_t alignment_of(const ptx::Variable& variable);

}  // namespace tilescope::isa

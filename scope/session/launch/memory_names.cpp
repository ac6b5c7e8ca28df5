#include "scope/session/launch/memory_names.h"

#include <algorithm>
#include <cstdlib>
#include <cstring>
#include <optional>

#include "scope/session/variables.h"

namespace tilescope {
namespace {

HazardMemory named(MemoryNaming naming, std::string name, std::uint64_t byte) {
    HazardMemory memory;
    memory.naming = naming;
    memory.name = std::move(name);
    memory.byte = byte;
    return memory;
}

}  // namespace

void place_allocation(const machine::AllocationOrigin& origin, HazardMemory& memory) {
    memory.allocated = {origin.allocated.file, origin.allocated.line};
    memory.freed = {origin.freed.file, origin.freed.line};
}

// clang takes apart an array of which only known elements are used: base_0, base_1, ... Where all up to that number are
// there, it is the element's.
bool MemoryNames::name_part(const std::string& symbol, HazardMemory& memory) const {
    const std::size_t digits = symbol.find_last_not_of("0123456789") + 1;
    if (!symbol.starts_with("_ZZ") || digits == symbol.size() || digits < 2 || symbol[digits - 1] != '_') return false;
    const std::string whole = symbol.substr(0, digits - 1);
    const SourceName name = source_name(whole);
    if (name.full == whole) return false;
    const auto is_there = [&](std::uint64_t part) {
        const std::string wanted = symbol.substr(0, digits) + std::to_string(part);
        return std::any_of(program_.shared_variables.begin(), program_.shared_variables.end(),
                           [&](const machine::SharedVariable& variable) { return variable.name == wanted; });
    };
    memory = named(MemoryNaming::kElement, name.plain, 0);
    memory.index = std::strtoull(symbol.c_str() + digits, nullptr, 10);
    for (std::uint64_t part = 0; part < memory.index; ++part)
        if (!is_there(part)) {
            memory = named(MemoryNaming::kSomeElement, name.plain, 0);
            break;
        }
    return true;
}

HazardMemory MemoryNames::shared(std::uint64_t offset) const {
    for (const machine::SharedVariable& variable : program_.shared_variables) {
        const std::uint64_t end = variable.bytes == 0 ? program_.shared_reserved + launch_.grid.shape.shared_bytes
                                                      : variable.offset + variable.bytes;
        if (offset < variable.offset || offset >= end) continue;
        HazardMemory part;
        if (name_part(variable.name, part)) return part;
        return named(MemoryNaming::kVariable, source_name(variable.name).plain, offset - variable.offset);
    }
    return named(MemoryNaming::kShared, {}, offset);
}

HazardMemory MemoryNames::global(std::uint64_t address) {
    for (const ModuleVariable& variable : launch_.module.variables())
        if (address >= variable.address && address - variable.address < variable.size)
            return named(MemoryNaming::kVariable, source_name(variable.name).plain, address - variable.address);
    const std::optional<machine::Allocation> allocation = launch_.memory.find(address);
    if (!allocation) return named(MemoryNaming::kGlobal, {}, 0);
    if (launch_.grid.workspace != 0 && allocation->contains(launch_.grid.workspace, 1))
        return named(MemoryNaming::kGridBarrier, {}, 0);
    const std::uint64_t byte = address - allocation->base;
    const auto& parameters = kernel_.info.parameters;
    for (std::size_t i = 0; i < parameters.size(); ++i) {
        std::uint64_t pointer = 0;
        if (parameters[i].size != sizeof pointer ||
            parameters[i].offset + sizeof pointer > launch_.grid.parameters.size())
            continue;
        std::memcpy(&pointer, launch_.grid.parameters.data() + parameters[i].offset, sizeof pointer);
        if (!allocation->contains(pointer, 1)) continue;
        const image::KernelSource* source = source_of(launch_.settings, kernel_, program_);
        if (source != nullptr && i < source->parameters.size() && !source->parameters[i].empty())
            return named(MemoryNaming::kVariable, source->parameters[i], byte);
        HazardMemory memory = named(MemoryNaming::kArgument, {}, byte);
        memory.index = i;
        return memory;
    }
    HazardMemory memory = named(MemoryNaming::kAllocation, {}, byte);
    memory.bytes = allocation->size;
    return memory;
}

HazardMemory MemoryNames::at(HazardSpace space, std::uint64_t address) {
    if (space == HazardSpace::kLocal) return named(MemoryNaming::kLocal, {}, address);
    return space == HazardSpace::kShared ? shared(address) : global(address);
}

}  // namespace tilescope

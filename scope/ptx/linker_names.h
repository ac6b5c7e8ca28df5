// Names within a module, for those who change or look for them; private to this room.
#pragma once

#include <cstdint>
#include <functional>
#include <string>
#include <unordered_map>

#include "scope/ptx/module.h"

namespace tilescope::ptx {

// Calls visit(name, loc) for each name in a function's body that no declaration of its own explains, names of registers
// and labels left out; `loc` is the index of the source line in force, -1 where there is none. The name may be changed.
using VisitName = std::function<void(std::string& name, std::int32_t loc)>;
void visit_outer_names(Function& function, const VisitName& visit);
void visit_outer_names(const Function& function,
                       const std::function<void(const std::string& name, std::int32_t loc)>& visit);

// The same of what a variable is initialised with.
void visit_names(Initializer& initializer, const std::function<void(std::string& name)>& visit);
void visit_names(const Initializer& initializer, const std::function<void(const std::string& name)>& visit);

// Old to new, for all that the module defines or uses.
using Renames = std::unordered_map<std::string, std::string>;
void rename(Module& module, const Renames& renames);

// All source files of the module get new numbers, by old ones; labels of inlined names get `suffix` behind them.
void renumber_files(Module& module, const std::unordered_map<std::uint32_t, std::uint32_t>& numbers,
                    const std::string& suffix);

}  // namespace tilescope::ptx

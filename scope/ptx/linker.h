// Several modules as one: what a linker does with relocatable code, on the syntax tree.
//
// Owns: link(). Guarantees: names mean what a linker makes of them. A name without linkage is its module's own, and two
// of them do not clash; what is .visible is defined once; of .weak definitions the first counts, and a .visible one
// goes before them; of .common ones the largest. Declarations of what some module defines are gone; what none defines
// is declared once. `extern .shared` without a size is the launch's memory, one for all. Source lines stay. Does not
// model: debug sections other than the names that inlined lines refer to, which are left out; relocations of machine
// code; who may use what no module defines (undefined_names() says where it is used).
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "scope/ptx/module.h"

namespace tilescope::ptx {

// What keeps modules from being one. Parts are counted from 0, in the order in which they were given.
struct LinkConflict {
    enum class Kind : std::uint8_t {
        kTwice,        // both define the name
        kSize,         // both name the variable, with other sizes
        kSpace,        // in other memories
        kNature,       // one has a function of that name, the other a variable
        kAddressSize,  // 32-bit and 64-bit modules; no name
    };
    Kind kind = Kind::kTwice;
    std::string name;
    std::uint32_t first = 0, second = 0;
};

struct Linked {
    Module module;  // worth nothing where there are conflicts
    std::vector<LinkConflict> conflicts;
};

// parts: at least one. `name`: of the module that comes of it.
Linked link(std::vector<Module> parts, const std::string& name);

// A function or variable that the module uses and does not define, where it is used first.
struct UndefinedName {
    std::string name;
    bool is_function = false;
    std::string file;  // of the source; empty where the module tells no lines
    std::uint32_t line = 0;
};
std::vector<UndefinedName> undefined_names(const Module& module);

// Where a function begins in its source, as far as the module tells; else line 0.
struct SourcePlace {
    std::string file;
    std::uint32_t line = 0;
};
SourcePlace place_of(const Module& module, const Function& function);
SourcePlace place_of(const Module& module, const Loc& loc);

// Bytes of a variable as declared; 0: its declaration leaves that open.
std::uint64_t bytes_of(const Variable& variable);

}  // namespace tilescope::ptx

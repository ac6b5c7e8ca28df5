// Which line of the PTX each machine instruction of a cubin was made from, where it was assembled with -lineinfo.
//
// Guarantees: never reads outside the bytes; work in proportion to them. A damaged table tells as much as could be
// read.
#pragma once

#include <cstdint>
#include <map>
#include <string_view>
#include <vector>

#include "scope/image/elf_view.h"

namespace tilescope::image {

struct SassLine {
    std::uint64_t address = 0;  // in its section
    std::uint32_t line = 0;     // of the PTX, from 1; holds up to the next entry
};

// By section of code, in the order of addresses.
std::map<std::uint16_t, std::vector<SassLine>> sass_lines(const ElfView& elf);

// The PTX that the assembler was given, a line each, empty lines for what it left out.
std::vector<std::string_view> assembled_lines(const ElfView& elf);

}  // namespace tilescope::image

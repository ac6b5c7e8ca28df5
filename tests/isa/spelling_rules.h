// Spellings of instructions that access or order memory, and which of them PTX allows for sm_90.
//
// The rules are written down from the PTX ISA, apart from the instruction table; spelling_test holds both against each
// other, and against NVIDIA's assembler where there is one.
#pragma once

#include <string>
#include <vector>

namespace tilescope::isa::spelling {

struct Spelling {
    std::string line;  // a whole instruction, for the kernel that module_of() makes
    bool is_legal = false;
};

std::vector<Spelling> atomics();
std::vector<Spelling> loads_and_stores();
std::vector<Spelling> fences();
std::vector<Spelling> barrier_objects();
// Legal ones with their modifiers in every order.
std::vector<Spelling> permutations();

// A kernel of these instructions. The line of the first of them is `first_line`.
std::string module_of(const std::vector<Spelling>& spellings, unsigned& first_line);

}  // namespace tilescope::isa::spelling

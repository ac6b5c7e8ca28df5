// What the source text of a kernel says and its PTX no longer does: names of arguments, shapes of shared arrays.
//
// A reader of names, no compiler: what it does not understand it leaves out. Sizes are found as source_constants.h
// says. Where clang made the PTX, its own word comes first (source_facts.h); this is for nvcc's, and for programs that
// came built. Guarantees: safe on any text. Does not model: overloads (the first definition with the right number of
// parameters is taken) and the preprocessor.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace tilescope::image {

struct SharedDeclaration {
    std::string name;
    std::string type;                  // "float"; template parameters replaced
    std::vector<std::uint64_t> shape;  // empty: no array, of open size, or not understood
};

// A scalar or array that is declared within a kernel and every thread's own.
struct AutomaticVariable {
    std::string name;
    std::string type;                  // as of a SharedDeclaration
    std::vector<std::uint64_t> shape;  // likewise
    std::uint64_t bytes = 0;
    bool has_memory = false;  // the compiler leaves it in local memory; else in registers
};

struct KernelSource {
    std::vector<std::string> parameters;         // "" where one has no name
    std::vector<SharedDeclaration> shared;       // in order
    std::vector<AutomaticVariable> automatic{};  // likewise, where clang made the code; those whose place is known
};

// demangled: "ns::tiled<2>(float const*, int)". parameters: how many the kernel has.
std::optional<KernelSource> read_kernel_source(std::string_view text, std::string_view demangled,
                                               std::size_t parameters);

// The same out of the first of these files that defines the kernel.
std::optional<KernelSource> find_kernel_source(const std::vector<std::string>& files, std::string_view demangled,
                                               std::size_t parameters);

}  // namespace tilescope::image

// Which line of a program's own host code an address of machine code belongs to.
//
// Owns: HostCode. Guarantees: lines of libraries and of headers that come with a compiler, a system or CUDA are never
// named: who called them is. Without debug information a line is 0, and the function and the offset into it are what
// the executable's symbols tell. May be used in a signal handler of a fault in the program's own code; it allocates.
// Does not model: code that was compiled while the program ran, separate files of debug information.
#pragma once

#include <cstdint>
#include <filesystem>
#include <memory>
#include <optional>
#include <span>
#include <string>

struct Dwfl;
struct Dwfl_Module;

namespace tilescope::image {

struct HostLine {
    std::string function;      // readable; empty when not known
    std::string file;          // of the source, or of the executable where line is 0
    std::uint32_t line = 0;    // 0: not known
    std::uint64_t offset = 0;  // into the function, or into the file where there is no function
};

class HostCode {
public:
    // What this process has loaded. The library that `not_in` points into counts as one of the system's.
    static HostCode of_this_process(const void* not_in);
    // One executable or library, whose addresses are those that it was linked for.
    static HostCode of_file(const std::filesystem::path& file);

    // `instructions`: addresses inside calls, callee first. The first line that is the program's own; where none is
    // known, the first of its functions.
    std::optional<HostLine> own_line(std::span<const std::uint64_t> instructions) const;

private:
    struct End {
        void operator()(Dwfl* code) const;
    };
    // `report` names the modules of `all`.
    template <class Report>
    HostCode(Dwfl* all, Report report);
    bool is_library(Dwfl_Module* module) const;

    std::unique_ptr<Dwfl, End> code_;
    std::uint64_t not_in_ = 0;
};

}  // namespace tilescope::image

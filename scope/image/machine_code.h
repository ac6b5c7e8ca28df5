// Where a kernel's machine code spills registers and accesses shared memory, and what tells how often that runs.
//
// A cubin lists the instructions that spill registers and bring them back. They, and loads and stores of shared memory,
// are gathered by regions, stretches of code that run equally often; marks say which instructions of a region came from
// which line of the PTX, whose executions somebody else knows.
// Guarantees: never reads outside the code; bytes agree with what `ptxas -v` prints.
// Does not model: any instruction but branches, accesses, and those arithmetic ones that PTX instructions become one by
// one. The ways that divisions and roots take for subnormal and huge operands count as never taken.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "scope/image/elf_view.h"
#include "scope/image/sass_lines.h"

namespace tilescope::image {

struct CodeRegion {
    std::uint32_t loads = 0, load_words = 0;  // instructions; 32-bit words that a lane loads with them
    std::uint32_t stores = 0, store_words = 0;
    std::uint32_t shared_loads = 0, shared_stores = 0;  // instructions, those under a predicate that fails included
    bool once_a_warp = false;                           // runs when a warp begins, with all its lanes
    bool guarded = false;                               // some of its spills hang on a predicate
    bool operator==(const CodeRegion&) const = default;
};

enum class MarkKind : std::uint8_t {
    kEffect,      // a store, an atomic, a barrier: stays what and where it is written
    kLoad,        // may be merged, dropped or moved
    kArithmetic,  // likewise
};

struct LineMark {
    std::uint32_t line = 0;  // of the PTX, from 1
    std::uint32_t region = 0;
    std::uint32_t times = 0;  // instructions of that line there
    MarkKind kind = MarkKind::kEffect;
};

// A spill, and the access or barrier nearest to it in its block of code: the `copy`th of `copies` that came from a line
// of the PTX, all in one region.
struct SpillPlace {
    std::uint32_t region = 0;
    bool loads = false;
    bool after = false;        // it stands behind that one
    std::uint8_t words = 1;    // of 32 bits
    std::uint32_t offset = 0;  // bytes, in the frame
    std::uint32_t line = 0;    // of the PTX, from 1
    std::uint32_t copy = 0, copies = 1;
};

struct MachineCode {
    std::vector<CodeRegion> regions;  // with spills or accesses to shared memory, and those that share a line with them
    std::vector<LineMark> marks;
    std::vector<std::string> lines;  // the text of each mark's line, to know the PTX again
    std::uint32_t instructions = 0;  // that are there, without padding and what only rare operands need
    bool complete = true;            // false: it calls code that is not looked at
    // Whether all that reads or writes shared memory are plain loads and stores of it, and atomics.
    bool plain_shared = true;
    // All spills in the order of the code, or none where one of them stands by no such access.
    std::vector<SpillPlace> spills;
};

struct SassFunction {
    std::span<const std::byte> code;  // of the kernel's section
    std::uint64_t entry = 0;
    unsigned sm = 0;
    std::vector<std::uint32_t> spills;         // addresses
    std::vector<std::uint64_t> routines;       // addresses of functions in the section
    std::vector<std::uint64_t> rare_routines;  // of these, called for operands that are out of the ordinary
};

struct SpillBytes {
    std::size_t stores = 0, loads = 0;  // of a lane, if each spill ran once
};
// Nothing where the list names what is no access to local memory.
std::optional<SpillBytes> spill_bytes(const SassFunction& function);

// Nothing where branches cannot be followed or the spills are not what the list says.
std::optional<MachineCode> read_machine_code(const SassFunction& function, const std::vector<SassLine>& lines,
                                             const std::vector<std::string_view>& text);

// Whether the marks' lines are those of this PTX, save for blanks.
bool was_assembled_from(const MachineCode& code, const std::vector<std::string_view>& ptx_lines);
std::vector<std::string_view> lines_of(std::string_view text);

}  // namespace tilescope::image

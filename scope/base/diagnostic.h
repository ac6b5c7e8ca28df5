// What a user's mistake looks like: a stable code, where it is, what happened and what to do next.
//
// Owns: SourceLocation, Diagnostic and Diagnostics, the vocabulary for every error that input can cause.
// Guarantees: plain values, no I/O, no global state. Rendering to text is in render() below.
// Does not model: faults of a running kernel (those are hazards, see scope/machine) or broken invariants (assertions).
#pragma once

#include <cstdint>
#include <string>
#include <utility>
#include <vector>

namespace tilescope {

// A place in a text. line and column count from 1; 0 means "not known".
struct SourceLocation {
    std::string file;
    std::uint32_t line = 0;
    std::uint32_t column = 0;
};

enum class Severity { kNote, kWarning, kError };

// code: stable and greppable, "room-what", such as "ptx-unknown-directive" or "isa-unsupported-instruction".
struct Diagnostic {
    Severity severity = Severity::kError;
    std::string code;
    SourceLocation location;
    std::string message;  // what happened, one sentence, no final full stop
    std::string hint;     // what to do next; may be empty
};

using Diagnostics = std::vector<Diagnostic>;

// "file:line:column: error: message [code]" and, on a second line, "  hint: ...". No final newline.
std::string render(const Diagnostic& diagnostic);
// All of them, a line feed after each.
std::string render(const Diagnostics& diagnostics);

}  // namespace tilescope

#include "scope/machine/describe.h"

#include <algorithm>

namespace tilescope::machine {

std::string place_text(const Program& program, std::uint32_t op) {
    const OpFacts& facts = program.facts[std::min<std::size_t>(op, program.facts.size() - 1)];
    if (facts.place.line == 0) return "line " + std::to_string(facts.text_line) + " of the PTX";
    const std::string& file = program.files[facts.place.file];
    return file.substr(file.rfind('/') + 1) + ":" + std::to_string(facts.place.line);
}

std::string origin_text(const AllocationOrigin& origin) {
    std::string text;
    const auto add = [&](const char* what, const SourceLocation& at) {
        if (at.line != 0) text += (text.empty() ? "" : ", ") + (what + at.file) + ":" + std::to_string(at.line);
    };
    add("allocated at ", origin.allocated);
    add("freed at ", origin.freed);
    return text;
}

}  // namespace tilescope::machine

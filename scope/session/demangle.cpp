#include "scope/session/demangle.h"

#include <cxxabi.h>

#include <cstdlib>

namespace tilescope {
namespace {

std::string demangled_whole(const std::string& entry) {
    int status = 0;
    char* text = abi::__cxa_demangle(entry.c_str(), nullptr, nullptr, &status);
    if (status != 0 || !text) return {};
    std::string name = text;
    std::free(text);
    return name;
}

// A name without what clang and its linker put behind those that several files have each for itself:
// "_ZL1kv__intern__8ca2eef9", "_ZL4mine2".
std::string without_ending(std::string_view entry) {
    for (const std::string_view mark : {"__intern__", "__static__"})
        if (const std::size_t at = entry.rfind(mark); at != std::string_view::npos)
            return std::string(entry.substr(0, at));
    const std::size_t last = entry.find_last_not_of("0123456789");
    return std::string(entry.substr(0, last + 1));
}

}  // namespace

std::string demangled(std::string_view entry) {
    // A plain name could be read as a type: "i" is no int.
    if (!entry.starts_with("_Z")) return std::string(entry);
    std::string name = demangled_whole(std::string(entry));
    if (name.empty()) name = demangled_whole(without_ending(entry));
    if (name.empty()) return std::string(entry);
    if (name.starts_with("void ")) name.erase(0, 5);
    return name;
}

}  // namespace tilescope

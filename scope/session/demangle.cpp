#include "scope/session/demangle.h"

#include <cxxabi.h>

#include <charconv>
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

// A name without what nvcc puts before those that a file of several has for itself, the file's own name of so many
// characters: "__nv_static_28__b709479e_7_main_cu_e2d389e4__Z6kernelPf"; and without what the linker puts behind one
// that another file has, too (ptx/linker.h): "_ZL4mine$1".
std::string_view without_file_mark(std::string_view entry) {
    constexpr std::string_view kMark = "__nv_static_";
    if (const std::size_t dollar = entry.rfind('$');
        dollar != std::string_view::npos && dollar + 1 < entry.size() &&
        entry.find_first_not_of("0123456789", dollar + 1) == std::string_view::npos)
        entry = entry.substr(0, dollar);
    if (!entry.starts_with(kMark)) return entry;
    const std::string_view rest = entry.substr(kMark.size());
    std::size_t length = 0;
    const auto [end, failure] = std::from_chars(rest.data(), rest.data() + rest.size(), length);
    const auto digits = static_cast<std::size_t>(end - rest.data());
    // An underscore before and behind the file's name.
    if (failure != std::errc() || length > rest.size() || digits + 1 + length + 1 >= rest.size()) return entry;
    return rest.substr(digits + 1 + length + 1);
}

}  // namespace

std::string demangled(std::string_view entry) {
    entry = without_file_mark(entry);
    // A plain name could be read as a type: "i" is no int.
    if (!entry.starts_with("_Z")) return std::string(entry);
    std::string name = demangled_whole(std::string(entry));
    if (name.empty()) name = demangled_whole(without_ending(entry));
    if (name.empty()) return std::string(entry);
    if (name.starts_with("void ")) name.erase(0, 5);
    return name;
}

}  // namespace tilescope

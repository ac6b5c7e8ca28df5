#include "scope/session/demangle.h"

#include <cxxabi.h>

#include <cstdlib>

namespace tilescope {

std::string demangled(std::string_view entry) {
    // A plain name could be read as a type: "i" is no int.
    if (!entry.starts_with("_Z")) return std::string(entry);
    int status = 0;
    char* text = abi::__cxa_demangle(std::string(entry).c_str(), nullptr, nullptr, &status);
    if (status != 0 || !text) return std::string(entry);
    std::string name = text;
    std::free(text);
    if (name.starts_with("void ")) name.erase(0, 5);
    return name;
}

}  // namespace tilescope

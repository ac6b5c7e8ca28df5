// Every other function that NVIDIA's libraries export: present, so that programs link and start, and refused by name.
#include <string>
#include <string_view>

#include "scope/runtime/cudart/guard.h"

namespace tilescope::runtime {
namespace {

// What a call belongs to, where its name alone may not tell.
std::string_view subject(std::string_view name) {
    for (const std::string_view part : {"Surface", "Texture", "Array", "Mipmap"})
        if (name.find(part) != name.npos)
            return " (texture and surface references, sparse and planar arrays are not modelled)";
    return name.starts_with("cudaIpc") ? " (memory of one process alone)" : "";
}

cudaError refuse(const char* name) noexcept {
    return call(
        [&] {
            Runtime::get().warn_once("runtime-unsupported-call",
                                     std::string(name) + " is not supported yet" + std::string(subject(name)));
            return Status::kNotSupported;
        },
        name);
}

}  // namespace

// Their parameters are of no interest; the C calling convention lets them be left out.
#define TILESCOPE_UNSUPPORTED(name) \
    TILESCOPE_API cudaError name() { return refuse(#name); }
#include "scope/runtime/cudart/unsupported.inc"
#undef TILESCOPE_UNSUPPORTED

}  // namespace tilescope::runtime

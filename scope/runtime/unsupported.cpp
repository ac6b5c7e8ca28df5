// Every other function that NVIDIA's libraries export: present, so that programs link and start, and refused by name.
#include "scope/runtime/guard.h"

namespace tilescope::runtime {
namespace {

cudaError refuse(const char* name) noexcept {
    return call(
        [&] {
            Runtime::get().warn_once("runtime-unsupported-call", std::string(name) + " is not supported yet");
            return cudaErrorNotSupported;
        },
        name);
}

}  // namespace

// Their parameters are of no interest; the C calling convention lets them be left out.
#define TILESCOPE_UNSUPPORTED(name) \
    TILESCOPE_API cudaError name() { return refuse(#name); }
#include "scope/runtime/unsupported.inc"
#undef TILESCOPE_UNSUPPORTED

// Describes a texel; needs no device.
TILESCOPE_API abi::ChannelFormat cudaCreateChannelDesc(int x, int y, int z, int w, cudaChannelFormatKind kind) {
    return {x, y, z, w, kind};
}

}  // namespace tilescope::runtime

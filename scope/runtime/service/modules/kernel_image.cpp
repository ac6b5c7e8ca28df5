#include "scope/runtime/service/modules/kernel_image.h"

#include <cstddef>

#include "scope/image/fatbinary.h"

namespace tilescope::runtime {
namespace {

using image::FatEntry;
using image::FatKind;

constexpr std::uint32_t kLinked = 2;  // the wrapper's version after a device link

std::string rebuild_hint(unsigned capability) {
    const std::string number = std::to_string(capability);
    return "rebuild it with -gencode arch=compute_" + number + ",code=compute_" + number;
}

// What is in the fat binary, for the error that says what is not.
std::string contents(const std::vector<FatEntry>& entries) {
    std::string text;
    for (const FatEntry& entry : entries) {
        if (entry.kind == FatKind::kOther) continue;
        const char* form = entry.kind == FatKind::kPtx ? "PTX for compute_" : "machine code for sm_";
        if (!text.empty()) text += ", ";
        text += form + std::to_string(entry.sm) + (entry.arch_specific ? "a" : entry.family_specific ? "f" : "");
    }
    return text.empty() ? "nothing that runs" : text;
}

}  // namespace

Result<image::LoadedImage> read_image(const void* wrapper, unsigned capability, const std::string& program,
                                      bool ask_ptxas, Diagnostic& nothing_runs) {
    const SourceLocation at{program, 0, 0};
    const auto* header = static_cast<const image::FatbinWrapper*>(wrapper);
    if (header == nullptr || header->magic != image::kFatbinWrapperMagic || header->container == nullptr) {
        return error("runtime-bad-fatbinary", at, "what the program registered is not a fat binary",
                     "build it with nvcc or clang");
    }
    if (header->version == kLinked && header->prelinked != nullptr) {
        return error("runtime-relocatable-code", at, "relocatable device code is not supported yet",
                     "rebuild it without -rdc=true (or -dc)");
    }
    const std::size_t bytes = image::container_size(header->container);
    if (bytes == 0) return error("runtime-bad-fatbinary", at, "the program's fat binary has a form that is not known");
    const auto entries = image::parse_fatbinary({static_cast<const std::byte*>(header->container), bytes}, program);
    if (!entries) return entries.errors();
    nothing_runs = error("runtime-no-ptx", at,
                         program + " holds no PTX that compute capability " + std::to_string(capability / 10) + "." +
                             std::to_string(capability % 10) + " can run, only " + contents(*entries),
                         rebuild_hint(capability));
    return image::load_entries(*entries, "PTX of " + program, capability, ask_ptxas);
}

}  // namespace tilescope::runtime

#include "scope/runtime/service/modules/kernel_image.h"

#include <algorithm>
#include <cstddef>
#include <string_view>
#include <vector>

#include "scope/image/fatbinary.h"
#include "scope/image/link.h"

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

// What one container holds.
Result<std::vector<FatEntry>> entries_at(const void* container, const std::string& program) {
    const std::size_t bytes = image::container_size(container);
    if (bytes == 0)
        return error("runtime-bad-fatbinary", {program, 0, 0}, "the program's fat binary has a form that is not known");
    return image::parse_fatbinary({static_cast<const std::byte*>(container), bytes}, program);
}

Diagnostic no_ptx(const std::string& whose, const std::string& program, unsigned capability,
                  const std::vector<FatEntry>& entries) {
    return error("runtime-no-ptx", {program, 0, 0},
                 whose + " holds no PTX that compute capability " + std::to_string(capability / 10) + "." +
                     std::to_string(capability % 10) + " can run, only " + contents(entries),
                 rebuild_hint(capability));
}

// The toolkit's own library of kernels that launch kernels, which a linker takes along where one does. Such kernels are
// refused by name, and the others need none of it.
bool is_device_runtime(const std::vector<FatEntry>& entries) {
    return std::any_of(entries.begin(), entries.end(), [](const FatEntry& entry) {
        return entry.kind == FatKind::kPtx && entry.text().find("__cudaCDP2LaunchDevice") != std::string_view::npos;
    });
}

// A program that a device linker made: its container has machine code alone, and `parts`, which ends with a null
// pointer, the containers of the files and libraries that it was linked from.
Result<image::LoadedImage> read_linked(const void* container, const void* const* parts, unsigned capability,
                                       const std::string& program, bool ask_ptxas) {
    auto code = entries_at(container, program);
    if (!code) return code.errors();
    std::vector<image::LoadedPtx> ptx;
    for (std::size_t i = 0; parts[i] != nullptr; ++i) {
        const auto entries = entries_at(parts[i], program);
        if (!entries) return entries.errors();
        const FatEntry* chosen = image::select_ptx(*entries, capability);
        if (chosen == nullptr && !is_device_runtime(*entries)) chosen = image::select_newer_ptx(*entries, capability);
        const std::string number = "part " + std::to_string(i + 1) + " of " + program;
        if (chosen == nullptr && is_device_runtime(*entries)) continue;
        if (chosen == nullptr) {
            std::string name;
            for (const FatEntry& entry : *entries)
                if (name.empty()) name = entry.name;
            return no_ptx(name.empty() ? number : name + ", " + number + ",", program, capability, *entries);
        }
        ptx.push_back({chosen->name.empty() ? "PTX of " + number : chosen->name, chosen->sm, chosen->arch_specific,
                       chosen->family_specific, std::string(chosen->text()), chosen->options});
    }
    if (ptx.empty()) return no_ptx(program, program, capability, *code);
    auto linked = image::link_ptx(ptx, "linked PTX of " + program);
    if (!linked) return linked.errors();
    // Registers and the like are those of the machine code that was linked from the same parts.
    std::erase_if(*code, [](const FatEntry& entry) { return entry.kind != FatKind::kCubin; });
    image::LoadedImage image = image::load_entries(*code, program, capability, /*ask_ptxas=*/false);
    image.ptx = {std::move(linked).value()};
    if (ask_ptxas) image::ask_for_resources(image, capability);
    return image;
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
    const auto entries = entries_at(header->container, program);
    if (!entries) return entries.errors();
    nothing_runs = no_ptx(program, program, capability, *entries);
    if (header->version == kLinked && header->prelinked != nullptr)
        return read_linked(header->container, static_cast<const void* const*>(header->prelinked), capability, program,
                           ask_ptxas);
    return image::load_entries(*entries, "PTX of " + program, capability, ask_ptxas);
}

}  // namespace tilescope::runtime

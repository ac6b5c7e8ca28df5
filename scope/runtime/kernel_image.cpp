#include "scope/runtime/kernel_image.h"

#include <cstddef>

#include "scope/image/cubin.h"
#include "scope/image/fatbinary.h"
#include "scope/image/load.h"
#include "scope/image/ptxas.h"

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

std::vector<KernelFacts> facts_of(const std::vector<image::KernelResources>& kernels, RegistersFrom from) {
    std::vector<KernelFacts> facts;
    for (const image::KernelResources& kernel : kernels) {
        KernelFacts& fact = facts.emplace_back();
        fact.entry = kernel.name;
        fact.registers = kernel.registers;
        fact.static_shared_bytes = kernel.static_shared_bytes;
        fact.local_bytes = kernel.stack_bytes;
        fact.spill_store_bytes = static_cast<std::uint32_t>(kernel.spill_store_bytes.value_or(0));
        fact.spill_load_bytes = static_cast<std::uint32_t>(kernel.spill_load_bytes.value_or(0));
        fact.barriers = kernel.barriers;
        fact.from = from;
    }
    return facts;
}

// From the machine code beside the PTX, else from ptxas. Nothing of either is no error: the session then estimates.
void find_facts(const std::vector<FatEntry>& entries, const FatEntry& ptx, unsigned capability, bool ask_ptxas,
                KernelImage& image) {
    if (const FatEntry* cubin = image::select_cubin(entries, capability)) {
        if (const auto kernels = image::parse_cubin(cubin->payload)) {
            image.facts = facts_of(*kernels, RegistersFrom::kCubin);
            return;
        }
    }
    if (!ask_ptxas) return;
    const auto kernels = image::assemble(ptx.text(), capability);
    if (kernels)
        image.facts = facts_of(*kernels, RegistersFrom::kPtxas);
    else
        image.notes = image::worth_a_word(kernels.errors());
}

}  // namespace

Result<KernelImage> read_image(const void* wrapper, unsigned capability, const std::string& program, bool ask_ptxas) {
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
    const FatEntry* ptx = image::select_ptx(*entries, capability);
    if (ptx == nullptr) {
        return error("runtime-no-ptx", at,
                     program + " holds no PTX that compute capability " + std::to_string(capability / 10) + "." +
                         std::to_string(capability % 10) + " can run, only " + contents(*entries),
                     rebuild_hint(capability));
    }
    KernelImage image;
    image.ptx = std::string(ptx->text());
    image.name = ptx->name.empty() ? "PTX of " + program : ptx->name;
    find_facts(*entries, *ptx, capability, ask_ptxas, image);
    return image;
}

}  // namespace tilescope::runtime

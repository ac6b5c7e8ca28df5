#include "scope/image/link_inputs.h"

#include <elf.h>

#include <algorithm>
#include <string_view>

#include "scope/image/compile.h"
#include "scope/image/cubin.h"
#include "scope/image/device_objects.h"

namespace tilescope::image {
namespace {

std::string_view as_text(std::span<const std::byte> bytes) {
    const std::string_view all(reinterpret_cast<const char*>(bytes.data()), bytes.size());
    return all.substr(0, all.find('\0'));
}

LoadedPtx part_of_text(std::string_view text, const std::string& name) {
    const char suffix = ptx_target_suffix_of(text);
    return {name, ptx_target_of(text), suffix == 'a', suffix == 'f', std::string(text)};
}

Result<std::vector<LoadedPtx>> parts_of_objects(std::span<const std::byte> bytes, const std::string& name,
                                                unsigned device_sm) {
    const auto objects = device_objects(bytes, name);
    if (!objects) return objects.errors();
    std::vector<LoadedPtx> parts;
    for (const DeviceObject& object : *objects)
        for (const ObjectCode& code : object.code) {
            auto part = link_input(code.entries, object.name, device_sm);
            if (!part) return part.errors();
            parts.push_back(std::move(part).value());
        }
    return parts;
}

}  // namespace

LoadedPtx part_of_nothing(unsigned sm) {
    return {"nothing", sm, false, false, ".version 7.8\n.target sm_" + std::to_string(sm) + "\n.address_size 64\n"};
}

LinkInput link_input_of(std::span<const std::byte> bytes) {
    const std::string_view all(reinterpret_cast<const char*>(bytes.data()), bytes.size());
    if (all.starts_with("\x50\xed\x55\xba")) return LinkInput::kContainer;
    if (is_library(bytes)) return LinkInput::kLibrary;
    if (all.starts_with(ELFMAG)) return is_cubin(bytes) ? LinkInput::kCubin : LinkInput::kObject;
    return as_text(bytes).find(".version") == std::string_view::npos ? LinkInput::kUnknown : LinkInput::kPtx;
}

Result<LoadedPtx> link_input(const std::vector<FatEntry>& entries, const std::string& name, unsigned device_sm) {
    if (const FatEntry* const ptx = select_ptx(entries, device_sm))
        return LoadedPtx{name,        ptx->sm, ptx->arch_specific, ptx->family_specific, std::string(ptx->text()),
                         ptx->options};
    const bool has_ptx =
        std::any_of(entries.begin(), entries.end(), [](const FatEntry& entry) { return entry.kind == FatKind::kPtx; });
    const std::string target = std::to_string(device_sm);
    return error(
        "image-no-ptx", {name, 0, 0},
        has_ptx ? "no PTX in here runs on sm_" + target : "its device code is machine code alone, with no PTX to link",
        "compile it with -gencode arch=compute_" + target + ",code=compute_" + target);
}

Result<std::vector<LoadedPtx>> link_inputs(std::span<const std::byte> bytes, const std::string& name,
                                           unsigned device_sm) {
    switch (link_input_of(bytes)) {
        case LinkInput::kPtx: return std::vector<LoadedPtx>{part_of_text(as_text(bytes), name)};
        case LinkInput::kObject:
        case LinkInput::kLibrary: return parts_of_objects(bytes, name, device_sm);
        case LinkInput::kCubin:
            return error("image-no-ptx", {name, 0, 0}, "this is a cubin: machine code for GPUs, with no PTX beside it",
                         "link PTX (nvcc -ptx), or a fat binary or an object that holds it");
        case LinkInput::kContainer: break;
        case LinkInput::kUnknown:
            return error("image-unknown", {name, 0, 0}, "this is neither PTX, a fat binary, an object nor a library");
    }
    const auto entries = parse_fatbinary(bytes, name);
    if (!entries) return entries.errors();
    auto part = link_input(*entries, name, device_sm);
    if (!part) return part.errors();
    return std::vector<LoadedPtx>{std::move(part).value()};
}

}  // namespace tilescope::image

#include "scope/image/load.h"

#include <algorithm>
#include <cstring>

#include "scope/image/process.h"
#include "scope/image/ptxas.h"

namespace tilescope::image {
namespace {

namespace fs = std::filesystem;

// Whether a device of `device_sm` can run code for this architecture.
bool runs_on(unsigned sm, bool arch_specific, bool family_specific, unsigned device_sm) {
    if (arch_specific) return sm == device_sm;
    if (family_specific) return sm / 10 == device_sm / 10 && sm <= device_sm;
    return sm <= device_sm;
}

template <class T>
const T* newest(const std::vector<T>& all, unsigned device_sm, bool (*wanted)(const T&)) {
    const T* best = nullptr;
    for (const T& each : all) {
        if (!wanted(each) || !runs_on(each.sm, each.arch_specific, each.family_specific, device_sm)) continue;
        const bool special = each.arch_specific || each.family_specific;
        if (best == nullptr || each.sm > best->sm || (each.sm == best->sm && special)) best = &each;
    }
    return best;
}

template <class T>
const T* oldest_newer(const std::vector<T>& all, unsigned device_sm, bool (*wanted)(const T&)) {
    const T* best = nullptr;
    for (const T& each : all) {
        if (!wanted(each) || each.arch_specific || each.family_specific || each.sm <= device_sm) continue;
        if (best == nullptr || each.sm < best->sm) best = &each;
    }
    return best;
}

std::vector<LoadedPtx> all_ptx(const std::vector<FatEntry>& entries, const std::string& unnamed) {
    std::vector<LoadedPtx> all;
    for (const FatEntry& entry : entries)
        if (entry.kind == FatKind::kPtx)
            all.push_back({entry.name.empty() ? unnamed : entry.name, entry.sm, entry.arch_specific,
                           entry.family_specific, std::string(entry.text()), entry.options});
    return all;
}

Result<LoadedImage> from_fatbinary(std::span<const std::byte> bytes, const std::string& file, unsigned device_sm) {
    auto entries = parse_fatbinary(bytes, file);
    if (!entries) return entries.errors();
    LoadedImage image;
    image.ptx = all_ptx(*entries, file);
    if (image.ptx.empty())
        return error("image-no-ptx", {file, 0, 0}, "this fat binary holds no PTX",
                     "rebuild with nvcc -fatbin -gencode arch=compute_90,code=compute_90");
    if (const FatEntry* cubin = select_cubin(*entries, device_sm)) {
        auto kernels = parse_cubin(cubin->payload, file);
        if (!kernels) return kernels.errors();
        image.resources = std::move(kernels).value();
        image.resources_from = ResourcesFrom::kCubin;
    }
    return image;
}

// PTX is text that names its version before anything but comments.
bool looks_like_ptx(std::string_view text) {
    return text.find('\0') >= std::min<std::size_t>(text.size(), 4096) &&
           text.find(".version") != std::string_view::npos;
}

LoadedPtx as_loaded(const std::string& file, std::string text, std::string assembler_options = {}) {
    const char suffix = ptx_target_suffix_of(text);
    return {file, ptx_target_of(text), suffix == 'a', suffix == 'f', std::move(text), std::move(assembler_options)};
}

Result<LoadedImage> read_image(const fs::path& path, const CompileOptions& options, unsigned device_sm) {
    const std::string file = path.string();
    if (path.extension() == ".cu") {
        auto compiled = compile_to_ptx(path, options);
        if (!compiled) return compiled.errors();
        LoadedImage image;
        image.ptx.push_back(as_loaded(file, std::move(compiled->ptx), std::move(compiled->assembler_options)));
        image.compiler_name = compiled->compiler_name;
        return image;
    }
    auto text = read_file(path);
    if (!text) return text.errors();
    const auto bytes = std::as_bytes(std::span(*text));
    std::uint32_t magic = 0;
    if (bytes.size() >= sizeof magic) std::memcpy(&magic, bytes.data(), sizeof magic);
    if (magic == kFatbinMagic) return from_fatbinary(bytes, file, device_sm);
    if (is_cubin(bytes))
        return error("image-no-ptx", {file, 0, 0}, "this is a cubin: machine code for GPUs, with no PTX",
                     "compile with nvcc -ptx, or -fatbin -gencode arch=compute_90,code=compute_90");
    if (text->starts_with("\177ELF"))
        return error("image-executable", {file, 0, 0}, "this is an executable, not a kernel", "tilescope run " + file);
    if (!looks_like_ptx(*text))
        return error("image-unknown", {file, 0, 0}, "this is neither PTX nor a fat binary nor a .cu file");
    LoadedImage image;
    image.ptx.push_back(as_loaded(file, std::move(text).value()));
    return image;
}

}  // namespace

const LoadedPtx* select_ptx(const std::vector<LoadedPtx>& ptx, unsigned device_sm) {
    return newest<LoadedPtx>(ptx, device_sm, [](const LoadedPtx&) { return true; });
}

const FatEntry* select_ptx(const std::vector<FatEntry>& entries, unsigned device_sm) {
    return newest<FatEntry>(entries, device_sm, [](const FatEntry& entry) { return entry.kind == FatKind::kPtx; });
}

const LoadedPtx* select_newer_ptx(const std::vector<LoadedPtx>& ptx, unsigned device_sm) {
    return oldest_newer<LoadedPtx>(ptx, device_sm, [](const LoadedPtx&) { return true; });
}

const FatEntry* select_newer_ptx(const std::vector<FatEntry>& entries, unsigned device_sm) {
    return oldest_newer<FatEntry>(entries, device_sm,
                                  [](const FatEntry& entry) { return entry.kind == FatKind::kPtx; });
}

const FatEntry* select_cubin(const std::vector<FatEntry>& entries, unsigned device_sm) {
    const FatEntry* best =
        newest<FatEntry>(entries, device_sm, [](const FatEntry& entry) { return entry.kind == FatKind::kCubin; });
    return best != nullptr && best->sm / 10 == device_sm / 10 ? best : nullptr;
}

void ask_for_resources(LoadedImage& image, unsigned device_sm, const fs::path& cache_dir,
                       std::optional<std::chrono::steady_clock::time_point> deadline) {
    const LoadedPtx* chosen = select_ptx(image.ptx, device_sm);
    if (image.resources_from != ResourcesFrom::kNone || chosen == nullptr || find_ptxas().empty()) return;
    // PTX that our machine takes and this assembler does not is no reason to refuse it.
    auto kernels = assemble(chosen->text, device_sm, cache_dir, contracts(chosen->assembler_options), deadline);
    if (!kernels) {
        image.notes = worth_a_word(kernels.errors());
        return;
    }
    image.resources = std::move(kernels).value();
    image.resources_from = ResourcesFrom::kPtxas;
}

Result<LoadedImage> load_image(const fs::path& path, const CompileOptions& options, unsigned device_sm,
                               bool ask_ptxas) {
    auto image = read_image(path, options, device_sm);
    if (image && ask_ptxas) ask_for_resources(*image, device_sm, options.cache_dir);
    return image;
}

LoadedImage load_entries(const std::vector<FatEntry>& entries, const std::string& unnamed, unsigned device_sm,
                         bool ask_ptxas) {
    LoadedImage image;
    image.ptx = all_ptx(entries, unnamed);
    if (const FatEntry* cubin = select_cubin(entries, device_sm)) {
        if (auto kernels = parse_cubin(cubin->payload)) {
            image.resources = std::move(kernels).value();
            image.resources_from = ResourcesFrom::kCubin;
        }
    }
    if (ask_ptxas) ask_for_resources(image, device_sm);
    return image;
}

}  // namespace tilescope::image

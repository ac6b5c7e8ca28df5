#include "scope/image/executable.h"

#include <elf.h>

#include <algorithm>
#include <cstdlib>
#include <optional>

#include "scope/image/cubin.h"
#include "scope/image/elf_view.h"
#include "scope/image/process.h"
#include "scope/image/static_runtime.h"

namespace tilescope::image {
namespace {

constexpr std::string_view kRuntime = "libcudart.so.", kDriver = "libcuda.so";

// Kernels that exist as machine code only; what nvcc's device linker adds to a program has none.
bool has_kernels(const FatEntry& entry) {
    if (entry.kind != FatKind::kCubin) return false;
    const auto kernels = parse_cubin(entry.payload);
    return kernels && !kernels->empty();
}

Result<ElfView> open_executable(const std::string& text, const std::string& name) {
    auto elf = ElfView::open(std::as_bytes(std::span(text)));
    if (!elf || elf->machine() != EM_X86_64 || (elf->type() != ET_EXEC && elf->type() != ET_DYN))
        return error("image-not-executable", {name, 0, 0}, "this is not an x86-64 Linux executable",
                     elf && elf->machine() == 190 ? "this is a cubin, which holds no PTX"
                     : text.starts_with("#!")
                         ? "a script runs with all that it starts behind --: tilescope run -- " + name
                         : "");
    return std::move(*elf);
}

// Nothing where there is no section for device code at all.
Result<std::optional<std::vector<FatEntry>>> code_of(const ElfView& elf, const std::string& name) {
    std::optional<std::vector<FatEntry>> all;
    for (const char* section_name : {".nv_fatbin", "__nv_relfatbin"}) {
        const ElfSection* section = elf.find(section_name);
        if (section == nullptr) continue;
        auto entries = parse_fatbinary(section->contents, name);
        if (!entries) return entries.errors();
        if (!all) all.emplace();
        std::move(entries->begin(), entries->end(), std::back_inserter(*all));
    }
    return all;
}

}  // namespace

Result<Executable> inspect_executable(const std::filesystem::path& path) {
    const std::string name = path.string();
    const auto text = read_file(path);
    if (!text) return text.errors();
    const auto elf = open_executable(*text, name);
    if (!elf) return elf.errors();

    Executable result;
    result.libraries = elf->needed();
    auto code = code_of(*elf, name);
    if (!code) return code.errors();
    const bool any_section = code->has_value();
    if (any_section) result.entries = std::move(**code);
    for (const std::string& library : result.libraries) {
        if (!library.starts_with(kRuntime)) continue;
        result.cudart = library;
        result.cudart_major = static_cast<unsigned>(std::atoi(library.c_str() + kRuntime.size()));
    }
    if (result.cudart.empty()) {
        result.cudart_major = static_runtime_release(elf->symbols());
        result.has_static_runtime = result.cudart_major != 0;
    }
    if (result.has_static_runtime) {
        result.cudart =
            std::string(kRuntime) + (result.cudart_major == 11 ? "11.0" : std::to_string(result.cudart_major));
    } else if (result.cudart.empty()) {
        // A runtime that is linked in knows its errors by name, and the driver's, as programs do that need no runtime.
        const bool holds_runtime = text->find("cudaErrorCudartUnloading") != std::string::npos;
        const bool asks_for_driver =
            std::any_of(result.libraries.begin(), result.libraries.end(),
                        [](const std::string& library) { return library.starts_with(kDriver); });
        result.uses_driver = asks_for_driver || text->find(kDriver) != std::string::npos;
        if (!any_section && !asks_for_driver && (!result.uses_driver || holds_runtime))
            return error("image-no-cuda", {name, 0, 0},
                         "this program holds no CUDA code and uses neither the CUDA runtime nor the driver",
                         "where its libraries do, or programs that it starts: tilescope run -- " + name);
        if ((holds_runtime && !asks_for_driver) || !result.uses_driver)
            return error("image-static-runtime", {name, 0, 0},
                         "the CUDA runtime is linked into this program, which has no symbols to find its functions by",
                         "do not strip it, or rebuild with nvcc -cudart shared; with CMake, set the property "
                         "CUDA_RUNTIME_LIBRARY to Shared");
        return result;
    }
    const bool ptx = std::any_of(result.entries.begin(), result.entries.end(),
                                 [](const FatEntry& entry) { return entry.kind == FatKind::kPtx; });
    if (!ptx && std::any_of(result.entries.begin(), result.entries.end(), has_kernels))
        return error("image-no-ptx", {name, 0, 0}, "this program holds machine code for GPUs but no PTX",
                     "rebuild with nvcc -gencode arch=compute_90,code=compute_90");
    return result;
}

Status check_interpreter(const std::filesystem::path& path) {
    std::error_code failed;
    const std::filesystem::path whole = std::filesystem::canonical(path, failed);
    const auto is_python = [](const std::string& name) {
        return name.starts_with("python") && name.find_first_not_of("0123456789.", 6) == std::string::npos;
    };
    if (path.extension() != ".py" && !is_python(path.filename().string()) && !is_python(whole.filename().string()))
        return Success{};
    return error("image-python", {path.string(), 0, 0}, "this is a Python program, which has no CUDA code in itself",
                 "name it behind --, and all that it loads and starts is followed: tilescope run -- python3 script.py");
}

bool is_unsupported(const Diagnostics& errors) {
    return std::any_of(errors.begin(), errors.end(),
                       [](const Diagnostic& each) { return each.code == "image-python"; });
}

Result<std::vector<FatEntry>> embedded_code(const std::filesystem::path& path) {
    const std::string name = path.string();
    const auto text = read_file(path);
    if (!text) return text.errors();
    const auto elf = open_executable(*text, name);
    if (!elf) return elf.errors();
    auto code = code_of(*elf, name);
    if (!code) return code.errors();
    if (!code->has_value()) return error("image-no-cuda", {name, 0, 0}, "this program holds no CUDA code");
    return std::move(**code);
}

}  // namespace tilescope::image

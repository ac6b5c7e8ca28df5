// The one door for `tilescope launch`: a file by its path, whatever it is, as PTX and what is known of its kernels.
#pragma once

#include <chrono>
#include <filesystem>
#include <optional>
#include <string>
#include <vector>

#include "scope/base/result.h"
#include "scope/image/compile.h"
#include "scope/image/cubin.h"
#include "scope/image/fatbinary.h"

namespace tilescope::image {

// Where the registers and sizes of a kernel come from, as the profile says.
enum class ResourcesFrom { kNone, kCubin, kPtxas };

struct LoadedPtx {
    std::string name;  // for diagnostics: the path, or the source's name inside a fat binary
    unsigned sm = 0;
    bool arch_specific = false, family_specific = false;
    std::string text;
    std::string assembler_options = {};  // what ptxas was told with it, or would have been
};

struct LoadedImage {
    std::vector<LoadedPtx> ptx;  // one for each architecture; at least one
    std::vector<KernelResources> resources;
    ResourcesFrom resources_from = ResourcesFrom::kNone;
    std::string compiler_name;  // of a .cu file; else empty
    Diagnostics notes;          // why ptxas told nothing, where that is worth a word
};

// PTX text, a .cu file (compiled), or a fat binary; told apart by content, a .cu file by its name. `device_sm` (90)
// chooses the cubin whose figures are taken; where the file has none, ptxas is asked if it is installed and
// `ask_ptxas`. A cubin alone is "image-no-ptx"; an executable "image-executable", with the command that runs it.
Result<LoadedImage> load_image(const std::filesystem::path& path, const CompileOptions& options, unsigned device_sm,
                               bool ask_ptxas = true);

// Asks ptxas about the PTX that the device runs, where no machine code told and it is installed; not past the deadline.
void ask_for_resources(LoadedImage& image, unsigned device_sm, const std::filesystem::path& cache_dir = {},
                       std::optional<std::chrono::steady_clock::time_point> deadline = {});

// The same of a fat binary's entries. `unnamed` names PTX that carries no name. Machine code that cannot be read tells
// nothing, and then ptxas is asked.
LoadedImage load_entries(const std::vector<FatEntry>& entries, const std::string& unnamed, unsigned device_sm,
                         bool ask_ptxas = true);

// The PTX that a device runs: of the architectures up to its own the highest; of equals the architecture-specific form
// (compute_90a), which only that very architecture runs. nullptr if none.
const LoadedPtx* select_ptx(const std::vector<LoadedPtx>& ptx, unsigned device_sm);
const FatEntry* select_ptx(const std::vector<FatEntry>& entries, unsigned device_sm);
// Where there is none, of the PTX for newer architectures the oldest, but none for one architecture or family alone:
// the device may have all that it needs, though no driver would load it there. nullptr if there is no such PTX.
const LoadedPtx* select_newer_ptx(const std::vector<LoadedPtx>& ptx, unsigned device_sm);
const FatEntry* select_newer_ptx(const std::vector<FatEntry>& entries, unsigned device_sm);

// The machine code that the device would run rather: same major architecture, not newer. nullptr if none.
const FatEntry* select_cubin(const std::vector<FatEntry>& entries, unsigned device_sm);

}  // namespace tilescope::image

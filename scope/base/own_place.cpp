#include "scope/base/own_place.h"

#include <dlfcn.h>
#include <link.h>

#include <system_error>

namespace tilescope {

namespace fs = std::filesystem;

fs::path own_file() {
    Dl_info about{};
    void* map = nullptr;
    if (dladdr1(reinterpret_cast<const void*>(&own_file), &about, &map, RTLD_DL_LINKMAP) == 0) return {};
    const char* const name = map != nullptr ? static_cast<const link_map*>(map)->l_name : about.dli_fname;
    // The program itself has no name here, and about.dli_fname is how it was called, which no longer need be a path to
    // it.
    const fs::path given = name != nullptr && *name != '\0' ? name : "/proc/self/exe";
    std::error_code failed;
    fs::path file = fs::canonical(given, failed);
    return failed ? fs::path() : file;
}

fs::path own_share() {
    fs::path folder = own_file().parent_path();
    constexpr int kBelow = 2;  // bin, or lib/tilescope
    std::error_code failed;
    for (int up = 0; up < kBelow && folder.has_relative_path(); ++up) {
        folder = folder.parent_path();
        if (fs::path share = folder / "share/tilescope"; fs::exists(share / "include/cuda_runtime.h", failed))
            return share;
    }
    return {};
}

}  // namespace tilescope

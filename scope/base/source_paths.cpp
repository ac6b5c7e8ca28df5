#include "scope/base/source_paths.h"

#include <array>

namespace tilescope {
namespace {

constexpr std::array<std::string_view, 5> kFolders = {"/usr/include/", "/usr/lib/", "/usr/local/lib/", "/opt/",
                                                      "/usr/local/cuda"};
// Ours, wherever they lie: in the source tree and where they are installed.
constexpr std::array<std::string_view, 2> kOurHeaders = {"/scope/image/include/", "/share/tilescope/include/"};

}  // namespace

std::span<const std::string_view> library_folders() { return kFolders; }

bool is_library_source(std::string_view path) {
    for (const std::string_view folder : kFolders)
        if (path.starts_with(folder)) return true;
    for (const std::string_view folder : kOurHeaders)
        if (path.find(folder) != std::string_view::npos) return true;
    return false;
}

}  // namespace tilescope

#include "scope/image/made_for.h"

namespace tilescope::image {
namespace {

constexpr std::string_view kMark = "\n// made by tilescope for ";

}  // namespace

std::string made_for_comment(std::string_view target) { return std::string(kMark) + std::string(target) + "\n"; }

std::string_view made_for(std::string_view ptx) {
    const std::size_t at = ptx.rfind(kMark);
    if (at == std::string_view::npos) return {};
    const std::string_view rest = ptx.substr(at + kMark.size());
    return rest.substr(0, rest.find('\n'));
}

}  // namespace tilescope::image

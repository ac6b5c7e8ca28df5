// Dark colours for pictures that are drawn in light ones.
#include <string_view>

#include "scope/views/render/picture_view.h"
#include "scope/views/render/svg_text.h"

namespace tilescope::views {
namespace {

// What stands on white, and what stands for it on a dark ground: as legible, and told apart as well.
struct Shade {
    std::string_view light, dark;
};
constexpr Shade kShades[] = {
    {"#ffffff", "#0f1720"}, {"#1f2933", "#e6eaee"}, {"#52606d", "#a7b3bf"}, {"#b42318", "#ff8a7a"},
    {"#1f5a99", "#7db4ee"}, {"#8a5a00", "#e0b155"}, {"#1b7a5a", "#66cfa6"}, {"#7a3e7a", "#d39ad3"},
    {"#a13d63", "#f094b5"}, {"#eef1f4", "#1b2530"}, {"#cfd6dd", "#33404d"}, {"#d5dbe1", "#33404d"},
    {"#d6e6f7", "#1d3a57"}, {"#f3f8fd", "#14202d"}, {"#d5eddc", "#1b4430"}, {"#f3faf5", "#13231b"},
    {"#fde8c4", "#54401a"}, {"#fffaf0", "#241e12"}, {"#f7d9d5", "#5a2a25"}, {"#fdf5f4", "#261817"},
    {"#e4e8ec", "#2f3a45"}, {"#f7f9fa", "#18212a"}, {"#ecdcf5", "#452a55"}, {"#faf6fd", "#201827"}};

std::string style() {
    std::string text = "<style>@media (prefers-color-scheme: dark) {";
    for (const Shade& shade : kShades)
        for (const char* what : {"fill", "stroke"})
            text += std::string("[") + what + "=\"" + std::string(shade.light) + "\"]{" + what + ":" +
                    std::string(shade.dark) + "}";
    return text + "}</style>\n";
}

}  // namespace

std::string for_light_and_dark(std::string svg, const std::string& title) {
    const std::size_t root = svg.find("<svg ");
    const std::size_t inside = root == std::string::npos ? root : svg.find('>', root);
    if (inside == std::string::npos) return svg;
    constexpr std::string_view kOpen = "<title>", kClose = "</title>";
    const std::size_t begin = svg.find(kOpen, inside), end = svg.find(kClose, inside);
    if (!title.empty() && begin != std::string::npos && end != std::string::npos)
        svg.replace(begin + kOpen.size(), end - begin - kOpen.size(), svg_escaped(title));
    return svg.insert(inside + 1, "\n" + style());
}

}  // namespace tilescope::views

#include "scope/cli/about.h"

#include <fmt/format.h>

#include <string>
#include <string_view>
#include <thread>
#include <vector>

#include "scope/base/own_place.h"
#include "scope/cli/program.h"
#include "scope/cli/version.h"
#include "scope/image/compile.h"
#include "scope/image/toolchain.h"
#include "scope/models/device.h"
#include "scope/session/lanes.h"
#include "scope/session/options.h"

namespace tilescope::cli {
namespace {

std::string row(std::string_view label, std::string_view text) { return fmt::format("  {:<15}{}\n", label, text); }

// A list of names, over as many lines as it takes.
std::string rows(const char* label, const std::vector<std::string>& names, const std::string& last) {
    constexpr std::size_t kWidth = 80;
    std::string text, line;
    for (std::size_t i = 0; i < names.size(); ++i) {
        const std::string next = names[i] + (i + 1 < names.size() ? "," : last);
        if (!line.empty() && line.size() + 1 + next.size() > kWidth) {
            text += row(text.empty() ? label : "", line);
            line.clear();
        }
        line += (line.empty() ? "" : " ") + next;
    }
    return text + row(text.empty() ? label : "", line);
}

std::string lanes() {
    const LaneTargets targets = lane_targets();
    return fmt::format("built for {}; this processor runs {}; used: {}", fmt::join(targets.compiled, ", "),
                       fmt::join(targets.runnable, ", "), targets.chosen);
}

std::string compilers() {
    std::string text;
    for (const image::Toolchain& found : image::installed_toolchains())
        text += row(text.empty() ? "for .cu files" : "", fmt::format("{}, {}", found.name, found.program.string()));
    if (!text.empty()) return text;
    return row("for .cu files", "no compiler: apt-get install clang-19, or the newest of 14 to 19 that there is");
}

std::string built_by() {
#if defined(__clang__)
    return "clang " __clang_version__;
#else
    return "g++ " __VERSION__;
#endif
}

}  // namespace

std::string about() {
    std::string text = std::string("tilescope ") + kVersion + "\n";
    text += row("built by", built_by());
    text += row("lanes", lanes());
    text += rows("devices", models::device_names(), fmt::format(" (default {})", SessionOptions().device));
    text += compilers();
    const auto ptxas = image::find_ptxas();
    text += row("ptxas", ptxas.empty() ? "none: registers are estimated where no machine code tells" : ptxas.string());
    const auto runtimes = runtime_folder();
    text += row("runtimes", runtimes ? *runtimes : runtimes.errors().front().message);
    text += row("CUDA headers", image::default_headers_dir().string());
    text += row("installed", own_share().empty() ? "no: run from where it was built"
                                                 : own_share().parent_path().parent_path().string());
    return text + row("cores", fmt::format("{}", std::thread::hardware_concurrency()));
}

}  // namespace tilescope::cli

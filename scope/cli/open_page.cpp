#include "scope/cli/open_page.h"

#include <chrono>
#include <cstdlib>
#include <filesystem>
#include <system_error>

#include "scope/base/process.h"
#include "scope/cli/command.h"

namespace tilescope::cli {
namespace {

bool has_screen() {
    const auto is_set = [](const char* name) {
        const char* value = std::getenv(name);
        return value != nullptr && *value != '\0';
    };
    return is_set("DISPLAY") || is_set("WAYLAND_DISPLAY");
}

}  // namespace

void open_page(const std::string& file) {
    std::error_code failed;
    const std::filesystem::path path = std::filesystem::absolute(file, failed);
    const std::string shown = failed ? file : path.string();
    ProcessRequest request;
    request.program = "xdg-open";
    request.arguments = {request.program, shown};
    Process opener;
    const bool started = opener.start(request).reason == 0;
    // With a screen it may become the browser, which runs on without us; else one that takes this terminal.
    constexpr std::chrono::seconds kPatience{5};
    Process::Deadline deadline;
    if (has_screen()) deadline = Process::Clock::now() + kPatience;
    if (started && opener.wait(deadline) != Process::State::kEnded) return;
    if (started && opener.signal() == 0 && opener.status() == 0) return;
    complain(Diagnostic{Severity::kNote,
                        "cli-open",
                        {shown},
                        started ? "xdg-open could not open this page" : "there is no xdg-open here to open this page",
                        "open it in a browser: file://" + shown});
}

Diagnostic nothing_to_open() {
    return error("cli-usage", {}, "--open shows the page that --html writes to a file, and there is none",
                 "add --html FILE");
}

}  // namespace tilescope::cli

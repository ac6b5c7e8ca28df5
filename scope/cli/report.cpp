// `tilescope report`: a profile that was written earlier, printed or converted.
#include <unistd.h>

#include <CLI/CLI.hpp>
#include <filesystem>
#include <map>
#include <memory>

#include "scope/cli/command.h"
#include "scope/cli/exit_status.h"
#include "scope/cli/finish.h"
#include "scope/cli/open_page.h"
#include "scope/cli/profile_file.h"
#include "scope/cli/run_options.h"
#include "scope/cli/version.h"
#include "scope/models/device.h"
#include "scope/models/time/on_device.h"
#include "scope/report/fold.h"
#include "scope/views/view.h"
#include "scope/views/words/speak.h"

namespace tilescope::cli {
namespace {

struct ReportCommand {
    std::string profile, device, output = "-", color = "auto";
    std::map<std::string, bool> chosen;  // view name to whether its flag was given
    bool verbose = false, fold = false, open = false;
};

views::ViewOptions report_view_options(const ReportCommand& command, const Profile& profile) {
    views::ViewOptions options;
    options.color = command.output == "-" ? wants_color(command.color, STDOUT_FILENO) : command.color == "always";
    options.verbose = command.verbose;
    options.tool_version = kVersion;
    options.source_directories = {".", std::filesystem::path(profile.program).parent_path().string(),
                                  std::filesystem::path(command.profile).parent_path().string()};
    // A device that this tilescope does not know leaves the report without a ridge, no more.
    if (const auto device = models::load_device(profile.device)) {
        options.device = std::make_shared<models::Device>(*device);
        set_ridges(*device, options);
        options.functions_assumed = !has_compared_functions(*device);
    }
    return options;
}

int run_report(const ReportCommand& command) {
    const views::View* view = nullptr;
    for (const auto& [name, given] : command.chosen) {
        if (!given) continue;
        if (view != nullptr) {
            complain(error("cli-usage", {}, "one form at a time: --" + std::string(view->name) + " or --" + name));
            return kUsage;
        }
        view = views::view_by_name(name);
    }
    if (view == nullptr) view = views::view_by_name(views::kText);
    if (command.open && (view->name != views::kHtml || command.output == "-")) {
        Diagnostic why = nothing_to_open();
        why.hint = "add --html -o FILE";
        complain(why);
        return kUsage;
    }
    // Everything that a terminal is asked to show is more than that.
    const bool wants_all = view->shows_all_hazards || (command.verbose && view->name == views::kText);
    auto profile =
        wants_all ? load_profile(command.profile) : load_profile(command.profile, {views::kMostHazardsShown});
    if (!profile) return complain(profile.errors()), kUsage;
    if (!command.device.empty()) {
        const auto device = models::load_device(command.device);
        if (!device) return complain(device.errors()), kUsage;
        *profile = models::on_device(*profile, *device);
        views::speak(*profile);
        for (const Diagnostic& note : profile->diagnostics)
            if (note.code == "other-device" || note.code == "no-time" || note.code == "no-time-line") complain({note});
    }
    if ((view->name == views::kChromeTrace || view->name == views::kTimeLine) && profile->timeline.empty()) {
        complain(error("no-time-line", {command.profile}, "this profile has no timeline",
                       "use `run --caches on` without --sample, --kernel and --launches, on a device with a known host "
                       "link"));
        return kUsage;
    }
    const Status written = write_text(command.output, view->render(command.fold ? report::fold(*profile) : *profile,
                                                                   report_view_options(command, *profile)));
    if (!written) return complain(written.errors()), kUsage;
    if (command.open) open_page(command.output);
    return kRan;
}

}  // namespace

Action add_report(CLI::App& app) {
    auto command = std::make_shared<ReportCommand>();
    app.add_option("PROFILE", command->profile, "a profile that `run --json` wrote")->required();
    for (const views::View& view : views::all_views())
        app.add_flag("--" + std::string(view.name), command->chosen[std::string(view.name)],
                     std::string(view.description));
    app.add_option("-o,--output", command->output, "write to FILE instead of standard output")->type_name("FILE");
    app.add_flag("--open", command->open, "open the page that --html wrote");
    app.add_option("--device", command->device, "recompute occupancy, roofline, advice and time for this GPU")
        ->type_name("DEVICE");
    app.add_flag("-v,--verbose", command->verbose, "report every launch");
    app.add_flag("--fold", command->fold, "merge all launches of a kernel into one entry");
    add_color_option(app, command->color);
    return [command](const Invocation&) { return run_report(*command); };
}

}  // namespace tilescope::cli

// `tilescope tile`: which tile of a matrix product, before there is a kernel, or for one that was run.
#include <unistd.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <charconv>
#include <iostream>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "scope/cli/command.h"
#include "scope/cli/exit_status.h"
#include "scope/cli/finish.h"
#include "scope/cli/help.h"
#include "scope/cli/kernel_choice.h"
#include "scope/cli/kernel_figures.h"
#include "scope/cli/profile_file.h"
#include "scope/cli/run_options.h"
#include "scope/cli/tile_answer.h"
#include "scope/explore/tile.h"
#include "scope/models/time/on_device.h"

namespace tilescope::cli {
namespace {

// As typed; empty where nothing was.
struct TileCommand {
    std::string device, n, m, k, type = "f32", tiles, results, what_if, json, color = "auto";
    bool all = false;
};

std::optional<std::uint64_t> whole_number(std::string_view text) {
    std::uint64_t value = 0;
    const auto [end, failed] = std::from_chars(text.data(), text.data() + text.size(), value);
    if (text.empty() || failed != std::errc() || end != text.data() + text.size()) return std::nullopt;
    return value;
}

Diagnostic bad_number(const std::string& option, const std::string& text, const std::string& hint) {
    return error("cli-value", {}, option + ": cannot use \"" + text + "\"", hint);
}

void take_side(const std::string& text, const char* option, std::uint64_t& into, Diagnostics& errors) {
    if (text.empty()) return;
    const auto value = whole_number(text);
    if (value && *value >= 1 && *value <= explore::kMaxTileShape)
        into = *value;
    else
        errors.push_back(
            bad_number(option, text, "write a whole number from 1 to " + std::to_string(explore::kMaxTileShape)));
}

// "8,16,32"
void take_list(const std::string& text, const char* option, std::vector<std::uint32_t>& into, Diagnostics& errors) {
    constexpr std::size_t kMost = 64;
    constexpr std::uint64_t kLargest = 1'000'000;
    for (std::size_t begin = 0; begin < text.size();) {
        const std::size_t end = std::min(text.find(',', begin), text.size());
        const auto value = whole_number(std::string_view(text).substr(begin, end - begin));
        if (!value || *value > kLargest || into.size() == kMost) {
            errors.push_back(bad_number(option, text, "write whole numbers with commas between: 8,16,32"));
            return;
        }
        into.push_back(static_cast<std::uint32_t>(*value));
        begin = end + 1;
    }
}

Result<explore::TileQuestion> tile_question(const TileCommand& command) {
    explore::TileQuestion question;
    Diagnostics errors;
    take_side(command.n, "--n", question.n, errors);
    take_side(command.m, "--m", question.m, errors);
    take_side(command.k, "--k", question.k, errors);
    take_list(command.tiles, "--tile", question.tiles, errors);
    take_list(command.results, "--results", question.results, errors);
    question.type = command.type;
    question.all = command.all;
    const bool has_shape = !command.n.empty() || !command.m.empty() || !command.k.empty();
    if (command.what_if.empty() && command.n.empty())
        errors.push_back(error("cli-usage", {},
                               "which product? give --n, and --m and --k if it is not square, or --what-if",
                               "for example tilescope tile --device a100 --n 1000"));
    if (!command.what_if.empty() && has_shape)
        errors.push_back(error("cli-usage", {}, "--what-if says the shape: --n, --m and --k do not go with it"));
    if (!errors.empty()) return errors;
    return question;
}

// The launch that FILE:NAME means: a kernel's first, or a number.
Result<LaunchProfile> launch_of_spec(const Profile& profile, const KernelSpec& spec) {
    if (const auto index = whole_number(spec.name)) {
        if (*index < profile.launches.size()) return profile.launches[*index];
        return error("cli-unknown-kernel", {spec.file},
                     "there is no launch " + spec.name + ": there are " + std::to_string(profile.launches.size()));
    }
    std::vector<KernelName> kernels;
    std::vector<std::size_t> first;
    for (std::size_t i = 0; i < profile.launches.size(); ++i) {
        const LaunchProfile& launch = profile.launches[i];
        bool known = false;
        for (const KernelName& kernel : kernels) known = known || kernel.entry == launch.entry;
        if (known) continue;
        kernels.push_back({launch.kernel, launch.entry, {}});
        first.push_back(i);
    }
    const auto which = choose_kernel(kernels, spec.name, spec.file, "choose one with --what-if FILE:NAME");
    if (!which) return which.errors();
    return profile.launches[first[*which]];
}

Result<TileTable> what_if(const TileCommand& command, explore::TileQuestion question) {
    const KernelSpec spec = parse_kernel_spec(command.what_if);
    const auto profile = load_profile(spec.file);
    if (!profile) return profile.errors();
    const std::string name = command.device.empty() ? profile->device : command.device;
    auto device = models::load_device(name);
    if (!device) return device.errors();
    Profile there = *profile;
    if (profile->device != device->name) there = models::on_device(*profile, *device);
    const auto launch = launch_of_spec(there, spec);
    if (!launch) return launch.errors();
    const auto shape = explore::shape_of_product(*launch);
    if (!shape) return shape.errors();
    question.n = shape->n;
    question.m = shape->m;
    question.k = shape->k;
    question.launch = &*launch;
    auto table = explore::explore_tiles(*device, question);
    if (!table) return table;
    TiledKernel& kernel = table->kernel.emplace();
    kernel.name = launch->kernel;
    kernel.asked_times = shape->asked_times;
    kernel.intensity = shape->asked_times / sizeof(float);
    kernel.occupancy = launch->occupancy;
    if (launch->time) kernel.microseconds = launch->time->microseconds;
    return table;
}

Result<TileTable> table_of(const TileCommand& command) {
    const auto question = tile_question(command);
    if (!question) return question.errors();
    if (!command.what_if.empty()) return what_if(command, *question);
    const auto device = models::load_device(command.device.empty() ? "h200" : command.device);
    if (!device) return device.errors();
    return explore::explore_tiles(*device, *question);
}

int run_tile(const TileCommand& command) {
    const auto table = table_of(command);
    if (!table) return complain(table.errors()), kUsage;
    if (!command.json.empty())
        if (const Status written = write_text(command.json, tile_json(*table)); !written)
            return complain(written.errors()), kUsage;
    // Where data goes to standard output, nothing else does.
    if (command.json != "-") std::cout << tile_text(*table, wants_color(command.color, STDOUT_FILENO)) << std::flush;
    return kRan;
}

}  // namespace

Action add_tile(CLI::App& app) {
    auto command = std::make_shared<TileCommand>();
    const auto add = [&](const char* name, std::string& into, const char* text, const char* type) {
        return app.add_option(name, into, text)->check(not_empty())->type_name(type);
    };
    add("--device", command->device, "a name that `devices` lists, or a JSON file (h200; of a profile: its own)",
        "NAME");
    add("--n", command->n, "columns of N and P", "N");
    add("--m", command->m, "rows of M and P (as --n)", "N");
    add("--k", command->k, "columns of M, rows of N (as --n)", "N");
    add("--type", command->type, "of the elements", "f32|f64");
    add("--tile", command->tiles, "tiles T, of T × T threads (powers of two, and what divides the matrices)", "T,...");
    add("--results", command->results, "elements of P that a thread makes, one below the other's tile (1,2,4,8)",
        "R,...");
    app.add_flag("--all", command->all, "show every tile from 2 × 2 on");
    add("--what-if", command->what_if,
        "of a matrix product that was run: its shape, and times that start from its modeled one; a kernel of a "
        "profile by "
        "name or launch",
        "PROFILE.json:NAME");
    app.add_option_function<std::string>(
           "--json", [command](const std::string& file) { command->json = file.empty() ? "-" : file; },
           "write everything as JSON to FILE; - for standard output")
        ->expected(0, 1)
        ->type_name("[FILE]")
        ->group(kOutputGroup);
    add_color_option(app, command->color);
    app.footer(
        "Registers and times are estimated, for the textbook's kernel (docs/guide/explorers.md).\n"
        "Examples: tilescope tile --device a100 --n 1000\n"
        "          tilescope tile --n 512 --tile 16,32 --results 1,4\n"
        "          tilescope tile --what-if p.json:naive");
    return [command](const Invocation&) { return run_tile(*command); };
}

}  // namespace tilescope::cli

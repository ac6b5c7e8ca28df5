// `tilescope compare`: two profiles, a profile and the hardware's counters, or two kernels of one profile.
#include <unistd.h>

#include <CLI/CLI.hpp>
#include <filesystem>
#include <iostream>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <variant>

#include "scope/cli/command.h"
#include "scope/cli/exit_status.h"
#include "scope/cli/finish.h"
#include "scope/cli/open_page.h"
#include "scope/cli/profile_file.h"
#include "scope/cli/run_options.h"
#include "scope/cli/version.h"
#include "scope/report/json.h"
#include "scope/views/page/page.h"
#include "scope/views/render/comparison_view.h"

namespace tilescope::cli {
namespace {

struct CompareCommand {
    std::string before, after, kernels, json, html, markdown, color = "auto";
    bool verbose = false, open = false;
};

// Of a launch, and of a run, are held against the other side's: errors, and others.
constexpr report::ReadLimits kCompared{1'000};

// The comparison and what it was made of.
struct Compared {
    report::Comparison comparison;
    Profile before;
    std::optional<Profile> after;  // nothing where the other side is a profiler's file, or the same profile
};

Result<Compared> compare_files(const CompareCommand& command, Profile before) {
    const auto other = load_profile_or_text(command.after, kCompared);
    if (!other) return other.errors();
    Compared compared;
    if (const auto* const text = std::get_if<std::string>(&*other)) {
        const auto measured = report::read_ncu_csv(*text);
        if (!measured) return measured.errors();
        compared.comparison = report::compare(before, *measured);
    } else {
        compared.after = std::get<Profile>(*other);
        compared.comparison = report::compare(before, *compared.after);
    }
    compared.comparison.before = command.before;
    compared.comparison.after = command.after;
    compared.before = std::move(before);
    return compared;
}

Result<report::Comparison> compare_named(const CompareCommand& command, const Profile& profile, const Profile& other) {
    const std::size_t comma = command.kernels.find(',');
    if (comma == std::string::npos || comma == 0 || comma + 1 == command.kernels.size())
        return error("cli-value", {}, "--kernels: cannot use \"" + command.kernels + "\"",
                     "give two names or patterns, separated by a comma: naive,tiled");
    return report::compare_kernels(profile, std::string_view(command.kernels).substr(0, comma), other,
                                   std::string_view(command.kernels).substr(comma + 1));
}

Result<Compared> comparison_of(const CompareCommand& command) {
    if (command.kernels.empty() && command.after.empty())
        return error("cli-usage", {}, "what is it compared with? give a second file, or --kernels X,Y",
                     "for example tilescope compare before.json after.json");
    auto before = load_profile(command.before, kCompared);
    if (!before) return before.errors();
    if (command.kernels.empty()) return compare_files(command, std::move(*before));
    Compared compared;
    if (!command.after.empty()) {
        auto after = load_profile(command.after, kCompared);
        if (!after) return after.errors();
        compared.after = std::move(*after);
    }
    auto comparison = compare_named(command, *before, compared.after ? *compared.after : *before);
    if (!comparison) return comparison.errors();
    compared.comparison = std::move(*comparison);
    compared.before = std::move(*before);
    return compared;
}

Status write_page(const CompareCommand& command, const Compared& compared) {
    views::ViewOptions options;
    options.tool_version = kVersion;
    options.source_directories = {"."};
    for (const std::string& file : {compared.before.program, command.before, command.after})
        options.source_directories.push_back(std::filesystem::path(file).parent_path().string());
    return write_text(command.html, views::comparison_page({compared.comparison, compared.before,
                                                            compared.after ? &*compared.after : nullptr},
                                                           options));
}

int run_compare(const CompareCommand& command) {
    if (command.open && (command.html.empty() || command.html == "-")) return complain(nothing_to_open()), kUsage;
    const auto compared = comparison_of(command);
    if (!compared) return complain(compared.errors()), kUsage;
    const report::Comparison& comparison = compared->comparison;
    if (!command.json.empty())
        if (const Status written = write_text(command.json, views::comparison_json(comparison)); !written)
            return complain(written.errors()), kUsage;
    if (!command.markdown.empty())
        if (const Status written = write_text(command.markdown, views::comparison_markdown(comparison)); !written)
            return complain(written.errors()), kUsage;
    if (!command.html.empty()) {
        if (const Status written = write_page(command, *compared); !written) return complain(written.errors()), kUsage;
        if (command.open) open_page(command.html);
    }
    if (command.json != "-" && command.markdown != "-" && command.html != "-") {
        views::ViewOptions options;
        options.color = wants_color(command.color, STDOUT_FILENO);
        options.verbose = command.verbose;
        std::cout << views::comparison_text(comparison, options) << std::flush;
    }
    return kRan;
}

}  // namespace

Action add_compare(CLI::App& app) {
    auto command = std::make_shared<CompareCommand>();
    app.add_option("A", command->before, "a profile that `run --json` wrote")->required();
    app.add_option("B", command->after, "a second profile, or the output of `ncu --csv` for the same program");
    app.add_option("--kernels", command->kernels, "compare two kernels: both from A, or X from A and Y from B")
        ->type_name("X,Y");
    app.add_option("--json", command->json, "write the comparison as JSON to FILE; - for standard output")
        ->type_name("FILE");
    app.add_option("--html", command->html, "write a page with both profiles to FILE; - for standard output")
        ->type_name("FILE");
    app.add_flag("--open", command->open, "open the page in a browser");
    app.add_option("--markdown", command->markdown, "write the comparison as Markdown to FILE; - for standard output")
        ->type_name("FILE");
    app.add_flag("-v,--verbose", command->verbose, "show equal figures, too");
    add_color_option(app, command->color);
    app.footer(
        "Examples: tilescope compare before.json after.json\n"
        "          tilescope compare matmul.json --kernels naive,tiled\n"
        "          tilescope compare before.json after.json --kernels naive,tiled\n"
        "For a profiler's file: ncu --csv --page raw --print-units base --metrics LIST PROGRAM > ncu.csv,\n"
        "with the metrics that the error message about such a file lists.");
    return [command](const Invocation&) { return run_compare(*command); };
}

}  // namespace tilescope::cli

#include "scope/cli/application.h"

#include <algorithm>
#include <cstdint>
#include <filesystem>
#include <iostream>

#include "scope/base/names.h"
#include "scope/cli/about.h"
#include "scope/cli/exit_status.h"
#include "scope/cli/finish.h"
#include "scope/cli/help.h"
#include "scope/cli/source_options.h"
#include "scope/cli/version.h"

namespace tilescope::cli {
namespace {

constexpr const char* kNotYet = "not there yet";

constexpr const char* kFooter =
    "Exit status: 0 it ran; the program's own if that is not 0; 2 wrong usage or unreadable input;\n"
    "3 a kernel faulted or needed something not supported; 4 hazards found by --check; 5 a budget\n"
    "broken; 6 a limit reached. `tilescope COMMAND --help` tells all options of a command.";

Action refuse(const Command& command) {
    return [name = std::string(command.name)](const Invocation&) {
        complain(error("cli-not-yet", {}, "`tilescope " + name + "` is " + kNotYet));
        return static_cast<int>(kUsage);
    };
}

// "did you mean --json?" for the first word that looks like an option of this command and is none.
std::string nearest_option(const CLI::App& command, const std::vector<std::string>& arguments) {
    std::vector<std::string> names;
    for (const CLI::Option* option : command.get_options())
        for (const std::string& name : option->get_lnames()) names.push_back("--" + name);
    for (const std::string& argument : arguments) {
        const std::string name = argument.substr(0, argument.find('='));
        if (!name.starts_with("--") || std::find(names.begin(), names.end(), name) != names.end()) continue;
        const std::string near = nearest(name, names);
        return near.empty() ? std::string() : "did you mean `" + near + "`? ";
    }
    return {};
}

// What follows --json or another option that names an output, "" where it is not there.
std::string value_of(const std::vector<std::string>& arguments, const std::string& option) {
    for (std::size_t i = 0; i < arguments.size(); ++i) {
        if (arguments[i].starts_with(option + "=")) return arguments[i].substr(option.size() + 1);
        if (arguments[i] == option && i + 1 < arguments.size() && !arguments[i + 1].starts_with("--"))
            return arguments[i + 1];
    }
    return {};
}

// A command that runs something leaves no older profile behind, also where its line cannot be read. Tells the error.
int refuse_run(const std::vector<std::string>& arguments, const Diagnostic& wrong) {
    RunOptions options;
    options.json = value_of(arguments, "--json");
    options.sarif = value_of(arguments, "--sarif");
    return give_up(options, {}, {wrong});
}

// An index of `pattern` that looks like an option, as it begins with a minus; "" where there is none.
std::string index_with_minus(const std::vector<std::string>& arguments) {
    const auto found = std::find_if(arguments.begin(), arguments.end(), [](const std::string& word) {
        return word.size() > 2 && word[0] == '-' && word[1] != '-' &&
               (word.find("tid") != std::string::npos || word.find("lane") != std::string::npos ||
                word.find("threadIdx") != std::string::npos);
    });
    return found == arguments.end() ? std::string() : *found;
}

// A flag of nvcc's that is none of ours; "" where there is none.
std::string compiler_flag(const std::vector<std::string>& arguments) {
    static constexpr std::string_view kFlags[] = {"-arch", "-gencode", "--gpu-architecture", "-O", "-X", "-rdc"};
    const auto found = std::find_if(arguments.begin(), arguments.end(), [](const std::string& word) {
        return std::any_of(std::begin(kFlags), std::end(kFlags),
                           [&](std::string_view flag) { return word.starts_with(flag) && word.size() > 2; });
    });
    return found == arguments.end() ? std::string() : *found;
}

// What stands here for an option of Nsight Compute's; "" where there is none.
std::string profiler_option(const std::vector<std::string>& arguments) {
    for (const std::string& word : arguments) {
        const std::string name = word.substr(0, word.find('='));
        if (name == "-k" || name == "--kernel-name") return "choose kernels by their names with --kernel GLOB";
        if (name == "--metrics" || name == "--section" || name == "--set" || name == "--page")
            return "tilescope collects all counters: write them with --json FILE";
        if (name == "-c" || name == "--launch-count" || name == "--launch-skip")
            return "choose launches with --launches A..B";
        if (name == "-o" || name == "--export") return "write the profile with --json FILE";
    }
    return {};
}

// CLI11 says what is wrong with the words; we add the nearest known one and our form.
int report_misuse(const CLI::App& app, const CLI::ParseError& failure, const std::vector<std::string>& arguments,
                  bool starts_others) {
    std::string message = failure.what();
    std::replace(message.begin(), message.end(), '\n', ' ');
    std::string hint = "see `tilescope --help`";
    const auto used = app.get_subcommands();
    if (!used.empty())
        hint = nearest_option(*used.front(), arguments) + "see `tilescope " + used.front()->get_name() + " --help`";
    if (used.empty() && !arguments.empty() && arguments.front().rfind('-', 0) != 0) {
        message = "there is no command \"" + arguments.front() + "\"";
        std::vector<std::string> names;
        for (const Command& command : commands())
            if (!command.hidden) names.emplace_back(command.name);
        if (const std::string near = nearest(arguments.front(), names); !near.empty())
            hint = "did you mean `" + near + "`?";
        std::error_code failed;
        if (std::filesystem::is_regular_file(arguments.front(), failed))
            hint = "run a program with `tilescope run " + arguments.front() + "`";
    }
    if (starts_others && message == "PROGRAM is required") {
        message = "programs that start others are not followed here";
        hint = "name the program that uses the CUDA runtime before its --; `tilescope run` follows them";
    }
    const std::string index = index_with_minus(arguments);
    if (!used.empty() && used.front()->get_name() == "pattern" && !index.empty())
        hint = "an index that begins with a minus goes into parentheses: '(" + index + ")'";
    const std::string command = used.empty() ? std::string() : used.front()->get_name();
    if (const std::string flag = compiler_flag(arguments);
        !flag.empty() && message.find("not expected") != std::string::npos &&
        (command == "run" || command == "launch" || command == "trace"))
        hint = "flags for the compiler go into --compile-flags=\"" + flag +
               " ...\"; which GPU it compiles for, and which is modeled, says --device";
    if (command == "run" || command == "check" || command == "launch" || command == "trace")
        if (const std::string ours = profiler_option(arguments); !ours.empty()) hint = ours;
    const Diagnostic wrong = error("cli-usage", {}, message, hint);
    if (used.empty()) return complain(wrong), kUsage;
    if (command == "run" || command == "launch" || command == "trace") return refuse_run(arguments, wrong);
    return complain(wrong), kUsage;
}

int dispatch(const Application& application, const Invocation& invocation) {
    for (const auto& [command, action] : application.actions) {
        if (!application.app->got_subcommand(std::string(command->name))) continue;
        if (invocation.has_separator && !command->takes_arguments && command->add != nullptr) {
            complain(
                error("cli-usage", {}, "`tilescope " + std::string(command->name) + "` takes no arguments after --"));
            return kUsage;
        }
        const int status = action(invocation);
        // A full disk, say: nobody should take half a report for a whole one.
        if (status == kRan && !std::cout.flush()) {
            complain(error("cli-write", {}, "cannot write to standard output"));
            return kUsage;
        }
        return status;
    }
    std::cout << application.app->help();
    return kRan;
}

}  // namespace

Application::Application()
    : app(std::make_unique<CLI::App>("Runs CUDA programs on the CPU and counts every access.", "tilescope")) {
    // Read before the other, whose text hangs on it.
    CLI::Option* const whole = app->add_flag_function(
        "-v,--verbose", [](std::int64_t) {}, "with --version: also what was found on this machine");
    CLI::Option* const version = app->set_version_flag(
        "--version", [whole] { return whole->count() != 0 ? about() : std::string("tilescope ") + kVersion; },
        "print the version and exit; with -v, what it was built with and what was found on this machine");
    whole->needs(version);
    app->set_help_flag("-h,--help", "print this help and exit");
    app->require_subcommand(0, 1);
    app->formatter(std::make_shared<HelpFormatter>());
    app->footer(kFooter);
    for (const Command& command : commands()) {
        std::string summary(command.summary);
        if (command.add == nullptr) summary += std::string(" (") + kNotYet + ")";
        CLI::App* sub = app->add_subcommand(std::string(command.name), summary);
        sub->set_help_flag("-h,--help", "print this help and exit");
        if (command.hidden) sub->group("");
        if (command.add == nullptr) sub->prefix_command();  // whatever follows, the answer is the same
        actions.emplace_back(&command, command.add != nullptr ? command.add(*sub) : refuse(command));
    }
}

Application::~Application() = default;

int run_command_line(const std::vector<std::string>& arguments) {
    // What follows "--" belongs to the program that is run; no option of ours may be looked for in it.
    Invocation invocation;
    invocation.words = arguments;
    const auto separator = std::find(arguments.begin(), arguments.end(), "--");
    invocation.has_separator = separator != arguments.end();
    if (invocation.has_separator) invocation.program_arguments.assign(separator + 1, arguments.end());
    const std::vector<std::string> ours = with_long_standard(with_toolkit_flags({arguments.begin(), separator}));

    const Application application;
    try {
        std::vector<std::string> reversed(ours.rbegin(), ours.rend());
        application.app->parse(reversed);
    } catch (const CLI::ParseError& failure) {
        if (failure.get_exit_code() == 0) return application.app->exit(failure, std::cout, std::cerr);
        return report_misuse(*application.app, failure, ours, !invocation.program_arguments.empty());
    }
    return dispatch(application, invocation);
}

void complain(const Diagnostic& diagnostic) { std::cerr << "tilescope: " << render(diagnostic) << "\n"; }

void complain(const Diagnostics& diagnostics) {
    for (const Diagnostic& diagnostic : diagnostics) complain(diagnostic);
}

}  // namespace tilescope::cli

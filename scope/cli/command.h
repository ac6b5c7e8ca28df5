// Commands: one row each, and what a row may use.
//
// Owns: Command, Invocation and the registry. Guarantees: the registry drives --help, the man page and the completions;
// a command that is not there yet has its row, too, and is refused by name. Does not model: what commands do.
#pragma once

#include <functional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "scope/base/result.h"

namespace CLI {  // NOLINT(readability-identifier-naming): the library's name
class App;
}

namespace tilescope::cli {

// What the command line said outside any option.
struct Invocation {
    std::vector<std::string> words;              // the whole of it, behind the program's name
    std::vector<std::string> program_arguments;  // after "--"
    bool has_separator = false;
};

// Runs the command with the options it was given; yields the exit status.
using Action = std::function<int(const Invocation&)>;

struct Command {
    std::string_view name, summary;
    // Adds the command's options and says what to do; null: not there yet.
    Action (*add)(CLI::App&);
    bool takes_arguments = false;  // "-- ARG..." is for the program it runs
    bool hidden = false;
    // What may stand outside its options, for shells to complete; null: files, or nothing that is known before.
    std::vector<std::string> (*names)() = nullptr;
};

std::span<const Command> commands();

Action add_run(CLI::App& app);
Action add_check(CLI::App& app);
Action add_launch(CLI::App& app);
Action add_devices(CLI::App& app);
Action add_occupancy(CLI::App& app);
Action add_report(CLI::App& app);
Action add_compare(CLI::App& app);
Action add_explain(CLI::App& app);
Action add_trace(CLI::App& app);
Action add_roofline(CLI::App& app);
Action add_lesson(CLI::App& app);
Action add_pattern(CLI::App& app);
Action add_claims(CLI::App& app);
Action add_tile(CLI::App& app);
Action add_boundaries(CLI::App& app);
Action add_generate_completion(CLI::App& app);
Action add_generate_man(CLI::App& app);
Action add_generate_metrics(CLI::App& app);
Action add_generate_names(CLI::App& app);

// What `explain` knows: words, counters, rules and the rest; the folders of the lessons that are found.
std::vector<std::string> explained_names();
std::vector<std::string> lesson_names();

// Diagnostics to standard error.
void complain(const Diagnostics& diagnostics);
void complain(const Diagnostic& diagnostic);

}  // namespace tilescope::cli

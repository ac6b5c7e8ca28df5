// The man page, from the registry.
#include <CLI/CLI.hpp>
#include <iostream>

#include "scope/cli/command.h"
#include "scope/cli/describe.h"
#include "scope/cli/exit_status.h"
#include "scope/cli/version.h"
#include "scope/report/budget.h"
#include "scope/report/metrics.h"

namespace tilescope::cli {
namespace {

// roff reads a leading dot or quote as a request and "-" as a hyphen that may not be copied.
std::string roff(const std::string& text) {
    std::string result;
    for (char c : text) {
        if (c == '\\')
            result += "\\e";
        else if (c == '-')
            result += "\\-";
        else if ((c == '.' || c == '\'') && (result.empty() || result.back() == '\n'))
            result += std::string("\\&") + c;
        else
            result += c;
    }
    return result;
}

std::string entry(const std::string& term, const std::string& text) {
    return ".TP\n" + term + "\n" + roff(text) + "\n";
}

std::string option_entry(const OptionText& option) {
    std::string term;
    for (const std::string& name : option.names) term += (term.empty() ? "\\fB" : ", \\fB") + roff(name) + "\\fR";
    if (option.names.empty())
        term = "\\fI" + roff(option.positional) + "\\fR";
    else if (!option.value.empty())
        term += " \\fI" + roff(option.value) + "\\fR";
    return entry(term, option.description);
}

std::string command_section(const CommandText& command) {
    std::string text =
        ".SS " + command.name + "\n" + roff(command.summary) + (command.is_there ? "" : " (not there yet)") + ".\n";
    for (const OptionText& option : command.options) text += option_entry(option);
    return text;
}

std::string exit_statuses() {
    const std::pair<const char*, const char*> rows[] = {
        {"0", "It ran. The program's own status if that is not 0."},
        {"2", "Wrong usage or an unreadable input."},
        {"3", "A kernel faulted or needed something not supported."},
        {"4", "Hazards were found under --check."},
        {"5", "A budget is broken."},
        {"6", "A limit was reached: --max-instructions or --memory-limit."},
    };
    std::string text = ".SH EXIT STATUS\n";
    for (const auto& [status, meaning] : rows) text += entry(std::string("\\fB") + status + "\\fR", meaning);
    return text;
}

std::string names() {
    std::string text = ".SH COUNTERS, RATIOS AND FACTS\nThese names may stand in a budget.\n";
    auto add = [&](std::string_view name, std::string_view unit, std::string_view description, bool modelled = false) {
        std::string what(description);
        if (modelled) what += ", by a model (not with --caches off)";
        if (!unit.empty()) what += " (" + std::string(unit) + ")";
        text += entry("\\fB" + std::string(name) + "\\fR", what);
    };
    for (std::size_t i = 0; i < kCounterCount; ++i) {
        const CounterInfo& counter = info(static_cast<Counter>(i));
        add(counter.name, counter.unit, counter.description, is_modelled(static_cast<Counter>(i)));
    }
    for (const report::Ratio& ratio : report::ratios()) add(ratio.name, ratio.unit, ratio.description, ratio.modelled);
    for (const report::Fact& fact : report::facts()) add(fact.name, fact.unit, fact.description);
    return text;
}

}  // namespace

std::string man_page() {
    std::string text = std::string(".TH TILESCOPE 1 \"\" \"tilescope ") + kVersion + "\"\n";
    text += ".SH NAME\ntilescope \\- run CUDA programs on the CPU and count every access\n";
    text +=
        ".SH SYNOPSIS\n.B tilescope\n\\fICOMMAND\\fR [\\fIOPTIONS\\fR] ...\n.br\n.B tilescope run\n[\\fIOPTIONS\\fR] "
        "\\fIPROGRAM\\fR [\\-\\- \\fIARG\\fR...]\n";
    text += ".SH COMMANDS\n";
    for (const CommandText& command : describe_commands()) text += command_section(command);
    text += exit_statuses() + names();
    text += ".SH ENVIRONMENT\n" + entry("\\fBNO_COLOR\\fR", "When set to anything, --color auto means never.");
    return text;
}

Action add_generate_man(CLI::App&) {
    return [](const Invocation&) {
        std::cout << man_page();
        return static_cast<int>(kRan);
    };
}

}  // namespace tilescope::cli

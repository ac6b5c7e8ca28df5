#include "scope/cli/help.h"

#include <algorithm>
#include <sstream>

#include "scope/cli/command.h"

namespace tilescope::cli {
namespace {

constexpr std::size_t kColumn = 30;

// What -h shows of a command with many options.
constexpr const char* kCommon[] = {"--device", "--compiler", "-I",     "-D",     "--kernel",
                                   "--check",  "--caches",   "--json", "--html", "--budget"};

bool is_common(const CLI::Option& option) {
    return std::any_of(std::begin(kCommon), std::end(kCommon),
                       [&](const char* name) { return option.check_name(name); });
}

std::string wrapped(const std::string& text, std::size_t width) {
    std::istringstream words(text);
    std::string result;
    std::size_t used = 0;
    for (std::string word; words >> word;) {
        if (used != 0 && used + 1 + word.size() > width) {
            result += "\n";
            used = 0;
        }
        result += (used == 0 ? "" : " ") + word;
        used += (used == 0 ? 0 : 1) + word.size();
    }
    return result;
}

bool takes_arguments(const std::string& name) {
    for (const Command& command : commands())
        if (command.name == name) return command.takes_arguments;
    return false;
}

}  // namespace

HelpFormatter::HelpFormatter() { column_width(kColumn); }

std::string HelpFormatter::make_usage(const CLI::App* app, std::string name) const {
    if (app->get_parent() == nullptr) return "Usage: tilescope COMMAND [OPTIONS] ...\n";
    std::string text = "Usage: " + (name.empty() ? app->get_name() : name) + " [OPTIONS]";
    for (const CLI::Option* option : app->get_options([](const CLI::Option* o) { return o->get_positional(); }))
        text += option->get_required() ? " " + option->get_name(true) : " [" + option->get_name(true) + "]";
    return text + (takes_arguments(app->get_name()) ? " [-- ARG...]" : "") + "\n";
}

std::string HelpFormatter::make_help(const CLI::App* app, std::string name, CLI::AppFormatMode mode) const {
    if (mode != CLI::AppFormatMode::Normal || app->get_help_all_ptr() == nullptr)
        return Formatter::make_help(app, std::move(name), mode);
    const auto named = app->get_options([](const CLI::Option* option) { return option->nonpositional(); });
    std::vector<const CLI::Option*> common;
    std::copy_if(named.begin(), named.end(), std::back_inserter(common),
                 [](const CLI::Option* option) { return is_common(*option); });
    const auto all = std::count_if(named.begin(), named.end(),
                                   [](const CLI::Option* option) { return !option->get_group().empty(); });
    return make_description(app) + make_usage(app, name) + make_positionals(app) +
           make_group("Common options", false, common) + "\n`tilescope " + app->get_name() + " --help` prints all " +
           std::to_string(all) + " options.\n" + make_footer(app);
}

std::string HelpFormatter::make_group(std::string group, bool is_positional,
                                      std::vector<const CLI::Option*> options) const {
    std::string text = "\n" + group + ":\n";
    for (const CLI::Option* option : options) text += make_option(option, is_positional);
    return text;
}

std::string HelpFormatter::make_option_opts(const CLI::Option* option) const {
    if (option->get_positional() || option->get_items_expected_max() == 0) return {};
    return " " + option->get_type_name();
}

std::string HelpFormatter::make_option_desc(const CLI::Option* option) const {
    std::string text = option->get_description();
    if (const std::string initial = option->get_default_str(); !initial.empty()) text += " (" + initial + ")";
    return wrapped(text, kTextWidth - kColumn);
}

void shorten_help(CLI::App& command) {
    command.set_help_flag("-h", "print the common options and exit");
    command.set_help_all_flag("--help", "print all options and exit");
}

CLI::Validator one_of(const std::vector<std::string>& choices) {
    return CLI::Validator(
        [choices](std::string& value) {
            if (std::find(choices.begin(), choices.end(), value) != choices.end()) return std::string();
            std::string known;
            for (const std::string& choice : choices) known += (known.empty() ? "" : ", ") + choice;
            return "\"" + value + "\" is not one of " + known;
        },
        "");
}

CLI::Validator not_empty() {
    return CLI::Validator(
        [](std::string& value) { return value.empty() ? std::string("its value is empty") : std::string(); }, "");
}

}  // namespace tilescope::cli

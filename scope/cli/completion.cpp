// Completions for bash, zsh and fish, from the registry.
#include <iostream>
#include <memory>

#include "scope/cli/command.h"
#include "scope/cli/describe.h"
#include "scope/cli/exit_status.h"
#include "scope/cli/help.h"
#include "scope/models/device.h"

namespace tilescope::cli {
namespace {

std::string joined(const std::vector<std::string>& texts, const char* between) {
    std::string result;
    for (const std::string& text : texts) result += (result.empty() ? "" : between) + text;
    return result;
}

// For a single-quoted string of a shell; with `special`, also those behind a backslash.
std::string escaped(const std::string& text, const std::string& special = {}) {
    std::string result;
    for (char c : text) {
        if (c == '\'')
            result += "'\\''";
        else if (special.find(c) != std::string::npos)
            result += std::string("\\") + c;
        else
            result += c;
    }
    return result;
}

std::vector<std::string> words_of(const OptionText& option) {
    return option.takes_device() ? models::device_names() : option.words();
}

std::vector<std::string> there(const std::vector<CommandText>& commands) {
    std::vector<std::string> names;
    for (const CommandText& command : commands)
        if (command.is_there) names.push_back(command.name);
    return names;
}

// What a command's arguments may name is asked of the program when it is wanted: lessons are those that are there then.
std::string asking(const std::string& program, const std::string& command) {
    return program + " generate-names " + command + " 2>/dev/null";
}

std::string bash(const std::vector<CommandText>& commands) {
    std::string text =
        "# bash completion for tilescope; written by `tilescope generate-completion bash`\n"
        "_tilescope() {\n"
        "    local cur=${COMP_WORDS[COMP_CWORD]} prev=${COMP_WORDS[COMP_CWORD-1]} command=${COMP_WORDS[1]}\n"
        "    COMPREPLY=()\n"
        "    if [[ $COMP_CWORD -eq 1 ]]; then\n"
        "        COMPREPLY=($(compgen -W '" +
        joined(there(commands), " ") +
        " --help --version' -- \"$cur\"))\n"
        "        return\n"
        "    fi\n"
        "    case \"$command $prev\" in\n";
    for (const CommandText& command : commands)
        for (const OptionText& option : command.options) {
            if (option.names.empty() || option.value.empty() || !command.is_there) continue;
            std::string patterns;
            for (const std::string& name : option.names)
                patterns += (patterns.empty() ? "'" : " | '") + command.name + " " + name + "'";
            const auto words = words_of(option);
            const std::string reply =
                !words.empty() ? "COMPREPLY=($(compgen -W '" + joined(words, " ") + "' -- \"$cur\")); " : "";
            text += "        " + patterns + ") " + reply + "return ;;\n";
        }
    std::vector<std::string> with_names;
    for (const CommandText& command : commands)
        if (command.has_names) with_names.push_back(command.name);
    text += "    esac\n    if [[ $cur != -* ]]; then\n        case $command in " + joined(with_names, " | ") +
            ")\n            COMPREPLY=($(compgen -W \"$(" + asking("\"${COMP_WORDS[0]}\"", "\"$command\"") +
            ")\" -- \"$cur\")) ;;\n        esac\n        return\n    fi\n    case $command in\n";
    for (const CommandText& command : commands) {
        if (!command.is_there) continue;
        std::string names;
        for (const OptionText& option : command.options)
            if (!option.names.empty()) names += (names.empty() ? "" : " ") + joined(option.names, " ");
        text += "        " + command.name + ") COMPREPLY=($(compgen -W '" + names + "' -- \"$cur\")) ;;\n";
    }
    return text + "    esac\n}\ncomplete -o default -F _tilescope tilescope\n";
}

std::string zsh_option(const CommandText& command, const OptionText& option) {
    const auto words = words_of(option);
    const std::string action = !words.empty() ? "(" + joined(words, " ") + ")" : option.takes_file() ? "_files" : " ";
    if (option.names.empty())
        return "'*:" + escaped(option.positional, ":") +
               (command.has_names ? ":($(" + asking("tilescope", command.name) + "))'" : ":_files'");
    std::string text;
    for (const std::string& name : option.names) {
        text += (text.empty() ? "'" : " '") + std::string(option.repeats ? "*" : "") + name + "[" +
                escaped(option.description, "[]:") + "]";
        if (!option.value.empty()) text += ":" + escaped(option.value, ":") + ":" + action;
        text += "'";
    }
    return text;
}

std::string zsh(const std::vector<CommandText>& commands) {
    std::string text =
        "#compdef tilescope\n"
        "# zsh completion for tilescope; written by `tilescope generate-completion zsh`\n"
        "_tilescope() {\n"
        "    local -a commands=(\n";
    for (const CommandText& command : commands)
        if (command.is_there) text += "        '" + command.name + ":" + escaped(command.summary, ":") + "'\n";
    text +=
        "    )\n"
        "    if (( CURRENT == 2 )); then\n"
        "        _describe command commands\n"
        "        return\n"
        "    fi\n"
        "    local command=$words[2]\n"
        "    shift words; (( CURRENT-- ))\n"
        "    case $command in\n";
    for (const CommandText& command : commands) {
        if (!command.is_there) continue;
        text += "        " + command.name + ")\n            _arguments";
        for (const OptionText& option : command.options) text += " \\\n                " + zsh_option(command, option);
        text += "\n            ;;\n";
    }
    return text + "    esac\n}\n_tilescope \"$@\"\n";
}

std::string fish(const std::vector<CommandText>& commands) {
    std::string text = "# fish completion for tilescope; written by `tilescope generate-completion fish`\n";
    const std::string prefix = "complete -c tilescope ";
    for (const CommandText& command : commands) {
        if (!command.is_there) continue;
        text += prefix + "-n __fish_use_subcommand -f -a " + command.name + " -d '" + escaped(command.summary, "\\") +
                "'\n";
        if (command.has_names)
            text += prefix + "-n '__fish_seen_subcommand_from " + command.name + "' -a '(" +
                    asking("tilescope", command.name) + ")'\n";
        for (const OptionText& option : command.options) {
            if (option.names.empty()) continue;
            text += prefix + "-n '__fish_seen_subcommand_from " + command.name + "'";
            for (const std::string& name : option.names)
                text += name.starts_with("--") ? " -l " + name.substr(2) : " -s " + name.substr(1);
            const auto words = words_of(option);
            if (!words.empty())
                text += " -x -a '" + joined(words, " ") + "'";
            else if (!option.value.empty())
                text += option.takes_file() ? " -r -F" : " -x";
            text += " -d '" + escaped(option.description, "\\") + "'\n";
        }
    }
    return text;
}

}  // namespace

std::string completion(const std::string& shell) {
    if (shell == "bash") return bash(describe_commands());
    if (shell == "zsh") return zsh(describe_commands());
    if (shell == "fish") return fish(describe_commands());
    return {};
}

Action add_generate_completion(CLI::App& app) {
    auto shell = std::make_shared<std::string>();
    app.add_option("SHELL", *shell, "bash, zsh or fish")->required()->check(one_of({"bash", "zsh", "fish"}));
    return [shell](const Invocation&) {
        std::cout << completion(*shell);
        return static_cast<int>(kRan);
    };
}

Action add_generate_names(CLI::App& app) {
    auto asked = std::make_shared<std::string>();
    std::vector<std::string> with_names;
    for (const Command& command : commands())
        if (command.names != nullptr) with_names.emplace_back(command.name);
    app.add_option("COMMAND", *asked, "whose arguments have names")->required()->check(one_of(with_names));
    return [asked](const Invocation&) {
        for (const Command& command : commands())
            if (command.names != nullptr && command.name == *asked)
                for (const std::string& name : command.names()) std::cout << name << "\n";
        return static_cast<int>(kRan);
    };
}

}  // namespace tilescope::cli

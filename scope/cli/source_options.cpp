#include "scope/cli/source_options.h"

#include <CLI/CLI.hpp>
#include <algorithm>
#include <array>
#include <string_view>

#include "scope/cli/help.h"
#include "scope/image/compile_flags.h"
#include "scope/image/toolkit_flags.h"

namespace tilescope::cli {

void add_source_options(CLI::App& app, SourceOptions& options) {
    constexpr const char* kGroup = "How sources are compiled";
    const auto add = [&](const char* name, std::vector<std::string>& into, const char* what, const char* type) {
        app.add_option(name, into, what)->allow_extra_args(false)->check(not_empty())->type_name(type)->group(kGroup);
    };
    add("-I", options.include_folders, "search FOLDER for included files (repeat)", "FOLDER");
    add("--cuda-include", options.cuda_folders,
        "use NVIDIA's open headers (CUB, Thrust, libcu++) in FOLDER instead of tilescope's own (repeat)", "FOLDER");
    add("-D", options.definitions, "define a macro (repeat)", "NAME[=VALUE]");
    add("-L", options.library_folders, "search FOLDER for libraries (repeat)", "FOLDER");
    add("-l", options.libraries, "link a library (repeat)", "NAME");
    app.add_option("--std", options.standard, "C++ standard (default: c++17); -std=c++20 works too")
        ->check(not_empty())
        ->type_name("STANDARD")
        ->group(kGroup);
    app.add_flag("--extended-lambda", options.extended_lambda, "allow __device__ on lambdas")->group(kGroup);
    add("--compile-flags", options.flags, "further compiler flags: \"-O2 -Xcompiler -fopenmp\" (repeat)", "FLAGS");
    app.add_flag("--no-ptxas", options.no_ptxas, "estimate registers instead of asking ptxas")->group(kGroup);
}

std::vector<std::string> compile_flags(const SourceOptions& options) {
    std::vector<std::string> all;
    for (const std::string& folder : options.include_folders) all.push_back("-I" + folder);
    for (const std::string& folder : options.cuda_folders) all.push_back("--cuda-include=" + folder);
    for (const std::string& definition : options.definitions) all.push_back("-D" + definition);
    if (!options.standard.empty()) all.push_back("-std=" + options.standard);
    if (options.extended_lambda) all.emplace_back("--extended-lambda");
    for (const std::string& line : options.flags)
        for (std::string& word : image::split_words(line)) all.push_back(std::move(word));
    for (const std::string& folder : options.library_folders) all.push_back("-L" + folder);
    for (const std::string& library : options.libraries) all.push_back("-l" + library);
    return all;
}

Status no_flags_for(const std::string& file, const SourceOptions& options) {
    const std::vector<std::string> flags = compile_flags(options);
    if (flags.empty()) return Success{};
    return error("cli-flags", {file}, flags.front() + " is for source files, and this is compiled already",
                 "leave it out, or name the .cu file");
}

std::vector<std::string> with_toolkit_flags(std::vector<std::string> arguments) {
    static constexpr std::array<std::string_view, 4> kCompiling = {"run", "check", "launch", "trace"};
    if (arguments.empty() || std::find(kCompiling.begin(), kCompiling.end(), arguments[0]) == kCompiling.end())
        return arguments;
    std::vector<std::string> all;
    for (std::size_t i = 0; i < arguments.size(); ++i) {
        const std::string next = i + 1 < arguments.size() ? arguments[i + 1] : std::string();
        std::size_t words = i == 0 ? 0 : image::words_of_toolkit_flag(arguments[i], next);
        if (words == 0) {
            all.push_back(arguments[i]);
            continue;
        }
        std::string flags = "--compile-flags=";
        for (; words != 0; --words) {
            for (const char c : arguments[i]) {
                if (c == '\\' || c == '"' || c == '\'' || c == ' ') flags += '\\';
                flags += c;
            }
            if (words > 1) flags += ' ', ++i;
        }
        all.push_back(std::move(flags));
    }
    return all;
}

std::vector<std::string> with_long_standard(std::vector<std::string> arguments) {
    for (std::string& argument : arguments)
        if (argument == "-std" || argument.starts_with("-std=")) argument.insert(0, "-");
    return arguments;
}

}  // namespace tilescope::cli

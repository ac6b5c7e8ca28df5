#include "scope/image/compile_inputs.h"

#include <sys/stat.h>

#include <algorithm>
#include <chrono>
#include <cstdlib>
#include <sstream>
#include <string_view>
#include <thread>
#include <tuple>

#include "scope/image/compile_flags.h"
#include "scope/image/hash.h"
#include "scope/image/manifest.h"

extern char** environ;

namespace tilescope::image {
namespace {

namespace fs = std::filesystem;

// Variables that differ from one terminal, login or job to the next and mean nothing to compilers. They are taken from
// the compiler's environment, so that leaving them out of the key is right even where this list is wrong.
constexpr std::string_view kSessionVariables[] = {
    "_",
    "COLUMNS",
    "DISPLAY",
    "INVOCATION_ID",
    "JOURNAL_STREAM",
    "LINES",
    "MAKEFLAGS",
    "MAKELEVEL",
    "MFLAGS",
    "OLDPWD",
    "PWD",
    "PYTEST_CURRENT_TEST",
    "SHLVL",
    "STY",
    "TERM",
    "TERM_PROGRAM",
    "TERM_SESSION_ID",
    "TMPDIR",
    "TMUX",
    "TMUX_PANE",
    "VTE_VERSION",
    "WAYLAND_DISPLAY",
    "WINDOWID",
    "XAUTHORITY",
};
constexpr std::string_view kSessionPrefixes[] = {"BUILDKITE_",      "CI_",         "DBUS_",  "GITHUB_",    "GITLAB_",
                                                 "GNOME_TERMINAL_", "ITERM_",      "KITTY_", "KONSOLE_",   "PBS_",
                                                 "RUNNER_",         "SLURM_",      "SSH_",   "TILESCOPE_", "VSCODE_",
                                                 "WEZTERM_",        "XDG_SESSION_"};

bool of_session(std::string_view name) {
    return std::find(std::begin(kSessionVariables), std::end(kSessionVariables), name) != std::end(kSessionVariables) ||
           std::any_of(std::begin(kSessionPrefixes), std::end(kSessionPrefixes),
                       [&](std::string_view prefix) { return name.starts_with(prefix); });
}

std::string environment_text() {
    std::vector<std::string> kept;
    for (char** entry = environ; *entry != nullptr; ++entry) {
        const std::string text = *entry;
        if (!of_session(std::string_view(text).substr(0, text.find('=')))) kept.push_back(text);
    }
    std::sort(kept.begin(), kept.end());
    std::string all;
    for (const std::string& text : kept) all += text + '\n';
    return all;
}

std::string value_of(const char* variable) {
    const char* value = std::getenv(variable);
    return value == nullptr ? std::string() : value;
}

// The flags that are given, and those that nvcc finds in its environment.
std::vector<std::string> all_flags(const CompileOptions& options) {
    std::vector<std::string> flags = options.extra_flags;
    for (const char* variable : {"NVCC_PREPEND_FLAGS", "NVCC_APPEND_FLAGS"})
        for (std::string& flag : split_words(value_of(variable))) flags.push_back(std::move(flag));
    return flags;
}

// A tool by its path and by what tells one release of its file from the next.
std::string tool_identity(const fs::path& program) {
    std::error_code failed;
    const fs::path real = fs::canonical(program, failed);
    return program.string() + " " + real.string() + " " + identity_of(real) + "\n";
}

std::string identity_of_program(const std::string& name) {
    if (name.find('/') != std::string::npos) return tool_identity(name);
    const auto found = find_program(name);
    return found ? tool_identity(*found) : name + "\n";
}

// nvcc drives other programs, lists more flags in a file beside itself and compiles host code with another compiler.
std::string parts_of_nvcc(const Toolchain& toolchain, const CompileOptions& options) {
    std::error_code failed;
    const fs::path folder = fs::canonical(toolchain.program, failed).parent_path();
    std::string text;
    for (const char* part : {"../nvvm/bin/cicc", "cudafe++", "ptxas", "fatbinary", "nvlink"})
        text += tool_identity(folder / part);
    const auto profile = read_file(folder / "nvcc.profile");
    text += profile ? *profile : "";
    std::vector<std::string> hosts = {"gcc", "g++", value_of("NVCC_CCBIN")};
    const std::vector<std::string> flags = all_flags(options);
    for (std::size_t i = 0; i < flags.size(); ++i)
        for (const std::string_view mark : {"-ccbin", "--compiler-bindir"}) {
            if (flags[i] == mark && i + 1 < flags.size()) hosts.push_back(flags[i + 1]);
            if (flags[i].starts_with(std::string(mark) + "=")) hosts.push_back(flags[i].substr(mark.size() + 1));
        }
    for (const std::string& host : hosts) text += host.empty() ? "" : identity_of_program(host);
    return text;
}

// A new release of gcc brings other headers and libraries, also to clang, which takes the newest.
std::string installed_gcc() {
    std::vector<std::string> found;
    std::error_code failed;
    for (const auto& each : fs::directory_iterator("/usr/lib/gcc/x86_64-linux-gnu", failed))
        found.push_back(each.path().filename().string());
    std::sort(found.begin(), found.end());
    std::string text;
    for (const std::string& name : found) text += name + " ";
    return text + "\n";
}

void add_folders(const std::string& list, std::vector<fs::path>& folders) {
    std::istringstream parts(list);
    for (std::string folder; std::getline(parts, folder, ':');)
        folders.push_back(fs::absolute(folder.empty() ? "." : folder));
}

timespec now_by(clockid_t clock) {
    timespec now{};
    clock_gettime(clock, &now);
    return now;
}

// Whether a file was touched since then: its hash may be that of another text than the compiler read.
bool touched_since(const std::vector<fs::path>& files, const timespec& start) {
    const auto before_start = [&](const timespec& when) {
        return std::tie(when.tv_sec, when.tv_nsec) < std::tie(start.tv_sec, start.tv_nsec);
    };
    return std::any_of(files.begin(), files.end(), [&](const fs::path& file) {
        struct stat found {};
        return ::stat(file.c_str(), &found) != 0 || !before_start(found.st_mtim) || !before_start(found.st_ctim);
    });
}

}  // namespace

ProcessEnvironment compiler_environment(const fs::path& scratch) {
    ProcessEnvironment changes;
    for (char** entry = environ; *entry != nullptr; ++entry) {
        const std::string_view text = *entry;
        const std::string_view name = text.substr(0, text.find('='));
        if (of_session(name)) changes.emplace_back(name, std::nullopt);
    }
    std::erase_if(changes, [](const auto& change) { return change.first == "TMPDIR"; });
    changes.emplace_back("TMPDIR", scratch.string());
    return changes;
}

std::string hash_of_surroundings(const Toolchain& toolchain, const CompileOptions& options) {
    std::error_code failed;
    ContentHash hash;
    // A relative path in a flag, and the folder that debug information names.
    hash.add(fs::current_path(failed).string()).add(environment_text());
    hash.add(toolchain.name).add(tool_identity(toolchain.program)).add(installed_gcc());
    hash.add(identity_of_program("as")).add(identity_of_program("ld"));
    if (toolchain.kind == Compiler::kNvcc) hash.add(parts_of_nvcc(toolchain, options));
    for (const fs::path& file : toolchain.configuration) {
        const auto content = read_file(file);
        hash.add(file.string()).add(content ? *content : "");
    }
    return hash.finish();
}

CacheInputs inputs_of_flags(const CompileOptions& options) {
    CacheInputs inputs;
    inputs.searched = {"/usr/local/include"};
    bool links = false;
    const std::vector<std::string> flags = all_flags(options);
    for (std::size_t i = 0; i < flags.size(); ++i) {
        const std::string next = i + 1 < flags.size() ? flags[i + 1] : std::string();
        if (const auto folder = folder_of_flag(flags[i], next)) inputs.searched.push_back(fs::absolute(*folder));
        if (const auto library = library_of_flag(flags[i], next)) {
            links = true;
            if (library->starts_with(':')) inputs.names.push_back(library->substr(1));
            for (const char* suffix : {".so", ".a"}) inputs.names.push_back("lib" + *library + suffix);
        }
        // A response file, an object, a header to include first: whatever a flag names, with or without a mark.
        const auto behind = [&flag = flags[i]](char mark) {
            const std::size_t at = flag.find(mark);
            return at == std::string::npos ? std::string() : flag.substr(at + 1);
        };
        for (const fs::path& file : {fs::path(flags[i]), fs::path(behind('@')), fs::path(behind('='))})
            if (std::error_code failed; !file.empty() && fs::is_regular_file(file, failed))
                inputs.read.push_back(fs::absolute(file));
    }
    for (const char* variable : {"CPATH", "C_INCLUDE_PATH", "CPLUS_INCLUDE_PATH"})
        if (std::getenv(variable) != nullptr) add_folders(value_of(variable), inputs.searched);
    if (links) {
        add_folders(value_of("LIBRARY_PATH"), inputs.searched);
        for (const char* folder : {"/usr/local/lib", "/usr/lib/x86_64-linux-gnu", "/usr/lib"})
            inputs.searched.emplace_back(folder);
    }
    return inputs;
}

bool tells_the_time(const std::string& source) {
    return source.find("__TIME__") != std::string::npos || source.find("__DATE__") != std::string::npos ||
           source.find("__TIMESTAMP__") != std::string::npos;
}

std::vector<std::string> names_asked_for(const std::string& source) {
    std::vector<std::string> names;
    const std::string_view mark = "__has_include";
    for (std::size_t at = source.find(mark); at != std::string::npos; at = source.find(mark, at + 1)) {
        std::size_t open = source.find_first_of("(<\"\n", at + mark.size());
        while (open != std::string::npos && source[open] == '(') open = source.find_first_not_of(" \t", open + 1);
        if (open == std::string::npos || (source[open] != '<' && source[open] != '"')) continue;
        const std::size_t close = source.find_first_of(">\"\n", open + 1);
        if (close != std::string::npos && source[close] != '\n')
            names.push_back(source.substr(open + 1, close - open - 1));
    }
    return names;
}

timespec next_tick() {
    const timespec now = now_by(CLOCK_REALTIME);
    const auto passed = [&](const timespec& later) {
        return std::tie(now.tv_sec, now.tv_nsec) < std::tie(later.tv_sec, later.tv_nsec);
    };
    timespec later = now_by(CLOCK_REALTIME_COARSE);
    for (; !passed(later); later = now_by(CLOCK_REALTIME_COARSE))
        std::this_thread::sleep_for(std::chrono::milliseconds(1));
    return later;
}

std::optional<CacheInputs> inputs_as_read(const CompileOptions& options, const std::vector<fs::path>& read,
                                          const timespec& start) {
    CacheInputs inputs = inputs_of_flags(options);
    inputs.read.insert(inputs.read.end(), read.begin(), read.end());
    if (touched_since(inputs.read, start)) return std::nullopt;
    for (const fs::path& file : inputs.read) {
        if (is_object(file)) continue;
        const auto text = read_file(file);
        if (!text || tells_the_time(*text)) return std::nullopt;
        for (std::string& name : names_asked_for(*text)) inputs.names.push_back(std::move(name));
    }
    return inputs;
}

}  // namespace tilescope::image

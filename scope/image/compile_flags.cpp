#include "scope/image/compile_flags.h"

#include <algorithm>
#include <array>
#include <span>
#include <utility>

namespace tilescope::image {
namespace {

// A flag with a value: in the next word, behind "=" or, if `joined`, in the same word.
struct Mark {
    std::string_view name;
    bool joined;
};

std::optional<std::string> value_behind(std::span<const Mark> marks, const std::string& flag, const std::string& next) {
    for (const Mark& mark : marks) {
        if (flag == mark.name) return next.empty() ? std::nullopt : std::optional(next);
        if (!flag.starts_with(mark.name)) continue;
        const std::string rest = flag.substr(mark.name.size());
        if (rest[0] == '=') return rest.substr(1);
        if (mark.joined) return rest;
    }
    return std::nullopt;
}

constexpr Mark kFmad[] = {{"--fmad", false}, {"-fmad", false}};

// nvcc's choices of how floats are computed: a flag of each, and what it sets.
struct ArithmeticFlag {
    Mark marks[2];
    bool FloatArithmetic::*choice;
};
constexpr ArithmeticFlag kArithmetic[] = {
    {{{"--ftz", false}, {"-ftz", false}}, &FloatArithmetic::flushes},
    {{{"--prec-div", false}, {"-prec-div", false}}, &FloatArithmetic::divides_exactly},
    {{{"--prec-sqrt", false}, {"-prec-sqrt", false}}, &FloatArithmetic::takes_roots_exactly}};

bool is_fast_math(const std::string& flag) { return flag == "--use_fast_math" || flag == "-use_fast_math"; }

// The flag of nvcc's that this is, with its value.
struct ArithmeticChoice {
    bool FloatArithmetic::*choice;
    std::string value;
    bool takes_next;
};
std::optional<ArithmeticChoice> arithmetic_choice(const std::string& flag, const std::string& next) {
    for (const auto& [marks, choice] : kArithmetic)
        if (const auto value = value_behind(marks, flag, next))
            return ArithmeticChoice{choice, *value, flag == marks[0].name || flag == marks[1].name};
    return std::nullopt;
}

// Flags that take the next word, of the linker.
bool takes_next(const std::string& flag) {
    return flag == "-l" || flag == "-L" || flag == "-Xlinker" || flag == "--library" || flag == "--library-path" ||
           flag == "--linker-options";
}

// nvcc's flags whose next word is another program's.
bool hands_on_next(const std::string& flag) {
    static constexpr std::array<std::string_view, 8> kFlags = {
        "-Xcompiler", "--compiler-options", "-Xptxas",  "--ptxas-options",
        "-Xlinker",   "--linker-options",   "-Xnvlink", "--nvlink-options"};
    return std::find(kFlags.begin(), kFlags.end(), flag) != kFlags.end();
}

bool of_linker(const std::string& flag) {
    return takes_next(flag) || flag.starts_with("-l") || flag.starts_with("-L") || flag.starts_with("-Wl,") ||
           flag.starts_with("-Xlinker=") || flag.starts_with("--library") || flag.starts_with("--linker-options=");
}

// nvcc's "-lineinfo" begins like a library and is none.
bool like_linker_only_by_name(const std::string& flag) { return flag == "-lineinfo"; }

// nvcc gives what is meant for the host's compiler also to the preprocessor that reads the device's half.
bool seen_by_preprocessor(const std::string& flag) {
    return flag.starts_with("-D") || flag.starts_with("-U") || flag.starts_with("-I") || flag.starts_with("-std=");
}

std::vector<std::string> split_commas(const std::string& text) {
    std::vector<std::string> parts;
    std::size_t start = 0;
    for (std::size_t comma = text.find(','); comma != std::string::npos; comma = text.find(',', start)) {
        parts.push_back(text.substr(start, comma - start));
        start = comma + 1;
    }
    parts.push_back(text.substr(start));
    return parts;
}

std::string cuda_folder(const std::string& flag) {
    constexpr std::string_view kMark = "--cuda-include=";
    return flag.starts_with(kMark) ? flag.substr(kMark.size()) : std::string();
}

constexpr Mark kRelocatable[] = {{"-rdc", false}, {"--relocatable-device-code", false}};

// Whether a flag is about device code that is linked over files, and if so whether it asks for it.
std::optional<bool> relocatable(const std::string& flag, const std::string& next) {
    static constexpr std::array<std::string_view, 7> kAsking = {"-dc",    "--device-c", "-dw",       "--device-w",
                                                                "-dlink", "-fgpu-rdc",  "-fcuda-rdc"};
    if (std::find(kAsking.begin(), kAsking.end(), flag) != kAsking.end()) return true;
    if (const auto value = value_behind(kRelocatable, flag, next)) return *value == "true";
    return std::nullopt;
}

bool relocatable_takes_next(const std::string& flag) { return flag == "-rdc" || flag == "--relocatable-device-code"; }

}  // namespace

std::vector<std::string> split_words(std::string_view text) {
    std::vector<std::string> words;
    std::string word;
    bool inside = false;  // of a word, which may be empty between quotes
    char quote = '\0';
    for (std::size_t i = 0; i < text.size(); ++i) {
        const char c = text[i];
        if (quote == '\0' && (c == ' ' || c == '\t' || c == '\n')) {
            if (inside) words.push_back(std::exchange(word, {}));
            inside = false;
            continue;
        }
        inside = true;
        if (c == '\\' && quote != '\'' && i + 1 < text.size()) {
            word += text[++i];
        } else if (quote != '\0' ? c == quote : c == '\'' || c == '"') {
            quote = quote == '\0' ? c : '\0';
        } else {
            word += c;
        }
    }
    if (inside) words.push_back(word);
    return words;
}

std::optional<std::string> folder_of_flag(const std::string& flag, const std::string& next) {
    static constexpr Mark kMarks[] = {
        {"-isystem", true},          {"-iquote", true},         {"-idirafter", true}, {"--include-path", false},
        {"--system-include", false}, {"--library-path", false}, {"-I", true},         {"-L", true},
        {"--cuda-include", false}};
    return value_behind(kMarks, flag, next);
}

std::optional<std::string> library_of_flag(const std::string& flag, const std::string& next) {
    static constexpr Mark kMarks[] = {{"--library", false}, {"-l", true}};
    if (like_linker_only_by_name(flag) || flag.starts_with("--library-path")) return std::nullopt;
    return value_behind(kMarks, flag, next);
}

FlagHalves flags_for_nvcc(const std::vector<std::string>& flags) {
    FlagHalves halves;
    for (std::size_t i = 0; i < flags.size(); ++i) {
        const std::string next = i + 1 < flags.size() ? flags[i + 1] : std::string();
        if (relocatable(flags[i], next)) {
            if (relocatable_takes_next(flags[i])) ++i;
            continue;
        }
        if (const std::string folder = cuda_folder(flags[i]); !folder.empty()) {
            halves.compile.push_back("-I" + folder);
            continue;
        }
        halves.link.push_back(flags[i]);  // when nvcc links it passes over what only compiles
        if (!of_linker(flags[i]) || like_linker_only_by_name(flags[i]))
            halves.compile.push_back(flags[i]);
        else if (takes_next(flags[i]) && i + 1 < flags.size())
            halves.link.push_back(flags[++i]);
    }
    return halves;
}

ClangFlags flags_for_clang(const std::vector<std::string>& flags) {
    ClangFlags of;
    const auto for_host = [&](const std::string& flag) {
        of.host.push_back(flag);
        of.link.push_back(flag);
    };
    const auto for_both = [&](const std::string& flag) {
        for_host(flag);
        of.device.push_back(flag);
    };
    for (std::size_t i = 0; i < flags.size(); ++i) {
        const std::string& flag = flags[i];
        const std::string next = i + 1 < flags.size() ? flags[i + 1] : std::string();
        static constexpr std::array<std::string_view, 10> kHasAnyway = {"-G",
                                                                        "--device-debug",
                                                                        "--extended-lambda",
                                                                        "-extended-lambda",
                                                                        "--expt-extended-lambda",
                                                                        "-expt-extended-lambda",
                                                                        "--expt-relaxed-constexpr",
                                                                        "-expt-relaxed-constexpr",
                                                                        "-lineinfo",
                                                                        "--generate-line-info"};
        static constexpr Mark kStream[] = {{"--default-stream", false}, {"-default-stream", false}};
        static constexpr Mark kHost[] = {{"--compiler-options", false}, {"-Xcompiler", false}};
        if (std::find(kHasAnyway.begin(), kHasAnyway.end(), flag) != kHasAnyway.end()) continue;
        if (!cuda_folder(flag).empty()) continue;
        if (relocatable(flag, next)) {
            if (relocatable_takes_next(flag)) ++i;
            continue;
        }
        if (const auto host = value_behind(kHost, flag, next)) {
            for (const std::string& part : split_commas(*host))
                seen_by_preprocessor(part) ? for_both(part) : for_host(part);
            if (flag == "-Xcompiler" || flag == "--compiler-options") ++i;
        } else if ((flag == "-Xarch_host" || flag == "-Xarch_device") && !next.empty()) {
            flag == "-Xarch_host" ? for_host(next) : of.device.push_back(next);
            ++i;
        } else if (const auto stream = value_behind(kStream, flag, next)) {
            if (*stream == "per-thread")
                for_both("-DCUDA_API_PER_THREAD_DEFAULT_STREAM");
            else if (*stream != "legacy" && *stream != "null")
                for_both("--default-stream=" + *stream);  // clang says that it does not know it
            if (flag == "-default-stream" || flag == "--default-stream") ++i;
        } else if (const auto fused = value_behind(kFmad, flag, next)) {
            if (*fused != "false" && *fused != "true")
                for_both("-ffp-contract=" + *fused);  // clang says that it does not know it
            else
                of.device.push_back(*fused == "false" ? "-ffp-contract=off" : "-ffp-contract=fast");
            if (flag == "-fmad" || flag == "--fmad") ++i;
        } else if (const auto choice = arithmetic_choice(flag, next)) {
            if (choice->value != "false" && choice->value != "true") for_both(flag);  // clang doesn't know it
            if (choice->takes_next) ++i;
        } else if (is_fast_math(flag)) {
            continue;  // float_arithmetic() has it: nvcc tells the host's compiler nothing of it
        } else if (of_linker(flag)) {
            of.link.push_back(flag == "--library" ? "-l" : flag == "--library-path" ? "-L" : flag);
            if (takes_next(flag) && i + 1 < flags.size()) of.link.push_back(flags[++i]);
        } else {
            for_both(flag);
        }
    }
    return of;
}

FloatArithmetic float_arithmetic(const std::vector<std::string>& flags) {
    FloatArithmetic arithmetic;
    arithmetic.is_fast = std::any_of(flags.begin(), flags.end(), is_fast_math);
    arithmetic.flushes = arithmetic.is_fast;
    arithmetic.divides_exactly = arithmetic.takes_roots_exactly = !arithmetic.is_fast;
    for (std::size_t i = 0; i < flags.size(); ++i) {
        const auto choice = arithmetic_choice(flags[i], i + 1 < flags.size() ? flags[i + 1] : std::string());
        if (choice) arithmetic.*choice->choice = choice->value == "true";
        if (hands_on_next(flags[i]) || (choice && choice->takes_next)) ++i;
    }
    return arithmetic;
}

std::vector<std::string> defaults_beside(const std::vector<std::string>& flags) {
    const auto given = [&](std::initializer_list<std::string_view> starts) {
        for (std::size_t i = 0; i < flags.size(); ++i) {
            const auto begins = [&](std::string_view start) { return flags[i].starts_with(start); };
            if (std::any_of(starts.begin(), starts.end(), begins)) return true;
            if (hands_on_next(flags[i])) ++i;
        }
        return false;
    };
    std::vector<std::string> defaults;
    if (!given({"-O", "--optimize"})) defaults.emplace_back("-O3");
    if (!given({"-std", "--std"})) defaults.emplace_back("-std=c++17");
    return defaults;
}

std::string assembler_options(const std::vector<std::string>& flags) {
    static constexpr Mark kOwn[] = {{"--ptxas-options", false}, {"-Xptxas", false}};
    bool fuses = true;
    std::string options;
    for (std::size_t i = 0; i < flags.size(); ++i) {
        const std::string& flag = flags[i];
        const std::string next = i + 1 < flags.size() ? flags[i + 1] : std::string();
        if (const auto fused = value_behind(kFmad, flag, next)) {
            fuses = *fused != "false";
            if (flag == "-fmad" || flag == "--fmad") ++i;
        } else if (const auto own = value_behind(kOwn, flag, next)) {
            for (const std::string& word : split_commas(*own)) options += " " + word;
            if (hands_on_next(flag)) ++i;
        } else if (hands_on_next(flag) || flag == "-Xarch_host") {
            ++i;
        } else if (flag.starts_with("-ffp-contract=")) {
            fuses = flag != "-ffp-contract=off";
        }
    }
    return (fuses ? "" : " --fmad false") + options;
}

std::vector<std::string> cuda_folders(const std::vector<std::string>& flags) {
    std::vector<std::string> folders;
    for (const std::string& flag : flags)
        if (std::string folder = cuda_folder(flag); !folder.empty()) folders.push_back(std::move(folder));
    return folders;
}

bool asks_to_link(const std::vector<std::string>& flags) {
    for (std::size_t i = 0; i < flags.size(); ++i)
        if (relocatable(flags[i], i + 1 < flags.size() ? flags[i + 1] : std::string()).value_or(false)) return true;
    return false;
}

bool names_library(const std::vector<std::string>& flags) {
    for (std::size_t i = 0; i < flags.size(); ++i)
        if (library_of_flag(flags[i], i + 1 < flags.size() ? flags[i + 1] : std::string())) return true;
    return false;
}

}  // namespace tilescope::image

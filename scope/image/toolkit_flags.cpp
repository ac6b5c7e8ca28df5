#include "scope/image/toolkit_flags.h"

#include <algorithm>
#include <array>
#include <optional>
#include <string_view>

namespace tilescope::image {
namespace {

// What becomes of a flag. kTarget and kOutput hold for every compiler, the others for clang alone.
enum class Use { kTarget, kOutput, kDropped, kNoted, kOptimize, kStandard, kWarnings, kRenamed };

// A flag by nvcc's long and short name, behind one dash or two.
struct Row {
    std::string_view name, short_name;
    bool has_value;
    Use use;
    std::string_view text = {};  // the note, or clang's spelling
};

constexpr std::array kRows = {
    Row{"gpu-architecture", "arch", true, Use::kTarget},
    Row{"generate-code", "gencode", true, Use::kTarget},
    Row{"gpu-code", "code", true, Use::kTarget},
    Row{"output-file", "o", true, Use::kOutput},
    Row{"maxrregcount", "", true, Use::kNoted,
        "clang does not limit registers by a flag. Use __launch_bounds__ or --compiler nvcc"},
    Row{"ptxas-options", "Xptxas", true, Use::kNoted, "clang's code does not go through ptxas. Use --compiler nvcc"},
    Row{"restrict", "", false, Use::kNoted,
        "clang has no such flag. Write __restrict__ on the kernel's pointers or use --compiler nvcc"},
    Row{"compiler-bindir", "ccbin", true, Use::kNoted, "clang compiles the host code, too"},
    Row{"optimize", "O", true, Use::kOptimize},
    Row{"std", "", true, Use::kStandard},
    Row{"Werror", "", true, Use::kWarnings},
    Row{"define-macro", "", true, Use::kRenamed, "-D"},
    Row{"undefine-macro", "", true, Use::kRenamed, "-U"},
    Row{"include-path", "", true, Use::kRenamed, "-I"},
    Row{"system-include", "", true, Use::kRenamed, "-isystem"},
    Row{"pre-include", "", true, Use::kRenamed, "-include"},
    Row{"resource-usage", "res-usage", false, Use::kDropped},
    Row{"source-in-ptx", "src-in-ptx", false, Use::kDropped},
    Row{"keep", "", false, Use::kDropped},
    Row{"keep-dir", "", true, Use::kDropped},
    Row{"allow-unsupported-compiler", "", false, Use::kDropped},
    Row{"threads", "t", true, Use::kDropped},
    Row{"split-compile", "", true, Use::kDropped},
    Row{"extra-device-vectorization", "", false, Use::kDropped},
    Row{"extensible-whole-program", "ewp", false, Use::kDropped},
    Row{"dlink-time-opt", "dlto", false, Use::kDropped},
    Row{"diag-suppress", "", true, Use::kDropped},
    Row{"diag-error", "", true, Use::kDropped},
    Row{"diag-warn", "", true, Use::kDropped},
    Row{"display-error-number", "", false, Use::kDropped},
    Row{"no-display-error-number", "", false, Use::kDropped},
    Row{"Xcudafe", "", true, Use::kDropped},
    Row{"nvlink-options", "Xnvlink", true, Use::kDropped},
    Row{"fatbin-options", "Xfatbin", true, Use::kDropped},
    Row{"cudart", "", true, Use::kDropped},
    Row{"machine", "", true, Use::kDropped},
    Row{"forward-unknown-to-host-compiler", "", false, Use::kDropped},
    Row{"Wno-deprecated-gpu-targets", "", false, Use::kDropped},
};

struct Match {
    const Row* row;
    std::string value;
    std::size_t words;
};

std::optional<Match> match(const std::string& flag, const std::string& next) {
    const std::size_t dashes = flag.find_first_not_of('-');
    if (dashes == std::string::npos || dashes == 0 || dashes > 2) return std::nullopt;
    const std::string_view body = std::string_view(flag).substr(dashes);
    const std::size_t equals = body.find('=');
    const std::string_view name = body.substr(0, equals);
    for (const Row& row : kRows) {
        if (name != row.name && (row.short_name.empty() || name != row.short_name)) continue;
        if (!row.has_value) return equals == std::string_view::npos ? std::optional(Match{&row, {}, 1}) : std::nullopt;
        if (equals != std::string_view::npos) return Match{&row, std::string(body.substr(equals + 1)), 1};
        if (next.empty() && row.use != Use::kTarget) return std::nullopt;
        return Match{&row, next, next.empty() ? 1U : 2U};
    }
    return std::nullopt;
}

bool is_level(const std::string& value) {
    return value.size() == 1 && (std::string_view("0123sz").find(value[0]) != std::string_view::npos);
}

// "90a" out of "sm_90a" or "compute_90a" at each place in `value`.
std::vector<std::string> architectures_in(const std::string& value) {
    std::vector<std::string> found;
    for (const std::string_view mark : {"sm_", "compute_"})
        for (std::size_t at = value.find(mark); at != std::string::npos; at = value.find(mark, at + 1)) {
            const std::size_t start = at + mark.size();
            std::size_t end = value.find_first_not_of("0123456789", start);
            if (end != std::string::npos && (value[end] == 'a' || value[end] == 'f')) ++end;
            found.push_back(value.substr(start, end == std::string::npos ? end : end - start));
        }
    return found;
}

class Application {
public:
    Application(Compiler compiler, const std::string& arch)
        : clang_(compiler == Compiler::kClang), number_(arch.substr(arch.find('_') + 1)) {
        made_.arch = arch;
    }

    ToolkitFlags run(const std::vector<std::string>& flags) && {
        for (std::size_t i = 0; i < flags.size(); ++i) {
            const std::string next = i + 1 < flags.size() ? flags[i + 1] : std::string();
            // The next word is another program's flag, whatever it looks like.
            if ((flags[i] == "-Xcompiler" || flags[i] == "--compiler-options") && !next.empty()) {
                made_.flags.insert(made_.flags.end(), {flags[i++], next});
                continue;
            }
            const auto found = match(flags[i], next);
            const bool ours = found && (clang_ || found->row->use == Use::kTarget || found->row->use == Use::kOutput);
            if (!ours || !take(*found, flags[i])) {
                made_.flags.push_back(flags[i]);
                continue;
            }
            i += found->words - 1;
        }
        if (!others_.empty() && !names_device_)
            made_.notes.push_back("'" + others_ + "' is ignored: the code is compiled for the modeled GPU (" +
                                  made_.arch + "). --device chooses another one");
        return std::move(made_);
    }

private:
    void target(const Match& found, const std::string& flag) {
        for (const std::string& one : architectures_in(found.value)) {
            if (one == number_ || one + "a" == number_ || one + "f" == number_) names_device_ = true;
            if (one.size() == number_.size() + 1 && one.starts_with(number_)) {
                made_.arch = "sm_" + one;
                names_device_ = true;
            }
        }
        if (found.value == "native" || found.value.starts_with("all")) names_device_ = true;
        if (others_.empty()) others_ = found.words == 2 ? flag + " " + found.value : flag;
    }

    // False: clang takes it as it is.
    bool take(const Match& found, const std::string& flag) {
        const std::string& value = found.value;
        switch (found.row->use) {
            case Use::kTarget: target(found, flag); return true;
            case Use::kOutput:
                made_.notes.push_back("'" + flag +
                                      "' is ignored: `tilescope` runs the program and keeps no executable");
                return true;
            case Use::kDropped: return true;
            case Use::kNoted:
                made_.notes.push_back("'" + flag + "' is ignored: " + std::string(found.row->text));
                return true;
            case Use::kOptimize:
                if (!is_level(value)) return false;
                made_.flags.push_back("-O" + value);
                return true;
            case Use::kStandard: made_.flags.push_back("-std=" + value); return true;
            case Use::kWarnings:
                if (value == "all-warnings") made_.flags.emplace_back("-Werror");
                return value == "all-warnings" || value == "cross-execution-space-call" || value == "reorder" ||
                       value == "ext-lambda-captures-this" || value == "default-stream-launch";
            case Use::kRenamed:
                made_.flags.emplace_back(found.row->text);
                if (found.row->text.size() > 2)
                    made_.flags.push_back(value);
                else
                    made_.flags.back() += value;
                return true;
        }
        return false;
    }

    bool clang_;
    std::string number_;  // "90" of sm_90
    ToolkitFlags made_;
    std::string others_;  // the first flag that names architectures
    bool names_device_ = false;
};

}  // namespace

ToolkitFlags apply_toolkit_flags(const std::vector<std::string>& flags, Compiler compiler, const std::string& arch) {
    return Application(compiler, arch).run(flags);
}

std::size_t words_of_toolkit_flag(const std::string& flag, const std::string& next) {
    // Those that compile_flags.h translates, and those that all compilers know; `=` ends a name that has its value
    // behind.
    static constexpr std::array<std::string_view, 36> kAlone = {"-G",
                                                                "-g",
                                                                "-w",
                                                                "--device-debug",
                                                                "--debug",
                                                                "--disable-warnings",
                                                                "-lineinfo",
                                                                "--generate-line-info",
                                                                "--expt-relaxed-constexpr",
                                                                "-expt-relaxed-constexpr",
                                                                "--expt-extended-lambda",
                                                                "-expt-extended-lambda",
                                                                "-extended-lambda",
                                                                "-use_fast_math",
                                                                "--use_fast_math",
                                                                "-dc",
                                                                "--device-c",
                                                                "-O0",
                                                                "-O1",
                                                                "-O2",
                                                                "-O3",
                                                                "-O4",
                                                                "-Os",
                                                                "-Ofast",
                                                                "-Wall",
                                                                "-Wextra",
                                                                "-Werror",
                                                                "-pthread",
                                                                "-fopenmp",
                                                                "-fPIC",
                                                                "-m64",
                                                                "-march=native",
                                                                "-ffast-math",
                                                                "-fgpu-rdc",
                                                                "-Wno-unused-variable",
                                                                "-g3"};
    static constexpr std::array<std::string_view, 19> kWithValue = {"-rdc",
                                                                    "--relocatable-device-code",
                                                                    "-Xcompiler",
                                                                    "--compiler-options",
                                                                    "-Xlinker",
                                                                    "--linker-options",
                                                                    "-fmad",
                                                                    "--fmad",
                                                                    "-ftz",
                                                                    "--ftz",
                                                                    "-prec-div",
                                                                    "--prec-div",
                                                                    "-prec-sqrt",
                                                                    "--prec-sqrt",
                                                                    "-default-stream",
                                                                    "--default-stream",
                                                                    "-isystem",
                                                                    "-include",
                                                                    "-Xarch_host"};
    // Options of tilescope's own: --threads of `trace` has nothing to do with nvcc's.
    const std::string_view option = std::string_view(flag).substr(0, flag.find('='));
    if (option == "--std" || option == "-std" || option == "--threads") return 0;
    for (const std::string_view name : kWithValue) {
        if (flag == name) return next.empty() ? 0 : 2;
        if (flag.size() > name.size() && flag.starts_with(name) && flag[name.size()] == '=') return 1;
    }
    const auto found = match(flag, next);
    if (found && found->row->use == Use::kStandard) return 0;
    if (found && found->row->use == Use::kOptimize) return is_level(found->value) ? found->words : 0;
    if (found && !(found->row->use == Use::kWarnings && !found->value.starts_with("all"))) return found->words;
    return std::find(kAlone.begin(), kAlone.end(), flag) != kAlone.end() ? 1 : 0;
}

}  // namespace tilescope::image

#include "scope/image/rtc/compile.h"

#include <algorithm>

#include "scope/image/cache.h"
#include "scope/image/compile.h"
#include "scope/image/compile_steps.h"
#include "scope/image/hash.h"
#include "scope/image/private_folder.h"
#include "scope/image/process.h"
#include "scope/image/rtc/log.h"
#include "scope/image/rtc/options.h"
#include "scope/image/rtc/unit.h"
#include "scope/image/toolchain.h"
#include "scope/image/toolkit_spellings.h"

namespace tilescope::image {
namespace {

namespace fs = std::filesystem;

// A change of the headers in include/tilescope/rtc makes new entries in the cache: it does not look at our own.
constexpr const char* kFirstHeaders = "-DTILESCOPE_RTC=2";

RtcAnswer ended(RtcOutcome outcome, std::string log) {
    RtcAnswer answer;
    answer.outcome = outcome;
    answer.log = std::move(log);
    return answer;
}

std::string in_words(const Diagnostics& errors) {
    std::string text;
    for (const Diagnostic& each : errors)
        text += "nvrtc: error: " + each.message + (each.hint.empty() ? "" : " (" + each.hint + ")") + "\n";
    return text;
}

// Paths that mean themselves in whatever reads them; nvcc hands its words to a shell.
bool is_plain(const fs::path& path) {
    const std::string text = path.string();
    return std::all_of(text.begin(), text.end(), [](char c) {
        return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') ||
               std::string_view("/._-+").find(c) != std::string_view::npos;
    });
}

struct Workplace {
    fs::path folder;
    fs::path headers() const { return folder / kRtcFolders; }
};

Status keep_file(const fs::path& path, std::string_view text) {
    // One that is there already keeps its stamp, by which the cache knows it.
    if (const auto there = read_file(path); there && *there == text) return Success{};
    std::error_code failed;
    fs::create_directories(path.parent_path(), failed);
    return write_file_atomically(path, text);
}

std::string name_of_content(const RtcRequest& request) {
    ContentHash hash;
    hash.add(request.name).add(request.source);
    for (const auto& [name, text] : request.headers) hash.add(name).add(text);
    for (const auto* list : {&request.options, &request.expressions}) {
        hash.add(std::to_string(list->size()));
        for (const std::string& each : *list) hash.add(each);
    }
    return hash.finish();
}

Result<Workplace> make_workplace(const CompileCache& cache, const RtcRequest& request) {
    Workplace work{cache.folder() / "rtc" / name_of_content(request)};
    for (const fs::path& folder : {work.folder, work.headers()})
        if (const Status made = make_private_folder(folder); !made) return made.errors();
    return work;
}

// One compilation of a request, by one compiler.
class Compilation {
public:
    Compilation(const RtcRequest& request, const RtcOptions& options, const Toolchain& toolchain, Workplace work,
                fs::path headers_dir)
        : request_(request),
          options_(options),
          toolchain_(toolchain),
          work_(std::move(work)),
          headers_dir_(std::move(headers_dir)),
          clang_(toolchain.kind == Compiler::kClang) {}

    RtcAnswer run() {
        if (const Status status = write_headers(); !status)
            return ended(RtcOutcome::kInvalidInput, in_words(status.errors()));
        if (const Status status = keep_file(kept_source(), request_.source); !status)
            return ended(RtcOutcome::kInternal, in_words(status.errors()));
        // Without the host's headers the toolkit's own functions are no file's own: relocatable code would hold them
        // all.
        auto made = compile(request_.source, !clang_ && !options_.relocatable && is_plain(headers_dir_));
        const bool lacks_host =
            made ? !options_.relocatable && calls_unknown_functions(made->ptx) : blames_others(made.errors());
        if (!clang_ && lacks_host) made = compile(request_.source, false);
        if (!made && clang_)
            if (const std::string mended = for_clang(request_.source); mended != request_.source)
                made = compile(mended, false);
        if (!made) return ended(RtcOutcome::kFailed, rtc_errors(made.errors(), places()));
        return answer(std::move(made).value());
    }

private:
    fs::path kept_source() const { return work_.folder / "source" / rtc_file_name(request_.name); }

    RtcPlaces places() const {
        const bool searches = !options_.folders.empty() || !request_.headers.empty();
        return {request_.name, request_.source, work_.headers().string(), searches, clang_};
    }

    Status write_headers() const {
        std::error_code failed;
        for (const auto& [name, text] : request_.headers) {
            const auto path = rtc_header_path(work_.folder, name);
            if (!path)
                return error("image-rtc", {}, "the header's name \"" + name + "\" leads out of the program's folder");
            // clang has CUDA's headers of ours, which are written for it.
            if (clang_ && fs::exists(headers_dir_ / path->lexically_relative(work_.headers()), failed)) continue;
            if (const Status status = keep_file(*path, text); !status) return status;
        }
        return Success{};
    }

    // nvcc's preprocessor gets no name that a shell would take apart.
    Result<fs::path> plain_folder(const fs::path& folder, std::size_t number) const {
        if (clang_ || is_plain(folder)) return folder;
        const fs::path link = work_.folder / ("folder-" + std::to_string(number));
        std::error_code failed;
        if (fs::read_symlink(link, failed) == folder) return link;
        fs::create_directory_symlink(folder, link, failed);
        if (failed) return error("image-unwritable", {link.string()}, "cannot make a link: " + failed.message());
        return link;
    }

    // Folders that the program names. clang has the toolkit's headers after ours, which stand for them.
    Result<std::vector<std::string>> folder_flags() const {
        std::vector<std::string> flags;
        std::vector<fs::path> folders(options_.folders.begin(), options_.folders.end());
        if (options_.searches_source_folder) {
            const fs::path parent = fs::path(request_.name).parent_path();
            folders.push_back(parent.empty() ? fs::path(".") : parent);
        }
        for (std::size_t i = 0; i < folders.size(); ++i) {
            std::error_code failed;
            const auto folder = plain_folder(fs::absolute(folders[i], failed).lexically_normal(), i);
            if (!folder) return folder.errors();
            const bool toolkit = clang_ && fs::exists(*folder / "cuda_runtime.h", failed);
            const bool own = options_.searches_source_folder && i + 1 == folders.size();
            flags.push_back((toolkit ? "-idirafter" : own && clang_ ? "-iquote" : "-I") + folder->string());
        }
        return flags;
    }

    std::vector<std::string> language_flags(bool alone) const {
        std::vector<std::string> flags = {"-D__CUDACC_RTC__=1"};
        const auto add = [&](bool asked, std::initializer_list<const char*> words) {
            if (asked) flags.insert(flags.end(), words.begin(), words.end());
        };
        if (!options_.standard.empty()) flags.push_back("-std=" + options_.standard);
        add(options_.fast_math, {"--use_fast_math"});
        add(!options_.fuses, {"-fmad=false"});
        add(!options_.warns, {"-w"});
        add(options_.flushes, {"-ftz=true"});
        add(!options_.divides_exactly, {"-prec-div=false"});
        add(!options_.takes_roots_exactly, {"-prec-sqrt=false"});
        if (clang_) {
            const std::string headers = work_.headers().string();
            flags.insert(flags.end(), {"-iquote" + headers, "-idirafter" + headers});
            return flags;
        }
        add(options_.restricts, {"--restrict"});
        flags.insert(flags.end(), options_.severities.begin(), options_.severities.end());
        flags.push_back("-I" + work_.headers().string());
        if (!alone) {
            flags.erase(flags.begin());  // the toolkit's headers would take it for NVRTC
            return flags;
        }
        // No header of the host's, as in NVRTC.
        flags.push_back(kFirstHeaders);
        flags.push_back("-I" + (headers_dir_ / "tilescope/rtc").string());
        flags.insert(flags.end(), {"-Xcompiler", "-nostdinc,-nostdinc++,-include,tilescope_rtc_first.h"});
        return flags;
    }

    // alone: without the host's headers, which NVRTC has not either.
    Result<CompiledPtx> compile(const std::string& source, bool alone) const {
        const std::string unit = rtc_unit(source, request_.name, options_, request_.expressions, !alone);
        // By its text, which depends on the compiler, too: two may be at work on one program.
        const fs::path file = work_.folder / (ContentHash().add(unit).finish() + ".cu");
        if (const Status status = keep_file(file, unit); !status) return status.errors();
        const auto folders = folder_flags();
        if (!folders) return folders.errors();
        CompileOptions compile;
        compile.compiler = toolchain_.kind;
        compile.compiler_path = toolchain_.program;
        compile.arch = "sm_" + std::to_string(options_.sm) + options_.suffix;
        compile.exact_arch = true;
        compile.headers_dir = headers_dir_;
        compile.relocatable_ptx = options_.relocatable;
        compile.extra_flags = language_flags(alone);
        compile.extra_flags.insert(compile.extra_flags.end(), folders->begin(), folders->end());
        return compile_to_ptx(file, compile);
    }

    // Whether the toolkit's own headers do without the host's less than this release's did: not the program's error.
    bool blames_others(const Diagnostics& errors) const {
        std::error_code failed;
        return std::any_of(errors.begin(), errors.end(), [&](const Diagnostic& each) {
            const std::string& file = each.location.file;
            const bool own = file == request_.name || file == kNameMap || file.starts_with(work_.folder.string());
            return !own && !file.empty() && fs::path(file).is_absolute();
        });
    }

    RtcAnswer answer(CompiledPtx made) const {
        RtcAnswer done = ended(RtcOutcome::kDone, warnings(made));
        done.lowered = take_lowered_names(made.ptx, request_.expressions.size());
        done.ptx = with_source_file(std::move(made.ptx), request_.name, kept_source());
        done.sm = options_.sm;
        done.machine_code = options_.machine_code;
        return done;
    }

    // What was said when the PTX was made, also where it comes from the cache.
    std::string warnings(const CompiledPtx& made) const {
        const fs::path kept = work_.folder / ("said-" + ContentHash().add(made.compiler_name).finish());
        if (made.from_cache) {
            const auto text = read_file(kept);
            return text ? *text : std::string();
        }
        std::string text = rtc_warnings(made.messages, places());
        if (const Status status = keep_file(kept, text); !status) return text;
        return text;
    }

    const RtcRequest& request_;
    const RtcOptions& options_;
    const Toolchain& toolchain_;
    Workplace work_;
    fs::path headers_dir_;
    bool clang_;
};

// The compiler to use; the other one where this cannot do what is asked for and the user left the choice.
Result<Toolchain> choose(const RtcRequest& request, const RtcOptions& options) {
    const auto choice = choose_compiler(request.compiler);
    if (!choice) return choice.errors();
    // Whoever compiles asks it for its release, which takes longer than to find what is kept.
    if (choice->kind == Compiler::kClang && !choice->program.empty())
        return Toolchain{Compiler::kClang, choice->program, 0, {}, {}};
    auto toolchain =
        choice->program.empty() ? find_toolchain(choice->kind) : toolchain_at(choice->kind, choice->program);
    if (!toolchain || toolchain->kind == Compiler::kClang) return toolchain;
    const bool wants_clang = options.on_device_by_default || nvcc_is_too_new(*toolchain, options.sm);
    if (!wants_clang) return toolchain;
    if (choice->kind == Compiler::kAuto)
        if (auto clang = find_toolchain(Compiler::kClang)) return clang;
    if (!options.on_device_by_default) return toolchain;
    return error("image-rtc", {},
                 "--device-as-default-execution-space (-default-device) is not supported by tilescope through nvcc",
                 "install clang, or use --compiler clang");
}

}  // namespace

RtcAnswer compile_rtc(const RtcRequest& request, const fs::path& headers_dir) {
    const RtcReading read = read_rtc_options(request.options, request.known_architectures, request.default_sm);
    if (!read.valid) return ended(RtcOutcome::kInvalidOption, read.log);
    const auto toolchain = choose(request, read.options);
    if (!toolchain) {
        const bool option = toolchain.errors().front().code == "image-rtc";
        return ended(option ? RtcOutcome::kInvalidOption : RtcOutcome::kInternal, in_words(toolchain.errors()));
    }
    const auto cache = CompileCache::open({});
    if (!cache) return ended(RtcOutcome::kInternal, in_words(cache.errors()));
    auto work = make_workplace(*cache, request);
    if (!work) return ended(RtcOutcome::kInternal, in_words(work.errors()));
    RtcAnswer answer =
        Compilation(request, read.options, *toolchain, *std::move(work), fs::absolute(headers_dir).lexically_normal())
            .run();
    answer.log = read.log + answer.log;
    return answer;
}

}  // namespace tilescope::image

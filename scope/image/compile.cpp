#include "scope/image/compile.h"

#include <unistd.h>

#include <algorithm>
#include <charconv>
#include <chrono>
#include <optional>

#include "scope/image/cache.h"
#include "scope/image/compile_steps.h"
#include "scope/image/hash.h"
#include "scope/image/process.h"

namespace tilescope::image {
namespace {

namespace fs = std::filesystem;

// A change of how we compile makes new entries in the cache.
constexpr const char* kRecipe = "4";

// 90 for "sm_90" and "sm_90a"; nothing for what is not an architecture's name.
std::optional<unsigned> number_of_arch(std::string_view arch) {
    if (!arch.starts_with("sm_")) return std::nullopt;
    arch.remove_prefix(3);
    unsigned number = 0;
    const auto [end, failure] = std::from_chars(arch.data(), arch.data() + arch.size(), number);
    arch.remove_prefix(static_cast<std::size_t>(end - arch.data()));
    if (failure != std::errc() || !(arch.empty() || arch == "a" || arch == "f")) return std::nullopt;
    return number;
}

// Our headers are part of what a program was made from.
std::string hash_of_headers(const fs::path& folder) {
    std::vector<fs::path> files;
    std::error_code failure;
    for (const auto& file : fs::recursive_directory_iterator(folder, failure))
        if (file.is_regular_file()) files.push_back(file.path());
    std::sort(files.begin(), files.end());
    ContentHash hash;
    for (const fs::path& file : files) {
        const auto content = read_file(file);
        hash.add(file.lexically_relative(folder).string()).add(content ? *content : "");
    }
    return hash.finish();
}

std::string hash_of_what_is_known(const CompileJob& job, const std::string& source_text, bool ptx_only) {
    const CompileOptions& options = *job.options;
    ContentHash hash;
    hash.add(kRecipe).add(ptx_only ? "ptx" : "program").add(job.source.string()).add(source_text);
    hash.add(job.toolchain.program.string()).add(job.toolchain.name).add(options.arch);
    if (job.toolchain.kind == Compiler::kClang)
        hash.add(options.runtime_lib_dir.string()).add(hash_of_headers(options.headers_dir));
    for (const std::string& flag : options.extra_flags) hash.add(flag);
    return hash.finish();
}

// Whether a file was touched since then: its hash may be that of another text than the compiler read.
bool touched_since(const std::vector<fs::path>& files, fs::file_time_type start) {
    return std::any_of(files.begin(), files.end(), [&](const fs::path& file) {
        std::error_code failure;
        const auto when = fs::last_write_time(file, failure);
        return failure || when >= start;
    });
}

// The folder with the result, and what was said while making it.
struct Made {
    fs::path folder;
    Toolchain toolchain;
    std::string messages;
    bool from_cache;
};

Result<Made> make(const CompileCache& cache, CompileJob& job, const std::string& known, bool ptx_only) {
    auto scratch = TemporaryFolder::create();
    if (!scratch) return scratch.errors();
    job.scratch = scratch->path();
    std::string made = (cache.folder() / "making-XXXXXX").string();
    if (mkdtemp(made.data()) == nullptr)
        return error("image-unwritable", {cache.folder().string(), 0, 0}, "cannot keep compiled programs here");
    job.output = made;
    const auto start = fs::file_time_type::clock::now();
    const Status status =
        job.toolchain.kind == Compiler::kNvcc ? compile_with_nvcc(job, ptx_only) : compile_with_clang(job, ptx_only);
    std::error_code ignored;
    if (!status) {
        fs::remove_all(made, ignored);
        return status.errors();
    }
    std::sort(job.dependencies.begin(), job.dependencies.end());
    job.dependencies.erase(std::unique(job.dependencies.begin(), job.dependencies.end()), job.dependencies.end());
    // An edit while we compiled: kept under a name that nothing will look up again.
    const bool stale = touched_since(job.dependencies, start);
    auto kept = cache.keep(stale ? ContentHash().add(known).add(made).finish() : known, job.dependencies, made);
    fs::remove_all(made, ignored);
    if (!kept) return kept.errors();
    return Made{*kept, job.toolchain, job.messages, false};
}

Result<Made> find_or_make(const fs::path& source, const CompileOptions& asked, bool ptx_only) {
    CompileOptions options = asked;
    const auto sm = number_of_arch(options.arch);
    if (!sm) return error("image-bad-arch", {}, "\"" + options.arch + "\" is not an architecture", "write sm_90");
    const auto text = read_file(source);
    if (!text) return text.errors();
    auto toolchain = options.compiler_path.empty() ? find_toolchain(options.compiler)
                                                   : toolchain_at(options.compiler, options.compiler_path);
    if (!toolchain) return toolchain.errors();
    if (options.compiler == Compiler::kAuto && nvcc_is_too_new(*toolchain, *sm))
        if (auto clang = find_toolchain(Compiler::kClang)) toolchain = std::move(clang);
    if (options.headers_dir.empty()) options.headers_dir = default_headers_dir();
    options.headers_dir = fs::absolute(options.headers_dir).lexically_normal();
    if (!options.runtime_lib_dir.empty())
        options.runtime_lib_dir = fs::absolute(options.runtime_lib_dir).lexically_normal();
    const auto cache = CompileCache::open(options.cache_dir);
    if (!cache) return cache.errors();

    CompileJob job{fs::absolute(source).lexically_normal(), *toolchain, &options, *sm, {}, {}, {}, {}};
    const std::string known = hash_of_what_is_known(job, *text, ptx_only);
    if (const auto kept = cache->find(known)) return Made{*kept, *toolchain, {}, true};
    return make(*cache, job, known, ptx_only);
}

unsigned number_after(std::string_view text, std::string_view mark, bool two_parts) {
    for (std::size_t at = text.find(mark); at != std::string_view::npos; at = text.find(mark, at + 1)) {
        if (at != 0 && text[at - 1] != '\n') continue;
        const char* end = text.data() + text.size();
        unsigned first = 0, second = 0;
        const auto [rest, failure] = std::from_chars(text.data() + at + mark.size(), end, first);
        if (failure != std::errc()) continue;
        if (!two_parts) return first;
        if (rest == end || *rest != '.' || std::from_chars(rest + 1, end, second).ec != std::errc()) continue;
        return first * 10 + second;
    }
    return 0;
}

}  // namespace

Result<CompiledProgram> compile_program(const fs::path& source, const CompileOptions& options) {
    auto made = find_or_make(source, options, false);
    if (!made) return made.errors();
    return CompiledProgram{made->folder / "program", made->toolchain.name, made->messages, made->from_cache};
}

Result<CompiledPtx> compile_to_ptx(const fs::path& source, const CompileOptions& options) {
    auto made = find_or_make(source, options, true);
    if (!made) return made.errors();
    auto ptx = read_file(made->folder / "kernel.ptx");
    if (!ptx) return ptx.errors();
    const unsigned sm = ptx_target_of(*ptx);
    return CompiledPtx{std::move(ptx).value(), sm, made->toolchain.name, made->messages, made->from_cache};
}

fs::path default_headers_dir() {
    std::error_code failure;
    const fs::path self = fs::read_symlink("/proc/self/exe", failure);
    if (!failure) {
        const fs::path installed = self.parent_path().parent_path() / "share/tilescope/include";
        if (fs::exists(installed / "cuda_runtime.h", failure)) return installed;
    }
    return TILESCOPE_HEADERS_DIR;
}

unsigned ptx_version_of(std::string_view ptx) { return number_after(ptx, ".version ", true); }
unsigned ptx_target_of(std::string_view ptx) { return number_after(ptx, ".target sm_", false); }

char ptx_target_suffix_of(std::string_view ptx) {
    const std::string target = ".target sm_" + std::to_string(ptx_target_of(ptx));
    const std::size_t at = ptx.find(target);
    if (at == std::string_view::npos || at + target.size() >= ptx.size()) return '\0';
    const char suffix = ptx[at + target.size()];
    return suffix == 'a' || suffix == 'f' ? suffix : '\0';
}

}  // namespace tilescope::image

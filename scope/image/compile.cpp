#include "scope/image/compile.h"

#include <algorithm>
#include <charconv>
#include <optional>

#include "scope/base/own_place.h"
#include "scope/image/cache.h"
#include "scope/image/compile_flags.h"
#include "scope/image/compile_inputs.h"
#include "scope/image/compile_steps.h"
#include "scope/image/dangling_locals.h"
#include "scope/image/hash.h"
#include "scope/image/process.h"
#include "scope/image/toolkit_flags.h"

namespace tilescope::image {

// Written by the build.
extern const char* const kHeadersOfCheckout;
namespace {

namespace fs = std::filesystem;

// A change of how we compile makes new entries in the cache.
constexpr const char* kRecipe = "20";

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

std::string hash_of_what_is_known(const CompileJob& job, const std::vector<fs::path>& sources, bool ptx_only) {
    const CompileOptions& options = *job.options;
    ContentHash hash;
    hash.add(kRecipe)
        .add(!ptx_only                 ? "program"
             : options.relocatable_ptx ? "relocatable"
                                       : "ptx")
        .add(options.arch)
        .add(options.exact_arch ? "exact" : "full");
    for (const fs::path& source : sources) hash.add(source.string());
    hash.add(job.surroundings);
    for (const std::string& flag : options.extra_flags) hash.add(flag);
    if (job.toolchain.kind == Compiler::kClang) hash.add(options.runtime_lib_dir.string()).add(job.headers);
    return hash.finish();
}

// Of an entry of the cache: what the compiler said of functions that return the address of a local variable.
constexpr const char* kDanglingLocals = "dangling-locals";

// The folder with the result, and what was said while making it.
struct Made {
    fs::path folder;
    Toolchain toolchain;
    std::string messages;
    bool from_cache;
};

// What an entry depends on; nothing for one that is outdated at once.
std::optional<CacheInputs> inputs_of(const CompileJob& job, const std::vector<fs::path>& sources,
                                     const timespec& start) {
    std::vector<fs::path> read = sources;
    read.insert(read.end(), job.dependencies.begin(), job.dependencies.end());
    return inputs_as_read(*job.options, read, start);
}

// Of one file with kernels there is nothing to link, but with what objects bring along.
bool asks_to_link_device_code(const CompileJob& job, const std::vector<fs::path>& sources) {
    const auto files = std::count_if(sources.begin(), sources.end(), is_cuda_source);
    return (files > 1 || (files == 1 && !job.object_code.empty())) && asks_to_link(job.options->extra_flags);
}

// The toolkit's linker also takes objects and libraries.
bool nvcc_links_device_code(const std::vector<fs::path>& sources, const CompileOptions& options) {
    if (!asks_to_link(options.extra_flags)) return false;
    return std::count_if(sources.begin(), sources.end(), is_cuda_source) > 1 ||
           std::any_of(sources.begin(), sources.end(), is_object) || names_library(options.extra_flags);
}

// The compiler to use; with kAuto one that can do what is asked for.
Result<Toolchain> choose_toolchain(const CompileOptions& options, unsigned sm) {
    auto toolchain = options.compiler_path.empty() ? find_toolchain(options.compiler)
                                                   : toolchain_at(options.compiler, options.compiler_path);
    if (!toolchain) return toolchain.errors();
    if (options.compiler == Compiler::kAuto && nvcc_is_too_new(*toolchain, sm))
        if (auto clang = find_toolchain(Compiler::kClang)) return clang;
    return toolchain;
}

// What is only linked, behind all that is compiled, and archives behind all objects that may need them.
void add_objects(CompileJob& job, const std::vector<fs::path>& sources) {
    for (const bool archives : {false, true})
        for (const fs::path& source : sources)
            if (is_object(source) && (source.extension() == ".a") == archives) job.units.push_back({source, source});
}

// Every source to an object.
Status compile_each(CompileJob& job, const std::vector<fs::path>& sources, bool ptx_only) {
    const bool nvcc = job.toolchain.kind == Compiler::kNvcc;
    for (const fs::path& source : sources) {
        if (is_object(source)) continue;
        job.source = source;
        job.object = object_of_next(job);
        Status status = nvcc ? compile_with_nvcc(job, ptx_only) : compile_with_clang(job, ptx_only);
        if (!status) return status;
        job.units.push_back({job.source, job.object});
    }
    return Success{};
}

// What the folders of --cuda-include must be: NVIDIA's open headers, without the toolkit's around them.
Status check_cuda_folders(const std::vector<std::string>& flags) {
    for (const fs::path folder : cuda_folders(flags)) {
        std::error_code failed;
        const auto holds = [&](const char* name) { return fs::exists(folder / name, failed); };
        if (holds("cuda_runtime.h"))
            return error("image-cuda-include", {folder.string(), 0, 0},
                         "this folder holds the toolkit's own headers, too",
                         holds("cccl") ? "name its folder cccl"
                                       : "name a folder that holds cub, thrust, cuda and nv alone (links will do)");
        if (!holds("cub") && !holds("thrust") && !holds("cuda"))
            return error("image-cuda-include", {folder.string(), 0, 0},
                         "there is neither cub nor thrust nor cuda in this folder", "name the folder that holds them");
    }
    return Success{};
}

// A file that is given twice would define everything twice.
Status check_named_once(std::vector<fs::path> sources) {
    std::sort(sources.begin(), sources.end());
    const auto twice = std::adjacent_find(sources.begin(), sources.end());
    if (twice == sources.end()) return Success{};
    return error("image-link", {twice->string(), 0, 0}, "this file is named twice", "name it once");
}

// Compiles every source and links them, or makes PTX of the only one.
Status compile_all(CompileJob& job, const std::vector<fs::path>& sources, bool ptx_only) {
    const bool nvcc = job.toolchain.kind == Compiler::kNvcc;
    if (ptx_only) {
        job.links_device_code = job.options->relocatable_ptx;
        return compile_each(job, sources, true);
    }
    Status status = Success{};
    if (nvcc)
        job.links_device_code = nvcc_links_device_code(sources, *job.options);
    else
        status = gather_object_code(job, sources);
    if (!status) return status;
    if (!nvcc && asks_to_link_device_code(job, sources)) {
        status = compile_linked_with_clang(job, sources);
    } else {
        status = compile_each(job, sources, false);
        // Sources that stand alone do so beside objects that are one program.
        if (status && !job.object_code.empty()) status = link_object_code(job);
    }
    if (!status) return status;
    add_objects(job, sources);
    return nvcc ? link_with_nvcc(job) : link_with_clang(job);
}

Result<Made> make(const CompileCache& cache, CompileJob& job, const std::vector<fs::path>& sources,
                  const std::string& known, bool ptx_only) {
    const auto scratch = TemporaryFolder::create();
    if (!scratch) return scratch.errors();
    job.scratch = scratch->path();
    const auto made = cache.start();
    if (!made) return made.errors();
    job.output = made->path();
    const timespec start = next_tick();
    if (const Status status = compile_all(job, sources, ptx_only); !status) return status.errors();
    // Other warnings are for whoever compiles; this one is about the run, cached or not.
    if (const std::string dangling = dangling_locals(job.messages); !dangling.empty()) {
        job.messages += dangling;
        if (const Status status = write_file_atomically(job.output / kDanglingLocals, dangling); !status)
            return status.errors();
    }
    // What would not be the same again is kept under a name that nothing will look up.
    const auto inputs = inputs_of(job, sources, start);
    const auto kept = inputs ? cache.keep(known, *inputs, *made)
                             : cache.keep(ContentHash().add(known).add(job.output.string()).finish(), {}, *made);
    if (!kept) return kept.errors();
    return Made{*kept, job.toolchain, job.messages, false};
}

// Whether a compiler refused what the architecture has by its full name alone (wgmma is sm_90a's, not sm_90's). Nothing
// is compiled for that from the start: programs that ask for their architecture may do without it then, as with nvcc.
bool wants_full_name(const Diagnostics& errors, const std::string& arch) {
    constexpr unsigned kFirstWithFullName = 90;
    if (number_of_arch(arch).value_or(0) < kFirstWithFullName || arch.ends_with('a') || arch.ends_with('f'))
        return false;
    const std::string said = "not supported on .target '" + arch + "'";
    return std::any_of(errors.begin(), errors.end(),
                       [&](const Diagnostic& one) { return one.message.find(said) != std::string::npos; });
}

Result<Made> find_or_make_plain(const std::vector<fs::path>& sources, const CompileOptions& asked,
                                const Toolchain& chosen, bool ptx_only) {
    CompileOptions options = asked;
    const auto sm = number_of_arch(options.arch);
    if (!sm) return error("image-bad-arch", {}, "\"" + options.arch + "\" is not an architecture", "write sm_90");
    if (const Status status = check_cuda_folders(options.extra_flags); !status) return status.errors();
    std::vector<fs::path> absolute;
    for (const fs::path& source : sources) {
        if (const auto text = read_file(source); !text) return text.errors();
        absolute.push_back(fs::absolute(source).lexically_normal());
        if (absolute.back().string().find_first_of("\n\r") != std::string::npos)
            return error("image-source-name", {}, "the path of a source has a line break, which no compiler accepts",
                         "rename the file or its folder");
    }
    if (const Status status = check_named_once(absolute); !status) return status.errors();
    const Toolchain* const toolchain = &chosen;
    if (options.headers_dir.empty()) options.headers_dir = default_headers_dir();
    options.headers_dir = fs::absolute(options.headers_dir).lexically_normal();
    if (!options.runtime_lib_dir.empty())
        options.runtime_lib_dir = fs::absolute(options.runtime_lib_dir).lexically_normal();
    const auto cache = CompileCache::open(options.cache_dir);
    if (!cache) return cache.errors();

    const auto job_of = [&] {
        return CompileJob{{},
                          {},
                          *toolchain,
                          &options,
                          *sm,
                          {},
                          {},
                          {},
                          {},
                          {},
                          false,
                          false,
                          {},
                          {},
                          &*cache,
                          hash_of_surroundings(*toolchain, options),
                          toolchain->kind == Compiler::kClang ? hash_of_headers(options.headers_dir) : std::string()};
    };
    CompileJob job = job_of();
    const std::string known = hash_of_what_is_known(job, absolute, ptx_only);
    if (const auto kept = cache->find(known)) {
        std::error_code failed;
        const bool dangles = fs::exists(*kept / kDanglingLocals, failed);
        const auto said = dangles ? read_file(*kept / kDanglingLocals) : Result<std::string>(std::string());
        return Made{*kept, *toolchain, said ? *said : std::string(), true};
    }
    auto made = make(*cache, job, absolute, known, ptx_only);
    if (made || !wants_full_name(made.errors(), options.arch)) return made;
    options.arch += 'a';
    CompileJob again = job_of();
    return make(*cache, again, absolute, known, ptx_only);
}

Result<Made> find_or_make(const std::vector<fs::path>& sources, const CompileOptions& asked, bool ptx_only) {
    const auto sm = number_of_arch(asked.arch);
    if (!sm) return error("image-bad-arch", {}, "\"" + asked.arch + "\" is not an architecture", "write sm_90");
    const auto toolchain = choose_toolchain(asked, *sm);
    if (!toolchain) return toolchain.errors();
    CompileOptions options = asked;
    ToolkitFlags own = apply_toolkit_flags(asked.extra_flags, toolchain->kind, asked.arch);
    options.extra_flags = std::move(own.flags);
    if (!options.exact_arch) options.arch = own.arch;
    auto made = find_or_make_plain(sources, options, *toolchain, ptx_only);
    if (!made) return made;
    std::string notes;
    for (const std::string& note : own.notes) notes += "tilescope: note: " + note + "\n";
    made->messages.insert(0, notes);
    return made;
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

Result<CompiledProgram> compile_program(const std::vector<fs::path>& sources, const CompileOptions& options) {
    auto made = find_or_make(sources, options, false);
    if (!made) return made.errors();
    return CompiledProgram{made->folder / "program", made->toolchain.name, made->messages, made->from_cache};
}

Result<CompiledPtx> compile_to_ptx(const fs::path& source, const CompileOptions& options) {
    auto made = find_or_make({source}, options, true);
    if (!made) return made.errors();
    auto ptx = read_file(made->folder / "kernel.ptx");
    if (!ptx) return ptx.errors();
    const unsigned sm = ptx_target_of(*ptx);
    const auto own = apply_toolkit_flags(options.extra_flags, made->toolchain.kind, options.arch).flags;
    const std::string told =
        assembler_options(made->toolchain.kind == Compiler::kClang ? flags_for_clang(own).device : own);
    return CompiledPtx{std::move(ptx).value(), sm, told, made->toolchain.name, made->messages, made->from_cache};
}

fs::path object_of_next(const CompileJob& job) {
    return job.scratch / ("unit-" + std::to_string(job.units.size()) + ".o");
}

bool is_cuda_source(const fs::path& path) { return path.extension() == ".cu"; }

bool is_source(const fs::path& path) {
    static constexpr std::string_view kPlain[] = {".cpp", ".cc", ".cxx", ".c++", ".C", ".c"};
    return is_cuda_source(path) ||
           std::find(std::begin(kPlain), std::end(kPlain), path.extension().string()) != std::end(kPlain);
}

bool is_object(const fs::path& path) {
    const fs::path extension = path.extension();
    return extension == ".o" || extension == ".a" || extension == ".so";
}

fs::path default_headers_dir() {
    const fs::path share = own_share();
    return share.empty() ? fs::path(kHeadersOfCheckout) : share / "include";
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

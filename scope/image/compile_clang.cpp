// clang without a CUDA toolkit: device half to LLVM code, that to PTX, PTX into a container, host half around it.
#include <algorithm>
#include <future>
#include <span>
#include <sstream>

#include "scope/base/source_paths.h"
#include "scope/image/automatic_variables.h"
#include "scope/image/clang_flags.h"
#include "scope/image/clang_front_end.h"
#include "scope/image/cluster_dims.h"
#include "scope/image/compile_flags.h"
#include "scope/image/compile_steps.h"
#include "scope/image/container_object.h"
#include "scope/image/debug_facts.h"
#include "scope/image/device_ir.h"
#include "scope/image/device_link.h"
#include "scope/image/fatbinary.h"
#include "scope/image/global_linkage.h"
#include "scope/image/link.h"
#include "scope/image/made_for.h"
#include "scope/image/managed_variables.h"
#include "scope/image/process.h"
#include "scope/image/ptxas.h"
#include "scope/image/saturating_casts.h"
#include "scope/image/typed_accesses.h"

namespace tilescope::image {
namespace {

namespace fs = std::filesystem;

// The PTX version in which an architecture appeared.
unsigned first_ptx_of(unsigned sm) {
    static constexpr DeviceTarget kFirst[] = {{121, 88}, {120, 87}, {110, 90}, {103, 88}, {100, 86}, {90, 78}};
    for (const auto& [since, ptx] : kFirst)
        if (sm >= since) return ptx;
    return 0;
}

// PTX for an older architecture than the device's as PTX for the device's, which has all of its instructions: what the
// program's own assembly asks for is then held against the device, not against what clang happens to know.
std::string for_device(std::string ptx, unsigned sm) {
    constexpr unsigned kRegistersOf128 = 83;  // which clang knows from later releases on, and our atomics write by hand
    const unsigned asked = ptx.find(".b128") == std::string::npos ? 0 : kRegistersOf128;
    if (sm <= ptx_target_of(ptx) && asked <= ptx_version_of(ptx)) return ptx;
    const auto put = [&](const std::string& mark, const std::string& value) {
        const std::size_t at = ptx.find(mark);
        if (at == std::string::npos) return;
        const std::size_t start = at + mark.size();
        ptx.replace(start, ptx.find_first_not_of("0123456789.", start) - start, value);
    };
    const unsigned version = std::max({ptx_version_of(ptx), first_ptx_of(sm), asked});
    put("\n.version ", std::to_string(version / 10) + "." + std::to_string(version % 10));
    put("\n.target sm_", std::to_string(std::max(sm, ptx_target_of(ptx))));
    return ptx;
}

// The architecture with all of its features, where it has a name for these.
std::string full_name(const CompileJob& job) {
    constexpr unsigned kFirstWithFullName = 90;
    const std::string& arch = job.options->arch;
    const bool is_full = arch.ends_with('a') || arch.ends_with('f');
    return job.options->exact_arch || is_full || job.sm < kFirstWithFullName ? arch : arch + 'a';
}

// The program's kernels as LLVM code, not optimised yet, and with all that clang can tell of their source.
Status make_llvm_code(CompileJob& job, const DeviceTarget& target, const fs::path& code) {
    // The program must see the device's architecture also where clang knows only older ones.
    const std::string seen = "-D__CUDA_ARCH__=" + std::to_string(job.sm * 10);
    const bool full = job.options->arch.ends_with('a');
    const std::vector<std::string> features =
        full ? std::vector{"-D__CUDA_ARCH_FEAT_SM" + std::to_string(job.sm) + "_ALL"} : std::vector<std::string>();
    // With -g alone the driver would still tell nothing of a device's variables where the user's flags optimise.
    return run_front_end(job, {joined({{"--cuda-device-only", "--cuda-gpu-arch=sm_" + std::to_string(target.sm), "-g",
                                        "-Xclang", "-debug-info-kind=constructor", "-Xclang", "-new-struct-path-tbaa",
                                        "-ffp-contract=fast", "-fno-strict-float-cast-overflow"},
                                       device_flags(job, target),
                                       arithmetic_flags(job),
                                       {"-U__CUDA_ARCH__", seen},
                                       features,
                                       user_device_flags(job)}),
                               {},
                               job.scratch / "device.d",
                               code});
}

// A step of its own, for between clang and its optimizer the variables are made known to be others' as well.
Result<std::string> optimize(CompileJob& job, const DeviceTarget& target, const std::string& llvm_ir,
                             const fs::path& code) {
    const fs::path optimized = job.scratch / "optimized.ll";
    const PublicGlobals open = publish_globals(llvm_ir);
    Status status = write_file_atomically(code, open.llvm_ir);
    if (!status) return status.errors();
    // A loop that could not be unrolled as a header asks is no mistake of the program's, and nvcc does not tell of it.
    status = run_compiler(job, joined({llvm_flags(job, target),
                                       starting_with(user_device_flags(job), {"-O"}),
                                       {"-Wno-pass-failed", "-emit-llvm", code.string(), "-o", optimized.string()}}));
    if (!status) return status.errors();
    const auto result = read_file(optimized);
    if (!result) return result.errors();
    return hide_globals(*result, open.names);
}

// LLVM code, already optimised, to PTX for the device, with the facts behind it.
Status generate_ptx(CompileJob& job, const DeviceTarget& target, const fs::path& code, const SourceFacts& facts,
                    const ClusterDims& clusters, const fs::path& ptx) {
    const Status status = run_compiler(
        job, joined({llvm_flags(job, target), {"-Xclang", "-disable-llvm-passes", code.string(), "-o", ptx.string()}}));
    if (!status) return status;
    auto text = read_file(ptx);
    if (!text) return text.errors();
    return write_file_atomically(ptx, with_clusters(for_device(std::move(text).value(), job.sm), clusters) +
                                          facts_as_comments(facts) + made_for_comment(full_name(job)));
}

// Where the source has a managed variable with one of these words beside it; no line where it is not plain to see.
SourceLocation place_of_managed(const CompileJob& job, std::initializer_list<std::string_view> words) {
    const auto text = read_file(job.source);
    if (!text) return {job.source.string(), 0, 0};
    std::istringstream lines(*text);
    std::uint32_t number = 1;
    for (std::string line; std::getline(lines, line); ++number) {
        if (line.find("__managed__") == std::string::npos) continue;
        if (std::any_of(words.begin(), words.end(), [&](auto word) { return line.find(word) != std::string::npos; }))
            return {job.source.string(), number, 0};
    }
    return {job.source.string(), 0, 0};
}

// What the source of `described`, its LLVM code, may not have.
Status check_variables(const CompileJob& job, const std::string& described) {
    if (const std::string name = misplaced_managed(described); !name.empty())
        return error("image-compile", place_of_managed(job, {"__shared__", "__constant__"}),
                     "'" + name + "' is __managed__ and of another memory, too",
                     "a variable is __managed__, __shared__ or __constant__");
    return Success{};
}

// LLVM code that is not optimised yet to PTX.
Status finish_device(CompileJob& job, const DeviceTarget& target, const std::string& described, const fs::path& ptx) {
    const fs::path code = job.scratch / "device.ll", tidy = job.scratch / "tidy.ll";
    SourceFacts facts = source_facts(described);
    const ClusterDims clusters = cluster_dims(described);
    const auto llvm_ir = optimize(job, target, keep_line_tables(type_accesses(described)), code);
    if (!llvm_ir) return llvm_ir.errors();
    add_automatic_variables(described, *llvm_ir, facts);
    std::vector<std::string> headers = {job.options->headers_dir.string() + "/"};
    headers.insert(headers.end(), library_folders().begin(), library_folders().end());
    for (const std::string& folder : cuda_folders(job.options->extra_flags))
        headers.push_back(fs::absolute(folder).lexically_normal().string() + "/");
    std::string llvm_code = use_device_casts(*llvm_ir);
    llvm_code = credit_callers(unmark_vectors(keep_load_widths(widen_copies(llvm_code))), headers);
    const Status status = write_file_atomically(tidy, mark_managed(llvm_code, job.toolchain.major < kOpaquePointers));
    if (!status) return status;
    return generate_ptx(job, target, tidy, facts, clusters, ptx);
}

Result<std::string> describe_device(CompileJob& job, const DeviceTarget& target, const fs::path& code) {
    Status status = make_llvm_code(job, target, code);
    if (!status) return status.errors();
    auto described = read_file(code);
    if (!described) return described.errors();
    status = check_variables(job, *described);
    if (!status) return status.errors();
    return described;
}

Status compile_device(CompileJob& job, const DeviceTarget& target, const fs::path& ptx) {
    const auto described = describe_device(job, target, job.scratch / "described.ll");
    if (!described) return described.errors();
    return finish_device(job, target, job.links_device_code ? with_static_names(*described) : *described, ptx);
}

// Launches by <<<>>> of a program whose default stream is each host thread's own (include/tilescope/per_thread.h).
std::string name_launches(std::string llvm_ir) {
    static constexpr std::string_view kMark = "tilescope: per-thread default stream", kName = "@cudaLaunchKernel(",
                                      kOwn = "@cudaLaunchKernel_ptsz(";
    if (llvm_ir.find(kMark) == std::string::npos) return llvm_ir;
    for (std::size_t at = 0; (at = llvm_ir.find(kName, at)) != std::string::npos; at += kOwn.size())
        llvm_ir.replace(at, kName.size(), kOwn);
    return llvm_ir;
}

// The host's half as LLVM code with the container in it, in which what registers its variables is ours to change before
// it is optimised.
Result<std::string> describe_host(CompileJob& job, const fs::path& container) {
    const fs::path code = job.scratch / "host.ll";
    Status status = run_front_end(job, {joined({{"--cuda-host-only", "-gline-tables-only"}, host_flags(job)}),
                                        {"-Xclang", "-fcuda-include-gpubinary", "-Xclang", container.string()},
                                        job.scratch / "host.d",
                                        code});
    if (!status) return status.errors();
    auto llvm_ir = read_file(code);
    if (!llvm_ir) return llvm_ir.errors();
    if (const std::string name = constant_managed(*llvm_ir); !name.empty())
        return error("image-compile", place_of_managed(job, {"const"}),
                     "the managed variable '" + name + "' is const, which clang makes no managed memory for",
                     "leave out const or __managed__, or use --compiler nvcc");
    if (const std::string function = registering_function(*llvm_ir); !function.empty())
        job.registering.push_back(function);
    return name_launches(register_managed(*llvm_ir));
}

// That to job.object.
Status finish_host(CompileJob& job, const std::string& llvm_ir) {
    const fs::path code = job.scratch / "host.ll";
    const Status status = write_file_atomically(code, llvm_ir);
    if (!status) return status;
    return run_compiler(job, joined({{job.toolchain.program.string(), "-O3", "-Qunused-arguments"},
                                     starting_with(host_flags(job), {"-f", "-m", "-g", "-O"}),
                                     {"-x", "ir", "-c", code.string(), "-o", job.object.string()}}));
}

Status compile_host(CompileJob& job, const fs::path& container) {
    const auto llvm_ir = describe_host(job, container);
    return llvm_ir ? finish_host(job, *llvm_ir) : llvm_ir.errors();
}

// The host's half around a symbol for its container; false where that is not possible.
Result<bool> compile_host_apart(CompileJob& job, const std::string& symbol) {
    const fs::path stand_in = job.scratch / "stand-in.fatbin";
    const Status status = write_file_atomically(stand_in, kContainerStandIn);
    if (!status) return status.errors();
    const auto llvm_ir = describe_host(job, stand_in);
    if (!llvm_ir) return llvm_ir.errors();
    const auto apart = with_container_outside(*llvm_ir, symbol);
    if (!apart) return false;
    const Status finished = finish_host(job, *apart);
    if (!finished) return finished.errors();
    return true;
}

// A file with no kernels: C++, or C, that may call the runtime.
Status compile_plain(CompileJob& job) {
    const fs::path rule = job.scratch / "plain.d";
    const bool c = job.source.extension() == ".c";
    std::vector<std::string> flags = host_flags(job);
    if (c) std::erase(flags, "-std=c++17");
    const Status status =
        run_compiler(job, joined({{job.toolchain.program.string(), kLinksCpp},
                                  {"-x", c ? "c" : "c++", "-isystem", job.options->headers_dir.string(), kKeywordOfOld,
                                   "-gline-tables-only", "-c", "-MD", "-MF", rule.string()},
                                  flags,
                                  {job.source.string(), "-o", job.object.string()}}));
    if (status) add_dependencies(job, rule);
    return status;
}

// PTX into a container.
Result<std::vector<std::byte>> container_of(const CompileJob& job, const fs::path& ptx) {
    const auto text = read_file(ptx);
    if (!text) return text.errors();
    return write_fatbinary(*text, job.sm, ptx_version_of(*text), job.source.filename().string(),
                           assembler_options(user_device_flags(job)));
}

Status write_bytes(const fs::path& path, std::span<const std::byte> bytes) {
    return write_file_atomically(path, {reinterpret_cast<const char*>(bytes.data()), bytes.size()});
}

// A .cu file: its device half as PTX in a container, the host half around that. They are compiled side by side and know
// nothing of each other; what the device half says is told first, and what both say once.
Status compile_cuda(CompileJob& job) {
    const std::string name = job.object.stem().string(),
                      symbol = "tilescope_container_of_unit_" + std::to_string(job.units.size());
    CompileJob host = job;
    host.messages.clear();
    host.scratch = job.scratch / (name + "-host");
    std::error_code failed;
    fs::create_directory(host.scratch, failed);
    auto other = std::async(std::launch::async, [&] { return compile_host_apart(host, symbol); });
    const fs::path ptx = job.scratch / "kernel.ptx";
    Status status = compile_device(job, device_target(job.toolchain.major, job.sm), ptx);
    const auto apart = other.get();
    if (!status) return status;
    if (!apart) return apart.errors();
    job.dependencies.insert(job.dependencies.end(), host.dependencies.begin(), host.dependencies.end());
    const auto container = container_of(job, ptx);
    if (!container) return container.errors();
    if (*apart) {
        const fs::path object = job.scratch / (name + "-container.o");
        status = write_bytes(object, container_object(*container, symbol));
        if (status) job.units.push_back({job.source, object});
        return status;
    }
    const fs::path embedded = job.scratch / "kernel.fatbin";
    status = write_bytes(embedded, *container);
    return status ? compile_host(host, embedded) : status;
}

// The parts as one module, in a container.
Status link_parts(CompileJob& job, const std::vector<LoadedPtx>& parts) {
    const auto linked = link_ptx(parts, "linked.ptx");
    if (!linked) return linked.errors();
    job.linked = job.scratch / "linked.fatbin";
    return write_bytes(job.linked, write_fatbinary(linked->text, job.sm, ptx_version_of(linked->text),
                                                   job.source.filename().string(), linked->assembler_options));
}

// The device halves of all CUDA sources, and what objects bring along, as one module in a container.
Status compile_device_linked(CompileJob& job, const std::vector<fs::path>& sources) {
    const DeviceTarget target = device_target(job.toolchain.major, job.sm);
    const fs::path ptx = job.scratch / "kernel.ptx";
    std::vector<LoadedPtx> parts;
    for (const fs::path& source : sources) {
        if (!is_cuda_source(source)) continue;
        job.source = source;
        const auto described = describe_device(job, target, job.scratch / "described.ll");
        if (!described) return described.errors();
        const Status status = finish_device(job, target, with_static_names(*described), ptx);
        if (!status) return status;
        auto text = read_file(ptx);
        if (!text) return text.errors();
        const unsigned sm = ptx_target_of(*text);
        parts.push_back(
            {source.string(), sm, false, false, std::move(text).value(), assembler_options(user_device_flags(job))});
    }
    parts.insert(parts.end(), job.object_code.begin(), job.object_code.end());
    return link_parts(job, parts);
}

// Puts the object into job.units that gives the host halves' kernels their module.
Status register_linked(CompileJob& job) {
    const fs::path source = job.scratch / "registration.c", object = job.scratch / "registration.o";
    Status status = write_file_atomically(source, registration_source(job.registering, job.linked));
    if (!status) return status;
    status = run_compiler(
        job, {job.toolchain.program.string(), "-x", "c", "-O2", "-fPIC", "-c", source.string(), "-o", object.string()});
    if (status) job.units.push_back({source, object});
    return status;
}

}  // namespace

Status compile_linked_with_clang(CompileJob& job, const std::vector<fs::path>& sources) {
    const fs::path none = job.scratch / "none.fatbin";
    job.links_device_code = true;
    Status status = compile_device_linked(job, sources);
    if (!status) return status;
    status = write_file_atomically(none, "");  // clang makes no registration without a file
    if (!status) return status;
    const std::string messages = job.messages;
    for (const fs::path& source : sources) {
        if (is_object(source)) continue;
        job.source = source;
        job.object = object_of_next(job);
        status = is_cuda_source(source) ? compile_host(job, none) : compile_plain(job);
        if (!status) return status;
        job.units.push_back({job.source, job.object});
    }
    job.messages = messages;
    return Success{};
}

Status link_object_code(CompileJob& job) { return link_parts(job, job.object_code); }

Status compile_with_clang(CompileJob& job, bool ptx_only) {
    if (ptx_only) return compile_device(job, device_target(job.toolchain.major, job.sm), job.output / "kernel.ptx");
    return is_cuda_source(job.source) ? compile_cuda(job) : compile_plain(job);
}

Status link_with_clang(CompileJob& job) {
    // Behind all that registers with it.
    if (!job.linked.empty())
        if (const Status status = register_linked(job); !status) return status;
    const std::string libraries = job.options->runtime_lib_dir.string();
    std::vector<std::string> link = {job.toolchain.program.string(), kLinksCpp, "-Qunused-arguments"};
    for (const CompiledUnit& unit : job.units) link.push_back(unit.object.string());
    link.insert(link.end(), {"-o", (job.output / "program").string()});
    if (!libraries.empty()) link.insert(link.end(), {"-L" + libraries, "-Wl,-rpath," + libraries});
    link.push_back("-l:libcudart.so.12");
    return run_linker(job, joined({link, flags_for_clang(job.options->extra_flags).link}));
}

}  // namespace tilescope::image

// nvcc: PTX and machine code side by side in the program, the runtime shared.
#include <algorithm>
#include <charconv>

#include "scope/image/compile_flags.h"
#include "scope/image/compile_steps.h"
#include "scope/image/device_link_errors.h"
#include "scope/image/process.h"

namespace tilescope::image {
namespace {

// "90" or "90a": the architecture asked for where this nvcc knows it, else the newest before it, whose PTX the device
// runs as well.
Result<std::string> target_of(const CompileJob& job) {
    const auto listed = run_process({job.toolchain.program.string(), "--list-gpu-arch"});
    if (!listed) return listed.errors();
    unsigned best = 0;
    const std::string mark = "compute_";
    const std::string& text = listed->output;
    for (std::size_t at = text.find(mark); at != std::string::npos; at = text.find(mark, at + 1)) {
        unsigned sm = 0;
        std::from_chars(text.data() + at + mark.size(), text.data() + text.size(), sm);
        if (sm <= job.sm) best = std::max(best, sm);
    }
    if (best == job.sm) return job.options->arch.substr(3);
    if (best != 0) return std::to_string(best);
    return error("image-bad-arch", {},
                 job.toolchain.name + " has no architecture as old as sm_" + std::to_string(job.sm),
                 "use --compiler clang, or an older CUDA toolkit");
}

}  // namespace

bool nvcc_is_too_new(const Toolchain& toolchain, unsigned sm) {
    constexpr int kWithoutVolta = 13;
    constexpr unsigned kOldestThen = 75;
    return toolchain.kind == Compiler::kNvcc && toolchain.major >= kWithoutVolta && sm < kOldestThen;
}

namespace {

// "-gencode" and PTX and machine code for the device.
std::vector<std::string> both_codes(const std::string& suffix) {
    const std::string virtual_arch = "compute_" + suffix;
    return {"-gencode", "arch=" + virtual_arch + ",code=[" + virtual_arch + ",sm_" + suffix + "]"};
}

}  // namespace

Status compile_with_nvcc(CompileJob& job, bool ptx_only) {
    const auto suffix = target_of(job);
    if (!suffix) return suffix.errors();
    const std::filesystem::path rule = job.scratch / "unit.d";
    std::vector<std::string> arguments = {job.toolchain.program.string(), "-lineinfo"};
    const auto add = [&arguments](const std::vector<std::string>& words) {
        arguments.insert(arguments.end(), words.begin(), words.end());
    };
    add(defaults_beside(job.options->extra_flags));
    // A variable that another file defines would become a second one without a word.
    constexpr int kKnowsDiagError = 12;
    if (!job.links_device_code && job.toolchain.major >= kKnowsDiagError) add({"-diag-error", "20044"});
    if (ptx_only)
        add({"-ptx", "-arch=compute_" + *suffix});
    else
        add(both_codes(*suffix));
    if (!ptx_only) add({"-c", "-Xcompiler=-g1"});
    if (job.links_device_code) add({"-rdc=true"});
    add({"-MD", "-MF", rule.string()});
    add(flags_for_nvcc(job.options->extra_flags).compile);
    add({job.source.string(), "-o", (ptx_only ? job.output / "kernel.ptx" : job.object).string()});
    Status status = run_compiler(job, arguments);
    if (status) add_dependencies(job, rule);
    return status;
}

namespace {

// Whether there may be device code to link: ours, where that was asked for, or what others compiled.
bool may_hold_relocatable_code(const CompileJob& job) {
    return job.links_device_code || names_library(job.options->extra_flags) ||
           std::any_of(job.units.begin(), job.units.end(), [](const auto& unit) { return is_object(unit.source); });
}

}  // namespace

Status link_with_nvcc(CompileJob& job) {
    const auto suffix = target_of(job);
    if (!suffix) return suffix.errors();
    std::vector<std::string> link = {job.toolchain.program.string(), "-cudart", "shared"};
    const auto add = [&link](const std::vector<std::string>& words) {
        link.insert(link.end(), words.begin(), words.end());
    };
    add(both_codes(*suffix));
    for (const CompiledUnit& unit : job.units) add({unit.object.string()});
    add(flags_for_nvcc(job.options->extra_flags).link);
    constexpr int kKnowsNoDeviceLink = 12;
    if (job.toolchain.major >= kKnowsNoDeviceLink && !may_hold_relocatable_code(job)) add({"--no-device-link"});
    add({"-o", (job.output / "program").string()});
    const Status linked = run_linker(job, link);
    if (linked) return linked;
    const Diagnostics known = explain_device_link(job, linked.errors().front().message);
    return known.empty() ? linked : known;
}

}  // namespace tilescope::image

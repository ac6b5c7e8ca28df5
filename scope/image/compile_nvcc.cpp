// nvcc: PTX and machine code side by side in the program, the runtime shared.
#include <algorithm>
#include <charconv>

#include "scope/image/compile_steps.h"
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

Status compile_with_nvcc(CompileJob& job, bool ptx_only) {
    const auto target = target_of(job);
    if (!target) return target.errors();
    const std::string& suffix = *target;
    const std::string virtual_arch = "compute_" + suffix;
    const std::filesystem::path rule = job.scratch / "program.d";
    std::vector<std::string> arguments = {job.toolchain.program.string(), "-O3", "-std=c++17", "-lineinfo"};
    if (ptx_only)
        arguments.insert(arguments.end(), {"-ptx", "-arch=" + virtual_arch});
    else
        arguments.insert(arguments.end(), {"-cudart", "shared", "-gencode",
                                           "arch=" + virtual_arch + ",code=[" + virtual_arch + ",sm_" + suffix + "]"});
    arguments.insert(arguments.end(), {"-MMD", "-MF", rule.string()});
    arguments.insert(arguments.end(), job.options->extra_flags.begin(), job.options->extra_flags.end());
    arguments.insert(arguments.end(),
                     {job.source.string(), "-o", (job.output / (ptx_only ? "kernel.ptx" : "program")).string()});
    Status status = run_compiler(job, arguments);
    if (status) add_dependencies(job, rule);
    return status;
}

}  // namespace tilescope::image

// nvcc: PTX and machine code side by side in the program, the runtime shared.
#include "scope/image/compile_steps.h"

namespace tilescope::image {

Status compile_with_nvcc(CompileJob& job, bool ptx_only) {
    const std::string suffix = job.options->arch.substr(3);  // "90" or "90a"
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

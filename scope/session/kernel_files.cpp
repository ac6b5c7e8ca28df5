// Which files may hold a kernel's source. Reading them is image's.
#include "scope/session/session_state.h"

namespace tilescope {

std::vector<std::string> program_files(const Settings& settings, const machine::Program& program) {
    std::vector<std::string> files = program.files;
    if (settings.options.program.ends_with(".cu")) files.push_back(settings.options.program);
    return files;
}

std::optional<image::KernelSource> known_source(const Kernel& kernel, const std::vector<std::string>& files) {
    auto text = image::find_kernel_source(files, kernel.info.name, kernel.info.parameters.size());
    return kernel.compiled ? image::completed(*kernel.compiled, text) : text;
}

const image::KernelSource* source_of(const Settings& settings, Kernel& kernel, const machine::Program& program) {
    if (!kernel.source) kernel.source = known_source(kernel, program_files(settings, program));
    return kernel.source->has_value() ? &**kernel.source : nullptr;
}

}  // namespace tilescope

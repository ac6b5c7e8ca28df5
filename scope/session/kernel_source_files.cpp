// Finding the file that holds a kernel's source.
#include <filesystem>
#include <set>

#include "scope/base/files.h"
#include "scope/session/session_state.h"

namespace tilescope {
namespace {

std::optional<std::string> read_text(const std::filesystem::path& path) {
    constexpr std::uintmax_t kLargest = 4 << 20;
    std::error_code failed;
    if (!std::filesystem::is_regular_file(path, failed) || std::filesystem::file_size(path, failed) > kLargest)
        return std::nullopt;
    return read_whole_file(path);
}

}  // namespace

std::optional<KernelSource> find_kernel_source(const std::vector<std::string>& files, std::string_view demangled,
                                               std::size_t parameters) {
    std::set<std::string> tried;
    for (const std::string& file : files) {
        if (!tried.insert(file).second) continue;
        const auto text = read_text(file);
        if (!text) continue;
        if (auto found = read_kernel_source(*text, demangled, parameters)) return found;
    }
    return std::nullopt;
}

std::vector<std::string> program_files(const Session::Impl& state, const machine::Program& program) {
    std::vector<std::string> files = program.files;
    if (state.options.program.ends_with(".cu")) files.push_back(state.options.program);
    return files;
}

const KernelSource* source_of(const Session::Impl& state, Kernel& kernel, const machine::Program& program) {
    if (!kernel.source)
        kernel.source =
            find_kernel_source(program_files(state, program), kernel.info.name, kernel.info.parameters.size());
    return kernel.source->has_value() ? &**kernel.source : nullptr;
}

}  // namespace tilescope

#include "scope/image/clang_front_end.h"

#include <algorithm>
#include <utility>

#include "scope/image/clang_flags.h"
#include "scope/image/precompiled.h"
#include "scope/image/process.h"
#include "scope/image/toolkit_spellings.h"

namespace tilescope::image {
namespace {

namespace fs = std::filesystem;

// Whether a program does not compile for want of what is read on demand, which from now on it is.
bool asks_for_atomics(CompileJob& job, const Diagnostics& errors) {
    const bool asked = std::any_of(errors.begin(), errors.end(), [](const Diagnostic& each) {
        return each.message.find("'__nv_atomic_") != std::string::npos;
    });
    return asked && !std::exchange(job.names_atomics, true);
}

// Puts files into job.mended that stand for those of which clang said that it does not take a spelling of nvcc's; false
// where there are none, or where nothing is left to mend.
bool mend_sources(CompileJob& job, const Diagnostics& errors) {
    bool any = false;
    for (const std::string& file : files_with_toolkit_spellings(errors)) {
        const std::string source = fs::absolute(file).lexically_normal().string();
        if (job.mended.contains(source)) continue;
        const auto text = read_file(source);
        if (!text) continue;
        const std::string stands_in = for_clang(*text);
        const fs::path path =
            job.scratch / ("mended-" + std::to_string(job.mended.size()) + fs::path(source).extension().string());
        if (stands_in == *text || !write_file_atomically(path, stands_in)) continue;
        job.mended.emplace(source, path);
        any = true;
    }
    return any;
}

}  // namespace

// What clang does not take of nvcc's spellings is mended and tried again, and so is a program that names what is read
// on demand.
Status run_front_end(CompileJob& job, const FrontEnd& half) {
    const auto arguments = [&](const std::vector<std::string>& headers) {
        return joined({{job.toolchain.program.string()},
                       cuda_flags(job, headers),
                       {"-S", "-emit-llvm", "-Xclang", "-disable-llvm-passes", "-MD", "-MF", half.rule.string()},
                       half.flags,
                       half.code_flags,
                       {job.source.string(), "-o", half.code.string()}});
    };
    if (const auto headers = precompiled_headers(job, half.flags)) {
        if (run_compiler(job, arguments({"-Xclang", "-include-pch", "-Xclang", headers->string()}))) {
            add_dependencies(job, half.rule);
            return Success{};
        }
        // What is wrong is told as clang tells it of the headers' text.
    }
    for (;;) {
        const Status status = run_compiler(job, arguments({"-include", "cuda_runtime.h"}));
        if (status) break;
        const bool asked = asks_for_atomics(job, status.errors());
        if (!mend_sources(job, status.errors()) && !asked) return status;
    }
    add_dependencies(job, half.rule);
    return Success{};
}

}  // namespace tilescope::image

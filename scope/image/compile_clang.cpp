// clang without a CUDA toolkit: device half to LLVM code, that to PTX, PTX into a container, host half around it.
#include <algorithm>

#include "scope/image/compile_steps.h"
#include "scope/image/device_ir.h"
#include "scope/image/fatbinary.h"
#include "scope/image/process.h"

namespace tilescope::image {
namespace {

namespace fs = std::filesystem;

// What a release of clang can be asked for: the newest architecture up to the wanted one, and the PTX version that has
// its instructions.
struct DeviceTarget {
    unsigned sm;
    unsigned ptx;
};

DeviceTarget device_target(int clang_major, unsigned wanted) {
    static constexpr unsigned kKnown[] = {60, 61, 70, 75, 80, 86, 89, 90};
    const unsigned newest = clang_major < 16 ? 80 : 90;
    unsigned sm = kKnown[0];
    for (const unsigned known : kKnown)
        if (known <= std::min(wanted, newest)) sm = known;
    return {sm, clang_major < 16 ? 75u : 78u};
}

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
    if (sm <= ptx_target_of(ptx)) return ptx;
    const auto put = [&](const std::string& mark, const std::string& value) {
        const std::size_t at = ptx.find(mark);
        if (at == std::string::npos) return;
        const std::size_t start = at + mark.size();
        ptx.replace(start, ptx.find_first_not_of("0123456789.", start) - start, value);
    };
    const unsigned version = std::max(ptx_version_of(ptx), first_ptx_of(sm));
    put("\n.version ", std::to_string(version / 10) + "." + std::to_string(version % 10));
    put("\n.target sm_", std::to_string(sm));
    return ptx;
}

std::vector<std::string> joined(std::initializer_list<std::vector<std::string>> parts) {
    std::vector<std::string> all;
    for (const auto& part : parts) all.insert(all.end(), part.begin(), part.end());
    return all;
}

// For both halves. SDK version 11.5 is the newest that clang 14 knows; what matters is that it is past 9.2, where
// launches and registration took their present form.
std::vector<std::string> cuda_flags(const CompileJob& job) {
    return {"-x",
            "cuda",
            "-nocudainc",
            "-nocudalib",
            "--cuda-path=/nonexistent",
            "-Xclang",
            "-target-sdk-version=11.5",
            "-O3",
            "-std=c++17",
            "-isystem",
            job.options->headers_dir.string(),
            "-include",
            "cuda_runtime.h"};
}

// The user's flags that only the linker takes, or all others.
std::vector<std::string> extra_flags(const CompileJob& job, bool of_linker) {
    std::vector<std::string> flags;
    for (const std::string& flag : job.options->extra_flags)
        if ((flag.starts_with("-l") || flag.starts_with("-L") || flag.starts_with("-Wl,")) == of_linker)
            flags.push_back(flag);
    return flags;
}

// LLVM code, already optimised, to PTX for the device.
Status generate_ptx(CompileJob& job, const DeviceTarget& target, const fs::path& code, const fs::path& ptx) {
    const std::string arch = "sm_" + std::to_string(target.sm);
    const std::string feature = "+ptx" + std::to_string(target.ptx);
    const Status status = run_compiler(job, {job.toolchain.program.string(),
                                             "--target=nvptx64-nvidia-cuda",
                                             "-march=" + arch,
                                             "--cuda-path=/nonexistent",
                                             "-nocudalib",
                                             "-x",
                                             "ir",
                                             "-S",
                                             "-O3",
                                             "-Xclang",
                                             "-disable-llvm-passes",
                                             "-Xclang",
                                             "-target-feature",
                                             "-Xclang",
                                             feature,
                                             "-mllvm",
                                             "-nvptx-fma-level=2",
                                             "-Xclang",
                                             "-fcuda-short-ptr",
                                             "-mllvm",
                                             "-nvptx-short-ptr",
                                             code.string(),
                                             "-o",
                                             ptx.string()});
    if (!status) return status;
    auto text = read_file(ptx);
    if (!text) return text.errors();
    return write_file_atomically(ptx, for_device(std::move(text).value(), job.sm));
}

// Device code as nvcc makes it: multiplications and additions fused; addresses of shared, constant and local memory in
// 32 bits; loops over small local arrays unrolled until the arrays are registers.
Status compile_device(CompileJob& job, const DeviceTarget& target, const fs::path& ptx) {
    const std::string arch = "sm_" + std::to_string(target.sm);
    const std::string feature = "+ptx" + std::to_string(target.ptx);
    // The program must see the device's architecture also where clang knows only older ones.
    const std::string seen = "-D__CUDA_ARCH__=" + std::to_string(job.sm * 10);
    const fs::path code = job.scratch / "device.ll", tidy = job.scratch / "tidy.ll", rule = job.scratch / "device.d";
    const std::string clang = job.toolchain.program.string();
    Status status = run_compiler(job, joined({{clang},
                                              cuda_flags(job),
                                              {"--cuda-device-only", "--cuda-gpu-arch=" + arch, "-S", "-emit-llvm",
                                               "-gline-tables-only", "-ffp-contract=fast", "-fcuda-short-ptr", "-mllvm",
                                               "-nvptx-short-ptr", "-mllvm", "-unroll-threshold=1000", "-Xclang",
                                               "-target-feature", "-Xclang", feature, "-MMD", "-MF", rule.string()},
                                              {"-U__CUDA_ARCH__", seen},
                                              extra_flags(job, false),
                                              {job.source.string(), "-o", code.string()}}));
    if (!status) return status;
    add_dependencies(job, rule);
    const auto llvm_ir = read_file(code);
    if (!llvm_ir) return llvm_ir.errors();
    const std::vector<std::string> headers = {job.options->headers_dir.string() + "/", "/usr/include/", "/usr/lib/",
                                              "/usr/local/lib/", "/opt/"};
    status = write_file_atomically(tidy, credit_callers(keep_load_widths(widen_copies(*llvm_ir)), headers));
    if (!status) return status;
    return generate_ptx(job, target, tidy, ptx);
}

Status compile_host(CompileJob& job, const fs::path& container, const fs::path& program) {
    const fs::path object = job.scratch / "host.o", rule = job.scratch / "host.d";
    const std::string clang = job.toolchain.program.string();
    const Status status = run_compiler(job, joined({{clang},
                                                    cuda_flags(job),
                                                    {"--cuda-host-only", "-Xclang", "-fcuda-include-gpubinary",
                                                     "-Xclang", container.string(), "-c", "-MMD", "-MF", rule.string()},
                                                    extra_flags(job, false),
                                                    {job.source.string(), "-o", object.string()}}));
    if (!status) return status;
    add_dependencies(job, rule);
    const std::string libraries = job.options->runtime_lib_dir.string();
    std::vector<std::string> link = {clang, object.string(), "-o", program.string()};
    if (!libraries.empty()) link.insert(link.end(), {"-L" + libraries, "-Wl,-rpath," + libraries});
    link.push_back("-l:libcudart.so.12");
    for (const std::string& flag : extra_flags(job, true)) link.push_back(flag);
    return run_compiler(job, link);
}

}  // namespace

Status compile_with_clang(CompileJob& job, bool ptx_only) {
    const DeviceTarget target = device_target(job.toolchain.major, job.sm);
    const fs::path ptx = ptx_only ? job.output / "kernel.ptx" : job.scratch / "kernel.ptx";
    Status status = compile_device(job, target, ptx);
    if (!status || ptx_only) return status;
    const auto text = read_file(ptx);
    if (!text) return text.errors();
    const auto container = write_fatbinary(*text, job.sm, ptx_version_of(*text), job.source.filename().string());
    const fs::path embedded = job.scratch / "kernel.fatbin";
    status = write_file_atomically(embedded, {reinterpret_cast<const char*>(container.data()), container.size()});
    if (!status) return status;
    job.messages.clear();  // the host half says the same again
    return compile_host(job, embedded, job.output / "program");
}

}  // namespace tilescope::image

#include "scope/image/clang_flags.h"

#include <algorithm>

#include "scope/image/compile_flags.h"
#include "scope/image/hash.h"
#include "scope/image/ptxas.h"

namespace tilescope::image {
namespace {

// A name for what is static in one of several files whose device code is linked.
std::string unit_name(const CompileJob& job) { return ContentHash().add(job.source.string()).finish().substr(0, 16); }

}  // namespace

DeviceTarget device_target(int clang_major, unsigned wanted) {
    static constexpr unsigned kKnown[] = {60, 61, 70, 75, 80, 86, 89, 90};
    const unsigned newest = clang_major < 16 ? 80 : 90;
    unsigned sm = kKnown[0];
    for (const unsigned known : kKnown)
        if (known <= std::min(wanted, newest)) sm = known;
    return {sm, clang_major < 16 ? 75u : 78u};
}

std::vector<std::string> joined(std::initializer_list<std::vector<std::string>> parts) {
    std::vector<std::string> all;
    for (const auto& part : parts) all.insert(all.end(), part.begin(), part.end());
    return all;
}

// SDK version 11.5 is the newest that clang 14 knows; what matters is that it is past 9.2, where launches and
// registration took their present form. Templates ask whether a call fits by functions that take anything and are never
// called.
std::vector<std::string> cuda_flags(const CompileJob& job, const std::vector<std::string>& headers) {
    std::error_code failed;
    std::vector<std::string> flags = {kLinksCpp,
                                      "-x",
                                      "cuda",
                                      "-nocudainc",
                                      "-nocudalib",
                                      "--cuda-path=/nonexistent",
                                      "-Xclang",
                                      "-target-sdk-version=11.5",
                                      "-Xclang",
                                      "-fcuda-allow-variadic-functions",
                                      "-D__CUDA_ARCH_LIST__=" + std::to_string(job.sm * 10)};
    for (const std::filesystem::path folder : cuda_folders(job.options->extra_flags)) {
        // The system's own folder, where Debian's lie, is searched anyway, and has to come behind the C++ library's.
        if (!std::filesystem::exists(folder / "stdlib.h", failed))
            flags.insert(flags.end(), {"-isystem", std::filesystem::absolute(folder).string()});
    }
    flags.insert(flags.end(), {"-isystem", job.options->headers_dir.string(), kKeywordOfOld});
    flags.insert(flags.end(), headers.begin(), headers.end());
    if (job.names_atomics) flags.insert(flags.end(), {"-include", "tilescope/ordered_atomics.h"});
    for (const auto& [source, stand_in] : job.mended)
        flags.insert(flags.end(), {"-Xclang", "-remap-file", "-Xclang", source + ";" + stand_in.string()});
    if (!job.links_device_code) return flags;
    const std::string name = "-cuid=" + unit_name(job);  // which the driver hands on to the device's half alone
    flags.insert(flags.end(), {"-fgpu-rdc", name, "-Xclang", name});
    return flags;
}

std::vector<std::string> host_flags(const CompileJob& job) {
    const auto flags = flags_for_clang(job.options->extra_flags).host;
    return joined({defaults_beside(flags), flags});
}

std::vector<std::string> user_device_flags(const CompileJob& job) {
    const auto flags = flags_for_clang(job.options->extra_flags).device;
    return joined({defaults_beside(flags), flags});
}

std::vector<std::string> starting_with(const std::vector<std::string>& all,
                                       std::initializer_list<std::string_view> starts) {
    std::vector<std::string> flags;
    for (std::size_t i = 0; i < all.size(); ++i) {
        const auto begins = [&](std::string_view start) { return all[i].starts_with(start); };
        if (all[i] == "-Xclang")
            ++i;
        else if (std::any_of(starts.begin(), starts.end(), begins))
            flags.push_back(all[i]);
    }
    return flags;
}

// Addresses of shared, constant and local memory have 32 bits, as nvcc makes them; multiplications and additions are
// fused, unless the user says otherwise: then they name a rounding in PTX; loops over small local arrays are unrolled
// until the arrays are registers. Loops whose number of turns only the run can say are unrolled as nvcc does it: by
// four, also where counting the turns takes a division (threads that stride over an array).
std::vector<std::string> device_flags(const CompileJob& job, const DeviceTarget& target) {
    const bool fuses = contracts(assembler_options(user_device_flags(job)));
    const FloatArithmetic arithmetic = float_arithmetic(job.options->extra_flags);
    // 2 is exact. 1 is good to 2 units in the last place for all divisors, 0 for those below 2^126.
    const char* division = arithmetic.divides_exactly ? "2" : arithmetic.is_fast ? "0" : "1";
    return {"-Xclang", "-target-feature",
            "-Xclang", "+ptx" + std::to_string(target.ptx),
            "-Xclang", "-fcuda-short-ptr",
            "-mllvm",  "-nvptx-short-ptr",
            "-mllvm",  fuses ? "-nvptx-fma-level=2" : "-nvptx-fma-level=0",
            "-mllvm",  "-nvptx-prec-divf32=" + std::string(division),
            "-mllvm",  "-nvptx-prec-sqrtf32=" + std::string(arithmetic.takes_roots_exactly ? "1" : "0"),
            "-mllvm",  "-unroll-threshold=1000",
            "-mllvm",  "-unroll-max-count=4",
            "-mllvm",  "-scev-cheap-expansion-budget=64"};
}

std::vector<std::string> arithmetic_flags(const CompileJob& job) {
    const FloatArithmetic arithmetic = float_arithmetic(job.options->extra_flags);
    std::vector<std::string> flags;
    if (arithmetic.flushes) flags.insert(flags.end(), {"-fgpu-flush-denormals-to-zero", "-DTILESCOPE_FLUSHES"});
    if (arithmetic.is_fast) flags.emplace_back("-DTILESCOPE_FAST_MATH");
    if (!arithmetic.divides_exactly) flags.emplace_back("-DTILESCOPE_APPROXIMATE_DIVISION");
    if (!arithmetic.takes_roots_exactly) flags.emplace_back("-DTILESCOPE_APPROXIMATE_ROOTS");
    return flags;
}

std::vector<std::string> device_compiler(const CompileJob& job, const DeviceTarget& target) {
    return {job.toolchain.program.string(),
            "--target=nvptx64-nvidia-cuda",
            "-march=sm_" + std::to_string(target.sm),
            "--cuda-path=/nonexistent",
            "-nocudalib",
            "-O3"};
}

std::vector<std::string> llvm_flags(const CompileJob& job, const DeviceTarget& target) {
    return joined({device_compiler(job, target), {"-x", "ir", "-S"}, device_flags(job, target)});
}

}  // namespace tilescope::image

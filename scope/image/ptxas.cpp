#include "scope/image/ptxas.h"

#include <signal.h>

#include <algorithm>
#include <cstdlib>
#include <optional>
#include <sstream>

#include "scope/image/cache.h"
#include "scope/image/compile.h"
#include "scope/image/compile_flags.h"
#include "scope/image/hash.h"
#include "scope/image/manifest.h"
#include "scope/image/process.h"
#include "scope/image/toolchain.h"

namespace tilescope::image {
namespace {

namespace fs = std::filesystem;
using Clock = std::chrono::steady_clock;

// The number before `words` in a line such as "  552 bytes stack frame, 852 bytes spill stores, ...".
std::optional<std::size_t> number_before(const std::string& line, const std::string& words) {
    const std::size_t at = line.find(words);
    if (at == std::string::npos || at == 0) return std::nullopt;
    const std::size_t start = line.find_last_not_of("0123456789", at - 1);
    const std::string digits = line.substr(start == std::string::npos ? 0 : start + 1, at - 1 - start);
    if (digits.empty()) return std::nullopt;
    return std::strtoull(digits.c_str(), nullptr, 10);
}

// Adds the spill bytes that `ptxas -v` printed.
void add_spills(const std::string& printed, std::vector<KernelResources>& kernels) {
    std::istringstream lines(printed);
    KernelResources* kernel = nullptr;
    const std::string mark = "Function properties for ";
    for (std::string line; std::getline(lines, line);) {
        if (const std::size_t at = line.find(mark); at != std::string::npos) {
            const std::string name = line.substr(at + mark.size());
            const auto found = std::find_if(kernels.begin(), kernels.end(),
                                            [&](const KernelResources& each) { return each.name == name; });
            kernel = found == kernels.end() ? nullptr : &*found;
        } else if (kernel != nullptr) {
            if (const auto bytes = number_before(line, " bytes spill stores")) kernel->spill_store_bytes = *bytes;
            if (const auto bytes = number_before(line, " bytes spill loads")) kernel->spill_load_bytes = *bytes;
        }
    }
}

// What one assembly may take. Programs that people write take a fraction of it; PTX made to be slow would run for
// hours.
constexpr ProcessLimits kLimits = {
    .processor_time = std::chrono::seconds(10), .wall_time = std::chrono::seconds(20), .memory_bytes = 2ULL << 30};

constexpr const char* kOverLimit = "image-ptxas-limit";

Diagnostic over_limit(const std::string& what) {
    return error(kOverLimit, {}, "ptxas " + what + " on this PTX, so registers and spills are estimated",
                 "--no-ptxas estimates at once");
}

// A folder with the cubin and what was printed; or with why there is none, which would be the same again.
Result<fs::path> run_ptxas(const fs::path& ptxas, std::string_view ptx, unsigned sm, const CompileCache& cache,
                           const std::string& known, bool fuses, std::optional<Clock::time_point> deadline) {
    ProcessLimits limits = kLimits;
    if (deadline) {
        const auto left = std::chrono::ceil<std::chrono::milliseconds>(*deadline - Clock::now());
        if (left.count() <= 0) return over_limit("was not asked: --time-limit was reached before it could be");
        limits.wall_time = std::min(limits.wall_time, left);
    }
    const auto scratch = TemporaryFolder::create();
    if (!scratch) return scratch.errors();
    const fs::path input = scratch->path() / "kernel.ptx";
    const Status written = write_file_atomically(input, ptx);
    if (!written) return written.errors();
    const auto made = cache.start();
    if (!made) return made.errors();
    const auto run = run_process(
        {ptxas.string(), "-v", "-lineinfo", "-arch=sm_" + std::to_string(sm), fuses ? "--fmad=true" : "--fmad=false",
         input.string(), "-o", (made->path() / "kernel.cubin").string()},
        limits, {{"TMPDIR", scratch->path().string()}});
    if (!run) return run.errors();
    // A busy machine is no reason never to try again.
    if (run->end == ProcessEnd::kTimeLimit && run->status != 128 + SIGXCPU)
        return over_limit(limits.wall_time < kLimits.wall_time
                              ? std::string("was stopped by --time-limit")
                              : "took more than " + std::to_string(kLimits.wall_time.count() / 1000) + " s");
    Status kept = Success{};
    if (run->end == ProcessEnd::kTimeLimit)
        kept = write_file_atomically(made->path() / "over-limit",
                                     "took more than " + std::to_string(kLimits.processor_time.count()) + " s");
    else if (run->end == ProcessEnd::kSignal || run->errors.find("emory allocation") != std::string::npos)
        kept = write_file_atomically(made->path() / "over-limit",
                                     "failed within " + std::to_string(kLimits.memory_bytes >> 30) + " GiB of memory");
    else
        kept =
            write_file_atomically(made->path() / (run->status == 0 ? "printed" : "refused"), run->errors + run->output);
    if (!kept) return kept.errors();
    return cache.keep(known, {}, *made);
}

}  // namespace

bool contracts(std::string_view options) {
    bool fuses = true, optimises = true;
    const std::vector<std::string> words = split_words(options);
    for (std::size_t i = 0; i < words.size(); ++i) {
        const std::size_t equals = words[i].find('=');
        const std::string name = words[i].substr(0, equals);
        const auto value = [&] {
            return equals != std::string::npos ? words[i].substr(equals + 1) : i + 1 < words.size() ? words[i + 1] : "";
        };
        if (name == "--fmad" || name == "-fmad") fuses = value() != "false";
        if (name == "--opt-level" || name == "-opt-level" || name == "-O") optimises = value() != "0";
        if (name.size() == 3 && name.starts_with("-O")) optimises = name != "-O0";
        if (name == "-g" || name == "--device-debug" || name == "-device-debug") optimises = false;
    }
    return fuses && optimises;
}

Diagnostics worth_a_word(const Diagnostics& reasons) {
    Diagnostics notes;
    for (const Diagnostic& reason : reasons) {
        if (reason.code != kOverLimit) continue;
        notes.push_back(reason);
        notes.back().severity = Severity::kNote;
    }
    return notes;
}

Result<std::vector<KernelResources>> assemble(std::string_view ptx, unsigned sm, const fs::path& cache_dir, bool fuses,
                                              std::optional<Clock::time_point> deadline) {
    const fs::path ptxas = find_ptxas();
    if (ptxas.empty()) return error("image-no-ptxas", {}, "ptxas is not installed", "it comes with the CUDA toolkit");
    const auto cache = CompileCache::open(cache_dir);
    if (!cache) return cache.errors();
    const unsigned wanted = std::max(sm, ptx_target_of(ptx));
    const std::string known = ContentHash()
                                  .add(fuses ? "ptxas 3" : "ptxas 3 --fmad=false")
                                  .add(ptxas.string())
                                  .add(identity_of(ptxas))
                                  .add(std::to_string(wanted))
                                  .add(ptx)
                                  .finish();
    fs::path kept;
    if (const auto found = cache->find(known)) {
        kept = *found;
    } else {
        auto made = run_ptxas(ptxas, ptx, wanted, *cache, known, fuses, deadline);
        if (!made) return made.errors();
        kept = *made;
    }
    if (const auto reason = read_file(kept / "over-limit")) return over_limit(*reason);
    if (const auto words = read_file(kept / "refused"))
        return error("image-ptxas", {}, "ptxas refuses this PTX: " + *words);
    const auto cubin = read_file(kept / "kernel.cubin");
    if (!cubin) return cubin.errors();
    auto kernels = parse_cubin(std::as_bytes(std::span(*cubin)), "kernel.cubin");
    if (!kernels) return kernels;
    const auto printed = read_file(kept / "printed");
    if (printed) add_spills(*printed, *kernels);
    return kernels;
}

}  // namespace tilescope::image

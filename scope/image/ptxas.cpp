#include "scope/image/ptxas.h"

#include <unistd.h>

#include <algorithm>
#include <cstdlib>
#include <optional>
#include <sstream>

#include "scope/image/cache.h"
#include "scope/image/compile.h"
#include "scope/image/hash.h"
#include "scope/image/process.h"
#include "scope/image/toolchain.h"

namespace tilescope::image {
namespace {

namespace fs = std::filesystem;

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

// A folder with the cubin and what was printed.
Result<fs::path> run_ptxas(const fs::path& ptxas, std::string_view ptx, unsigned sm, const CompileCache& cache,
                           const std::string& known) {
    const auto scratch = TemporaryFolder::create();
    if (!scratch) return scratch.errors();
    const fs::path input = scratch->path() / "kernel.ptx";
    const Status written = write_file_atomically(input, ptx);
    if (!written) return written.errors();
    std::string made = (cache.folder() / "making-XXXXXX").string();
    if (mkdtemp(made.data()) == nullptr)
        return error("image-unwritable", {cache.folder().string(), 0, 0}, "cannot keep results here");
    const auto run = run_process(
        {ptxas.string(), "-v", "-arch=sm_" + std::to_string(sm), input.string(), "-o", made + "/kernel.cubin"});
    Result<fs::path> result = error("image-ptxas", {}, "ptxas refuses this PTX: " + (run ? run->errors : ""));
    if (!run)
        result = run.errors();
    else if (run->status == 0 && write_file_atomically(made + "/printed", run->errors + run->output))
        result = cache.keep(known, {}, made);
    std::error_code ignored;
    fs::remove_all(made, ignored);
    return result;
}

}  // namespace

Result<std::vector<KernelResources>> assemble(std::string_view ptx, unsigned sm, const fs::path& cache_dir) {
    const fs::path ptxas = find_ptxas();
    if (ptxas.empty()) return error("image-no-ptxas", {}, "ptxas is not installed", "it comes with the CUDA toolkit");
    const auto version = run_process({ptxas.string(), "--version"});
    if (!version) return version.errors();
    const auto cache = CompileCache::open(cache_dir);
    if (!cache) return cache.errors();
    const unsigned wanted = std::max(sm, ptx_target_of(ptx));
    const std::string known =
        ContentHash().add("ptxas").add(version->output).add(std::to_string(wanted)).add(ptx).finish();
    fs::path kept;
    if (const auto found = cache->find(known)) {
        kept = *found;
    } else {
        auto made = run_ptxas(ptxas, ptx, wanted, *cache, known);
        if (!made) return made.errors();
        kept = *made;
    }
    const auto cubin = read_file(kept / "kernel.cubin");
    if (!cubin) return cubin.errors();
    auto kernels = parse_cubin(std::as_bytes(std::span(*cubin)), "kernel.cubin");
    if (!kernels) return kernels;
    const auto printed = read_file(kept / "printed");
    if (printed) add_spills(*printed, *kernels);
    return kernels;
}

}  // namespace tilescope::image

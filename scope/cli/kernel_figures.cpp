#include "scope/cli/kernel_figures.h"

#include <algorithm>
#include <charconv>
#include <filesystem>
#include <set>
#include <tuple>

#include "scope/base/files.h"
#include "scope/cli/kernel_choice.h"
#include "scope/cli/profile_file.h"
#include "scope/cli/program.h"
#include "scope/image/cubin.h"
#include "scope/image/executable.h"
#include "scope/image/load.h"
#include "scope/image/ptxas.h"
#include "scope/report/enums.h"
#include "scope/report/format.h"
#include "scope/session/session.h"

namespace tilescope::cli {
namespace {

namespace fs = std::filesystem;

// One kernel (or launch) that the file has.
struct Candidate {
    KernelName name;
    KernelFigures figures;
};

Result<std::string> file_bytes(const std::string& path) {
    constexpr std::uint64_t kMost = 4ULL << 30;  // programs may hold the code of many kernels
    std::error_code failed;
    std::string why;
    auto bytes = read_input(path, kMost, why);
    if (!bytes)
        return error("cli-unreadable", {path},
                     fs::exists(path, failed) ? "cannot read this file: " + why : "there is no such file");
    return *std::move(bytes);
}

Result<KernelFigures> choose(const std::vector<Candidate>& candidates, const KernelSpec& spec) {
    std::vector<KernelName> names;
    names.reserve(candidates.size());
    for (const Candidate& candidate : candidates) names.push_back(candidate.name);
    const auto chosen = choose_kernel(names, spec.name, spec.file, "name one as " + spec.file + ":NAME");
    if (!chosen) return chosen.errors();
    return candidates[*chosen].figures;
}

KernelFigures figures_of(const LaunchProfile& launch) {
    KernelFigures figures;
    figures.kernel = launch.kernel;
    figures.resources.threads_per_block = std::uint64_t{launch.block[0]} * launch.block[1] * launch.block[2];
    figures.blocks = std::uint64_t{launch.grid[0]} * launch.grid[1] * launch.grid[2];
    figures.resources.registers_per_thread = launch.registers_per_thread;
    figures.resources.static_shared_bytes = launch.static_shared_bytes;
    figures.resources.dynamic_shared_bytes = launch.dynamic_shared_bytes;
    figures.registers_from = report::name_of(launch.registers_from);
    if (launch.occupancy_profile) {
        figures.resources.barriers = launch.occupancy_profile->barriers;
        figures.resources.carveout_percent = launch.occupancy_profile->carveout_percent;
    }
    return figures;
}

Result<KernelFigures> from_profile(const KernelSpec& spec) {
    const auto profile = load_profile(spec.file);
    if (!profile) return profile.errors();
    std::uint64_t index = 0;
    const char* const end = spec.name.data() + spec.name.size();
    const bool is_index = !spec.name.empty() && std::from_chars(spec.name.data(), end, index).ptr == end;
    std::vector<Candidate> candidates;
    for (const LaunchProfile& launch : profile->launches) {
        if (is_index && launch.index == index) return figures_of(launch);
        const KernelFigures figures = figures_of(launch);
        const auto same = [&](const Candidate& other) {
            const models::KernelResources &a = other.figures.resources, &b = figures.resources;
            return other.name.entry == launch.entry &&
                   std::tie(a.threads_per_block, a.registers_per_thread, a.static_shared_bytes,
                            a.dynamic_shared_bytes) == std::tie(b.threads_per_block, b.registers_per_thread,
                                                                b.static_shared_bytes, b.dynamic_shared_bytes);
        };
        if (std::any_of(candidates.begin(), candidates.end(), same)) continue;
        const std::string shown = std::to_string(launch.index) + ": " + launch.kernel + " in blocks of " +
                                  report::dimensions(launch.block) + " with " +
                                  report::thousands(figures.resources.shared_bytes()) + " bytes of shared memory";
        candidates.push_back({{launch.kernel, launch.entry, shown}, figures});
    }
    if (is_index)
        return error("cli-kernel", {spec.file}, "there is no launch " + spec.name,
                     "this profile has " + std::to_string(profile->launches.size()) + ", the first is 0");
    return choose(candidates, spec);
}

// What the assembler recorded needs no PTX.
Candidate candidate_of(const image::KernelResources& kernel, std::string from, const Session& session) {
    Candidate candidate;
    candidate.name = {session.demangle(kernel.name), kernel.name, {}};
    candidate.figures.kernel = candidate.name.name;
    candidate.figures.registers_from = std::move(from);
    candidate.figures.max_threads = kernel.max_threads;
    candidate.figures.resources.registers_per_thread = kernel.registers;
    candidate.figures.resources.static_shared_bytes = kernel.static_shared_bytes;
    candidate.figures.resources.barriers = kernel.barriers;
    return candidate;
}

class Gatherer {
public:
    Gatherer(const KernelSpec& spec, const models::Device& device, Session& session)
        : spec_(spec), sm_(10 * device.compute_major + device.compute_minor), session_(session) {}

    Result<KernelFigures> from_cubin(std::span<const std::byte> bytes) {
        const auto kernels = image::parse_cubin(bytes, spec_.file);
        if (!kernels) return kernels.errors();
        for (const image::KernelResources& kernel : *kernels) add(candidate_of(kernel, cubin_of(kernel.sm), session_));
        return choose(candidates_, spec_);
    }

    Result<KernelFigures> from_ptx(const Kernels& kernels) {
        if (const Status added = add_module(session_.load(kernels.image, kernels.nothing_runs)); !added)
            return added.errors();
        return choose(candidates_, spec_);
    }

    // Several .cu files may have gone into it, each with code for several devices; the newest of each kernel counts.
    Result<KernelFigures> from_executable() {
        auto entries = image::embedded_code(spec_.file);
        if (!entries) return entries.errors();
        std::stable_sort(entries->begin(), entries->end(), [](const auto& a, const auto& b) { return a.sm > b.sm; });
        for (const image::FatEntry& entry : *entries) {
            if (entry.kind != image::FatKind::kCubin || !runs(entry)) continue;
            const auto kernels = image::parse_cubin(entry.payload, spec_.file);
            if (!kernels) return kernels.errors();
            for (const image::KernelResources& kernel : *kernels)
                add(candidate_of(kernel, cubin_of(entry.sm), session_));
        }
        std::set<unsigned> found;
        const bool has_machine_code = !candidates_.empty();
        for (const image::FatEntry& entry : *entries) {
            found.insert(entry.sm);
            if (entry.kind != image::FatKind::kPtx || !runs(entry)) continue;
            // The assembler takes its time; where machine code is there it was asked already.
            if (!has_machine_code)
                if (const auto kernels = image::assemble(entry.text(), sm_, {}, image::contracts(entry.options)))
                    for (const image::KernelResources& kernel : *kernels) add(candidate_of(kernel, "ptxas", session_));
            const std::string name = entry.name.empty() ? spec_.file : entry.name;
            if (const Status added =
                    add_module(session_.load_module(entry.text(), name, {}, {}, image::contracts(entry.options)));
                !added)
                return added.errors();
        }
        if (candidates_.empty() && !found.empty()) {
            std::string list;
            for (const unsigned sm : found) list += (list.empty() ? "sm_" : ", sm_") + std::to_string(sm);
            return error("cli-no-code", {spec_.file}, "no code in here runs on sm_" + std::to_string(sm_),
                         "it is for " + list);
        }
        return choose(candidates_, spec_);
    }

private:
    // Another architecture's machine code may take another number of registers: say which it is.
    std::string cubin_of(unsigned sm) const { return sm == sm_ ? "cubin" : "cubin for sm_" + std::to_string(sm); }

    bool runs(const image::FatEntry& entry) const {
        const std::vector<image::FatEntry> alone{entry};
        return entry.kind == image::FatKind::kCubin ? image::select_cubin(alone, sm_) != nullptr
                                                    : image::select_ptx(alone, sm_) != nullptr;
    }

    // The first of its name stays; PTX alone knows a block size that the kernel insists on.
    void add(Candidate candidate) {
        for (Candidate& known : candidates_) {
            if (known.name.entry != candidate.name.entry) continue;
            if (known.figures.resources.threads_per_block == 0)
                known.figures.resources.threads_per_block = candidate.figures.resources.threads_per_block;
            return;
        }
        candidates_.push_back(std::move(candidate));
    }

    Status add_module(const Result<ModuleId>& module) {
        if (!module) return module.errors();
        for (const KernelId id : session_.kernels(*module)) {
            const KernelInfo& info = session_.kernel_info(id);
            Candidate candidate;
            candidate.name = {info.name, info.entry, {}};
            candidate.figures.kernel = info.name;
            candidate.figures.registers_from = report::name_of(info.registers_from);
            candidate.figures.resources.registers_per_thread = info.registers;
            candidate.figures.resources.static_shared_bytes = info.static_shared_bytes;
            candidate.figures.resources.barriers = info.barriers;
            candidate.figures.max_threads = info.max_threads_per_block;
            if (info.required_block[0] != 0) candidate.figures.resources.threads_per_block = info.max_threads_per_block;
            add(std::move(candidate));
        }
        return Success{};
    }

    const KernelSpec& spec_;
    unsigned sm_;
    Session& session_;
    std::vector<Candidate> candidates_;
};

}  // namespace

KernelSpec parse_kernel_spec(const std::string& text) {
    std::error_code failed;
    if (fs::is_regular_file(text, failed)) return {text, {}};
    for (std::size_t at = text.find(':'); at != std::string::npos; at = text.find(':', at + 1))
        if (fs::is_regular_file(text.substr(0, at), failed)) return {text.substr(0, at), text.substr(at + 1)};
    const std::size_t at = text.find(':');
    return {text.substr(0, at), at == std::string::npos ? "" : text.substr(at + 1)};
}

bool is_profile(const KernelSpec& spec) { return spec.file.ends_with(".json"); }

Result<std::string> device_of_profile(const KernelSpec& spec) {
    const auto profile = load_profile(spec.file);
    if (!profile) return profile.errors();
    return profile->device;
}

Result<KernelFigures> kernel_figures(const KernelSpec& spec, const std::string& compiler,
                                     const std::string& device_name, const models::Device& device) {
    if (is_profile(spec)) return from_profile(spec);
    SessionOptions options;
    options.device = device_name;
    options.jobs = 1;
    const auto session = Session::create(options);
    if (!session) return session.errors();
    Gatherer gatherer(spec, device, **session);
    if (!spec.file.ends_with(".cu")) {
        const auto bytes = file_bytes(spec.file);
        if (!bytes) return bytes.errors();
        const auto view = std::as_bytes(std::span(*bytes));
        if (image::is_cubin(view)) return gatherer.from_cubin(view);
        if (bytes->starts_with("\177ELF")) return gatherer.from_executable();
    }
    auto kernels = prepare_kernels(spec.file, compiler, {}, device);
    if (!kernels) return kernels.errors();
    image::ask_for_resources(kernels->image, 10 * device.compute_major + device.compute_minor);
    return gatherer.from_ptx(*kernels);
}

}  // namespace tilescope::cli

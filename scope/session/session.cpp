#include "scope/session/session.h"

#include <algorithm>
#include <chrono>
#include <cstdlib>
#include <mutex>
#include <thread>
#include <tuple>

#include "scope/base/names.h"
#include "scope/image/load.h"
#include "scope/image/ptxas.h"
#include "scope/observers/caches/second_level.h"
#include "scope/observers/hazards/stream_races.h"
#include "scope/observers/hazards/undefined_memory.h"
#include "scope/session/demangle.h"
#include "scope/session/launch.h"
#include "scope/session/launch_limits.h"
#include "scope/session/loaded_module.h"
#include "scope/session/parameter_kind.h"
#include "scope/session/session_state.h"
#include "scope/session/shaped_rows.h"

namespace tilescope {
namespace {

// Fills in what the text alone tells about a kernel.
KernelInfo describe(const ptx::Module& module, const ptx::Function& function) {
    KernelInfo info;
    info.entry = function.name;
    info.name = demangled(function.name);
    const std::vector<isa::ParameterPlace> places = isa::place_parameters(function.parameters);
    std::vector<std::string> types = parameter_types(info.name);
    if (types.size() != places.size()) types.assign(places.size(), std::string());
    for (std::size_t i = 0; i < places.size(); ++i)
        info.parameters.push_back({function.parameters[i].name, places[i].offset, places[i].size, places[i].align,
                                   parameter_kind(function.parameters[i], types[i])});
    if (!places.empty()) info.parameter_bytes = places.back().offset + places.back().size;
    auto product = [](const std::vector<std::int64_t>& values) {
        std::int64_t all = 1;
        for (std::int64_t value : values) all *= value;
        return static_cast<std::uint32_t>(all);
    };
    for (const ptx::FunctionDirective& directive : function.directives) {
        if (directive.name == "maxntid") info.max_threads_per_block = product(directive.values);
        if (directive.name == "maxntid" || directive.name == "reqntid") info.has_thread_bound = true;
        if (directive.name == "maxnreg") info.max_registers = product(directive.values);
        if (directive.name == "minnctapersm") info.min_blocks_per_sm = product(directive.values);
        if (directive.name == "reqntid") {
            info.max_threads_per_block = product(directive.values);
            for (std::size_t i = 0; i < 3; ++i)
                info.required_block[i] =
                    i < directive.values.size() ? static_cast<std::uint32_t>(directive.values[i]) : 1;
        }
    }
    for (const std::string& target : module.target)
        if (target.starts_with("sm_"))
            info.ptx_version = static_cast<std::uint32_t>(std::strtoul(target.c_str() + 3, nullptr, 10));
    info.binary_version = info.ptx_version;
    return info;
}

std::vector<KernelFacts> facts_of(const image::LoadedImage& image, std::string_view ptx) {
    std::vector<KernelFacts> facts;
    const std::vector<std::string_view> lines = image::lines_of(ptx);
    for (const image::KernelResources& kernel : image.resources) {
        KernelFacts& fact = facts.emplace_back();
        fact.entry = kernel.name;
        fact.registers = kernel.registers;
        fact.static_shared_bytes = kernel.static_shared_bytes;
        fact.local_bytes = kernel.stack_bytes;
        fact.spill_store_bytes = static_cast<std::uint32_t>(kernel.spill_store_bytes.value_or(0));
        fact.spill_load_bytes = static_cast<std::uint32_t>(kernel.spill_load_bytes.value_or(0));
        if (kernel.machine_code && image::was_assembled_from(*kernel.machine_code, lines))
            fact.machine_code = kernel.machine_code;
        fact.barriers = kernel.barriers;
        fact.from =
            image.resources_from == image::ResourcesFrom::kCubin ? RegistersFrom::kCubin : RegistersFrom::kPtxas;
    }
    return facts;
}

// A launch that is refused is the caller's mistake, and no end of the run.
Outcome outcome_of(LaunchStatus status) {
    switch (status) {
        case LaunchStatus::kFault: return Outcome::kFault;
        case LaunchStatus::kUnsupported: return Outcome::kUnsupported;
        case LaunchStatus::kLimit: return Outcome::kLimit;
        case LaunchStatus::kOk:
        case LaunchStatus::kInvalidConfiguration:
        case LaunchStatus::kTooMuchShared:
        case LaunchStatus::kOutOfResources:
        case LaunchStatus::kTooManyBlocks: break;
    }
    return Outcome::kOk;
}

}  // namespace

Session::Session(std::unique_ptr<Impl> impl) : impl_(std::move(impl)) {}
Session::~Session() = default;

Result<std::unique_ptr<Session>> Session::create(const SessionOptions& options) {
    auto device = models::load_device(options.device);
    if (!device) return device.errors();
    auto impl = std::make_unique<Impl>();
    impl->options = options;
    impl->device = std::move(device).value();
    impl->jobs = options.jobs != 0 ? options.jobs : std::max(1u, std::thread::hardware_concurrency());
    if (options.device_memory != 0) impl->device.dram_bytes = options.device_memory;
    impl->memory.tell(impl->observers);
    impl->memory.set_capacity(impl->device.dram_bytes);
    impl->memory.set_fill(options.fill);
    impl->memory.budget().set_limit(options.memory_limit);
    impl->budget.limited = options.max_instructions != 0;
    impl->budget.left = static_cast<std::int64_t>(options.max_instructions);
    if (options.deadline != 0)
        impl->budget.deadline = std::chrono::steady_clock::time_point(std::chrono::nanoseconds(options.deadline));
    impl->profile.device = impl->device.name;
    impl->profile.program = options.program;
    impl->profile.compiler = options.compiler;
    impl->profile.tilescope_version = TILESCOPE_VERSION;
    impl->profile.jobs = impl->jobs;
    // Every launch has to say how long it takes.
    const bool all_timed = options.caches && options.sample == 1.0 && options.kernel_globs.empty() && !options.launches;
    auto work = std::make_unique<RunWork>(impl->memory, impl->device, all_timed);
    impl->work = work.get();
    auto pages = std::make_unique<RunPages>(impl->memory, *work, options.sample == 1.0);
    impl->pages = pages.get();
    impl->observers.add(std::move(pages));  // who knows what faults before it is drawn
    impl->observers.add(std::move(work));
    if (options.checks & bit_of(Check::kStreams)) {
        auto races = std::make_unique<observers::StreamRaces>(impl->memory);
        impl->stream_races = races.get();
        impl->observers.add(std::move(races));
    }
    if (options.checks & bit_of(Check::kInit)) {
        auto undefined = std::make_unique<observers::UndefinedMemory>(impl->memory);
        impl->undefined_memory = undefined.get();
        impl->observers.add(std::move(undefined));
    }
    for (const auto& row : report::kNames<Check>)
        if (options.checks & bit_of(row.value)) impl->profile.checks.push_back(row.value);
    return std::unique_ptr<Session>(new Session(std::move(impl)));
}

const models::Device& Session::device() const { return impl_->device; }
machine::Memory& Session::memory() { return impl_->memory; }
machine::RunObservers& Session::observers() { return impl_->observers; }
const SessionOptions& Session::options() const { return impl_->options; }
const Profile& Session::profile() const { return impl_->profile; }
std::string Session::demangle(std::string_view entry) const { return demangled(entry); }

Result<ModuleId> Session::load(const image::LoadedImage& image, const Diagnostic& nothing_runs,
                               std::span<const HostStorage> host_storage) {
    const models::Device& device = impl_->device;
    const image::LoadedPtx* chosen = image::select_ptx(image.ptx, 10 * device.compute_major + device.compute_minor);
    if (chosen != nullptr)
        for (const Diagnostic& note : image.notes) this->note(note);
    Result<ModuleId> loaded = chosen == nullptr
                                  ? Result<ModuleId>(nothing_runs)
                                  : load_module(chosen->text, chosen->name, facts_of(image, chosen->text), host_storage,
                                                image::contracts(chosen->assembler_options));
    if (loaded) return loaded;
    std::lock_guard lock(impl_->mutex);
    impl_->note_once(loaded.errors());
    const bool limit = loaded.errors().front().code == kMemoryLimitCode;
    impl_->end_with(limit ? Outcome::kLimit : Outcome::kUnsupported);
    impl_->profile_grew();
    return loaded;
}

Result<ModuleId> Session::load_module(std::string_view ptx, std::string name, std::span<const KernelFacts> facts,
                                      std::span<const HostStorage> host_storage, bool contracts) {
    std::lock_guard lock(impl_->mutex);
    auto loaded = LoadedModule::load(ptx, std::move(name), impl_->memory, host_storage, contracts);
    if (!loaded) return loaded.errors();
    const auto id = static_cast<ModuleId>(impl_->modules.size());
    impl_->modules.push_back(std::move(loaded).value());
    LoadedModule& module = *impl_->modules.back();
    if (impl_->undefined_memory != nullptr) module.keep_flow();
    std::unordered_map<std::string_view, const KernelFacts*> known;
    for (const KernelFacts& fact : facts) known.insert_or_assign(fact.entry, &fact);
    image::SourceFacts compiled = image::facts_in(ptx);
    for (const ptx::Function& function : module.text().functions) {
        if (!function.is_entry || !function.body) continue;
        Kernel kernel;
        kernel.module = id;
        kernel.info = describe(module.text(), function);
        kernel.info.max_threads_per_block =
            std::min(kernel.info.max_threads_per_block, impl_->device.max_threads_per_block);
        if (const auto fact = known.find(function.name); fact != known.end()) kernel.facts = *fact->second;
        if (const auto source = compiled.find(function.name);
            source != compiled.end() && source->second.parameters.size() == kernel.info.parameters.size())
            kernel.compiled = std::move(source->second);
        impl_->kernels.push_back(std::move(kernel));
    }
    return id;
}

void Session::unload_module(ModuleId module) {
    std::lock_guard lock(impl_->mutex);
    if (module < impl_->modules.size()) impl_->modules[module].reset();
}

std::vector<KernelId> Session::kernels(ModuleId module) const {
    std::lock_guard lock(impl_->mutex);
    std::vector<KernelId> ids;
    for (KernelId id = 0; id < impl_->kernels.size(); ++id)
        if (impl_->kernels[id].module == module) ids.push_back(id);
    return ids;
}

std::optional<KernelId> Session::find_kernel(ModuleId module, std::string_view entry) const {
    std::lock_guard lock(impl_->mutex);
    for (KernelId id = 0; id < impl_->kernels.size(); ++id)
        if (impl_->kernels[id].module == module && impl_->kernels[id].info.entry == entry) return id;
    return std::nullopt;
}

std::string Session::kernel_entry(KernelId kernel) const {
    std::lock_guard lock(impl_->mutex);
    return impl_->kernels.at(kernel).info.entry;
}

const KernelInfo& Session::kernel_info(KernelId kernel) const {
    std::lock_guard lock(impl_->mutex);
    return complete_info(*impl_, impl_->kernels.at(kernel));
}

std::optional<ModuleVariable> Session::find_variable(ModuleId module, std::string_view name) const {
    std::lock_guard lock(impl_->mutex);
    if (module >= impl_->modules.size() || !impl_->modules[module]) return std::nullopt;
    return impl_->modules[module]->find_variable(name);
}

std::vector<ModuleVariable> Session::variables(ModuleId module) const {
    std::lock_guard lock(impl_->mutex);
    if (module >= impl_->modules.size() || !impl_->modules[module]) return {};
    return impl_->modules[module]->variables();
}

LaunchResult Session::check(const LaunchRequest& request) const {
    std::lock_guard lock(impl_->mutex);
    return check_launch(impl_->device, complete_info(*impl_, impl_->kernels.at(request.kernel)), request);
}

LaunchResult Session::launch(const LaunchRequest& request) {
    std::lock_guard lock(impl_->mutex);
    LaunchResult result = run_launch(*impl_, request);
    const Outcome outcome = outcome_of(result.status);
    if (outcome == Outcome::kOk && result.diagnostics.empty()) return result;
    impl_->note_once(result.diagnostics);
    impl_->end_with(outcome);
    impl_->profile_grew();
    return result;
}

void Session::set_stack_limit(std::uint64_t bytes) {
    const std::lock_guard lock(impl_->mutex);
    impl_->stack_limit = bytes;
}

void Session::reset_persisting() {
    const std::lock_guard lock(impl_->mutex);
    if (impl_->second_level) impl_->second_level->forget_last();
}

void Session::note(Diagnostic warning) {
    std::lock_guard lock(impl_->mutex);
    impl_->profile.diagnostics.push_back(std::move(warning));
    impl_->profile_grew();
}

void Session::note_hazard(Hazard hazard) {
    // Beyond so many at one place their number is told at powers of two only.
    constexpr std::uint64_t kEachTold = 1000;
    constexpr std::size_t kMaxGroups = 1000;
    std::lock_guard lock(impl_->mutex);
    std::vector<Hazard>& all = impl_->profile.hazards;
    const auto key = [](const Hazard& h) {
        return std::tie(h.kind, h.space, h.order, h.severity, h.file, h.line, h.other_file, h.other_line);
    };
    const auto known = std::find_if(all.begin(), all.end(), [&](const Hazard& h) { return key(h) == key(hazard); });
    if (known == all.end()) {
        if (all.size() == kMaxGroups)
            return impl_->note_once(
                {Diagnostic{Severity::kWarning,
                            "check-groups",
                            {},
                            "hazards of the run beyond " + std::to_string(kMaxGroups) + " places are not listed",
                            {}}});
        all.push_back(std::move(hazard));
        return impl_->profile_grew();
    }
    known->count += hazard.count;
    if (known->count <= kEachTold || (known->count & (known->count - 1)) == 0) impl_->profile_grew();
}

void Session::name_copies(std::function<std::uint64_t()> site, std::function<CodePlace(std::uint64_t)> place_of) {
    const auto order = impl_->observers.keep_order();
    impl_->work->set_site(std::move(site), std::move(place_of));
}

std::optional<double> Session::elapsed(std::uint64_t first_event, std::uint64_t last_event) {
    const auto order = impl_->observers.keep_order();
    return impl_->work->elapsed(first_event, last_event);
}

void Session::tell_all() {
    std::lock_guard lock(impl_->mutex);
    impl_->gather_work(/*at_end=*/true);
    note_unused_shapes(*impl_);
    impl_->profile_grew();
}

void Session::set_print_bytes(std::uint64_t bytes) {
    std::lock_guard lock(impl_->mutex);
    impl_->print_bytes = bytes;
}

void Session::set_outcome(Outcome outcome) {
    std::lock_guard lock(impl_->mutex);
    impl_->end_with(outcome);
    impl_->profile_grew();
}

void Session::follow(std::function<void(const Profile&)> told) {
    std::lock_guard lock(impl_->mutex);
    impl_->follower = std::move(told);
    impl_->profile_grew();
}

}  // namespace tilescope

#include "scope/session/session.h"

#include <algorithm>
#include <chrono>
#include <cstdlib>
#include <mutex>
#include <thread>
#include <tuple>

#include "scope/base/names.h"
#include "scope/base/plain_arithmetic.h"
#include "scope/image/load.h"
#include "scope/image/ptxas.h"
#include "scope/observers/hazards/overlapping_copies.h"
#include "scope/observers/hazards/stream_races.h"
#include "scope/observers/hazards/undefined_memory.h"
#include "scope/observers/hierarchy/l2/second_level.h"
#include "scope/session/demangle.h"
#include "scope/session/launch/bounds_checks.h"
#include "scope/session/launch/launch.h"
#include "scope/session/launch/limits.h"
#include "scope/session/launch/shaped_rows.h"
#include "scope/session/loaded_module.h"
#include "scope/session/parameter_kind.h"
#include "scope/session/session_state.h"
#include "scope/session/target_check.h"

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
        constexpr std::uint64_t kMost = ~std::uint32_t{0};
        std::uint64_t all = 1;
        for (std::int64_t value : values)
            all = std::min(all * std::min(static_cast<std::uint64_t>(value), kMost), kMost);
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

}  // namespace

Session::Session(std::unique_ptr<Impl> impl) : impl_(std::move(impl)) {}
Session::~Session() = default;

Result<std::unique_ptr<Session>> Session::create(const SessionOptions& options) {
    auto device = models::load_device(options.device);
    if (!device) return device.errors();
    auto impl = std::make_unique<Impl>();
    impl->settings.options = options;
    impl->settings.device = std::move(device).value();
    impl->settings.jobs = options.jobs != 0 ? options.jobs : std::max(1u, std::thread::hardware_concurrency());
    if (options.device_memory != 0) impl->settings.device.dram_bytes = options.device_memory;
    impl->device_memory.memory.tell(impl->observers);
    impl->device_memory.memory.set_capacity(impl->settings.device.dram_bytes);
    impl->device_memory.memory.set_fill(options.fill);
    machine::MemoryBudget& memory_budget = impl->device_memory.memory.budget();
    memory_budget.set_limit(options.memory_limit);
    if (options.memory_limit != 0 && !options.memory_file.empty() && !memory_budget.share(options.memory_file))
        return error("session-memory-file", {options.memory_file},
                     "the processes of this run cannot keep to one memory limit without this file");
    impl->budget.limited = options.max_instructions != 0;
    impl->budget.left = static_cast<std::int64_t>(options.max_instructions);
    if (options.deadline != 0)
        impl->budget.deadline = std::chrono::steady_clock::time_point(std::chrono::nanoseconds(options.deadline));
    impl->recording.profile.device = impl->settings.device.name;
    impl->recording.profile.program = options.program;
    impl->recording.profile.compiler = options.compiler;
    impl->recording.profile.tilescope_version = TILESCOPE_VERSION;
    impl->recording.profile.jobs = impl->settings.jobs;
    // Every launch has to say how long it takes.
    const bool all_timed = options.caches && options.sample == 1.0 && options.kernel_globs.empty() && !options.launches;
    auto work = std::make_unique<RunWork>(impl->device_memory.memory, impl->settings.device, all_timed);
    impl->recording.work = work.get();
    auto pages = std::make_unique<RunPages>(impl->device_memory.memory, *work, options.sample == 1.0);
    impl->recording.pages = pages.get();
    impl->observers.add(std::move(pages));  // who knows what faults before it is drawn
    impl->observers.add(std::move(work));
    if (options.checks & bit_of(Check::kStreams)) {
        auto races = std::make_unique<observers::StreamRaces>(impl->device_memory.memory);
        impl->recording.stream_races = races.get();
        impl->observers.add(std::move(races));
    }
    if (options.checks & bit_of(Check::kMemory)) {
        auto copies = std::make_unique<observers::OverlappingCopies>(impl->device_memory.memory);
        impl->recording.overlapping_copies = copies.get();
        impl->observers.add(std::move(copies));
    }
    if (options.checks & bit_of(Check::kInit)) {
        auto undefined = std::make_unique<observers::UndefinedMemory>(impl->device_memory.memory);
        impl->recording.undefined_memory = undefined.get();
        impl->observers.add(std::move(undefined));
    }
    for (const auto& row : report::kNames<Check>)
        if (options.checks & bit_of(row.value)) impl->recording.profile.checks.push_back(row.value);
    impl->recording.check_budget = CheckBudget(options.caches);
    impl->recording.profile.checks_are_auto = options.checks_are_auto;
    return std::unique_ptr<Session>(new Session(std::move(impl)));
}

const models::Device& Session::device() const { return impl_->settings.device; }
machine::Memory& Session::memory() { return impl_->device_memory.memory; }
machine::RunObservers& Session::observers() { return impl_->observers; }
const SessionOptions& Session::options() const { return impl_->settings.options; }
const Profile& Session::profile() const { return impl_->recording.profile; }
std::string Session::demangle(std::string_view entry) const { return demangled(entry); }

Result<ModuleId> Session::load(const image::LoadedImage& image, const Diagnostic& nothing_runs,
                               std::span<const HostStorage> host_storage, bool takes_newer) {
    const models::Device& device = impl_->settings.device;
    const unsigned capability = 10 * device.compute_major + device.compute_minor;
    const image::LoadedPtx* chosen = image::select_ptx(image.ptx, capability);
    if (chosen == nullptr && takes_newer) chosen = image::select_newer_ptx(image.ptx, capability);
    if (chosen != nullptr)
        for (const Diagnostic& note : image.notes) this->note(note);
    const auto load_one = [&](const image::LoadedPtx& ptx) {
        return load_module(ptx.text, ptx.name, facts_of(image, ptx.text), host_storage,
                           image::contracts(ptx.assembler_options));
    };
    Result<ModuleId> loaded = chosen == nullptr ? Result<ModuleId>(nothing_runs) : load_one(*chosen);
    if (chosen == nullptr && takes_newer && !image.ptx.empty()) {
        // Code of another architecture alone does not load, and says which of its instructions the device lacks.
        const Result<ModuleId> why = load_one(image.ptx.front());
        if (!why && why.errors().front().code == kNotOnDeviceCode) loaded = why.errors();
    }
    if (loaded) return loaded;
    std::lock_guard lock(impl_->mutex);
    const std::string& code = loaded.errors().front().code;
    if (is_refused_by_drivers(code) || code == nothing_runs.code) {
        Diagnostics warnings = loaded.errors();
        for (Diagnostic& one : warnings) one.severity = Severity::kWarning;
        impl_->recording.note_once(warnings);
        impl_->recording.profile_grew();
        return loaded;
    }
    impl_->recording.note_once(loaded.errors());
    const bool limit = loaded.errors().front().code == kMemoryLimitCode;
    impl_->recording.end_with(limit ? Outcome::kLimit : Outcome::kUnsupported);
    impl_->recording.profile_grew();
    return loaded;
}

Result<ModuleId> Session::load_module(std::string_view ptx, std::string name, std::span<const KernelFacts> facts,
                                      std::span<const HostStorage> host_storage, bool contracts) {
    std::lock_guard lock(impl_->mutex);
    auto loaded = LoadedModule::load(ptx, std::move(name), impl_->device_memory.memory, host_storage, contracts);
    if (!loaded) return loaded.errors();
    const TargetVerdict verdict = check_targets((*loaded)->text(), ptx, impl_->settings.device);
    if (!verdict.errors.empty()) return verdict.errors;
    impl_->recording.note_once(verdict.notes);
    const auto id = static_cast<ModuleId>(impl_->modules.loaded.size());
    impl_->modules.loaded.push_back(std::move(loaded).value());
    LoadedModule& module = *impl_->modules.loaded.back();
    const models::Device& device = impl_->settings.device;
    module.place_shared_memory(device.shared_base, device.shared_reserved_used);
    if (impl_->recording.undefined_memory != nullptr) module.keep_flow();
    if ((impl_->settings.options.checks & (bit_of(Check::kMemory) | bit_of(Check::kBarriers))) != 0)
        module.keep_indices();
    if ((impl_->settings.options.checks & bit_of(Check::kRaces)) != 0) module.keep_races();
    if (looks_at_checks(impl_->settings.options)) module.list_checks(checks_left_out(impl_->settings.options));
    std::unordered_map<std::string_view, const KernelFacts*> known;
    for (const KernelFacts& fact : facts) known.insert_or_assign(fact.entry, &fact);
    image::SourceFacts compiled = image::facts_in(ptx);
    for (const ptx::Function& function : module.text().functions) {
        if (!function.is_entry || !function.body) continue;
        Kernel kernel;
        kernel.module = id;
        kernel.info = describe(module.text(), function);
        kernel.info.max_threads_per_block =
            std::min(kernel.info.max_threads_per_block, impl_->settings.device.max_threads_per_block);
        if (const auto fact = known.find(function.name); fact != known.end()) kernel.facts = *fact->second;
        if (const auto source = compiled.find(function.name);
            source != compiled.end() && source->second.parameters.size() == kernel.info.parameters.size())
            kernel.compiled = std::move(source->second);
        impl_->modules.kernels.push_back(std::move(kernel));
    }
    return id;
}

void Session::unload_module(ModuleId module) {
    std::lock_guard lock(impl_->mutex);
    if (module < impl_->modules.loaded.size()) impl_->modules.loaded[module].reset();
}

std::vector<KernelId> Session::kernels(ModuleId module) const {
    std::lock_guard lock(impl_->mutex);
    std::vector<KernelId> ids;
    for (KernelId id = 0; id < impl_->modules.kernels.size(); ++id)
        if (impl_->modules.kernels[id].module == module) ids.push_back(id);
    return ids;
}

std::optional<KernelId> Session::find_kernel(ModuleId module, std::string_view entry) const {
    std::lock_guard lock(impl_->mutex);
    for (KernelId id = 0; id < impl_->modules.kernels.size(); ++id)
        if (impl_->modules.kernels[id].module == module && impl_->modules.kernels[id].info.entry == entry) return id;
    return std::nullopt;
}

std::string Session::kernel_entry(KernelId kernel) const {
    std::lock_guard lock(impl_->mutex);
    return impl_->modules.kernels.at(kernel).info.entry;
}

const KernelInfo& Session::kernel_info(KernelId kernel) const {
    std::lock_guard lock(impl_->mutex);
    return complete_info(impl_->settings.device, impl_->modules, impl_->modules.kernels.at(kernel));
}

std::optional<ModuleVariable> Session::find_variable(ModuleId module, std::string_view name) const {
    std::lock_guard lock(impl_->mutex);
    if (module >= impl_->modules.loaded.size() || !impl_->modules.loaded[module]) return std::nullopt;
    return impl_->modules.loaded[module]->find_variable(name);
}

std::vector<ModuleVariable> Session::variables(ModuleId module) const {
    std::lock_guard lock(impl_->mutex);
    if (module >= impl_->modules.loaded.size() || !impl_->modules.loaded[module]) return {};
    return impl_->modules.loaded[module]->variables();
}

LaunchResult Session::check(const LaunchRequest& request) const {
    std::lock_guard lock(impl_->mutex);
    const models::Device& device = impl_->settings.device;
    const KernelInfo& info = complete_info(device, impl_->modules, impl_->modules.kernels.at(request.kernel));
    return check_launch(device, info, request, models::occupancy(device, resources_of(device, info, request)));
}

LaunchResult Session::launch(const LaunchRequest& request) {
    const PlainArithmetic plain;
    std::lock_guard lock(impl_->mutex);
    return run_launch(*impl_, request);
}

void Session::set_stack_limit(std::uint64_t bytes) {
    const std::lock_guard lock(impl_->mutex);
    impl_->settings.stack_limit = bytes;
}

void Session::reset_persisting() {
    const std::lock_guard lock(impl_->mutex);
    if (impl_->device_memory.second_level) impl_->device_memory.second_level->forget_last();
}

void Session::note(Diagnostic warning) {
    std::lock_guard lock(impl_->mutex);
    impl_->recording.profile.diagnostics.push_back(std::move(warning));
    impl_->recording.profile_grew();
}

void Session::note_hazard(Hazard hazard) {
    hazard.by_auto = impl_->settings.options.checks_are_auto;
    // Beyond so many at one place their number is told at powers of two only.
    constexpr std::uint64_t kEachTold = 1000;
    constexpr std::size_t kMaxGroups = 1000;
    std::lock_guard lock(impl_->mutex);
    std::vector<Hazard>& all = impl_->recording.profile.hazards;
    const auto key = [](const Hazard& h) {
        return std::tie(h.kind, h.space, h.order, h.severity, h.file, h.line, h.other_file, h.other_line);
    };
    const auto known = std::find_if(all.begin(), all.end(), [&](const Hazard& h) { return key(h) == key(hazard); });
    if (known == all.end()) {
        if (all.size() == kMaxGroups)
            return impl_->recording.note_once(
                {Diagnostic{Severity::kWarning,
                            "check-groups",
                            {},
                            "hazards of the run beyond " + std::to_string(kMaxGroups) + " places are not listed",
                            {}}});
        all.push_back(std::move(hazard));
        impl_->recording.profile_grew();
        return;
    }
    known->count += hazard.count;
    if (known->count <= kEachTold || (known->count & (known->count - 1)) == 0) impl_->recording.profile_grew();
}

void Session::name_copies(std::function<std::uint64_t()> site, std::function<CodePlace(std::uint64_t)> place_of) {
    const auto order = impl_->observers.keep_order();
    impl_->recording.work->set_site(std::move(site), std::move(place_of));
}

std::optional<double> Session::elapsed(std::uint64_t first_event, std::uint64_t last_event) {
    const auto order = impl_->observers.keep_order();
    return impl_->recording.work->elapsed(first_event, last_event);
}

void Session::tell_all() {
    std::lock_guard lock(impl_->mutex);
    impl_->recording.gather_work(/*at_end=*/true);
    note_unused_shapes(impl_->settings.options, impl_->recording);
    note_unused_checks(impl_->settings.options, impl_->recording);
    impl_->recording.profile_grew();
}

void Session::set_print_bytes(std::uint64_t bytes) {
    std::lock_guard lock(impl_->mutex);
    impl_->settings.print_bytes = bytes;
}

void Session::set_outcome(Outcome outcome) {
    std::lock_guard lock(impl_->mutex);
    impl_->recording.end_with(outcome);
    impl_->recording.profile_grew();
}

void Session::follow(std::function<bool(const Profile&)> told) {
    std::lock_guard lock(impl_->mutex);
    impl_->recording.follower = std::move(told);
    impl_->recording.profile_grew();
}

}  // namespace tilescope

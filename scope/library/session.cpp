#include <cstring>

#include "scope/base/names.h"
#include "scope/image/compile.h"
#include "scope/image/load.h"
#include "scope/image/toolchain.h"
#include "scope/library/state.h"
#include "scope/report/clean.h"
#include "scope/report/json.h"
#include "scope/views/words/speak.h"

namespace tilescope::library {
namespace {

unsigned sm_of(const models::Device& device) { return 10 * device.compute_major + device.compute_minor; }

// Streams are a host program's, and there is none.
constexpr Check kChecks[] = {Check::kMemory, Check::kLeaks, Check::kRaces, Check::kBarriers, Check::kInit};

Result<std::uint32_t> checks_of(const std::vector<std::string>& names) {
    std::uint32_t bits = 0;
    for (const std::string& name : names) {
        std::uint32_t found = 0;
        for (const Check check : kChecks)
            if (name == "all" || name == report::name_of(check)) found |= bit_of(check);
        if (found == 0)
            return Error{"library-option", "there is no check \"" + name + "\"",
                         "memory, leaks, races, barriers, init, or all", "", 0};
        bits |= found;
    }
    return bits;
}

Result<image::CompileOptions> compile_options(const State& state) {
    const auto chosen = image::choose_compiler(state.options.compiler);
    if (!chosen) return error_of(chosen.errors());
    image::CompileOptions options;
    options.compiler = chosen->kind;
    options.compiler_path = chosen->program;
    options.arch = "sm_" + std::to_string(sm_of(state.device));
    options.extra_flags = state.options.compile_flags;
    return options;
}

// "library-fault" and "library-limit" have the hazard's place and words; all else is said by the session.
Error failure_of(const LaunchResult& result, const std::string& kernel) {
    if (result.hazard) {
        Profile spoken;
        spoken.hazards.push_back(*result.hazard);
        views::speak(spoken);
        const tilescope::Hazard& hazard = spoken.hazards.front();
        return {result.status == LaunchStatus::kLimit ? "library-limit" : "library-fault",
                kernel + ": " + hazard.message, hazard.hint, hazard.file, hazard.line};
    }
    if (!result.reason.empty())
        return {"library-launch", kernel + " cannot be launched like this: " + result.reason, "", "", 0};
    if (!result.diagnostics.empty()) return error_of(result.diagnostics);
    return {"library-launch", kernel + " did not run", "", "", 0};
}

Result<std::vector<std::byte>> parameters_of(const KernelInfo& info, const std::vector<Argument>& arguments) {
    const auto refused = [&](const std::string& what) {
        return Error{"library-argument", info.name + ": " + what, "", "", 0};
    };
    if (arguments.size() != info.parameters.size())
        return refused(std::to_string(arguments.size()) + " arguments for " + std::to_string(info.parameters.size()) +
                       " parameters");
    std::vector<std::byte> bytes(info.parameter_bytes);
    for (std::size_t i = 0; i < arguments.size(); ++i) {
        const KernelParameter& parameter = info.parameters[i];
        const std::string which = "argument " + std::to_string(i + 1);
        if (arguments[i].bytes().size() != parameter.size)
            return refused(which + " has " + std::to_string(arguments[i].bytes().size()) + " bytes, the parameter " +
                           std::to_string(parameter.size));
        if (arguments[i].is_buffer() && parameter.kind == ParameterKind::kFloat)
            return refused(which + " is a buffer, the parameter a floating-point number");
        if (!arguments[i].is_buffer() && parameter.kind == ParameterKind::kPointer)
            return refused(which + " is no buffer, the parameter a pointer");
        std::memcpy(bytes.data() + parameter.offset, arguments[i].bytes().data(), parameter.size);
    }
    return bytes;
}

}  // namespace

Error error_of(const Diagnostics& errors) {
    if (errors.empty()) return {"library-internal", "it failed and nobody said why", "", "", 0};
    const Diagnostic& first = errors.front();
    Error error{first.code, first.message, first.hint, first.location.file, first.location.line};
    if (errors.size() > 1) error.message += " (and " + std::to_string(errors.size() - 1) + " more)";
    return error;
}

Result<Session> Session::create(const Options& options) {
    return guarded([&]() -> Result<Session> {
        auto device = models::load_device(options.device);
        if (!device) return error_of(device.errors());
        const auto checks = checks_of(options.checks);
        if (!checks) return checks.error();
        if (!(options.time_limit >= 0))
            return Error{"library-option", "a time limit is no less than 0 seconds", "", "", 0};
        SessionOptions made;
        made.device = options.device;
        made.jobs = options.jobs;
        made.checks = *checks;
        made.caches = options.caches;
        made.caches_in_full = options.whole_caches;
        made.max_instructions = options.max_instructions;
        made.memory_limit = options.memory_limit;
        made.time_limit = options.time_limit;
        made.ask_ptxas = options.ptxas;
        set_deadline(made);
        auto session = tilescope::Session::create(made);
        if (!session) return error_of(session.errors());
        Session result;
        result.state_ = std::make_shared<State>();
        result.state_->session = std::move(*session);
        result.state_->device = std::move(*device);
        result.state_->options = options;
        return result;
    });
}

Result<Module> Session::load(const std::string& path) {
    return guarded([&]() -> Result<Module> {
        auto options = compile_options(*state_);
        if (!options) return options.error();
        auto image = image::load_image(path, *options, sm_of(state_->device), state_->options.ptxas);
        if (!image) return error_of(image.errors());
        const Diagnostic nothing_runs = tilescope::error(
            "library-no-ptx", {path},
            "no PTX in here runs on " + state_->device.name + " (sm_" + std::to_string(sm_of(state_->device)) + ")");
        const std::lock_guard hold(state_->mutex);
        auto id = state_->session->load(*image, nothing_runs);
        if (!id) return error_of(id.errors());
        Module module;
        module.state_ = state_;
        module.id_ = *id;
        module.file_ = path;
        return module;
    });
}

Result<Module> Session::load_ptx(std::string_view text, const std::string& name) {
    return guarded([&]() -> Result<Module> {
        const std::lock_guard hold(state_->mutex);
        auto id = state_->session->load_module(text, name);
        if (!id) return error_of(id.errors());
        Module module;
        module.state_ = state_;
        module.id_ = *id;
        module.file_ = name;
        return module;
    });
}

Result<Memory> Session::memory(std::uint64_t bytes) {
    return guarded([&]() -> Result<Memory> {
        machine::Memory& memory = state_->session->memory();
        void* const made = memory.allocate(bytes, machine::AllocationKind::kDevice);
        if (made == nullptr)
            return Error{memory.budget().fits(bytes) ? "library-memory" : "library-limit",
                         "no room for " + std::to_string(bytes) + " bytes", "", "", 0};
        const auto address = reinterpret_cast<std::uint64_t>(made);
        return Memory(state_, address, bytes, /*is_owned=*/true);
    });
}

std::vector<std::string> Module::kernels() const {
    std::vector<std::string> names;
    for (const KernelId kernel : state_->session->kernels(id_))
        names.push_back(state_->session->demangle(state_->session->kernel_entry(kernel)));
    return names;
}

Result<Kernel> Module::kernel(std::string_view name) const {
    return guarded([&]() -> Result<Kernel> {
        std::string there;
        std::vector<Kernel> found;
        for (const KernelId id : state_->session->kernels(id_)) {
            const std::string entry = state_->session->kernel_entry(id), shown = state_->session->demangle(entry);
            there += (there.empty() ? "it has " : ", ") + shown;
            if (!kernel_matches(name, shown, entry)) continue;
            Kernel kernel;
            kernel.state_ = state_;
            kernel.id_ = id;
            kernel.name_ = shown;
            found.push_back(std::move(kernel));
        }
        if (found.size() == 1) return std::move(found.front());
        return Error{"library-no-kernel",
                     std::string(found.empty() ? "there is no kernel \"" : "more than one kernel is called \"") +
                         std::string(name) + "\"",
                     there.empty() ? "it has no kernel" : there, file_, 0};
    });
}

Result<Memory> Module::variable(std::string_view name) const {
    return guarded([&]() -> Result<Memory> {
        const auto found = state_->session->find_variable(id_, name);
        if (!found)
            return Error{"library-no-variable", "there is no variable \"" + std::string(name) + "\"", "", file_, 0};
        return Memory(state_, found->address, found->size, /*is_owned=*/false);
    });
}

Result<Launch> Session::launch(const Kernel& kernel, const Shape& shape, const std::vector<Argument>& arguments) {
    return guarded([&]() -> Result<Launch> {
        if (kernel.state_ != state_)
            return Error{"library-argument", kernel.name_ + " is of another session", "", "", 0};
        const std::lock_guard hold(state_->mutex);
        const auto parameters = parameters_of(state_->session->kernel_info(kernel.id_), arguments);
        if (!parameters) return parameters.error();
        LaunchRequest request;
        request.kernel = kernel.id_;
        request.grid = {shape.grid.x, shape.grid.y, shape.grid.z};
        request.block = {shape.block.x, shape.block.y, shape.block.z};
        request.dynamic_shared_bytes = shape.shared_bytes;
        request.max_dynamic_shared_bytes = std::nullopt;  // nobody calls cudaFuncSetAttribute here
        request.parameters = *parameters;
        const std::size_t before = state_->session->profile().launches.size();
        const LaunchResult result = state_->session->launch(request);
        if (result.status != LaunchStatus::kOk) return failure_of(result, kernel.name_);
        const Profile& all = state_->session->profile();
        if (all.launches.size() <= before)
            return Error{"library-internal", "the launch is not in the profile", "", "", 0};
        Profile last;
        last.device = all.device;
        last.launches.push_back(all.launches.back());
        report::clean(last);
        views::speak(last);
        return launch_of(last.launches.front());
    });
}

Result<std::string> Session::json() const {
    return guarded([&]() -> Result<std::string> {
        const std::lock_guard hold(state_->mutex);
        Profile profile = state_->session->profile();
        report::clean(profile);
        views::speak(profile);
        return report::to_json(profile);
    });
}

const char* version() { return TILESCOPE_VERSION; }

}  // namespace tilescope::library

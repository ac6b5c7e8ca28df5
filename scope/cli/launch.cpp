// `tilescope launch`: one kernel, no host program.
#include <unistd.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <chrono>
#include <filesystem>
#include <memory>
#include <optional>

#include "scope/base/npy.h"
#include "scope/cli/command.h"
#include "scope/cli/exit_status.h"
#include "scope/cli/finish.h"
#include "scope/cli/kernel_choice.h"
#include "scope/cli/launch_arguments.h"
#include "scope/cli/program.h"
#include "scope/cli/run_options.h"
#include "scope/cli/values.h"
#include "scope/image/kernel_source.h"
#include "scope/report/clean.h"
#include "scope/session/session.h"
#include "scope/views/words/speak.h"

namespace tilescope::cli {
namespace {

struct LaunchCommand {
    RunOptions options;
    std::string file, kernel, grid = "1", block = "1", shared = "0";
    std::vector<std::string> arguments, saves;
};

Result<KernelId> chosen_kernel(const Session& session, ModuleId module, const LaunchCommand& command) {
    const std::vector<KernelId> kernels = session.kernels(module);
    std::vector<KernelName> names;
    names.reserve(kernels.size());
    for (const KernelId kernel : kernels) {
        std::string entry = session.kernel_entry(kernel);
        names.push_back({session.demangle(entry), std::move(entry), {}});
    }
    const auto chosen = choose_kernel(names, command.kernel, command.file, "choose one with --kernel");
    if (!chosen) return chosen.errors();
    return kernels[*chosen];
}

// Device storage of the buffer arguments, freed with its owner.
class Buffers {
public:
    explicit Buffers(machine::Memory& memory) : memory_(memory) {}
    ~Buffers() {
        for (std::uint64_t address : addresses_)
            if (address != 0) memory_.release(pointer(address));
    }
    Buffers(const Buffers&) = delete;
    Buffers& operator=(const Buffers&) = delete;

    Status create(std::span<const LaunchArgument> arguments) {
        for (const LaunchArgument& argument : arguments) {
            addresses_.push_back(0);
            if (!argument.is_buffer) continue;
            void* storage = memory_.allocate(argument.bytes, machine::AllocationKind::kDevice);
            if (storage == nullptr) return refusal(argument);
            addresses_.back() = reinterpret_cast<std::uint64_t>(storage);
            fill(argument, addresses_.size() - 1, bytes(arguments, addresses_.size() - 1));
        }
        return Success{};
    }
    // What is in them the user gave.
    void tell_filled(std::span<const LaunchArgument> arguments, machine::RunObservers& observers) const {
        for (std::size_t i = 0; i < arguments.size(); ++i) {
            if (addresses_[i] == 0) continue;
            machine::SetEvent event;
            event.target.address = addresses_[i];
            event.extent.width = arguments[i].bytes;
            observers.on_set(event);
        }
    }
    std::span<std::byte> bytes(std::span<const LaunchArgument> arguments, std::size_t index) const {
        return {memory_.bytes(addresses_[index]), static_cast<std::size_t>(arguments[index].bytes)};
    }
    std::span<const std::uint64_t> addresses() const { return addresses_; }

private:
    Diagnostic refusal(const LaunchArgument& argument) const {
        const machine::MemoryBudget& budget = memory_.budget();
        const std::string what = "--arg " + argument.text + ": ";
        if (!budget.fits(argument.bytes))
            return error(kMemoryLimitCode, {}, what + budget.refusal(argument.bytes, "a buffer"), kMemoryLimitHint);
        return error("cli-memory", {}, what + "no room for " + std::to_string(argument.bytes) + " bytes",
                     "the device has " + std::to_string(memory_.capacity()) + " bytes; --device-memory may raise it");
    }
    static void* pointer(std::uint64_t address) { return reinterpret_cast<void*>(address); }

    machine::Memory& memory_;
    std::vector<std::uint64_t> addresses_;
};

// The command's own options, checked.
struct LaunchPlan {
    LaunchRequest request;
    std::vector<LaunchArgument> arguments;
    std::vector<SaveRequest> saves;
};

Result<LaunchPlan> plan_launch(const LaunchCommand& command) {
    LaunchPlan plan;
    Diagnostics errors;
    take(parse_dimensions(command.grid, "--grid"), plan.request.grid, errors);
    take(parse_dimensions(command.block, "--block"), plan.request.block, errors);
    if (command.shared != "0")
        take(parse_amount(command.shared, "--shared", 1024), plan.request.dynamic_shared_bytes, errors);
    for (const std::string& text : command.arguments) take(parse_argument(text), plan.arguments.emplace_back(), errors);
    if (!errors.empty()) return errors;
    for (const std::string& text : command.saves)
        take(parse_save(text, plan.arguments), plan.saves.emplace_back(), errors);
    if (!errors.empty()) return errors;
    return plan;
}

Status save(const LaunchPlan& plan, const Buffers& buffers) {
    for (const SaveRequest& request : plan.saves) {
        const LaunchArgument& argument = plan.arguments[request.index];
        const ElementInfo& element = element_info(argument.type);
        const Status saved = write_npy(request.file, element.npy_kind, element.bytes, argument.shape,
                                       buffers.bytes(plan.arguments, request.index));
        if (!saved) return saved;
    }
    return Success{};
}

// The device does not take the launch at all: there is nothing to report on.
Diagnostic refused(const LaunchResult& result, const KernelInfo& kernel) {
    return error("cli-launch", {}, kernel.name + " cannot be launched like this: " + result.reason);
}

// Its parameters as a .cu file calls them; compilers call them _Z1kPf_param_0.
KernelInfo with_source_names(KernelInfo info, const std::string& file) {
    if (!file.ends_with(".cu")) return info;
    const auto source = image::find_kernel_source({file}, info.name, info.parameters.size());
    for (std::size_t i = 0; source && i < std::min(source->parameters.size(), info.parameters.size()); ++i)
        if (!source->parameters[i].empty()) info.parameters[i].name = source->parameters[i];
    return info;
}

// What could not be had because of --memory-limit ends with the status of a limit.
int status_of_refusal(const Diagnostics& errors) {
    return !errors.empty() && errors[0].code == kMemoryLimitCode ? kLimit : kUsage;
}

int run_launch(const LaunchCommand& command, const Invocation& invocation) {
    auto plan = cli::plan(command.options);
    if (!plan) return give_up(command.options, command.file, plan.errors());
    plan->session.program = command.file;
    plan->view.invocation = begun(invocation);
    const auto give_up = [&](const Diagnostics& errors, int status = kUsage) {
        return cli::give_up(*plan, errors, status);
    };
    if (const Status claimed = claim_outputs(*plan); !claimed) return give_up(claimed.errors());
    auto launch = plan_launch(command);
    if (!launch) return give_up(launch.errors());
    auto kernels = prepare_kernels(command.file, command.options.compiler, command.options.source, plan->device);
    if (!kernels) return give_up(kernels.errors());
    plan->session.compiler = kernels->image.compiler_name;
    plan->view.source_directories = {std::filesystem::path(command.file).parent_path().string(), "."};

    // What a compiler takes is not the kernel's; ptxas is at work on PTX that may be a stranger's.
    set_deadline(plan->session);
    if (plan->session.ask_ptxas) {
        using Clock = std::chrono::steady_clock;
        std::optional<Clock::time_point> deadline;
        if (plan->session.deadline != 0) deadline.emplace(std::chrono::nanoseconds(plan->session.deadline));
        image::ask_for_resources(kernels->image, 10 * plan->device.compute_major + plan->device.compute_minor, {},
                                 deadline);
        if (deadline && Clock::now() >= *deadline)
            return give_up(
                {error("cli-time-limit", {command.file}, "the time limit was reached while ptxas assembled this PTX",
                       "--no-ptxas does without")},
                kLimit);
    }
    const auto session = Session::create(plan->session);
    if (!session) return give_up(session.errors());
    const auto module = (*session)->load(kernels->image, kernels->nothing_runs);
    if (!module) return give_up(module.errors(), status_of_refusal(module.errors()));
    const auto kernel = chosen_kernel(**session, *module, command);
    if (!kernel) return give_up(kernel.errors());
    const KernelInfo info = with_source_names((*session)->kernel_info(*kernel), command.file);

    Buffers buffers((*session)->memory());
    if (const Status made = buffers.create(launch->arguments); !made)
        return give_up(made.errors(), status_of_refusal(made.errors()));
    buffers.tell_filled(launch->arguments, (*session)->observers());
    const auto parameters = bind_parameters(info, launch->arguments, buffers.addresses());
    if (!parameters) return give_up(parameters.errors());
    launch->request.kernel = *kernel;
    launch->request.parameters = *parameters;
    // Nobody calls cudaFuncSetAttribute here, so a launch may have all that the device gives on request.
    launch->request.max_dynamic_shared_bytes = std::nullopt;
    const LaunchResult result = (*session)->launch(launch->request);
    if (!result.reason.empty()) return give_up({refused(result, info)});
    const Status saved = save(*launch, buffers);
    if (!saved) complain(saved.errors());
    Profile profile = (*session)->profile();
    report::clean(profile);
    views::speak(profile);
    const int status = finish(*plan, std::move(profile), kRan);
    return saved || status != kRan ? status : static_cast<int>(kUsage);
}

}  // namespace

Action add_launch(CLI::App& app) {
    auto command = std::make_shared<LaunchCommand>();
    app.add_option("KERNEL", command->file, "a .ptx file, a .cu file or a fat binary")->required();
    app.add_option("--kernel", command->kernel, "which kernel; not needed where there is one")->type_name("NAME");
    app.add_option("--grid", command->grid, "blocks")->type_name("X[,Y[,Z]]")->capture_default_str();
    app.add_option("--block", command->block, "threads of a block")->type_name("X[,Y[,Z]]")->capture_default_str();
    app.add_option("--shared", command->shared, "dynamic shared memory of a block")
        ->type_name("BYTES")
        ->capture_default_str();
    app.add_option(
           "--arg", command->arguments,
           "the next argument: i32=5, f32=1.5, u64=0x10, ... or buffer:f32[1024x1024]=random|zeros|ones|iota|@FILE.npy")
        ->type_name("ARG")
        ->allow_extra_args(false);
    app.add_option("--save", command->saves, "write a buffer afterwards; the first --arg is 0")
        ->type_name("INDEX=FILE.npy")
        ->allow_extra_args(false);
    add_run_options(app, command->options, KernelFilter::kAbsent);
    add_shape_option(app, command->options);
    app.footer(
        "Example: tilescope launch copy.ptx --grid 16 --block 256 --arg buffer:f32[4096]=iota\n"
        "         --arg buffer:f32[4096]=zeros --arg i32=4096 --save 1=out.npy");
    return [command](const Invocation& invocation) { return run_launch(*command, invocation); };
}

}  // namespace tilescope::cli

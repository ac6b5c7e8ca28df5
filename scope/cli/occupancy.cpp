// `tilescope occupancy`: how many blocks fit on an SM, what limits them, and what would change it.
#include <unistd.h>

#include <CLI/CLI.hpp>
#include <charconv>
#include <iostream>
#include <memory>
#include <optional>
#include <string_view>

#include "scope/cli/command.h"
#include "scope/cli/exit_status.h"
#include "scope/cli/finish.h"
#include "scope/cli/help.h"
#include "scope/cli/kernel_figures.h"
#include "scope/cli/occupancy_answer.h"
#include "scope/cli/occupancy_device.h"
#include "scope/cli/run_options.h"
#include "scope/cli/values.h"
#include "scope/models/occupancy_profile.h"
#include "scope/models/resident.h"
#include "scope/report/format.h"
#include "scope/views/words/verdicts.h"

namespace tilescope::cli {
namespace {

using models::OccupancyResource;
using models::SharedScaling;

constexpr const char* kKernelGroup = "The kernel";
constexpr const char* kDeviceGroup = "The device";

// As typed; empty where nothing was.
struct OccupancyCommand {
    std::string kernel, compiler = "auto", threads, registers, shared, dynamic_shared, barriers, grid;
    std::string device, carveout;
    std::string curve, json, svg, color = "auto";
    bool json_given = false, per_thread = false, sweep = false;
};

// Checked numbers of the options that were given.
struct Numbers {
    std::optional<std::uint64_t> threads, registers, shared, dynamic_shared, barriers, carveout, blocks;
};

struct Bounds {
    const char* option;
    std::uint64_t least, most;
    bool bytes = false;  // may end in k, KB, MiB, ...
};

// A whole number of the range, or what would be one.
Result<std::uint64_t> parse_whole(const std::string& text, const Bounds& bounds) {
    std::optional<std::uint64_t> value;
    if (bounds.bytes) {
        value = bytes_of(text);
    } else {
        std::uint64_t number = 0;
        const char* const end = text.data() + text.size();
        const auto [stopped, status] = std::from_chars(text.data(), end, number);
        if (!text.empty() && stopped == end && status == std::errc()) value = number;
    }
    if (value && *value >= bounds.least && *value <= bounds.most) return *value;
    return error("cli-value", {}, std::string(bounds.option) + ": cannot use \"" + text + "\"",
                 "write a whole number from " + report::thousands(bounds.least) + " to " +
                     report::thousands(bounds.most) +
                     (bounds.bytes ? ", with k, KB, KiB or M behind it if you like" : ""));
}

void take_whole(const std::string& text, const Bounds& bounds, std::optional<std::uint64_t>& into,
                Diagnostics& errors) {
    if (text.empty()) return;
    const auto value = parse_whole(text, bounds);
    if (value)
        into = *value;
    else
        errors.insert(errors.end(), value.errors().begin(), value.errors().end());
}

Result<Numbers> numbers_of(const OccupancyCommand& command) {
    // Far above what any device has, so that the answer can say what is too much, and no sum overflows.
    constexpr std::uint64_t kMany = 1'000'000, kBytes = std::uint64_t{1} << 40;
    Numbers numbers;
    Diagnostics errors;
    take_whole(command.threads, {"--threads", 1, kMany}, numbers.threads, errors);
    take_whole(command.registers, {"--registers", 0, kMany}, numbers.registers, errors);
    take_whole(command.shared, {"--shared", 0, kBytes, true}, numbers.shared, errors);
    take_whole(command.dynamic_shared, {"--dynamic-shared", 0, kBytes, true}, numbers.dynamic_shared, errors);
    take_whole(command.barriers, {"--barriers", 0, 16}, numbers.barriers, errors);
    take_whole(command.grid, {"--grid", 1, kBytes}, numbers.blocks, errors);
    take_whole(command.carveout, {"--carveout", 0, 100}, numbers.carveout, errors);
    const bool has_figure = numbers.threads || numbers.registers || numbers.shared || numbers.dynamic_shared;
    if (command.kernel.empty() && !has_figure && errors.empty())
        errors.push_back(error(
            "cli-usage", {},
            "which kernel? give --kernel FILE:NAME, or its resources: --threads, --registers, "
            "--shared",
            "for example tilescope occupancy --threads 256 --registers 32 --shared 8192 --device a100; --device alone "
            "shows its limits"));
    if (!errors.empty()) return errors;
    return numbers;
}

void apply(const Numbers& numbers, KernelFigures& figures) {
    models::KernelResources& kernel = figures.resources;
    if (numbers.threads) kernel.threads_per_block = *numbers.threads;
    if (numbers.registers) {
        kernel.registers_per_thread = static_cast<std::uint32_t>(*numbers.registers);
        figures.registers_from.clear();
    }
    if (numbers.shared) kernel.static_shared_bytes = *numbers.shared;
    if (numbers.dynamic_shared) kernel.dynamic_shared_bytes = *numbers.dynamic_shared;
    if (numbers.barriers) kernel.barriers = static_cast<std::uint32_t>(*numbers.barriers);
    if (numbers.blocks) figures.blocks = *numbers.blocks;
    if (numbers.carveout) kernel.carveout_percent = static_cast<unsigned>(*numbers.carveout);
}

std::vector<OccupancyResource> curves_to_draw(const std::string& curve) {
    if (curve == "block") return {OccupancyResource::kThreads};
    if (curve == "registers") return {OccupancyResource::kRegisters};
    if (curve == "shared") return {OccupancyResource::kShared};
    if (curve == "none" || curve == "resident") return {};
    return {OccupancyResource::kThreads, OccupancyResource::kRegisters, OccupancyResource::kShared};
}

Result<OccupancyAnswer> answer_of(const OccupancyCommand& command) {
    const auto numbers = numbers_of(command);
    if (!numbers) return numbers.errors();
    const KernelSpec spec = parse_kernel_spec(command.kernel);
    std::string name = command.device.empty() ? "h200" : command.device;
    if (command.device.empty() && !command.kernel.empty() && is_profile(spec)) {
        const auto own = device_of_profile(spec);
        if (!own) return own.errors();
        name = *own;
    }
    auto device = models::load_device(name);
    if (!device) return device.errors();
    OccupancyAnswer answer;
    answer.device = std::move(*device);
    if (!command.kernel.empty()) {
        auto figures = kernel_figures(spec, command.compiler, name, answer.device);
        if (!figures) return figures.errors();
        answer.kernel = std::move(*figures);
    }
    apply(*numbers, answer.kernel);
    answer.scaling = command.per_thread ? SharedScaling::kPerThread : SharedScaling::kPerBlock;
    models::KernelResources& kernel = answer.kernel.resources;
    answer.sizes = models::block_sizes(answer.device, kernel, answer.scaling);
    if (kernel.threads_per_block == 0) {
        if (command.per_thread)
            return error("cli-usage", {}, "--shared-per-thread needs --threads: bytes are those of such a block");
        // Launch bounds are no limit of the device, so they say only which sizes are worth suggesting.
        std::vector<models::BlockSize> allowed;
        for (const models::BlockSize& size : answer.sizes)
            if (answer.kernel.max_threads == 0 || size.threads <= answer.kernel.max_threads) allowed.push_back(size);
        const auto best = models::best_block_sizes(allowed);
        kernel.threads_per_block = best.empty() ? answer.device.max_threads_per_block : best.front().threads;
        answer.threads_suggested = true;
    }
    answer.found = models::occupancy(answer.device, kernel);
    answer.profile = models::occupancy_profile(answer.device, kernel, answer.scaling);
    answer.profile.difference = views::occupancy_difference(answer.profile.reasons);
    answer.profile.waves = models::waves_of(answer.device, answer.found.blocks_per_sm, answer.kernel.blocks);
    if (command.curve.empty() || command.curve == "resident")
        answer.resident = models::resident_sm(answer.device, kernel);
    for (const OccupancyResource resource : curves_to_draw(command.curve))
        answer.curves.push_back(models::occupancy_curve(answer.device, kernel, resource, answer.scaling));
    return answer;
}

// Why not one block of it can run.
Diagnostic refusal(const OccupancyAnswer& answer) {
    std::string hint;
    for (const OccupancyStep& step : answer.profile.next) hint += (hint.empty() ? "" : "; ") + step_text(answer, step);
    return error("cli-no-fit", {},
                 "no block of this kernel fits on the " + answer.device.name + ": " + refusal_text(answer), hint);
}

// A device and nothing that a kernel asks for.
bool asks_for_limits(const OccupancyCommand& command) {
    for (const std::string* option :
         {&command.kernel, &command.threads, &command.registers, &command.shared, &command.dynamic_shared,
          &command.barriers, &command.grid, &command.carveout, &command.curve, &command.svg})
        if (!option->empty()) return false;
    return !command.device.empty() && !command.per_thread && !command.sweep;
}

int run_limits(const OccupancyCommand& command) {
    const auto device = models::load_device(command.device);
    if (!device) return complain(device.errors()), kUsage;
    const std::string json = command.json_given && command.json.empty() ? "-" : command.json;
    if (!json.empty())
        if (const Status written = write_text(json, device_limits_json(*device)); !written)
            return complain(written.errors()), kUsage;
    if (json != "-") std::cout << device_limits_text(*device, wants_color(command.color, STDOUT_FILENO)) << std::flush;
    return kRan;
}

int run_occupancy(const OccupancyCommand& command) {
    if (asks_for_limits(command)) return run_limits(command);
    const auto answer = answer_of(command);
    if (!answer) return complain(answer.errors()), kUsage;
    if (!command.svg.empty()) {
        if (answer->curves.empty())
            return complain(error("cli-usage", {}, "--svg draws curves, and --curve none leaves none")), kUsage;
        if (const Status written = write_text(command.svg, occupancy_svg(*answer)); !written)
            return complain(written.errors()), kUsage;
    }
    const std::string json = command.json_given && command.json.empty() ? "-" : command.json;
    if (!json.empty())
        if (const Status written = write_text(json, occupancy_json(*answer, /*with_pictures=*/!command.svg.empty()));
            !written)
            return complain(written.errors()), kUsage;
    // Where data goes to standard output, nothing else does.
    if (json != "-" && command.svg != "-") {
        // Figures without a block size ask for all of them.
        const bool all_sizes = command.sweep || (answer->threads_suggested && command.kernel.empty());
        std::cout << occupancy_text(*answer, {wants_color(command.color, STDOUT_FILENO), all_sizes}) << std::flush;
    }
    if (answer->found.blocks_per_sm == 0) return complain(refusal(*answer)), kUsage;
    return kRan;
}

void add_kernel_options(CLI::App& app, OccupancyCommand& command) {
    const auto add = [&](const char* name, std::string& into, const char* text, const char* type) {
        return app.add_option(name, into, text)->type_name(type)->group(kKernelGroup);
    };
    add("--kernel", command.kernel,
        "a kernel of a .cu file, PTX, fat binary, cubin, executable, or a launch of a profile (by name or index); the "
        "other options of this group override its values",
        "FILE:NAME");
    add("--threads", command.threads, "threads per block; without it: try all block sizes", "N");
    add("--registers", command.registers, "registers per thread; 0: no limit", "N");
    add("--shared", command.shared, "static shared memory per block (k: 1024)", "BYTES");
    add("--dynamic-shared", command.dynamic_shared, "dynamic shared memory per block", "BYTES");
    add("--barriers", command.barriers, "named barriers that a block uses, __syncthreads included (1)", "N");
    add("--grid", command.grid, "blocks of a launch: how many waves they come in", "N");
    app.add_flag("--shared-per-thread", command.per_thread,
                 "scale shared memory with the block size when other block sizes are tried")
        ->group(kKernelGroup);
    add("--compiler", command.compiler,
        "compiler for .cu files; auto takes nvcc when it is there, else the newest clang",
        "auto|clang|nvcc|clang-16|PATH")
        ->check(not_empty());
}

}  // namespace

Action add_occupancy(CLI::App& app) {
    auto command = std::make_shared<OccupancyCommand>();
    add_kernel_options(app, *command);
    app.add_option("--device", command->device,
                   "a name that `devices` lists, or a JSON file (h200; of a profile: its own); alone: show its limits")
        ->check(not_empty())
        ->type_name("NAME")
        ->group(kDeviceGroup);
    app.add_option("--carveout", command->carveout,
                   "carve-out that the kernel prefers, as cudaFuncSetAttribute takes it")
        ->type_name("PERCENT")
        ->group(kDeviceGroup);
    app.add_option("--curve", command->curve, "draw only this curve, larger; or the blocks resident on an SM")
        ->check(one_of({"block", "registers", "shared", "resident", "none"}))
        ->type_name("block|registers|shared|resident|none")
        ->group(kOutputGroup);
    app.add_flag("--sweep", command->sweep, "list every block size with its occupancy")->group(kOutputGroup);
    app.add_option_function<std::string>(
           "--json",
           [command](const std::string& file) {
               command->json = file;
               command->json_given = true;
           },
           "write everything as JSON to FILE; - for standard output")
        ->expected(0, 1)
        ->type_name("[FILE]")
        ->group(kOutputGroup);
    app.add_option("--svg", command->svg, "write the curves as a picture (SVG)")
        ->type_name("FILE")
        ->group(kOutputGroup);
    add_color_option(app, command->color);
    app.footer(
        "Examples: tilescope occupancy --kernel matmul.cu:tiled --threads 256 --device a100\n"
        "          tilescope occupancy --threads 256 --registers 31 --shared 8k --device h200 --sweep\n"
        "          tilescope occupancy --device a100");
    return [command](const Invocation&) { return run_occupancy(*command); };
}

}  // namespace tilescope::cli

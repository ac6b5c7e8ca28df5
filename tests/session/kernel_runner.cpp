#include "tests/session/kernel_runner.h"

#include <cstring>

#include "scope/views/words/speak.h"

namespace tilescope::test {

KernelRun run_kernel(const std::string& ptx, const std::string& entry, std::vector<Words> buffers,
                     const KernelShape& shape) {
    KernelRun run;
    SessionOptions options;
    options.jobs = shape.jobs;
    options.checks = shape.checks;
    options.checks_are_auto = shape.checks_are_auto;
    if (shape.max_ordered_writes != 0) options.max_ordered_writes = shape.max_ordered_writes;
    auto session = Session::create(options);
    if (!session) return run.problem = render(session.errors()), run;
    const auto module = (*session)->load_module(ptx, "test.ptx");
    if (!module) return run.problem = render(module.errors()), run;
    const auto kernel = (*session)->find_kernel(*module, entry);
    if (!kernel) return run.problem = "no kernel " + entry, run;
    std::vector<std::uint64_t> pointers;
    for (const Words& words : buffers) {
        void* storage = (*session)->memory().allocate(words.size() * 4, machine::AllocationKind::kDevice);
        if (!words.empty()) std::memcpy((*session)->memory().bytes(storage), words.data(), words.size() * 4);
        if (shape.is_filled) {
            machine::SetEvent event;
            event.target.address = reinterpret_cast<std::uint64_t>(storage);
            event.extent.width = words.size() * 4;
            (*session)->observers().on_set(event);
        }
        pointers.push_back(reinterpret_cast<std::uint64_t>(storage));
    }
    LaunchRequest request;
    request.kernel = *kernel;
    request.grid = shape.grid;
    request.block = shape.block;
    request.cooperative = shape.cooperative;
    request.parameters = std::as_bytes(std::span(pointers));
    const LaunchResult result = (*session)->launch(request);
    run.status = result.status;
    if (!result.diagnostics.empty()) run.problem = render(result.diagnostics);
    if (result.hazard)
        run.fault = std::string(report::name_of(result.hazard->kind)) + " " + std::to_string(result.hazard->line) +
                    ": " + result.hazard->message;
    Profile profile = (*session)->profile();
    views::speak(profile);
    run.notes = render(profile.diagnostics);
    if (!profile.launches.empty()) {
        run.hazards = profile.launches.front().hazards;
        run.blocks_checked = profile.launches.front().blocks_checked;
        run.padded = profile.launches.front().padded_flop;
    }
    for (std::size_t i = 0; i < buffers.size(); ++i)
        std::memcpy(buffers[i].data(), (*session)->memory().bytes(pointers[i]), buffers[i].size() * 4);
    run.buffers = std::move(buffers);
    return run;
}

std::string ptx_kernel(const std::string& body, unsigned buffers) {
    std::string text =
        ".version 8.8\n.target sm_90\n.address_size 64\n.global .align 4 .u32 flag;\n.global .align 4 .u32 count;\n"
        ".visible .entry k(";
    for (unsigned i = 0; i < buffers; ++i) text += (i == 0 ? ".param .u64 p" : ", .param .u64 p") + std::to_string(i);
    text += ")\n{\n.reg .pred %p<8>;\n.reg .b32 %r<40>;\n.reg .b64 %rd<40>;\n.shared .align 4 .u32 tile[64];\n";
    for (unsigned i = 0; i < buffers; ++i)
        text += "ld.param.u64 %rd" + std::to_string(10 + i) + ", [p" + std::to_string(i) + "];\n";
    return text + body + "\n}\n";
}

}  // namespace tilescope::test

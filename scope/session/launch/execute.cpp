#include "scope/session/launch/execute.h"

#include <chrono>

#include "scope/session/launch/print_buffer.h"
#include "scope/session/launch/progress.h"

namespace tilescope {

Executed execute(Prepared& launch, machine::InstructionBudget& budget) {
    launch.grid.budget = &budget;
    Progress progress(launch.settings.options.progress, launch.name());
    launch.grid.progress = [&](std::uint64_t done, std::uint64_t all, std::uint64_t instructions) {
        progress.update(done, all, instructions);
    };
    PrintBuffer prints(launch.settings.print_bytes);
    launch.grid.print = [&](const char* text, std::size_t size) { prints.add(text, size); };
    const auto start = std::chrono::steady_clock::now();
    Executed executed;
    executed.grid = machine::run_grid(launch.grid);
    launch.grid.progress = nullptr;  // both speak to what lives no longer than this
    launch.grid.print = nullptr;
    executed.lost_prints = prints.flush();
    executed.seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
    return executed;
}

}  // namespace tilescope

#include "scope/session/launch/execute.h"

#include <chrono>

#include "scope/session/launch/print_buffer.h"
#include "scope/session/launch/progress.h"

namespace tilescope {

Executed execute(Prepared& launch, machine::InstructionBudget& budget) {
    launch.grid.budget = &budget;
    ProgressLine line(launch.name());
    if (launch.progress)
        launch.progress->set_listener(
            [&](double share, std::uint64_t instructions) { line.update(share, instructions); });
    PrintBuffer prints(launch.settings.print_bytes);
    launch.grid.print = [&](const char* text, std::size_t size) { prints.add(text, size); };
    const auto start = std::chrono::steady_clock::now();
    Executed executed;
    executed.grid = machine::run_grid(launch.grid);
    if (launch.progress) launch.progress->set_listener({});  // both speak to what lives no longer than this
    launch.grid.print = nullptr;
    executed.lost_prints = prints.flush();
    executed.seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
    return executed;
}

}  // namespace tilescope

// Runs one PTX kernel over 32-bit buffers, for tests of what threads do together.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "scope/report/profile.h"
#include "scope/session/session.h"

namespace tilescope::test {

using Words = std::vector<std::uint32_t>;

struct KernelRun {
    std::string problem;  // "" when the kernel could be launched
    LaunchStatus status = LaunchStatus::kOk;
    std::string fault;                            // "kind line: message" of the hazard that ended it
    std::vector<Hazard> hazards;                  // of the launch
    std::optional<std::uint64_t> blocks_checked;  // likewise
    PaddedFlop padded;                            // likewise
    std::string notes;                            // of the run
    std::vector<Words> buffers;                   // afterwards
};

struct KernelShape {
    Dim3 grid{1, 1, 1}, block{32, 1, 1};
    unsigned jobs = 1;
    std::uint32_t checks = 0;  // bits of Check
    bool checks_are_auto = false;
    std::uint32_t max_ordered_writes = 0;  // SessionOptions; 0: as usual
    bool cooperative = false;
    bool is_filled = true;  // the buffers are known to hold what was given
};

// Each buffer is one pointer parameter.
KernelRun run_kernel(const std::string& ptx, const std::string& entry, std::vector<Words> buffers,
                     const KernelShape& shape = {});

// A kernel `k` with `.param .u64 p0...` whose body finds the pointers in %rd10, %rd11, ... and the thread in %tid.
std::string ptx_kernel(const std::string& body, unsigned buffers = 1);

}  // namespace tilescope::test

// A kernel of kernels/reuse.ptx (or another file) run with the reuse observers and an oracle beside them.
//
// Owns: Lab, a memory and a module; Answer, what the observers say and what the oracle says. The oracle keeps sets of
// (block, byte), one lane at a time, and knows nothing of patterns, granules or units.
#pragma once

#include <cstring>
#include <map>
#include <memory>
#include <set>
#include <string>
#include <vector>

#include "scope/report/profile.h"
#include "scope/session/loaded_module.h"

namespace tilescope::lab {

struct Expected {
    Tiling whole;
    std::map<std::pair<std::string, std::uint32_t>, Tiling> lines;
    std::map<std::uint32_t, Tiling> buffers;                    // by parameter
    std::uint64_t written_bytes = 0, read_by_others_bytes = 0;  // of shared memory
};

struct Answer {
    LaunchProfile said;
    Expected expected;
};

// The same figures in both, or a test failure.
void expect_agreement(const Answer& answer, const std::string& what);

class Lab {
public:
    explicit Lab(const std::string& path = "tests/observers/kernels/reuse.ptx");

    // Managed, so that tests can fill and read it.
    template <class T>
    T* buffer(std::size_t n) {
        return static_cast<T*>(memory_.allocate(n * sizeof(T), machine::AllocationKind::kManaged));
    }

    template <class... Arguments>
    Answer run(const std::string& entry, Dim3 grid, Dim3 block, Arguments... values) {
        parameters_.clear();
        places_.clear();
        (place(&values, sizeof values), ...);
        return run(entry, grid, block);
    }

    unsigned jobs = 1;
    double sample = 1;
    std::uint64_t dynamic_shared_bytes = 0;

private:
    void place(const void* value, std::size_t size);
    Answer run(const std::string& entry, Dim3 grid, Dim3 block);

    machine::Memory memory_;
    std::unique_ptr<LoadedModule> module_;
    std::vector<std::byte> parameters_;
    std::vector<std::size_t> places_, sizes_;
};

}  // namespace tilescope::lab

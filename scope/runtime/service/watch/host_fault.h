// What happens when host code touches device memory: the program ends as on a machine with a GPU, by a segmentation
// fault, but not without a word.
//
// Owns: the handler of SIGSEGV and what it says. Guarantees: faults that have nothing to do with device memory go to
// whoever handled the signal before; so do the others, once they are explained. A handler that the program installs
// later replaces this one. Does not model: accesses that a GPU with page migration for all host memory would allow.
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <span>

#include "scope/base/diagnostic.h"
#include "scope/image/host_code.h"

namespace tilescope::runtime {

// Where a call was made: return addresses, callee first.
struct CallSite {
    std::array<void*, 16> frames{};  // some of them this library's own
    int count = 0;

    static CallSite here();
};

// The program's own line at which a call was made. It reads debug information: slow.
std::optional<image::HostLine> own_line(const CallSite& site);

struct HostAccess {
    const void* address = nullptr;
    std::optional<bool> writes;  // nothing: not known
    std::span<void* const> frames;
    bool first_is_exact = false;  // of frames: as own_line() takes it
};

// Nothing when the address is none of device memory, now or before it was freed.
std::optional<Diagnostic> describe_host_fault(const HostAccess& access);

// Takes SIGSEGV over, once. Called when the session is made.
void explain_host_faults();
// Whether the program has left it there.
bool explains_host_faults();

}  // namespace tilescope::runtime

// Which pages of managed memory the process has touched, without being in its way.
//
// Owns: the mapping and the question. The memory is a shared mapping: its pages can be taken out of the process's page
// table and stay what they are. Whoever touches one next, be it by a load, a store or a system call, gets it back, and
// the page table shows it (/proc/self/pagemap). Guarantees: what is in the memory is never changed; an access costs the
// process a fault the first time after forget_touches(), and nothing else.
// Does not model: whether a page was read or written.
#pragma once

#include <cstdint>
#include <vector>

namespace tilescope::machine {

// So many bytes, zero-filled, at a multiple of 64 KiB (2 MiB for large ones), to be unmapped by munmap; or nullptr.
// From `next` on, if that is free (same_place.h).
void* map_followed(std::uint64_t bytes, std::uint64_t& next);
// Whether this system tells.
bool tells_touches();
// One entry for each `unit` bytes from base on (a multiple of the page's size): whether one of its pages has been
// touched since forget_touches(). Empty when it cannot be told.
std::vector<bool> touches(std::uint64_t base, std::uint64_t bytes, std::uint64_t unit);
void forget_touches(std::uint64_t base, std::uint64_t bytes);

}  // namespace tilescope::machine

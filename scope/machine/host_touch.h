// Finds pages of managed memory that the process has touched, without disturbing it.
//
// Owns: the mapping and the query. Pages of this shared mapping can be removed from the process's page table and keep
// their contents. The next load, store or system call on a page restores it, and the page table shows that
// (/proc/self/pagemap). Guarantees: the contents never change. An access costs the process one fault after
// forget_touches(). Does not model: whether a page was read or written.
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

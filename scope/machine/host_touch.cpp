#include "scope/machine/host_touch.h"

#include <fcntl.h>
#include <sys/mman.h>
#include <unistd.h>

#include <algorithm>

#include "scope/machine/same_place.h"

namespace tilescope::machine {
namespace {

constexpr std::uint64_t kSmallUnit = 64 * 1024, kLargeUnit = 2 * 1024 * 1024;

std::uint64_t page_bytes() {
    static const auto bytes = static_cast<std::uint64_t>(sysconf(_SC_PAGESIZE));
    return bytes;
}

}  // namespace

void* map_followed(std::uint64_t bytes, std::uint64_t& next) {
    const std::uint64_t unit = bytes >= kLargeUnit ? kLargeUnit : kSmallUnit;
    // Some of it is given back again to have the rest where it should be.
    void* const mapping = map_at(next, bytes + unit, PROT_READ | PROT_WRITE, MAP_SHARED);
    if (mapping == MAP_FAILED) return nullptr;
    const auto at = reinterpret_cast<std::uint64_t>(mapping);
    const std::uint64_t base = (at + unit - 1) / unit * unit;
    const std::uint64_t end = (base + bytes + page_bytes() - 1) / page_bytes() * page_bytes();
    if (base != at) munmap(mapping, base - at);
    if (end < at + bytes + unit) munmap(reinterpret_cast<void*>(end), at + bytes + unit - end);
    return reinterpret_cast<void*>(base);
}

// Two pages of which one is touched, to see that the system knows which.
bool tells_touches() {
    static const bool tells = [] {
        const std::uint64_t page = page_bytes();
        std::uint64_t next = kManagedPlace;
        void* const mapping = map_followed(2 * page, next);
        if (mapping == nullptr) return false;
        const auto base = reinterpret_cast<std::uint64_t>(mapping);
        auto* const bytes = static_cast<volatile char*>(mapping);
        bytes[0] = 1;
        bytes[page] = 1;
        forget_touches(base, 2 * page);
        const std::vector<bool> before = touches(base, 2 * page, page);
        bytes[page] = static_cast<char>(bytes[page] + 1);
        const std::vector<bool> after = touches(base, 2 * page, page);
        const bool kept = bytes[0] == 1 && bytes[page] == 2;
        munmap(mapping, 2 * page);
        return kept && before == std::vector<bool>{false, false} && after.size() == 2 && after[1];
    }();
    return tells;
}

std::vector<bool> touches(std::uint64_t base, std::uint64_t bytes, std::uint64_t unit) {
    constexpr std::uint64_t kPresent = std::uint64_t{1} << 63U, kSwapped = std::uint64_t{1} << 62U;
    constexpr std::uint64_t kAtOnce = 8192;
    const std::uint64_t page = page_bytes(), pages = (bytes + page - 1) / page;
    const int file = open("/proc/self/pagemap", O_RDONLY | O_CLOEXEC);
    if (file < 0) return {};
    std::vector<bool> touched((bytes + unit - 1) / unit);
    std::vector<std::uint64_t> entries(std::min(pages, kAtOnce));
    for (std::uint64_t done = 0; done < pages;) {
        const std::uint64_t wanted = std::min<std::uint64_t>(pages - done, entries.size());
        const ssize_t got = pread(file, entries.data(), wanted * sizeof(std::uint64_t),
                                  static_cast<off_t>((base / page + done) * sizeof(std::uint64_t)));
        if (got < static_cast<ssize_t>(sizeof(std::uint64_t))) {
            close(file);
            return {};
        }
        const std::uint64_t count = static_cast<std::uint64_t>(got) / sizeof(std::uint64_t);
        for (std::uint64_t i = 0; i < count; ++i)
            if ((entries[i] & (kPresent | kSwapped)) != 0) touched[(done + i) * page / unit] = true;
        done += count;
    }
    close(file);
    return touched;
}

void forget_touches(std::uint64_t base, std::uint64_t bytes) {
    // Of a shared mapping: the pages leave the page table, and keep what they hold.
    madvise(reinterpret_cast<void*>(base), bytes, MADV_DONTNEED);
}

}  // namespace tilescope::machine

// LargePages: an allocator that requests large pages of the host, for tables with scattered lookups.
//
// Guarantees: the behavior of std::allocator, also on hosts without large pages.
#pragma once

#include <sys/mman.h>

#include <cstddef>
#include <new>

namespace tilescope::observers {

template <class T>
struct LargePages {
    using value_type = T;
    static constexpr std::size_t kPage = std::size_t{2} << 20;  // geometry: of the host

    LargePages() = default;
    template <class Other>
    LargePages(const LargePages<Other>&) {}  // NOLINT(google-explicit-constructor): as the standard asks

    T* allocate(std::size_t count) {
        const std::size_t bytes = count * sizeof(T);
        if (bytes < kPage) return static_cast<T*>(::operator new (bytes, std::align_val_t{kAlign}));
        void* place = ::operator new (bytes, std::align_val_t{kPage});
        madvise(place, bytes / kPage * kPage, MADV_HUGEPAGE);
        return static_cast<T*>(place);
    }
    void deallocate(T* place, std::size_t count) {
        ::operator delete (place, std::align_val_t{count * sizeof(T) < kPage ? kAlign : kPage});
    }
    template <class Other>
    bool operator==(const LargePages<Other>&) const {
        return true;
    }

private:
    // geometry: a cache line of the host
    static constexpr std::size_t kAlign = alignof(T) > 64 ? alignof(T) : 64;
};

}  // namespace tilescope::observers

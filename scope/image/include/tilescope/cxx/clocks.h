// Time in CUDA's C++ library: the durations of the standard library, and clocks that the device has, too.
//
// Guarantees: on the device the clocks read its global timer, in nanoseconds.
#pragma once

#include "config.h"

#include <chrono>

namespace cuda {
namespace tilescope_detail {

// Nanoseconds since some beginning, the same for all threads of a side.
template <class HostClock>
TILESCOPE_CXX inline long long nanoseconds_now() {
#if defined(__CUDA_ARCH__)
    unsigned long long now;
    asm volatile("mov.u64 %0, %%globaltimer;" : "=l"(now)::"memory");
    return static_cast<long long>(now);
#else
    return ::std::chrono::duration_cast<::std::chrono::nanoseconds>(HostClock::now().time_since_epoch()).count();
#endif
}

// Tries until it holds or the time is over.
template <class Try>
TILESCOPE_CXX_INLINE bool try_for(::std::chrono::nanoseconds time, Try attempt) {
    const long long begin = nanoseconds_now<::std::chrono::system_clock>();
    do {
        if (attempt()) return true;
    } while (nanoseconds_now<::std::chrono::system_clock>() - begin < time.count());
    return false;
}

}  // namespace tilescope_detail

namespace std {
namespace chrono {

using namespace ::std::chrono_literals;
using ::std::chrono::duration;
using ::std::chrono::duration_cast;
using ::std::chrono::duration_values;
using ::std::chrono::hours;
using ::std::chrono::microseconds;
using ::std::chrono::milliseconds;
using ::std::chrono::minutes;
using ::std::chrono::nanoseconds;
using ::std::chrono::seconds;
using ::std::chrono::time_point;
using ::std::chrono::time_point_cast;
using ::std::chrono::treat_as_floating_point;
using ::std::chrono::treat_as_floating_point_v;

template <class HostClock, bool Steady>
struct tilescope_clock {
    using duration = nanoseconds;
    using rep = duration::rep;
    using period = duration::period;
    using time_point = chrono::time_point<tilescope_clock, duration>;
    static constexpr bool is_steady = Steady;
    static TILESCOPE_CXX time_point now() noexcept {
        return time_point(duration(tilescope_detail::nanoseconds_now<HostClock>()));
    }
    static time_t to_time_t(const time_point& point) noexcept {
        return static_cast<time_t>(duration_cast<seconds>(point.time_since_epoch()).count());
    }
    static time_point from_time_t(time_t time) noexcept { return time_point(seconds(time)); }
};
using system_clock = tilescope_clock<::std::chrono::system_clock, false>;
using high_resolution_clock = system_clock;
using steady_clock = tilescope_clock<::std::chrono::steady_clock, true>;

}  // namespace chrono

inline namespace literals {
namespace chrono_literals {
using namespace ::std::chrono_literals;
}
}  // namespace literals
}  // namespace std
}  // namespace cuda

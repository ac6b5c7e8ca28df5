#include "scope/machine/shared_budget.h"

#include <fcntl.h>
#include <sys/mman.h>
#include <unistd.h>

#include <cerrno>

namespace tilescope::machine {

static_assert(std::atomic<std::uint64_t>::is_always_lock_free, "it is shared between processes");

namespace {
constexpr std::size_t kBytesOfAll = SharedBudget::kPlaces * sizeof(std::atomic<std::uint64_t>);
}

// A place belongs to whoever has a lock on its byte. The system takes locks away when a process ends, and a forked
// child has none of its parent's.
bool SharedBudget::lock(std::size_t place, short how) const {
    struct flock about {};
    about.l_type = how;
    about.l_whence = SEEK_SET;
    about.l_start = static_cast<off_t>(place);
    about.l_len = 1;
    while (fcntl(file_, F_SETLK, &about) != 0)
        if (errno != EINTR) return false;
    return true;
}

bool SharedBudget::open(const std::string& path) {
    file_ = ::open(path.c_str(), O_RDWR | O_CLOEXEC);
    if (file_ < 0 || ftruncate(file_, kBytesOfAll) != 0) return false;
    void* const all = mmap(nullptr, kBytesOfAll, PROT_READ | PROT_WRITE, MAP_SHARED, file_, 0);
    if (all == MAP_FAILED) return false;
    used_ = static_cast<std::atomic<std::uint64_t>*>(all);
    for (own_ = 0; own_ < kPlaces && !lock(own_, F_WRLCK);) ++own_;
    if (own_ < kPlaces) used_[own_] = 0;
    return true;
}

SharedBudget::~SharedBudget() {
    if (used_ != nullptr) munmap(used_, kBytesOfAll);
    if (file_ >= 0) close(file_);
}

std::uint64_t SharedBudget::sum() const {
    std::uint64_t all = 0;
    for (std::size_t place = 0; place < kPlaces; ++place) all += used_[place].load(std::memory_order_relaxed);
    return all;
}

void SharedBudget::forget_the_dead() {
    for (std::size_t place = 0; place < kPlaces; ++place) {
        if (place == own_ || used_[place].load() == 0 || !lock(place, F_WRLCK)) continue;
        used_[place] = 0;
        lock(place, F_UNLCK);
    }
}

bool SharedBudget::take(std::uint64_t bytes, std::uint64_t limit) {
    if (own_ == kPlaces || bytes > limit) return false;
    // Two that take at once may both be refused what one of them could have had.
    for (const bool again : {false, true}) {
        used_[own_] += bytes;
        if (sum() <= limit) return true;
        used_[own_] -= bytes;
        if (!again) forget_the_dead();
    }
    return false;
}

void SharedBudget::give(std::uint64_t bytes) {
    if (own_ < kPlaces) used_[own_] -= bytes;
}

std::uint64_t SharedBudget::used_by_others() {
    forget_the_dead();
    return sum() - (own_ < kPlaces ? used_[own_].load() : 0);
}

}  // namespace tilescope::machine

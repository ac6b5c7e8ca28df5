// SharedBudget: the memory limit of several processes of one run, in a file with an entry for each process.
//
// Owns: SharedBudget. Guarantees: the sum over all living processes never passes the limit. A process's share is
// released when it ends, however it ends. Does not model: more than kPlaces processes with memory; a further one gets
// none.
#pragma once

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <string>

namespace tilescope::machine {

class SharedBudget {
public:
    static constexpr std::size_t kPlaces = 4096;

    SharedBudget() = default;
    ~SharedBudget();
    SharedBudget(const SharedBudget&) = delete;
    SharedBudget& operator=(const SharedBudget&) = delete;

    // path: a file of the run, which may be empty so far. False: it cannot be had.
    bool open(const std::string& path);
    bool is_open() const { return used_ != nullptr; }

    // False, and nothing changes, where all processes together would keep more than `limit`.
    bool take(std::uint64_t bytes, std::uint64_t limit);
    void give(std::uint64_t bytes);
    // Of all processes but this one.
    std::uint64_t used_by_others();

private:
    bool lock(std::size_t place, short how) const;
    std::uint64_t sum() const;
    void forget_the_dead();

    int file_ = -1;
    std::size_t own_ = kPlaces;  // none
    std::atomic<std::uint64_t>* used_ = nullptr;
};

}  // namespace tilescope::machine

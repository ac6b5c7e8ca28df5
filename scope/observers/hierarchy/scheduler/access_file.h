// AccessFile: warps whose access waits for their scheduler to hand it over to the SM's pipe.
//
// Owns: who waits, since when. Guarantees: so many stand in a file, in the order in which the scheduler got their
// accesses; the others wait outside, and the oldest of them is the next to join it. The first of the file goes next; if
// that one wants to pass through shared memory, the oldest of all that do.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <vector>

namespace tilescope::observers {

class AccessFile {
public:
    struct One {
        std::uint32_t warp = 0;
        std::uint64_t age = 0;   // the lower, the older
        std::uint64_t came = 0;  // when the scheduler got its access
        bool passes = false;     // it wants to pass through shared memory
    };

    bool empty() const { return waiting_.empty(); }
    std::size_t size() const { return waiting_.size(); }

    // `in_order`: how many stand in the file. One that came before others of it goes before these.
    void push(const One& one, std::size_t in_order) {
        const auto end = waiting_.begin() + static_cast<std::ptrdiff_t>(std::min(waiting_.size(), in_order));
        const auto before =
            std::find_if(waiting_.begin(), end, [&](const One& other) { return other.came > one.came; });
        waiting_.insert(before == end ? waiting_.end() : before, one);
    }

    One pop(std::uint64_t time, std::size_t in_order) {
        auto next = waiting_.begin();
        if (next->passes)
            for (auto other = next + 1; other != waiting_.end(); ++other)
                if (other->passes && other->age < next->age) next = other;
        const One one = *next;
        const bool leaves_file = next - waiting_.begin() < static_cast<std::ptrdiff_t>(in_order);
        waiting_.erase(next);
        if (!leaves_file || waiting_.size() < in_order) return one;
        const auto last = waiting_.begin() + static_cast<std::ptrdiff_t>(in_order) - 1;
        const auto oldest = std::min_element(last, waiting_.end(),
                                             [](const One& left, const One& right) { return left.age < right.age; });
        std::rotate(last, oldest, oldest + 1);
        last->came = time;
        return one;
    }

private:
    std::vector<One> waiting_;
};

}  // namespace tilescope::observers

// OldestFirst: a resource that serves one requester at a time, always the oldest.
//
// Owns: the current requester, its end, and the remaining work of the others. Guarantees: an older requester takes
// over at once, and the interrupted one continues later.
#pragma once

#include <algorithm>
#include <cstdint>
#include <vector>

namespace tilescope::observers {

class OldestFirst {
public:
    static constexpr std::uint32_t kNobody = 0xffffffffu;  // numeric: all bits

    std::uint32_t at_work() const { return now_.who; }
    std::uint64_t done() const { return done_; }

    // `who` wants it for `work` cycles from `time` on; the lower its age, the sooner. True when it is at work now.
    bool enter(std::uint32_t who, std::uint64_t age, std::uint64_t work, std::uint64_t time) {
        const One one{who, age, work};
        if (now_.who != kNobody && (now_.age < age || done_ <= time)) {
            waiting_.push_back(one);
            return false;
        }
        if (now_.who != kNobody) waiting_.push_back({now_.who, now_.age, done_ - time});
        begin(one, time);
        return true;
    }

    // Who was at work is done. Who is at work now, or nobody.
    std::uint32_t leave(std::uint64_t time) {
        now_.who = kNobody;
        if (waiting_.empty()) return kNobody;
        const auto next = std::min_element(waiting_.begin(), waiting_.end(),
                                           [](const One& one, const One& other) { return one.age < other.age; });
        const One one = *next;
        *next = waiting_.back();
        waiting_.pop_back();
        begin(one, time);
        return one.who;
    }

private:
    struct One {
        std::uint32_t who = kNobody;
        std::uint64_t age = 0, left = 0;
    };

    void begin(const One& one, std::uint64_t time) {
        now_ = one;
        done_ = time + one.left;
    }

    One now_;
    std::uint64_t done_ = 0;
    std::vector<One> waiting_;
};

}  // namespace tilescope::observers

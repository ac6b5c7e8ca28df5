// Replay: what the blocks of a launch asked of memory, brought into the order in which a device would ask it, and led
// through the caches.
//
// Owns: the SMs with their first levels, the warps that are resident, and what became of each instruction's sectors.
// Guarantees: the same counts whoever delivers blocks, and in whatever order: blocks go to SMs by their numbers, and to
// the SM where one ends first; warps take turns by a clock that advances with what they issue and what they wait for.
// Does not model: that clock's accuracy. It decides what meets what in the caches; it is no prediction of time.
#pragma once

#include <array>
#include <atomic>
#include <condition_variable>
#include <cstdint>
#include <deque>
#include <memory>
#include <mutex>
#include <unordered_map>
#include <vector>

#include "scope/observers/caches/figures.h"
#include "scope/observers/caches/first_level.h"
#include "scope/observers/caches/second_level.h"
#include "scope/observers/caches/traffic.h"

namespace tilescope::observers {

// Of one instruction, over all its requests. In sectors, where nothing else is said.
struct CacheTraffic {
    std::uint64_t global_hits = 0, local_hits = 0;  // loads that L1 answered
    std::uint64_t store_hits = 0;
    std::uint64_t l2_reads = 0, l2_read_hits = 0, l2_writes = 0, over_fabric = 0;
    std::uint64_t fetched = 0;  // bytes from device memory
};

class Replay {
public:
    Replay(CacheFigures figures, std::uint64_t blocks, std::size_t ops, std::shared_ptr<SecondLevel> second);

    // A block that is being taken down takes so many bytes more. False when there is no room: the launch is not
    // followed any further. From any thread, as deliver() is.
    bool grow(std::uint64_t bytes);
    // Takes what a block asked for, each block once. `grown`: what grow() was told of it.
    void deliver(BlockTraffic traffic, std::uint64_t grown = 0);

    // Of a launch whose blocks were all delivered.
    bool is_complete() const { return ended_ == blocks_ && !abandoned_; }
    const std::vector<CacheTraffic>& traffic() const { return traffic_; }  // by op
    std::uint64_t written_back() const { return second_->written_back() - written_before_; }

private:
    static constexpr unsigned kBuckets = 8192;
    static constexpr std::uint32_t kNobody = 0xffffffffu;

    struct Delivered {
        BlockTraffic traffic;               // its requests sorted by warp
        std::vector<std::uint32_t> starts;  // of each warp's, and the end
    };
    struct Running {
        Delivered block;
        std::uint32_t place = 0;                                       // SM and slot
        std::uint32_t live = 0;                                        // warps
        std::uint64_t age = 0;                                         // how many warps began before
        std::vector<std::uint16_t> arrived;                            // at each meeting
        std::vector<std::pair<std::uint32_t, std::uint32_t>> waiting;  // meeting, warp
    };
    struct WarpRun {
        std::uint32_t at = 0, end = 0;
        std::uint32_t next = kNobody;    // in its bucket
        std::uint64_t when = 0;          // its turn
        std::uint64_t loads_arrive = 0;  // the last of them
        bool has_waited = false;         // for the SM's pipe, which is its now
        bool has_passed = false;         // with what it asked of shared memory before its next request
    };
    struct Multiprocessor {
        std::unique_ptr<FirstLevel> first;
        std::array<std::uint64_t, 4> issue{};                          // when a scheduler is free
        std::uint64_t pipe = 0, port = 0;                              // when the next request can go in, and out to L2
        std::vector<std::pair<std::uint64_t, std::uint32_t>> waiting;  // age and warp, a heap
    };
    // A read on its way to L2, which others of the group may join.
    struct UnderWay {
        std::uint64_t line = ~std::uint64_t{0}, leaves = 0, until = 0;
        std::uint8_t sectors = 0, served = 0;
    };

    static Delivered sorted(BlockTraffic traffic, std::uint32_t warps);
    void run(std::unique_lock<std::mutex>& lock);
    bool fill();
    void start(Delivered block, std::uint32_t place);
    void step(std::uint32_t warp);
    void meet(std::uint32_t warp, Running& block, const Request& request, bool waits);
    void take_waiting(std::uint32_t sm);
    void end_warp(std::uint32_t warp);
    bool release_stuck();
    std::uint64_t load(std::uint32_t sm, std::uint64_t line, const Piece& piece, const std::uint64_t* masks, bool past,
                       std::uint64_t time, bool is_local, CacheTraffic& counts);
    std::uint64_t read_second(std::uint32_t sm, std::uint64_t line, unsigned sectors, std::uint64_t time,
                              CacheTraffic& counts);
    void expect(std::uint32_t sm, std::uint64_t base, const std::uint64_t* word, unsigned pieces);
    std::uint64_t access(std::uint32_t warp, const Running& block, const Request& request, const Shape& shape);
    void schedule(std::uint32_t warp, std::uint64_t when);
    void go_on(std::uint32_t warp, std::uint64_t time);
    std::uint32_t sm_of(std::uint32_t place) const { return place % figures_.sms; }
    FirstLevel& first(std::uint32_t sm);

    const CacheFigures figures_;
    const std::uint64_t blocks_;
    std::shared_ptr<SecondLevel> second_;
    std::uint64_t written_before_ = 0;
    std::vector<CacheTraffic> traffic_;

    std::mutex mutex_;
    std::condition_variable room_;
    std::unordered_map<std::uint64_t, Delivered> delivered_;
    std::uint64_t waiting_bytes_ = 0;
    bool running_ = false;
    std::atomic<bool> abandoned_{false};
    std::atomic<std::uint64_t> growing_{0};  // bytes of blocks that are being taken down

    // Of whoever runs it.
    std::uint64_t now_ = 0, started_ = 0, next_block_ = 0, ended_ = 0, scheduled_ = 0;
    std::deque<std::uint32_t> free_;  // places, in the order in which they came free
    std::vector<std::unique_ptr<Running>> places_;
    std::vector<WarpRun> warps_;
    std::vector<Multiprocessor> sms_;
    std::vector<std::vector<UnderWay>> under_way_;  // by group
    std::vector<std::uint64_t> leaves_;             // by group: when its last read did, in sixteenths of a cycle
    std::vector<std::uint64_t> begins_;             // by group: when its last block did
    std::array<std::uint32_t, kBuckets> heads_, tails_;
};

}  // namespace tilescope::observers

// Replay: brings the requests of a launch's blocks into the order of a device, and runs them through the caches.
//
// Owns: the GPCs, the placement of blocks, and the order of the requests to L2. Guarantees: the counts depend neither
// on who delivers blocks, nor on their order, nor on the number of helpers. Blocks go to SMs by number, then to the SM
// where a block ends first. Time advances in windows that are shorter than any L2 response. Within a window GPCs are
// independent; at its end L2 answers their requests by time. Does not model: exact time. The clock decides which
// accesses meet in the caches.
#pragma once

#include <array>
#include <atomic>
#include <condition_variable>
#include <cstdint>
#include <deque>
#include <memory>
#include <mutex>
#include <optional>
#include <unordered_map>
#include <vector>

#include "scope/machine/launch_progress.h"
#include "scope/observers/hierarchy/l2/second_level.h"
#include "scope/observers/hierarchy/misses_in_flight/gpc_misses.h"
#include "scope/observers/hierarchy/record/traffic.h"
#include "scope/observers/hierarchy/rules.h"
#include "scope/observers/hierarchy/sampling/sampling.h"
#include "scope/observers/hierarchy/scheduler/gpc.h"
#include "scope/observers/hierarchy/worker_pool.h"

namespace tilescope::observers {

class Replay {
public:
    // `buffers`: whose lines are whose, if that is to be told.
    Replay(HierarchyRules rules, std::uint64_t blocks, std::size_t ops, std::shared_ptr<SecondLevel> second,
           std::shared_ptr<const BufferMap> buffers = nullptr);

    // Tells how far it is from now on; null: nobody. Before the first block.
    void show(machine::LaunchProgress* progress);

    // A block that is being taken down takes so many bytes more. False when there is no room: the launch is not
    // followed any further. From any thread, as deliver() is.
    bool grow(std::uint64_t bytes);
    // Takes what a block requested, each block once; the caller is left with memory for another one. `grown`: what
    // grow() was told of it. Who comes while another thread leads the replay, and much is waiting, lends a hand.
    void deliver(BlockTraffic&& traffic, std::uint64_t grown = 0);

    // A worker will deliver blocks, and will deliver no more; then it lends a hand until the replay is through.
    void enter() { ++working_; }
    void leave();

    // Of a launch whose blocks were all delivered.
    bool is_complete() const { return ended_ == blocks_ && !abandoned_; }
    std::vector<CacheTraffic> traffic() const;  // by op
    std::vector<BufferTraffic> traffic_by_buffer() const;
    // As of the last launch that used it.
    const SecondLevel& second() const { return *second_; }
    std::uint64_t written_back() const { return second_->written_back() - written_before_; }
    // When the last block ended, in cycles from the launch's begin.
    std::uint64_t cycles() const { return cycles_ + passed_before(passed_times_, cycles_); }
    GpcClock clock() const;     // of all GPCs
    StoresSent stores() const;  // likewise
    // The share of the requests that the clock saw; the others went through the caches without one (sampling.h).
    double share_replayed() const;

private:
    struct Turn {
        const L2Request* request = nullptr;
        L2Response* response = nullptr;
    };

    void run(std::unique_lock<std::mutex>& lock);
    bool hand_out();
    bool go_through_window();
    void tell_progress();
    void serve(unsigned slice);
    // The steps of sampling: requests go by, and what they would have taken.
    bool pass();
    void serve_passed(unsigned slice);
    SecondLevel::Response respond(const L2Request& request);
    static L2Response response_of(const L2Request& request, const SecondLevel::Response& served);
    void take_freed();
    void consider_sampling();
    void settle_passed(const Stretch& before, const Stretch& behind);
    Stretch done() const;
    std::vector<std::uint64_t> mix_passed() const;
    TrafficByPlace traffic_seen() const;      // by the clock
    TrafficByPlace traffic_by_place() const;  // of all
    std::uint64_t next_turn() const;
    bool release_stuck();

    const HierarchyRules rules_;
    const std::uint64_t blocks_;
    std::shared_ptr<SecondLevel> second_;
    const std::shared_ptr<const BufferMap> buffers_;
    const std::size_t ops_;
    std::uint64_t written_before_ = 0;
    std::uint64_t window_ = 1;  // cycles

    std::mutex mutex_;
    std::condition_variable changed_;  // who leads, or who works
    std::atomic<unsigned> working_{0};
    std::unordered_map<std::uint64_t, std::unique_ptr<RunningBlock>> delivered_;
    std::atomic<std::uint64_t> kept_bytes_{0};     // of all blocks that have not ended
    std::atomic<std::uint64_t> waiting_bytes_{0};  // of those, that have not begun
    std::atomic<std::uint64_t> note_bytes_{0};     // of what the caches note of lines
    bool running_ = false;
    std::atomic<bool> abandoned_{false};
    std::atomic<std::uint64_t> requests_{0}, blocks_delivered_{0};  // that were delivered
    machine::LaunchProgress* progress_ = nullptr;
    std::atomic<std::uint64_t> growing_{0};  // bytes of blocks that are being taken down
    WorkerPool workers_;

    // Of whoever leads.
    std::uint64_t now_ = 0, next_block_ = 0, cycles_ = 0;
    std::atomic<std::uint64_t> ended_{0};
    std::size_t requested_ = 0;                                 // in the last window
    std::deque<std::pair<std::uint64_t, std::uint32_t>> free_;  // since when, and places, in their order
    std::vector<std::uint8_t> gpc_of_;                          // by SM
    std::vector<std::unique_ptr<Gpc>> gpcs_;
    Sampling sampling_;
    Estimate estimate_;
    std::vector<PassedTime> passed_times_;
    std::uint64_t passed_at_ = 0;            // when the clock last stood still
    std::uint64_t passed_all_ = 0;           // requests
    std::uint64_t requests_begun_ = 0;       // of blocks that have begun, whoever brought others
    std::uint64_t mixed_ = 0;                // of those since the clock stood still, whose mix was looked at
    std::vector<std::uint64_t> mix_before_;  // theirs
    HotLines hot_passed_;
    struct alignas(64) Order {  // geometry: a cache line of the host
        std::optional<GpcMissesInFlight> in_flight;
        std::vector<Turn> turns;
        std::vector<std::uint32_t> starts;
    };
    std::array<Order, SecondLevel::kSlices> order_;  // by slice: requests, by time
};

}  // namespace tilescope::observers

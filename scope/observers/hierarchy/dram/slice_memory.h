// SliceMemory: the DRAM behind a slice of L2, and the path into the slice.
//
// Owns: when the next bytes can arrive, the open rows, and the recent load. Guarantees: each slice has an equal part
// of the bandwidth. Data from SMs and from DRAM share the path into L2, which accepts a fixed amount per cycle
// (bench/hardware/streaming.cu). A read waits at least as long as it does on average beside the same load
// (bench/hardware/loaded.cu: writes cost eight times as much as reads, because memory turns around). Does not model:
// banks, channels and refresh.
#pragma once

#include <algorithm>
#include <cstdint>

#include "scope/observers/hierarchy/dram/dram_rules.h"
#include "scope/observers/hierarchy/dram/memory_rows.h"

namespace tilescope::observers {

class SliceMemory {
public:
    // Of so many slices.
    void begin_launch(const DramRules& rules, unsigned slices) {
        const double memory = rules.bytes_per_cycle, intake = rules.intake_bytes_per_cycle;
        memory_cycles_ = memory > 0 ? slices / memory : 0;
        intake_cycles_ = intake > 0 ? slices / intake : 0;
        rules_ = rules;
        rows_ = MemoryRows(rules);
        opening_read_ = opening_written_ = 0;
        clear();
    }

    // Bytes that come by `time`; gives when they are in.
    double take_in(std::uint64_t bytes, double time) {
        intake_free_ = std::max(intake_free_, time) + static_cast<double>(bytes) * intake_cycles_;
        return intake_free_;
    }

    // When bytes of a line that are requested at `time` are there.
    std::uint64_t read(std::uint64_t line, std::uint32_t bytes, std::uint64_t time) {
        const std::uint32_t cost = rows_.cost(line, time, bytes, rules_.row_read_bytes);
        opening_read_ += std::int64_t{cost} - bytes;
        const auto now = static_cast<double>(time);
        memory_free_ = std::max(memory_free_, now) + cost * memory_cycles_;
        memory_free_ = std::max(memory_free_, take_in(bytes, now));
        forget(memory_free_);
        reads_ += cost;
        return static_cast<std::uint64_t>(std::max(memory_free_, now + wait())) + rules_.latency;
    }

    void write(std::uint64_t line, std::uint32_t bytes, std::uint64_t time) {
        opening_written_ += std::int64_t{rows_.cost(line, time, bytes, rules_.row_write_bytes)} - bytes;
        const auto now = static_cast<double>(time);
        forget(now);
        writes_ += bytes;
        memory_free_ = std::max(memory_free_, now) + rules_.write_cost * bytes * memory_cycles_;
    }

    // What opening rows took beyond the bytes that moved, in bytes; less than none where a row's bytes go meanwhile.
    std::int64_t opening_read() const { return opening_read_; }
    std::int64_t opening_written() const { return opening_written_; }

    // Nothing is under way, and time begins anew.
    void clear() {
        memory_free_ = intake_free_ = reads_ = writes_ = since_ = 0;
        rows_.clear();
    }

private:
    static constexpr double kMaxWait = 1e8;  // numeric: whatever a description says, a replay comes to its end

    void forget(double time) {
        if (time <= since_) return;
        const double kept = rules_.history / (rules_.history + time - since_);
        reads_ *= kept;
        writes_ *= kept;
        since_ = time;
    }

    double wait() const {
        if (rules_.history <= 0 || rules_.reached <= 0) return 0;
        const double busy = memory_cycles_ / (rules_.history * rules_.reached);
        const double reads = reads_ * busy, writes = writes_ * busy;
        const double waits = rules_.read_wait * reads + rules_.write_wait * writes;
        return std::min(kMaxWait, waits / (1 - std::min(reads + writes, rules_.busiest)));
    }

    DramRules rules_;
    double memory_cycles_ = 0, intake_cycles_ = 0;  // a byte
    double memory_free_ = 0, intake_free_ = 0;      // when the next bytes can come
    double reads_ = 0, writes_ = 0, since_ = 0;     // bytes of late
    MemoryRows rows_;
    std::int64_t opening_read_ = 0, opening_written_ = 0;
};

}  // namespace tilescope::observers

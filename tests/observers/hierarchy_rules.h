// Caches small enough that tests can fill them, of one part and of two, and the pieces of a line that they are asked
// for.
#pragma once

#include "scope/observers/hierarchy/l1/first_level.h"
#include "scope/observers/hierarchy/l2/second_level.h"

namespace tilescope::observers {

inline Piece whole(unsigned sectors) { return {0, sectors, sectors}; }
inline Piece in_part(unsigned sectors) { return {0, sectors, 0}; }

// The rules of an H200, as far as tests of single parts go by them.
inline HierarchyRules h200_rules() {
    HierarchyRules rules;
    rules.l1.latency = 32;
    rules.l1.victims = 240;
    rules.l1.last_of_tags = 0.5;
    rules.l1.last_of_lines = 0.75;
    rules.l1.hit_tenths = 3;
    rules.l1.miss_tenths = 10;
    rules.misses.gpc_sectors = 16;
    rules.misses.queued_sectors = 16;
    rules.misses.queue_wait = 3;
    rules.misses.queue_line_tenths = 19;
    rules.misses.port_line = 17;
    rules.misses.port_sector = 10;
    rules.stores.lines = 31;
    rules.stores.wait = 20;
    rules.stores.settle = 15;
    rules.l2.ways = 16;
    rules.l2.dirty_ways = 7;
    rules.l2.partial_ways = 2;
    rules.l2.last_ways = 3;
    rules.l2.near_latency = 280;
    rules.l2.far_latency = 500;
    rules.dram.latency = 660;
    rules.dram.bytes_per_cycle = 2000;
    rules.dram.row_bytes = 4096;
    rules.dram.history = 1000;
    rules.dram.reached = 0.95;
    rules.dram.busiest = 0.97;
    rules.dram.write_cost = 1.3;
    rules.scheduler.few_left = 8;
    rules.scheduler.few_turns = 3;
    rules.scheduler.left_turns = 10.5;
    rules.scheduler.turns_per_left = 0.375;
    rules.scheduler.four_behind = 2;
    rules.scheduler.pair_files = 3;
    rules.scheduler.file_delay = 105;
    rules.scheduler.in_order = 4;
    return rules;
}

// Of an L1 that keeps so many bytes.
inline L1Rules l1_rules(std::uint64_t bytes, std::uint32_t tags = 0) {
    L1Rules rules = h200_rules().l1;
    rules.bytes = bytes;
    rules.tags = tags;
    return rules;
}

inline HierarchyRules one_part() {
    HierarchyRules rules = h200_rules();
    rules.scheduler.sms_in_turn = {1};
    rules.scheduler.gpc = {0};
    rules.l2.near_part = {0};
    rules.l1.bytes = 128 << 10;
    rules.l2.bytes = 1 << 20;
    return rules;
}

inline HierarchyRules two_parts() {
    HierarchyRules rules = one_part();
    rules.l2.parts = 2;
    rules.l2.home_mask = 0xab000;
    rules.scheduler.sms = 2;
    rules.scheduler.sms_in_turn = {1, 1};
    rules.scheduler.gpc = {0, 1};
    rules.l2.near_part = {0, 1};
    return rules;
}

}  // namespace tilescope::observers

// The last choices of a thread: asking the cost model takes as long as launching a kernel, and most programs ask for a
// few shapes over and over.
//
// Owns: the key (all that a choice can depend on: the problem without its addresses, but for their alignment; the
// device; the workspace), and a table of a fixed size. Guarantees: no allocation, no locks; another tuning file is
// another key. Does not choose.
#pragma once

#include <array>
#include <cstring>

#include "tiles/plan/cost_model.h"

namespace tiles {

using ChoiceKey = std::array<int64_t, 33>;

static_assert(sizeof(GemmProblem) == 168 && sizeof(DeviceProperties) == 72, "a new field may belong to the key");

inline ChoiceKey choice_key(const GemmProblem& p, const DeviceProperties& d, size_t workspace_limit) {
    const auto alignment = [](const void* pointer) {
        return static_cast<int64_t>(reinterpret_cast<uintptr_t>(pointer) % 256);
    };
    const auto bits = [](double x) {
        int64_t out = 0;
        std::memcpy(&out, &x, sizeof(out));
        return out;
    };
    return {p.m,
            p.n,
            p.k,
            p.batch,
            p.lda,
            p.ldb,
            p.ldc,
            p.stride_a,
            p.stride_b,
            p.stride_c,
            static_cast<int64_t>(p.compute) * 4096 + static_cast<int64_t>(p.type_c) * 16 + (p.transposed_a ? 2 : 0) +
                (p.transposed_b ? 1 : 0),
            alignment(p.a),
            alignment(p.b),
            alignment(p.c),
            alignment(p.workspace),
            bits(p.alpha),
            bits(p.beta),
            static_cast<int64_t>(p.workspace_bytes),
            static_cast<int64_t>(workspace_limit),
            d.major,
            d.minor,
            d.sms,
            d.clusters_of_4,
            d.clusters_of_8,
            d.tensor_maps,
            d.shared_per_block,
            d.shared_per_sm,
            d.l2_bytes,
            bits(d.clock_ghz),
            bits(d.memory_gb_per_s),
            reinterpret_cast<intptr_t>(d.tuned),
            d.tuned_count,
            p.workspace == nullptr};
}

class ChoiceCache {
public:
    // Where the choice for `key` is, or goes: its kernel is nullptr then.
    Choice* place(const ChoiceKey& key) {
        constexpr uint64_t kOdd = 0x9e3779b97f4a7c15ull;
        uint64_t hash = 0, factor = kOdd;
        for (const int64_t part : key) hash += static_cast<uint64_t>(part) * factor, factor += 2 * kOdd;
        hash = (hash ^ hash >> 32) * kOdd;
        Entry& entry = entries_[hash >> 59];
        if (entry.key != key) entry.key = key, entry.choice = {};
        return &entry.choice;
    }

private:
    struct Entry {
        ChoiceKey key{};
        Choice choice;
    };
    std::array<Entry, 32> entries_;
};

}  // namespace tiles

// Shadow: who accessed each piece of memory last, for the race check.
//
// Owns: Record, one warp instruction's access; Cell, what is kept of a unit of memory (a word, or a byte where
// something narrower was accessed); Extension, what does not fit into a cell; pages of cells. Guarantees: exact by
// byte; memory that nobody touches has no cells. Does not model: which accesses are in order (block_clock.h).
#pragma once

#include <array>
#include <cstdint>
#include <memory>
#include <unordered_map>
#include <vector>

#include "scope/machine/order.h"
#include "scope/observers/hazards/hazards.h"
#include "scope/observers/hazards/known.h"

namespace tilescope::observers {

struct Record {
    std::uint64_t block = 0;
    std::uint32_t op = 0;
    std::uint32_t time = 0;   // of its warp's clock
    std::uint32_t round = 0;  // BlockClock::round_of
    // Of a strong write of lane 0, and the next 31 of the other lanes: their order. Of those beyond the bound all lanes
    // of all have one, which is no multiple of 32.
    std::uint32_t serial = 0;
    std::uint32_t products = 0;  // of its warp so far, of the block's four-warp products
    std::uint8_t warp = 0;
    Deed deed = Deed::kNone;
    machine::Scope scope = machine::Scope::kNone;  // of a strong access
    bool is_strong : 1 = false;
    bool is_fixed : 1 = false;      // a write of what is the same for all threads, by the program
    bool is_spread : 1 = false;     // a volatile load or store of several places of shared memory: data, and no flag
    bool is_product : 1 = false;    // a read by a product of four warps
    bool is_read_only : 1 = false;  // a read by the read-only path, which writes of the same launch may pass by
};
static_assert(sizeof(Record) == 32);

// Lanes of a recorded access.
struct Ref {
    std::uint32_t record = 0;
    std::uint32_t lanes = 0;
};

// What releases at a word hand on: to all (gpu or system scope), and to threads of one block.
struct Handed {
    Known wide, local;
    Known reads;  // what a strong store hands on without a fence, to everybody: reads before it are over
    std::uint64_t local_block = 0;
    bool empty() const { return wide.empty() && local.empty() && reads.empty(); }
};

struct Extension {
    std::vector<Ref> reads, strong_writes;
    Handed handed;
    std::uint32_t place = 0;  // number of the place that strong writes hand on at, beginning here or before; 0: none
    void reset() {
        reads.clear();
        strong_writes.clear();
        handed = Handed();
        place = 0;
    }
};

// Records are numbers; 0: none. `first` and `second` are two readers, of different threads where there is a second one;
// with kExtended all readers stand in the extension number `first`.
struct Cell {
    static constexpr std::uint8_t kExtended = 1;
    static constexpr std::uint8_t kManyBlocks = 2;  // the two readers are of different blocks: no further one matters
    // The write left what was there, and so did those before it that may be unknown: to lanes of its warp, to the
    // block's other warps, to other blocks.
    static constexpr std::uint8_t kUnchangedWarp = 4, kUnchangedBlock = 8, kUnchangedFar = 16;
    static constexpr std::uint8_t kUnchanged = kUnchangedWarp | kUnchangedBlock | kUnchangedFar;

    std::uint32_t write = 0, first = 0, second = 0;
    std::uint8_t write_lane = 0, first_lane = 0, second_lane = 0, flags = 0;
};
static_assert(sizeof(Cell) == 16);

class Extensions {
public:
    std::uint32_t make() {
        if (free_.empty()) {
            all_.push_back(std::make_unique<Extension>());
            return static_cast<std::uint32_t>(all_.size() - 1);
        }
        const std::uint32_t number = free_.back();
        free_.pop_back();
        return number;
    }
    void free(std::uint32_t number) {
        all_[number]->reset();
        free_.push_back(number);
    }
    Extension& operator[](std::uint32_t number) { return *all_[number]; }
    std::uint64_t bytes() const { return all_.size() * (sizeof(Extension) + 4 * sizeof(Ref) + 16); }

private:
    std::vector<std::unique_ptr<Extension>> all_;
    std::vector<std::uint32_t> free_;
};

// Cells of 4096 bytes of memory.
struct ShadowPage {
    static constexpr unsigned kShift = 12;
    static constexpr std::uint64_t kBytes = std::uint64_t{1} << kShift;

    unsigned unit_shift = 2;
    std::vector<Cell> cells = std::vector<Cell>(kBytes >> 2);

    // One cell a byte from now on.
    void split(Extensions& extensions);
};

class Shadow {
public:
    ShadowPage& page(std::uint64_t number) {
        Recent& recent = recent_[number % recent_.size()];
        if (recent.page != nullptr && recent.number == number) return *recent.page;
        std::unique_ptr<ShadowPage>& page = pages_[number];
        if (!page) page = std::make_unique<ShadowPage>();
        recent = {number, page.get()};
        return *page;
    }
    // nullptr: nobody has accessed these bytes.
    ShadowPage* find(std::uint64_t number) {
        const auto at = pages_.find(number);
        return at == pages_.end() ? nullptr : at->second.get();
    }
    template <class Act>
    void for_each_cell(Act act) {
        for (auto& [number, page] : pages_)
            for (Cell& cell : page->cells) act(cell);
    }
    std::uint64_t bytes() const {
        std::uint64_t sum = 0;
        for (const auto& [number, page] : pages_) sum += sizeof *page + page->cells.size() * sizeof(Cell);
        return sum;
    }

private:
    struct Recent {
        std::uint64_t number = 0;
        ShadowPage* page = nullptr;
    };
    std::unordered_map<std::uint64_t, std::unique_ptr<ShadowPage>> pages_;
    std::array<Recent, 1024> recent_{};
};

// Shared memory of a block, whose addresses are offsets.
class SharedShadow {
public:
    ShadowPage& page(std::uint64_t number) {
        if (number >= pages_.size()) pages_.resize(number + 1);
        if (!pages_[number]) pages_[number] = std::make_unique<ShadowPage>();
        return *pages_[number];
    }
    template <class Act>
    void for_each_cell(Act act) {
        for (auto& page : pages_)
            if (page)
                for (Cell& cell : page->cells) act(cell);
    }

private:
    std::vector<std::unique_ptr<ShadowPage>> pages_;
};

// Records by number, from 1 on. Those of before may be forgotten all at once.
class Records {
public:
    std::uint32_t add(const Record& record) {
        records_.push_back(record);
        return base_ + static_cast<std::uint32_t>(records_.size() - 1);
    }
    Record& operator[](std::uint32_t number) { return records_[number - base_]; }
    const Record& operator[](std::uint32_t number) const { return records_[number - base_]; }
    std::uint32_t next() const { return base_ + static_cast<std::uint32_t>(records_.size()); }
    void forget_all() {
        base_ = next();
        records_.clear();
    }
    std::size_t size() const { return records_.size(); }
    std::uint64_t bytes() const { return records_.capacity() * sizeof(Record); }

private:
    std::vector<Record> records_;
    std::uint32_t base_ = 1;
};

}  // namespace tilescope::observers

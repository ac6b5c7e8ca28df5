#include "scope/observers/hazards/touched_pages.h"

#include <algorithm>
#include <bit>
#include <vector>

namespace tilescope::observers {
namespace {

std::uint32_t joined_ops(std::uint32_t a, std::uint32_t b) {
    if (a == TouchedPages::kNoOp || a == b) return b;
    return b == TouchedPages::kNoOp ? a : TouchedPages::kManyOps;
}

struct Pair {
    Touch first = Touch::kRead, second = Touch::kRead;
};

// Which pairs conflict, those that say most first.
const std::vector<Pair> kPairs = [] {
    std::vector<Pair> pairs = {
        {Touch::kWrite, Touch::kRead}, {Touch::kRead, Touch::kWrite}, {Touch::kWrite, Touch::kWrite}};
    for (unsigned a = 0; a < kTouches; ++a)
        for (unsigned b = 0; b < kTouches; ++b)
            if (const Pair pair{static_cast<Touch>(a), static_cast<Touch>(b)};
                in_conflict(pair.first, pair.second) && (is_strong(pair.first) || is_strong(pair.second)))
                pairs.push_back(pair);
    return pairs;
}();

}  // namespace

void TouchedPages::mark(std::uint64_t address, std::uint64_t bytes, Touch touch, std::uint32_t op) {
    while (bytes != 0) {
        const std::uint64_t number = address / kPage;
        const auto from = static_cast<unsigned>(address % kPage);
        const auto here = static_cast<unsigned>(std::min<std::uint64_t>(bytes, kPage - from));
        if (number != last_number_) {
            last_ = &pages_[number];
            last_number_ = number;
        }
        mark_in_page(last_->layers[static_cast<unsigned>(touch)], from, here, op);
        address += here;
        bytes -= here;
    }
}

void TouchedPages::mark_in_page(Layer& layer, unsigned from, unsigned bytes, std::uint32_t op) {
    layer.op = joined_ops(layer.op, op);
    if (layer.all) return;
    if (bytes == kPage) {
        layer.all = true;
        layer.bits.reset();
        return;
    }
    if (!layer.bits) layer.bits = std::make_unique<Bits>();
    for (const unsigned end = from + bytes; from < end;) {
        const unsigned shift = from % 64, count = std::min(end - from, 64 - shift);
        (*layer.bits)[from / 64] |= (count == 64 ? ~std::uint64_t{0} : (std::uint64_t{1} << count) - 1) << shift;
        from += count;
    }
}

void TouchedPages::clear_in_page(Layer& layer, unsigned from, unsigned bytes) {
    if (layer.none()) return;
    if (layer.all) {
        layer.bits = std::make_unique<Bits>();
        layer.bits->fill(~std::uint64_t{0});
        layer.all = false;
    }
    for (unsigned byte = from; byte < from + bytes; ++byte)
        (*layer.bits)[byte / 64] &= ~(std::uint64_t{1} << byte % 64);
}

void TouchedPages::clear(std::uint64_t address, std::uint64_t bytes) {
    last_ = nullptr;
    last_number_ = ~std::uint64_t{0};
    const std::uint64_t end = address + bytes;
    for (auto entry = pages_.begin(); entry != pages_.end();) {
        const std::uint64_t page = entry->first * kPage;
        const std::uint64_t from = std::max(address, page), to = std::min(end, page + kPage);
        if (from < to && to - from == kPage) {
            entry = pages_.erase(entry);
            continue;
        }
        if (from < to)
            for (Layer& layer : entry->second.layers)
                clear_in_page(layer, static_cast<unsigned>(from - page), static_cast<unsigned>(to - from));
        ++entry;
    }
}

void TouchedPages::add(Layer& layer, const Layer& other) {
    layer.op = joined_ops(layer.op, other.op);
    if (layer.all || other.none()) return;
    if (other.all) {
        layer.all = true;
        layer.bits.reset();
    } else if (!layer.bits) {
        layer.bits = std::make_unique<Bits>(*other.bits);
    } else {
        for (unsigned i = 0; i < kWords; ++i) (*layer.bits)[i] |= (*other.bits)[i];
    }
}

void TouchedPages::merge(const TouchedPages& other) {
    for (const auto& [number, page] : other.pages_) {
        Page& into = pages_[number];
        for (unsigned i = 0; i < kTouches; ++i) add(into.layers[i], page.layers[i]);
    }
}

void TouchedPages::compact() {
    for (auto& [number, page] : pages_)
        for (Layer& layer : page.layers) {
            if (!layer.bits) continue;
            const auto full = [](std::uint64_t word) { return word == ~std::uint64_t{0}; };
            if (!std::all_of(layer.bits->begin(), layer.bits->end(), full)) continue;
            layer.all = true;
            layer.bits.reset();
        }
}

// The first byte that both touch.
std::optional<unsigned> TouchedPages::meet(const Layer& a, const Layer& b) {
    if (a.none() || b.none()) return std::nullopt;
    for (unsigned i = 0; i < kWords; ++i) {
        const std::uint64_t both =
            (a.all ? ~std::uint64_t{0} : (*a.bits)[i]) & (b.all ? ~std::uint64_t{0} : (*b.bits)[i]);
        if (both != 0) return i * 64 + static_cast<unsigned>(std::countr_zero(both));
    }
    return std::nullopt;
}

std::optional<TouchedPages::Conflict> TouchedPages::conflict(const TouchedPages& second) const {
    const bool mine_are_fewer = pages_.size() <= second.pages_.size();
    const auto& fewer = mine_are_fewer ? pages_ : second.pages_;
    const auto& more = mine_are_fewer ? second.pages_ : pages_;
    std::optional<Conflict> found;
    std::size_t rank = kPairs.size();
    for (const auto& [number, page] : fewer) {
        const auto other = more.find(number);
        if (other == more.end()) continue;
        const Page& of_first = mine_are_fewer ? page : other->second;
        const Page& of_second = mine_are_fewer ? other->second : page;
        for (std::size_t i = 0; i < kPairs.size() && i <= rank; ++i) {
            const Layer& a = of_first.layers[static_cast<unsigned>(kPairs[i].first)];
            const Layer& b = of_second.layers[static_cast<unsigned>(kPairs[i].second)];
            const auto byte = meet(a, b);
            if (!byte) continue;
            const std::uint64_t address = number * kPage + *byte;
            // The first of its kind, whatever the order of the table.
            if (i < rank || address < found->address)
                found = Conflict{address, kPairs[i].first, kPairs[i].second, a.op, b.op};
            rank = i;
        }
    }
    return found;
}

std::optional<TouchedPages::Meeting> TouchedPages::meeting(std::uint64_t address, std::uint64_t bytes,
                                                           unsigned ways) const {
    const std::uint64_t end = address + bytes;
    while (address < end) {
        const std::uint64_t stop = std::min(end, (address / kPage + 1) * kPage);
        const auto page = pages_.find(address / kPage);
        for (; page != pages_.end() && address < stop; ++address) {
            const std::uint64_t byte = address % kPage;
            for (unsigned i = 0; i < kTouches; ++i) {
                const Layer& layer = page->second.layers[i];
                if ((ways >> i & 1U) == 0 || layer.none()) continue;
                if (layer.all || ((*layer.bits)[byte / 64] >> byte % 64 & 1U) != 0)
                    return Meeting{address, static_cast<Touch>(i), layer.op};
            }
        }
        address = stop;
    }
    return std::nullopt;
}

std::uint64_t TouchedPages::table_bytes() const {
    std::uint64_t bytes = 0;
    for (const auto& [number, page] : pages_) {
        bytes += sizeof number + sizeof page;
        for (const Layer& layer : page.layers) bytes += layer.bits ? sizeof *layer.bits : 0;
    }
    return bytes;
}

}  // namespace tilescope::observers

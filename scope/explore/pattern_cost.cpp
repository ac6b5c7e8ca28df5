#include "scope/explore/pattern_cost.h"

#include <algorithm>
#include <bit>
#include <map>
#include <numeric>
#include <vector>

#include "scope/machine/access.h"
#include "scope/observers/address_set.h"
#include "scope/observers/bank_rule.h"
#include "scope/observers/sector_rule.h"

namespace tilescope::explore {
namespace {

using machine::kWarpSize;
using observers::BankUse;

constexpr std::uint32_t kBankBytes = 4, kBanks = 32, kRowBytes = kBankBytes * kBanks;
// Places may be negative; from so many lines on the array begins.
constexpr std::uint64_t kBegin = std::uint64_t{1} << 60;

// The same request as a warp's access has it.
struct Request {
    machine::Access access;
    std::array<std::int64_t, kWarpSize> deltas{};
    std::array<std::uint32_t, kWarpSize> offsets{};  // from the row of banks that the lowest lies in
    bool fits_shared = true;
    BankUse use = BankUse::kLoad;

    explicit Request(const PlacedWarp& warp) : use(warp.stores ? BankUse::kStore : BankUse::kLoad) {
        access.width = static_cast<std::uint8_t>(warp.element_bytes);
        access.kind = warp.stores ? machine::AccessKind::kStore : machine::AccessKind::kLoad;
        std::uint64_t low = ~std::uint64_t{0}, high = 0;
        for (unsigned lane = 0; lane < kWarpSize; ++lane) {
            if (!warp.places[lane]) continue;
            const std::uint64_t byte = warp.byte(*warp.places[lane]);
            if (access.mask == 0) access.first = byte;
            access.mask |= 1u << lane;
            deltas[lane] = static_cast<std::int64_t>(byte - access.first);
            low = std::min(low, byte);
            high = std::max(high, byte);
        }
        access.deltas = deltas.data();
        low -= low % kRowBytes;
        fits_shared = high - low < std::uint64_t{1} << 31;
        for (unsigned lane = 0; lane < kWarpSize && fits_shared; ++lane)
            if (access.mask >> lane & 1) offsets[lane] = static_cast<std::uint32_t>(access.address(lane) - low);
    }
    Request(const Request&) = delete;
    Request& operator=(const Request&) = delete;
};

// Lanes of one group, by bank: which words are wanted of it, in the order of the lanes, and by whom.
using Words = std::vector<std::pair<std::uint32_t, std::vector<std::uint32_t>>>;
std::map<std::uint32_t, Words> words_by_bank(const Request& request, std::uint32_t from, std::uint32_t lanes) {
    std::map<std::uint32_t, Words> banks;
    for (std::uint32_t lane = from; lane < from + lanes; ++lane) {
        if ((request.access.mask >> lane & 1) == 0) continue;
        const std::uint32_t word = request.offsets[lane] / kBankBytes;
        Words& words = banks[word % kBanks];
        const auto known =
            std::find_if(words.begin(), words.end(), [&](const auto& each) { return each.first == word; });
        if (known == words.end())
            words.push_back({word, {lane}});
        else
            known->second.push_back(lane);
    }
    return banks;
}

std::uint32_t group_of(const Request& request) {
    return observers::lanes_of_group(request.offsets.data(), request.access.mask, request.access.width, request.use);
}

// The same distance from each lane to the next.
std::optional<std::int64_t> common_stride(const PlacedWarp& warp) {
    std::optional<std::int64_t> stride, last;
    for (const auto& place : warp.places) {
        if (!place) continue;
        if (last) {
            if (stride && *stride != *place - *last) return std::nullopt;
            stride = *place - *last;
        }
        last = place;
    }
    return stride;
}

SectorsWhy sectors_why(const PlacedWarp& warp, const PatternCost& cost) {
    if (cost.sectors <= cost.ideal_sectors) return SectorsWhy::kIdeal;
    std::optional<std::int64_t> low, high;
    for (const auto& place : warp.places) {
        if (!place) continue;
        low = std::min(low.value_or(*place), *place);
        high = std::max(high.value_or(*place), *place);
    }
    return *high - *low + 1 == cost.addresses ? SectorsWhy::kMisaligned : SectorsWhy::kScattered;
}

}  // namespace

std::uint64_t PlacedWarp::byte(std::int64_t place) const {
    return kBegin + static_cast<std::uint64_t>(place * static_cast<std::int64_t>(element_bytes) + offset_bytes);
}

PatternCost cost_of(const PlacedWarp& warp) {
    const Request request(warp);
    const observers::AddressKeys addresses(request.access);
    PatternCost cost;
    cost.lanes = request.access.lanes();
    cost.addresses = addresses.count_distinct();
    cost.sectors = observers::touched_sectors(addresses);
    cost.ideal_sectors = observers::ideal_sectors(cost.addresses, warp.element_bytes);
    cost.lines = observers::touched_lines(request.access);
    cost.bytes_asked = std::uint64_t{cost.addresses} * warp.element_bytes;
    cost.bytes_moved = std::uint64_t{cost.sectors} * observers::kSectorBytes;
    cost.fits_shared = request.fits_shared;
    if (!cost.fits_shared) return cost;
    const observers::BankCost banks =
        observers::bank_cost(request.offsets.data(), request.access.mask, warp.element_bytes, request.use);
    cost.wavefronts = banks.wavefronts;
    cost.conflicts = banks.conflicts;
    cost.ideal_wavefronts = banks.wavefronts - banks.conflicts;
    return cost;
}

PatternReason reason_of(const PlacedWarp& warp, const PatternCost& cost) {
    const Request request(warp);
    PatternReason reason;
    reason.sectors = sectors_why(warp, cost);
    reason.stride = common_stride(warp);
    reason.is_broadcast = cost.addresses == 1 && cost.lanes > 1;
    reason.places = warp.element_bytes >= kBankBytes ? kRowBytes / warp.element_bytes : 0;
    if (!cost.fits_shared) return reason;
    const std::uint32_t group = group_of(request);
    std::size_t most = 0;
    for (std::uint32_t from = 0; from < kWarpSize; from += group)
        for (const auto& [bank, words] : words_by_bank(request, from, group)) {
            if (words.size() <= most) continue;
            most = words.size();
            reason.bank = bank;
            reason.lanes.clear();
            for (const auto& word : words) reason.lanes.push_back(word.second.front());
        }
    if (!reason.stride || reason.places == 0 || *reason.stride == 0) return reason;
    reason.factor = static_cast<std::uint32_t>(std::gcd(*reason.stride, std::int64_t{reason.places}));
    // As many lanes as the banks hold elements are served together; of these, every so many meet.
    std::uint32_t expected = 0;
    for (std::uint32_t from = 0; from < kWarpSize; from += reason.places) {
        const std::uint64_t lanes = (std::uint64_t{1} << reason.places) - 1;
        const auto active =
            static_cast<std::uint32_t>(std::popcount(request.access.mask & static_cast<std::uint32_t>(lanes << from)));
        const std::uint32_t apart = reason.places / reason.factor;
        expected += (active + apart - 1) / apart;
    }
    reason.explains = group == reason.places && expected == cost.wavefronts;
    return reason;
}

BankService service_of(const PlacedWarp& warp) {
    const Request request(warp);
    BankService service;
    service.wavefront_of.assign(kWarpSize, 0);
    if (!request.fits_shared) return service;
    const std::uint32_t group = group_of(request);
    for (std::uint32_t from = 0; from < kWarpSize; from += group) {
        std::size_t most = 0;
        for (const auto& [bank, words] : words_by_bank(request, from, group)) {
            most = std::max(most, words.size());
            for (std::size_t turn = 0; turn < words.size(); ++turn)
                for (const std::uint32_t lane : words[turn].second)
                    service.wavefront_of[lane] = service.wavefronts + static_cast<std::uint32_t>(turn);
        }
        service.wavefronts += static_cast<std::uint32_t>(most);
    }
    return service;
}

}  // namespace tilescope::explore

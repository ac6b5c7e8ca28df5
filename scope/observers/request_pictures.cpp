#include "scope/observers/request_pictures.h"

#include <algorithm>
#include <map>
#include <tuple>
#include <utility>

#include "scope/observers/counting.h"

namespace tilescope::observers {
namespace {

using machine::Access;
using machine::AccessKind;

// Lines of a launch, and accesses of a line: what a reader looks at.
constexpr std::size_t kLines = 8, kAccesses = 4;

std::uint64_t requests_of(const RequestTally& tally) {
    std::uint64_t all = 0;
    for (const std::uint64_t count : tally) all += count;
    return all;
}
std::uint64_t units_of(const RequestTally& tally) {
    std::uint64_t all = 0;
    for (std::size_t units = 0; units < tally.size(); ++units) all += units * tally[units];
    return all;
}

StatementKind statement_of(AccessKind kind) {
    switch (kind) {
        case AccessKind::kAsyncCopyRead:
        case AccessKind::kAsyncCopyWrite: return StatementKind::kCopy;
        case AccessKind::kMatrixLoad: return StatementKind::kLoad;
        case AccessKind::kMatrixStore: return StatementKind::kStore;
        default: return machine::writes(kind) ? StatementKind::kStore : StatementKind::kLoad;
    }
}

// Where each lane goes from the sector, or the word, that the first byte lies in.
std::vector<std::int64_t> lanes_of(const RequestExamples::Example& example, std::int64_t unit) {
    std::int64_t low = 0;
    for (unsigned lane = 0; lane < machine::kWarpSize; ++lane)
        if ((example.mask >> lane & 1) != 0) low = std::min(low, example.deltas[lane]);
    const std::int64_t begin = ((example.phase + low) % unit + unit) % unit;
    std::vector<std::int64_t> lanes(machine::kWarpSize, -1);
    for (unsigned lane = 0; lane < machine::kWarpSize; ++lane)
        if ((example.mask >> lane & 1) != 0) lanes[lane] = begin + example.deltas[lane] - low;
    return lanes;
}

struct Choice {
    PictureOf which;
    std::size_t units;
};
// The least, what most requests take, and the most: those that differ.
std::vector<Choice> choices_of(const SeenRequests& seen) {
    std::vector<std::size_t> there;
    for (std::size_t units = 0; units < seen.tally->size(); ++units)
        if ((*seen.tally)[units] != 0 && seen.examples->of(static_cast<unsigned>(units)) != nullptr)
            there.push_back(units);
    if (there.empty()) return {};
    const std::size_t typical = *std::max_element(
        there.begin(), there.end(), [&](std::size_t a, std::size_t b) { return (*seen.tally)[a] < (*seen.tally)[b]; });
    std::vector<Choice> choices;
    if (there.front() != typical) choices.push_back({PictureOf::kBest, there.front()});
    choices.push_back({PictureOf::kTypical, typical});
    if (there.back() != typical) choices.push_back({PictureOf::kWorst, there.back()});
    return choices;
}

void add_access(const SeenRequests& seen, std::uint32_t number, bool banks, const LaunchProfile& launch,
                std::vector<RequestPicture>& pictures) {
    constexpr std::int64_t kSector = 32, kWord = 4;
    const std::uint64_t all = scaled(launch, requests_of(*seen.tally));
    for (const Choice& choice : choices_of(seen)) {
        const RequestExamples::Example& example = *seen.examples->of(static_cast<unsigned>(choice.units));
        RequestPicture picture;
        picture.which = choice.which;
        picture.kind = statement_of(seen.kind);
        picture.banks = banks;
        picture.access = number;
        picture.requests = scaled(launch, (*seen.tally)[choice.units]);
        picture.of = all;
        picture.units = example.units;
        picture.ideal = example.ideal;
        picture.element_bytes = example.width;
        picture.parameter = seen.parameter;
        picture.variable = seen.variable;
        picture.lanes = lanes_of(example, banks ? kWord : kSector);
        pictures.push_back(std::move(picture));
    }
}

bool comes_before(const Access& access, unsigned phase, const RequestExamples::Example& known) {
    if (access.lanes() != known.lanes) return access.lanes() > known.lanes;
    const auto offered = std::tuple<std::uint32_t, std::uint32_t, std::uint32_t>(access.mask, access.width, phase);
    const auto kept = std::tie(known.mask, known.width, known.phase);
    if (offered != kept) return offered < kept;
    return std::lexicographical_compare(access.deltas, access.deltas + machine::kWarpSize, known.deltas.begin(),
                                        known.deltas.end());
}

}  // namespace

bool RequestExamples::Example::comes_before(const Example& other) const {
    if (lanes != other.lanes) return lanes > other.lanes;
    return std::tie(mask, width, phase, deltas) < std::tie(other.mask, other.width, other.phase, other.deltas);
}

const RequestExamples::Example* RequestExamples::of(unsigned units) const {
    const auto found =
        std::find_if(examples_.begin(), examples_.end(), [&](const Example& one) { return one.units == units; });
    return found == examples_.end() ? nullptr : &*found;
}

void RequestExamples::offer(const Access& access, unsigned phase, unsigned units, unsigned ideal) {
    if (units > kMostUnits) return;
    // Most are not it, which shows at once.
    if (const Example* known = of(units); known != nullptr && !comes_before(access, phase, *known)) return;
    Example offered{units, ideal, access.mask, access.lanes(), access.width, phase, {}};
    std::copy_n(access.deltas, machine::kWarpSize, offered.deltas.begin());
    take(offered);
}

void RequestExamples::take(const Example& example) {
    const auto known = std::find_if(examples_.begin(), examples_.end(),
                                    [&](const Example& one) { return one.units == example.units; });
    if (known == examples_.end())
        examples_.push_back(example);
    else if (example.comes_before(*known))
        *known = example;
}

void RequestExamples::merge(const RequestExamples& other) {
    for (const Example& example : other.examples_) take(example);
}

void add_pictures(const machine::Program& program, std::vector<SeenRequests> seen, bool banks, LaunchProfile& launch) {
    std::erase_if(seen, [](const SeenRequests& one) { return requests_of(*one.tally) == 0; });
    // The sites of each line, those with the most requests first.
    std::stable_sort(seen.begin(), seen.end(), [](const SeenRequests& a, const SeenRequests& b) {
        return requests_of(*a.tally) > requests_of(*b.tally);
    });
    std::map<std::pair<std::string, std::uint32_t>, std::vector<const SeenRequests*>> by_line;
    for (const SeenRequests& one : seen) {
        const machine::OpFacts& facts = program.facts[program.sites[one.site].op];
        if (facts.place.line != 0) by_line[{program.files[facts.place.file], facts.place.line}].push_back(&one);
    }
    std::vector<std::pair<std::uint64_t, LineProfile*>> order;
    for (LineProfile& line : launch.lines) {
        const auto found = by_line.find({line.file, line.line});
        if (found == by_line.end() || line.from != LinesFrom::kSource) continue;
        std::uint64_t units = 0;
        for (const SeenRequests* one : found->second) units += units_of(*one->tally);
        order.emplace_back(units, &line);
    }
    std::stable_sort(order.begin(), order.end(), [](const auto& a, const auto& b) { return a.first > b.first; });
    if (order.size() > kLines) order.resize(kLines);
    for (const auto& [units, line] : order) {
        std::uint32_t number = 0;
        for (const SeenRequests* one : by_line[{line->file, line->line}]) {
            if (number == kAccesses) break;
            add_access(*one, number++, banks, launch, line->pictures);
        }
    }
}

}  // namespace tilescope::observers

#include "scope/observers/texel_walks.h"

#include <algorithm>
#include <map>
#include <optional>
#include <string>
#include <utility>

#include "scope/observers/counting.h"
#include "scope/observers/hierarchy/lines.h"
#include "scope/texture/footprint.h"

namespace tilescope::observers {
namespace {

using machine::Texels;
using machine::TexelsKind;

constexpr unsigned kSectorOfRow = 16;  // geometry: bytes of a row in an array's sector of 32

constexpr unsigned kLookedAt = 32;  // numeric: events of a warp
constexpr unsigned kWarpBits = 6;   // numeric: of a block's warps

// The first blocks, and one in 256 of the others, wherever they lie.
bool looks_at(std::uint64_t block) {
    constexpr std::uint64_t kFirst = 4;                 // numeric: blocks
    return block < kFirst || block * kHash >> 56 == 0;  // numeric: eight bits
}

unsigned lanes_of_part(const Texels& event) {
    const unsigned threads =
        event.kind == TexelsKind::kFetch ? texture::threads_of_request(event.image->shape) : texture::kTwoQuads;
    return texture::threads_of_part(threads, event.access.filters, event.access.is_volume, event.access.bytes);
}

TexelMemory memory_of(const Texels& event) {
    if (event.kind != TexelsKind::kFetch) return TexelMemory::kSurface;
    return event.access.is_tiled ? TexelMemory::kArray : TexelMemory::kRows;
}

template <class Key>
std::uint64_t distinct(std::vector<Key>& keys) {
    std::sort(keys.begin(), keys.end());
    return static_cast<std::uint64_t>(std::unique(keys.begin(), keys.end()) - keys.begin());
}

// How far all texels of one list lie from those of another; nothing where they do not go alike.
std::optional<std::pair<std::int64_t, std::int64_t>> step_between(const std::vector<WalkedTexel>& from,
                                                                  const std::vector<WalkedTexel>& to) {
    if (from.size() != to.size() || from.empty()) return {};
    const auto step = [](const WalkedTexel& a, const WalkedTexel& b) {
        return std::pair{std::int64_t{b.column} - a.column, std::int64_t{b.row} - a.row};
    };
    for (std::size_t i = 0; i < from.size(); ++i)
        if (from[i].request != to[i].request || from[i].slice != to[i].slice || from[i].level != to[i].level ||
            step(from[i], to[i]) != step(from.front(), to.front()))
            return {};
    return step(from.front(), to.front());
}

// Whether four places, as steps from the first, are the corners of a square of one texel's side.
bool are_two_by_two(std::array<std::pair<std::int64_t, std::int64_t>, 4> places) {
    std::sort(places.begin(), places.end());
    const auto [x, y] = places[0];
    return places[1] == std::pair{x, y + 1} && places[2] == std::pair{x + 1, y} && places[3] == std::pair{x + 1, y + 1};
}

void add(const TexelWalk& from, TexelWalk& to) {
    for (const auto member :
         {&TexelWalk::fetches, &TexelWalk::requests, &TexelWalk::single, &TexelWalk::sectors, &TexelWalk::row_sectors,
          &TexelWalk::row_lines, &TexelWalk::tile_sectors, &TexelWalk::in_rows, &TexelWalk::by_hand})
        to.*member += from.*member;
}

}  // namespace

bool TexelWalks::Example::comes_before(const Example& other) const {
    if (texels.size() != other.texels.size()) return texels.size() > other.texels.size();
    return texels < other.texels;
}

// The texels of all requests, each once for a request. False: they cannot be told apart.
bool TexelWalks::find_texels(const Texels& event) {
    texels_.clear();
    if (event.image == nullptr) return false;
    const unsigned lanes = lanes_of_part(event), times = texture::times_asked(event.access.filters, event.access.bytes);
    const std::uint32_t active = event.kind == TexelsKind::kFetch ? event.mask : event.touching;
    const unsigned bytes = std::max(1u, event.image->format.bytes());
    const texture::Sector* sector = event.sectors;
    unsigned part = 0;
    for (unsigned first = 0; first < machine::kWarpSize; first += lanes) {
        if ((active >> first & ((1u << lanes) - 1)) == 0) continue;
        for (unsigned i = 0; i < times; ++i, ++part) {
            if (part == event.parts) return false;
            for (unsigned left = event.counts[part]; left != 0; --left, ++sector) {
                for (unsigned byte = 0; byte < texture::Footprint::kSectorBytes; ++byte) {
                    if ((sector->bytes >> byte & 1) == 0) continue;
                    texture::TexelPlace place;
                    if (!texture::find_texel(*event.image, sector->address + byte, place)) return false;
                    texels_.push_back({first / lanes, place.column, place.row, place.slice, place.level});
                    // The rest of the texel, as far as it lies here.
                    byte += bytes - byte % bytes - 1;
                }
            }
        }
    }
    std::sort(texels_.begin(), texels_.end());
    texels_.erase(std::unique(texels_.begin(), texels_.end()), texels_.end());
    return part == event.parts && !texels_.empty();
}

// What loads of the same texels would touch if rows lay one behind the other, and fetches if they lay in tiles.
void TexelWalks::walk(const Texels& event, TexelWalk& walk) {
    const machine::TexelAccess& access = event.access;
    ++walk.fetches;
    walk.requests += event.requests;
    walk.sectors += event.count;
    walk.single +=
        access.filters || access.gathers || access.is_of_levels || access.converts || !access.is_inside ? 0 : 1;
    walk.in_rows += access.is_tiled ? 0 : 1;
    const std::uint64_t bytes = event.image->format.bytes();
    std::vector<std::uint64_t> sectors, lines;
    std::vector<std::array<std::uint64_t, 4>> tiles;
    for (const WalkedTexel& texel : texels_) {
        const texture::Level& level = event.image->levels[texel.level];
        const std::uint64_t at = texel.slice * level.slice + texel.row * level.pitch + texel.column * bytes;
        sectors.push_back(at >> kSectorShift);
        lines.push_back(at >> kLineShift);
        tiles.push_back({texel.request, texel.slice, texel.row / 2, texel.column * bytes / kSectorOfRow});
    }
    walk.row_sectors += distinct(sectors);
    walk.row_lines += distinct(lines);
    walk.tile_sectors += distinct(tiles);
}

void TexelWalks::look_for_neighbours(const Texels& event, std::array<Recent, 3>& recent) {
    std::array<std::pair<std::int64_t, std::int64_t>, 4> places{};
    bool are_alike = true;
    for (std::size_t i = 0; i < recent.size() && are_alike; ++i) {
        const auto step = recent[i].image == event.image ? step_between(texels_, recent[i].texels) : std::nullopt;
        are_alike = step.has_value();
        if (step) places[i + 1] = *step;
    }
    if (are_alike && are_two_by_two(places)) {
        ++of_ops_[event.op].walk.by_hand;
        for (Recent& one : recent) ++of_ops_[one.op].walk.by_hand;
        recent = {};
        return;
    }
    std::move(recent.begin() + 1, recent.end(), recent.begin());
    recent.back() = {event.op, event.image, texels_};
}

void TexelWalks::keep(Example example, std::vector<Example>& examples) {
    const auto known = std::find_if(examples.begin(), examples.end(),
                                    [&](const Example& one) { return one.sectors == example.sectors; });
    if (known == examples.end())
        examples.push_back(std::move(example));
    else if (example.comes_before(*known))
        *known = std::move(example);
}

// Where the image begins is nothing that a picture shows: columns and rows count as the program counts them.
void TexelWalks::keep(const Texels& event, OfOp& of) {
    Example example{event.count, 0, lanes_of_part(event), event.image->format.bytes(), memory_of(event), texels_};
    std::uint64_t bytes = 0;
    for (std::size_t i = 0; i < texels_.size(); ++i) {
        bytes += example.texel_bytes;
        if (i + 1 < texels_.size() && texels_[i + 1].request == texels_[i].request) continue;
        example.ideal += static_cast<std::uint32_t>((bytes + kSectorBytes - 1) / kSectorBytes);
        bytes = 0;
    }
    keep(std::move(example), of.examples);
}

void TexelWalks::take(const Texels& event) {
    OfOp& of = of_ops_[event.op];
    of.kind = event.kind;
    if (of.tally.size() <= event.count) of.tally.resize(event.count + 1);
    ++of.tally[event.count];
    if (!looks_at(event.block->number)) return;
    OfWarp& warp = warps_[event.block->number << kWarpBits | event.warp()];
    if (warp.looked == kLookedAt || !find_texels(event)) return;
    ++warp.looked;
    keep(event, of);
    if (event.kind != TexelsKind::kFetch) return;
    walk(event, of.walk);
    if (!event.access.filters && !event.access.gathers) look_for_neighbours(event, warp.recent);
}

void TexelWalks::end_block(std::uint64_t number) {
    if (!looks_at(number)) return;
    for (std::uint64_t warp = 0; warp < std::uint64_t{1} << kWarpBits; ++warp) warps_.erase(number << kWarpBits | warp);
}

void TexelWalks::merge(const TexelWalks& other) {
    for (std::size_t i = 0; i < of_ops_.size(); ++i) {
        OfOp& of = of_ops_[i];
        const OfOp& theirs = other.of_ops_[i];
        if (theirs.tally.empty()) continue;
        of.kind = theirs.kind;
        add(theirs.walk, of.walk);
        if (of.tally.size() < theirs.tally.size()) of.tally.resize(theirs.tally.size());
        for (std::size_t k = 0; k < theirs.tally.size(); ++k) of.tally[k] += theirs.tally[k];
        for (const Example& example : theirs.examples) keep(example, of.examples);
    }
}

// The least, what most instructions ask for, and the most, of those that were looked at.
void TexelWalks::add_pictures(const OfOp& of, std::uint32_t number, const LaunchProfile& launch,
                              LineProfile& line) const {
    if (of.examples.empty()) return;
    std::uint64_t all = 0;
    for (const std::uint64_t count : of.tally) all += count;
    const auto fewer = [](const Example& a, const Example& b) { return a.sectors < b.sectors; };
    const auto rarer = [&](const Example& a, const Example& b) {
        return std::pair{of.tally[a.sectors], b.sectors} < std::pair{of.tally[b.sectors], a.sectors};
    };
    const Example& best = *std::min_element(of.examples.begin(), of.examples.end(), fewer);
    const Example& typical = *std::max_element(of.examples.begin(), of.examples.end(), rarer);
    const Example& worst = *std::max_element(of.examples.begin(), of.examples.end(), fewer);
    std::vector<std::pair<PictureOf, const Example*>> chosen;
    if (&best != &typical) chosen.emplace_back(PictureOf::kBest, &best);
    chosen.emplace_back(PictureOf::kTypical, &typical);
    if (&worst != &typical && &worst != &best) chosen.emplace_back(PictureOf::kWorst, &worst);
    for (const auto& [which, example] : chosen) {
        RequestPicture picture;
        picture.which = which;
        picture.kind = of.kind == TexelsKind::kSurfaceWrite ? StatementKind::kStore : StatementKind::kLoad;
        picture.access = number;
        picture.requests = scaled(launch, of.tally[example->sectors]);
        picture.of = scaled(launch, all);
        picture.units = example->sectors;
        picture.ideal = example->ideal;
        picture.element_bytes = example->texel_bytes;
        picture.lanes_of_request = example->lanes_of_request;
        picture.memory = example->memory;
        for (const WalkedTexel& texel : example->texels)
            for (const std::int64_t each : {texel.request, texel.column, texel.row, texel.slice})
                picture.texels.push_back(each);
        line.pictures.push_back(std::move(picture));
    }
}

void TexelWalks::add_to(const machine::Program& program, LaunchProfile& launch) const {
    constexpr std::uint32_t kAccesses = 4;  // of a line: what a reader looks at
    std::map<std::pair<std::string, std::uint32_t>, std::vector<const OfOp*>> by_line;
    for (std::size_t op = 0; op < of_ops_.size(); ++op) {
        const machine::OpFacts& facts = program.facts[op];
        if (!of_ops_[op].tally.empty() && facts.place.line != 0)
            by_line[{program.files[facts.place.file], facts.place.line}].push_back(&of_ops_[op]);
    }
    for (LineProfile& line : launch.lines) {
        const auto found = by_line.find({line.file, line.line});
        if (found == by_line.end() || line.from != LinesFrom::kSource) continue;
        TexelWalk walk;
        std::uint32_t number = 0;
        for (const OfOp* of : found->second) {
            add(of->walk, walk);
            if (number < kAccesses) add_pictures(*of, number++, launch, line);
        }
        if (walk.fetches != 0) line.texels = walk;
    }
}

}  // namespace tilescope::observers

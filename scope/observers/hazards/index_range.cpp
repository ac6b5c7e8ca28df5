#include "scope/observers/hazards/index_range.h"

#include <algorithm>
#include <cstring>
#include <map>
#include <set>
#include <vector>

namespace tilescope::observers {
namespace {

using machine::IndexAtom;
using machine::IndexFactor;
using machine::IndexForm;
using machine::IndexTerm;

std::optional<IndexRange> range_of_atom(const IndexAtom& atom, const HazardContext& launch) {
    const auto at = static_cast<unsigned>(atom.what);
    const auto axis = at % 3;  // geometry: x, y and z follow each other
    switch (atom.what) {
        case IndexFactor::kTidX:
        case IndexFactor::kTidY:
        case IndexFactor::kTidZ: return IndexRange{0, __int128{launch.block[axis]} - 1};
        case IndexFactor::kCtaidX:
        case IndexFactor::kCtaidY:
        case IndexFactor::kCtaidZ: return IndexRange{0, __int128{launch.grid[axis]} - 1};
        case IndexFactor::kNtidX:
        case IndexFactor::kNtidY:
        case IndexFactor::kNtidZ: return IndexRange{launch.block[axis], launch.block[axis]};
        case IndexFactor::kNctaidX:
        case IndexFactor::kNctaidY:
        case IndexFactor::kNctaidZ: return IndexRange{launch.grid[axis], launch.grid[axis]};
        case IndexFactor::kParameter:
            if (const auto value = parameter_value(atom, launch)) return IndexRange{*value, *value};
            return std::nullopt;
        case IndexFactor::kTurns:
        case IndexFactor::kOther: break;
    }
    return std::nullopt;
}

IndexRange times(const IndexRange& a, const IndexRange& b) {
    const __int128 ends[] = {a.low * b.low, a.low * b.high, a.high * b.low, a.high * b.high};
    return {*std::min_element(std::begin(ends), std::end(ends)), *std::max_element(std::begin(ends), std::end(ends))};
}

bool is_length(const IndexAtom& atom) { return atom.what == IndexFactor::kParameter && atom.bytes < 8; }

}  // namespace

std::optional<std::int64_t> parameter_value(const IndexAtom& atom, const HazardContext& launch) {
    if (launch.parameters.size() < atom.bytes || atom.which > launch.parameters.size() - atom.bytes)
        return std::nullopt;
    const std::byte* at = launch.parameters.data() + atom.which;
    if (atom.bytes == sizeof(std::int32_t)) {
        std::int32_t value = 0;
        std::memcpy(&value, at, sizeof value);
        return value;
    }
    std::int64_t value = 0;
    if (atom.bytes != sizeof value) return std::nullopt;
    std::memcpy(&value, at, sizeof value);
    // Beyond this it is a pointer, and products of several would not fit.
    constexpr std::int64_t kMost = std::int64_t{1} << 40;  // numeric: more elements than a device holds
    return value > -kMost && value < kMost ? std::optional(value) : std::nullopt;
}

std::optional<IndexRange> range_of(const IndexForm& form, const HazardContext& launch) {
    IndexRange all;
    for (const IndexTerm& term : form) {
        constexpr std::int64_t kMostScale = std::int64_t{1} << 40;  // numeric: see above
        if (term.scale <= -kMostScale || term.scale >= kMostScale) return std::nullopt;
        IndexRange product{term.scale, term.scale};
        unsigned wide = 0;  // factors that may be large
        for (const IndexAtom& factor : term.factors) {
            const auto range = range_of_atom(factor, launch);
            wide += factor.bytes > sizeof(std::int32_t) ? 1 : 0;
            if (!range || wide > 1) return std::nullopt;
            product = times(product, *range);
        }
        all.low += product.low;
        all.high += product.high;
    }
    return all;
}

std::optional<IndexAtom> row_length_of(const machine::AccessIndex& access) {
    std::optional<IndexAtom> length;
    bool walks_rows = false, has_neighbours = false;
    for (const IndexTerm& term : access.bytes) {
        const auto lengths = std::count_if(term.factors.begin(), term.factors.end(), is_length);
        const auto has = [&](IndexFactor what) {
            return std::any_of(term.factors.begin(), term.factors.end(),
                               [&](const IndexAtom& factor) { return factor.what == what; });
        };
        if (has(IndexFactor::kOther)) return std::nullopt;
        if (term.factors.size() == 1 && has(IndexFactor::kTidX)) has_neighbours = term.scale == access.width;
        if (lengths == 0) continue;
        const auto found = std::find_if(term.factors.begin(), term.factors.end(), is_length);
        if (lengths > 1 || (length && *length != *found) || term.scale % access.width != 0) return std::nullopt;
        length = *found;
        if (has(IndexFactor::kTidX)) return std::nullopt;
        walks_rows |= has(IndexFactor::kTidY);
    }
    return walks_rows && has_neighbours ? length : std::nullopt;
}

std::vector<ShapedRows> rows_by_index(const machine::Program& program, const HazardContext& launch) {
    std::map<std::int32_t, std::optional<ShapedRows>> by_pointer;
    for (const machine::AccessIndex& access : program.index_facts.accesses) {
        const auto length = row_length_of(access);
        const auto elements = length ? parameter_value(*length, launch) : std::nullopt;
        if (!elements || *elements <= 0) continue;
        const machine::PointerSource& source = program.pointers[static_cast<std::size_t>(access.pointer)];
        const auto address = machine::address_of(source, launch.parameters);
        const auto allocation = address ? launch.memory->find(*address) : std::nullopt;
        if (!allocation || allocation->base != *address) continue;
        ShapedRows rows;
        rows.source = source;
        rows.base = *address;
        rows.element = access.width;
        rows.bytes = rows.pitch = static_cast<std::uint64_t>(*elements) * access.width;
        rows.count = allocation->size / rows.bytes;
        rows.is_derived = true;
        // What is no whole number of rows has other ones.
        const bool fits = rows.count > 1 && allocation->size % rows.bytes == 0;
        const auto [known, fresh] = by_pointer.try_emplace(access.pointer, fits ? std::optional(rows) : std::nullopt);
        if (!fresh && (!fits || !known->second || known->second->bytes != rows.bytes)) known->second.reset();
    }
    std::vector<ShapedRows> list;
    for (auto& [pointer, rows] : by_pointer)
        if (rows) list.push_back(std::move(*rows));
    return list;
}

}  // namespace tilescope::observers

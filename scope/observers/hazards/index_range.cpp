#include "scope/observers/hazards/index_range.h"

#include <algorithm>
#include <cstring>
#include <map>
#include <numeric>
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

bool has_atom(const IndexTerm& term, IndexFactor what) {
    return std::any_of(term.factors.begin(), term.factors.end(),
                       [&](const IndexAtom& factor) { return factor.what == what; });
}

// In one order, and without what has no factor.
using Terms = std::map<std::vector<IndexAtom>, std::int64_t>;
Terms terms_of(const IndexForm& form) {
    Terms terms;
    for (const IndexTerm& term : form)
        if (!term.factors.empty()) terms[term.factors] += term.scale;
    return terms;
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

std::optional<RowShape> row_shape_of(const machine::AccessIndex& access) {
    RowShape shape;
    bool has_length = false, walks_rows = false, has_neighbours = false;
    for (const IndexTerm& term : access.bytes) {
        const auto has = [&](IndexFactor what) { return has_atom(term, what); };
        const auto lengths = std::count_if(term.factors.begin(), term.factors.end(), is_length);
        if (has(IndexFactor::kOther) || lengths > 1 || term.scale % access.width != 0) return std::nullopt;
        if (lengths == 0) {
            if (has(IndexFactor::kTidY) || has(IndexFactor::kTidZ)) return std::nullopt;  // rows that are shifted
            if (term.factors.size() == 1 && has(IndexFactor::kTidX)) has_neighbours = term.scale == access.width;
            if (!term.factors.empty()) shape.column.push_back({term.scale / access.width, term.factors});
            continue;
        }
        const auto found = std::find_if(term.factors.begin(), term.factors.end(), is_length);
        if ((has_length && shape.length != *found) || has(IndexFactor::kTidX)) return std::nullopt;
        has_length = true;
        shape.length = *found;
        shape.scale = std::gcd(shape.scale, term.scale);
        walks_rows |= has(IndexFactor::kTidY);
        IndexTerm row = term;
        row.factors.erase(row.factors.begin() + (found - term.factors.begin()));
        if (!row.factors.empty()) shape.row.push_back(std::move(row));
    }
    for (IndexTerm& term : shape.row) term.scale /= shape.scale;
    return walks_rows && has_neighbours ? std::optional(std::move(shape)) : std::nullopt;
}

bool has_other_end(const RowShape& shape, const std::vector<machine::IndexComparison>& comparisons) {
    const auto ends = [&](const IndexForm& column, const IndexForm& end) {
        if (terms_of(column) != terms_of(shape.column)) return false;
        constexpr std::int64_t kLeastEnd = 2;  // numeric: below it the beginning is asked for
        const bool is_constant =
            std::all_of(end.begin(), end.end(), [](const IndexTerm& t) { return t.factors.empty(); });
        if (is_constant) return !end.empty() && end.front().scale >= kLeastEnd;
        return std::none_of(end.begin(), end.end(), [&](const IndexTerm& term) {
            return std::find(term.factors.begin(), term.factors.end(), shape.length) != term.factors.end();
        });
    };
    return std::any_of(comparisons.begin(), comparisons.end(), [&](const machine::IndexComparison& comparison) {
        return ends(comparison.left, comparison.right) || ends(comparison.right, comparison.left);
    });
}

std::vector<ShapedRows> rows_by_index(const machine::Program& program, const HazardContext& launch) {
    std::map<std::int32_t, std::optional<ShapedRows>> by_pointer;
    for (const machine::AccessIndex& access : program.index_facts.accesses) {
        const auto shape = access.width == 0 ? std::nullopt : row_shape_of(access);
        const auto elements = shape ? parameter_value(shape->length, launch) : std::nullopt;
        if (!elements || *elements <= 0) continue;
        const machine::PointerSource& source = program.pointers[static_cast<std::size_t>(access.pointer)];
        const auto address = machine::address_of(source, launch.parameters);
        const auto allocation = address ? launch.memory->find(*address) : std::nullopt;
        if (!allocation || allocation->base != *address) continue;
        ShapedRows rows;
        rows.source = source;
        rows.base = *address;
        rows.element = access.width;
        rows.bytes = rows.pitch = static_cast<std::uint64_t>(*elements) * static_cast<std::uint64_t>(shape->scale);
        rows.is_derived = true;
        const auto fits = [&](ShapedRows& some) {
            some.count = allocation->size / some.bytes;
            return some.count > 1 && allocation->size % some.bytes == 0;
        };
        // What is no whole number of rows has other ones.
        const bool is_one = fits(rows) && !has_other_end(*shape, program.index_facts.comparisons);
        const auto reached = range_of(shape->row, launch);
        if (is_one && reached && reached->high + 1 < rows.count) continue;
        const auto [known, fresh] = by_pointer.try_emplace(access.pointer, is_one ? std::optional(rows) : std::nullopt);
        if (fresh || !known->second) continue;
        // Two rows at a time are rows, too.
        ShapedRows both = *known->second;
        both.bytes = both.pitch = std::gcd(both.bytes, rows.bytes);
        const bool is_same = both.bytes == rows.bytes || both.bytes == known->second->bytes;
        if (is_one && is_same && rows.element == both.element && fits(both))
            known->second = both;
        else
            known->second.reset();
    }
    std::vector<ShapedRows> list;
    for (auto& [pointer, rows] : by_pointer)
        if (rows) list.push_back(std::move(*rows));
    return list;
}

}  // namespace tilescope::observers

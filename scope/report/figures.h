// A few figures of a finite set, each with its name and its unit: what a conclusion goes by, apart from its words.
//
// Guarantees: a figure is there at most once; two sets with the same figures are equal, whatever the order in which
// they were put in. Counts up to 2^53 are exact.
#pragma once

#include <algorithm>
#include <cstdint>
#include <initializer_list>
#include <optional>
#include <string_view>
#include <utility>
#include <vector>

namespace tilescope {

template <class Figure>
class FigureSet {
public:
    using Kind = Figure;

    FigureSet() = default;
    FigureSet(std::initializer_list<std::pair<Figure, double>> figures) {
        for (const auto& [figure, value] : figures) set(figure, value);
    }

    void set(Figure figure, double value) {
        const auto at = place(figure);
        if (at != values_.end() && at->first == figure)
            values_[static_cast<std::size_t>(at - values_.begin())].second = value;
        else
            values_.insert(at, {figure, value});
    }
    std::optional<double> find(Figure figure) const {
        const auto at = place(figure);
        return at != values_.end() && at->first == figure ? std::optional(at->second) : std::nullopt;
    }
    // 0 for one that is not there.
    double operator[](Figure figure) const { return find(figure).value_or(0); }
    // Of a profile that was read it may be anything; what is no count is 0.
    std::uint64_t count(Figure figure) const {
        constexpr double kTooMany = 0x1p64;
        const double value = (*this)[figure];
        return value > 0 && value < kTooMany ? static_cast<std::uint64_t>(value) : 0;
    }
    bool empty() const { return values_.empty(); }
    bool operator==(const FigureSet&) const = default;

private:
    auto place(Figure figure) const {
        return std::lower_bound(values_.begin(), values_.end(), figure,
                                [](const auto& known, Figure wanted) { return known.first < wanted; });
    }

    std::vector<std::pair<Figure, double>> values_;  // in the order of the figures
};

}  // namespace tilescope

namespace tilescope::report {

template <class Figure>
struct FigureRow {
    Figure figure;
    const char* name;  // in JSON
    const char* unit;
    const char* about;  // one line
};

// The one table of a set of figures, in the order of their values.
template <class Figure>
inline constexpr auto kFigureRows = nullptr;

// Each figure as a field of its own; those that are not there are absent.
template <class V, class Figures>
void describe_figures(V& v, Figures& figures) {
    for (const auto& row : kFigureRows<typename Figures::Kind>) {
        std::optional<double> value = figures.find(row.figure);
        v.field(row.name, value, row.unit, row.about);
        if constexpr (V::kReads)
            if (value) figures.set(row.figure, *value);
    }
}

}  // namespace tilescope::report

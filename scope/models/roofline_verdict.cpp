#include "scope/models/roofline_verdict.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>

namespace tilescope::models {
namespace {

// From here on a kernel counts as being at its roof: copies reach some nine tenths of a DRAM's rate.
constexpr double kAtTheRoof = 0.75;
constexpr double kMoreThanRounding = 1.02;

// "64" for 64.3, "1.994" and "12.5402": significant digits without zeros at the end, no exponent.
std::string digits(double value, int count) {
    if (value == 0) return "0";
    const int exponent = static_cast<int>(std::floor(std::log10(std::abs(value))));
    const double unit = std::pow(10.0, exponent - count + 1);
    const double shown = std::round(value / unit) * unit;
    std::string text = fmt::format("{:.{}f}", shown, std::max(0, count - 1 - exponent));
    if (text.find('.') != std::string::npos) {
        text.erase(text.find_last_not_of('0') + 1);
        if (text.back() == '.') text.pop_back();
    }
    return text;
}

struct Scaled {
    double value = 0;
    const char* prefix = "";
};
Scaled scaled(double value) {
    constexpr std::array<Scaled, 5> kPrefixes = {{{1e15, "P"}, {1e12, "T"}, {1e9, "G"}, {1e6, "M"}, {1e3, "k"}}};
    // What rounds to 1000 of one is 1 of the next.
    constexpr double kRounds = 0.9995;
    for (const Scaled& row : kPrefixes)
        if (value >= kRounds * row.value) return {value / row.value, row.prefix};
    return {value, ""};
}

constexpr int kShort = 3, kOfRoofs = 4, kExact = 6, kShareShort = 2, kShareExact = 4;

std::string with_more(double value, int few, int many, const std::string& unit, const std::string& in_brackets = {}) {
    const std::string brief = digits(value, few), full = digits(value, many);
    return brief + unit + (brief == full ? "" : " (" + full + in_brackets + ")");
}

std::string times(double factor) { return digits(factor, kShareShort) + "×"; }

// The point that sets what is attainable; null when a flat roof does.
const RooflinePoint* binding_point(const RooflineProfile& roofline) {
    const RooflinePoint* least = nullptr;
    for (const RooflinePoint& point : roofline.points)
        if (!is_modelled(point.level) && point.bound == roofline.bound &&
            (least == nullptr || point.ceiling < least->ceiling))
            least = &point;
    return least != nullptr && least->bound != roofline.type ? least : nullptr;
}

class Speaker {
public:
    Speaker(const Roofs& roofs, const RooflineWork& work, const RooflineProfile& roofline)
        : work_(work), roofline_(roofline), point_(binding_point(roofline)) {
        unit_ = "FLOP";
        for (const TypedWork& part : work.types)
            if (const ComputeRoof* roof = roofs.of_type(part.type); roof != nullptr && part.operations > 0)
                unit_ = roof->unit.substr(0, roof->unit.find('/'));
    }

    std::string speak() {
        padding();
        if (point_ == nullptr)
            compute_bound();
        else if (point_->level == TrafficLevel::kRequested)
            memory_bound();
        else
            chip_bound();
        if (roofline_.achieved) measured(*roofline_.achieved);
        return std::move(text_);
    }

private:
    void say(const std::string& sentence) { text_ += (text_.empty() ? "" : " ") + sentence; }
    std::string speed(double value) const { return rate(value, unit_ + "/s"); }
    std::string per_byte(double value) const { return rounded(value) + " " + unit_ + "/B"; }
    std::string of_peak() const { return share(roofline_.of_peak) + " of the " + roofline_.type + " peak"; }

    // What is said of operations from here on is said of those that are of use.
    void padding() {
        constexpr double kWorthSaying = 0.01;
        const double all = work_.operations() + work_.padded;
        if (work_.padded < kWorthSaying * all) return;
        say("Of " + digits(all, kExact) + " " + unit_ + " " + share(work_.padded / all) +
            " multiply padding; the others:");
    }
    void compute_bound() {
        const auto asked = std::find_if(roofline_.points.begin(), roofline_.points.end(),
                                        [](const RooflinePoint& p) { return p.level == TrafficLevel::kRequested; });
        if (asked == roofline_.points.end())
            return say("Compute-bound: nothing is asked of global memory; " + flat_roof() + ".");
        say("Compute-bound: " + per_byte(asked->intensity) + " is " + times(asked->intensity / asked->ridge) +
            " the ridge of " + rounded(asked->ridge) + "; " + flat_roof() + ", and more " + unit_ +
            " per byte gain nothing.");
    }
    std::string flat_roof() const {
        return "the flat roof of " + speed(roofline_.peak) + " (" + roofline_.type + ") binds";
    }

    void memory_bound() {
        say("Memory-bound: " +
            (work_.counted ? rounded(point_->intensity) + " " + unit_ + " per byte that threads ask for allow "
                           : per_byte(point_->intensity) + " allows ") +
            speed(point_->ceiling) + " at " + rate_of_roof(point_->bandwidth, "B/s") + " of DRAM, " + of_peak() + ".");
        say("The ridge lies at " + per_byte(point_->ridge) + ": passing it needs " +
            times(point_->ridge / point_->intensity) + " more " + unit_ + " per byte" + by_tiling() + ".");
        if (const RooflinePoint* dram = point_of(TrafficLevel::kDram); dram != nullptr) {
            say("Of those bytes " + share(static_cast<double>(dram->bytes) / static_cast<double>(point_->bytes)) +
                " reach DRAM (modelled), which allows " + speed(dram->ceiling) + ".");
        } else if (work_.counted && !roofline_.achieved) {
            say("What caches catch comes on top: it was not modelled in this run.");
        }
    }
    const RooflinePoint* point_of(TrafficLevel level) const {
        for (const RooflinePoint& point : roofline_.points)
            if (point.level == level) return &point;
        return nullptr;
    }

    // How tiles would get there, as far as what is known of the kernel says so.
    std::string by_tiling() const {
        const double factor = point_->ridge / point_->intensity;
        if (!work_.counted) {
            const std::string width = std::to_string(tile_width_for(factor));
            return "; T × T tiles give a matrix product T times as much: " + width + " × " + width + " would do it";
        }
        if (!work_.loaded_bytes) return {};
        const double others = static_cast<double>(point_->bytes) - *work_.loaded_bytes;
        const double once = work_.operations() / (others + *work_.loaded_once_bytes);
        constexpr double kGain = 1.05;
        if (once < kGain * point_->intensity) return by_wider_tiles(others, factor);
        std::string text = "; each block asking for each byte once would give " + per_byte(once);
        if (once >= point_->ridge) return text + " and do it";
        if (work_.tile_width) {
            // Reuse grows with the tile, stores stay.
            for (unsigned width = 2 * *work_.tile_width; width <= kWidestTile; width *= 2)
                if (work_.operations() / (others + *work_.loaded_bytes / width) >= point_->ridge)
                    return text + ", tiles of " + std::to_string(width) + " × " + std::to_string(width) +
                           " would do it";
        }
        if (!work_.loaded_by_grid_bytes) return text + ", which is not enough at this block size";
        const double at_best = work_.operations() / (others + *work_.loaded_by_grid_bytes);
        if (at_best >= point_->ridge) return text + ", which is not enough at this block size";
        return text +
               ", which is not enough, and no block size is: if the whole grid asked for each byte once, it would be " +
               per_byte(at_best);
    }

    // For blocks that ask for hardly a byte twice: whether larger ones could share what blocks ask for now. A tile that
    // is n times as wide and as high asks for an n-th.
    std::string by_wider_tiles(double others, double factor) const {
        const std::string seen = ", and its blocks ask for hardly a byte twice";
        if (!work_.loaded_by_grid_bytes || *work_.loaded_by_grid_bytes <= 0) return seen;
        constexpr double kWorthWider = 1.5;
        const double blocks = *work_.loaded_once_bytes / *work_.loaded_by_grid_bytes;
        if (blocks < kWorthWider) return seen + ", nor do several blocks for the same one: tiling cannot help";
        const std::string shared =
            seen + ", but " + times(blocks).substr(0, times(blocks).find("×")) + " blocks ask for each: ";
        const unsigned wider = tile_width_for(factor);
        if (wider <= blocks && work_.operations() / (others + *work_.loaded_once_bytes / wider) >= point_->ridge)
            return shared + "tiles " + std::to_string(wider) + " times as wide and high would do it";
        const double at_best = work_.operations() / (others + *work_.loaded_by_grid_bytes);
        return shared + "wider tiles would give up to " + per_byte(at_best) +
               (at_best < point_->ridge ? ", which is not enough at any block size" : "");
    }

    void chip_bound() {
        const bool shared = point_->level == TrafficLevel::kShared;
        say("Bound by " + roof_name(slope_of(point_->level)) + ": " + rounded(point_->intensity) + " " + unit_ +
            " per byte through " + (shared ? "its banks (128 B a wavefront)" : "it (32 B a sector)") + " allow " +
            speed(point_->ceiling) + " at " + rate_of_roof(point_->bandwidth, "B/s") + ", " + of_peak() + ".");
        const std::string needed = times(point_->ridge / point_->intensity);
        if (shared)
            say("Passing the ridge needs " + needed +
                " fewer wavefronts: what a thread keeps in registers it need not read again.");
        else
            say("Passing the ridge needs " + needed + " fewer sectors" + waste() + ".");
        for (const RooflinePoint& other : roofline_.points)
            if (other.level == TrafficLevel::kRequested)
                say("For the bytes asked for, " + roof_name(other.bound) + " would allow " + speed(other.ceiling) +
                    ".");
    }
    // Sectors that bring more than was asked for can be saved by asking in order.
    std::string waste() const {
        constexpr double kWorthSaying = 1.3;
        for (const RooflinePoint& other : roofline_.points) {
            const double carried = static_cast<double>(point_->bytes) / static_cast<double>(other.bytes);
            if (other.level == TrafficLevel::kRequested && carried > kWorthSaying)
                return ": they carry " + times(carried) + " the bytes asked for";
        }
        return {};
    }

    void measured(double achieved) {
        const double part = achieved / roofline_.attainable;
        const std::string head = (roofline_.achieved_modelled ? "Modelled: " : "Measured: ") + speed(achieved) + ", ";
        if (part > kMoreThanRounding) return above(head + times(part) + " this roof", achieved);
        const std::string so_far = head + share(part) + " of this roof: ";
        if (point_ == nullptr)
            return say(so_far +
                       (part >= kAtTheRoof
                            ? "it is at the flat roof, and only fewer operations or a faster unit help."
                            : "neither arithmetic nor bandwidth is used up; look for waiting first (few warps, "
                              "chains of dependent instructions)."));
        if (part >= kAtTheRoof) return say(so_far + "it is on the slope, and only more " + unit_ + " per byte help.");
        say(so_far + "at least " + share(1 - part) +
            " of the bandwidth is left; use that first (more bytes in flight), before raising the intensity.");
    }
    void above(const std::string& head, double achieved) {
        const bool asked = point_ != nullptr && point_->level == TrafficLevel::kRequested;
        if (!asked || !work_.counted)
            return say(head + ": more than these roofs allow; check the time, the device and the type.");
        const double caught = 1 - roofline_.attainable / achieved;
        std::string text = head + ": caches caught at least " + share(caught) + " of the bytes asked for";
        const RooflinePoint* next = nullptr;
        for (const RooflinePoint& other : roofline_.points)
            if (other.level != TrafficLevel::kRequested && (next == nullptr || other.ceiling < next->ceiling))
                next = &other;
        if (next != nullptr)
            text += "; it is at " + share(achieved / next->ceiling) + " of the next roof, " + roof_name(next->bound);
        say(text + ".");
    }

    static constexpr unsigned kWidestTile = 1024;

    const RooflineWork& work_;
    const RooflineProfile& roofline_;
    const RooflinePoint* point_;
    std::string unit_, text_;
};

}  // namespace

std::string rounded(double value) {
    const std::string text = digits(value, kShort);
    // "2.0" rather than "2": it is not a count.
    return text.size() == 1 ? text + ".0" : text;
}
std::string with_exact(double value, const std::string& unit) {
    const std::string exact = digits(value, kExact);
    return rounded(value) + " " + unit + (exact == digits(value, kShort) ? "" : " (" + exact + ")");
}
std::string rate(double value, const std::string& unit) {
    const Scaled parts = scaled(value);
    return digits(parts.value, kShort) + " " + parts.prefix + unit;
}
std::string rate_of_roof(double value, const std::string& unit) {
    const Scaled parts = scaled(value);
    return digits(parts.value, kOfRoofs) + " " + parts.prefix + unit;
}
std::string rate_with_exact(double value, const std::string& unit) {
    const Scaled parts = scaled(value);
    return with_more(parts.value, kShort, kExact, std::string(" ") + parts.prefix + unit);
}
std::string share(double fraction) { return digits(100 * fraction, kShareShort) + " %"; }
std::string share_with_exact(double fraction) {
    return with_more(100 * fraction, kShareShort, kShareExact, " %", " %");
}

std::string roof_name(MemoryLevel level) {
    switch (level) {
        case MemoryLevel::kDram: return "DRAM";
        case MemoryLevel::kL2: return "L2";
        case MemoryLevel::kL1: return "L1";
        case MemoryLevel::kShared: return "shared memory";
    }
    return "memory";
}
std::string roof_name(const std::string& bound) {
    const auto level = report::by_name<MemoryLevel>(bound);
    return level ? roof_name(*level) : bound;
}

std::string verdict(const Roofs& roofs, const RooflineWork& work, const RooflineProfile& roofline) {
    return Speaker(roofs, work, roofline).speak();
}

}  // namespace tilescope::models

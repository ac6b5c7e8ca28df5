#include "scope/models/roofline_chart.h"

#include <algorithm>
#include <cmath>
#include <limits>

#include "scope/report/quantities.h"

namespace tilescope::models {
namespace {

using report::Chart;
using report::rate;
using report::rate_of_roof;
using report::roof_name;

// Marks of more levels than the one asked for crowd the picture when there are many kernels.
constexpr std::size_t kKernelsInDetail = 3;

// One line for all roofs of about the same height.
struct Line {
    std::string names;
    double height = 0;
};
void add_line(std::vector<Line>& lines, const std::string& name, double height) {
    constexpr double kSame = 0.005;
    for (Line& line : lines)
        if (std::abs(line.height - height) <= kSame * height) {
            line.names += ", " + name;
            return;
        }
    lines.push_back({name, height});
}

std::string short_name(MemoryLevel level) { return level == MemoryLevel::kShared ? "shared" : roof_name(level); }

double power_of_ten_below(double value) { return std::pow(10.0, std::floor(std::log10(value) + 1e-9)); }
double power_of_ten_above(double value) { return std::pow(10.0, std::ceil(std::log10(value) - 1e-9)); }

class Builder {
public:
    Builder(const Roofs& roofs, const std::vector<Standing>& kernels) : roofs_(roofs), kernels_(kernels) {
        if (!kernels.empty()) {
            type_ = kernels.front().roofline.type;
            peak_ = kernels.front().roofline.peak;
        } else if (!roofs.compute.empty()) {
            const ComputeRoof* usual = roofs.of_type("fp32");
            type_ = (usual != nullptr ? *usual : roofs.compute.front()).type;
            peak_ = (usual != nullptr ? *usual : roofs.compute.front()).peak;
        }
        unit_ = "FLOP";
        if (const ComputeRoof* roof = roofs.of_type(type_)) unit_ = roof->unit.substr(0, roof->unit.find('/'));
        for (const ComputeRoof& roof : roofs.compute)
            if (roof.unit == unit_ + "/s") add_line(ceilings_, roof.type, roof.peak);
        add_line_of_mixtures();
        for (const MemoryRoof& roof : roofs.memory) add_line(slopes_, short_name(roof.level), roof.bandwidth);
        for (const Line& line : ceilings_) top_ = std::max(top_, line.height);
    }

    Chart build() {
        chart_.title = "Roofline of " + (roofs_.device.empty() ? "this machine" : roofs_.device);
        chart_.x.title = "arithmetic intensity, " + unit_ + "/byte";
        chart_.y.title = unit_ + "/s";
        chart_.x.logarithmic = chart_.y.logarithmic = true;
        if (slopes_.empty() || ceilings_.empty()) return chart_;
        axes();
        curves();
        marks();
        return std::move(chart_);
    }

private:
    // Kernels whose types take turns have a ceiling of their own.
    void add_line_of_mixtures() {
        for (const Standing& kernel : kernels_)
            if (roofs_.of_type(kernel.roofline.type) == nullptr)
                add_line(ceilings_, kernel.roofline.type, kernel.roofline.peak);
    }
    double dram() const {
        const MemoryRoof* roof = roofs_.of_level(MemoryLevel::kDram);
        return roof != nullptr ? roof->bandwidth : slopes_.front().height;
    }

    // Whole decades that hold all points, the ridges, and some slope left of them.
    void axes() {
        constexpr double kLeft = 0.1, kSlopeShown = 10, kRight = 2.2, kAbove = 1.5, kBelow = 2, kPointMargin = 1.2;
        double left = std::min(kLeft, peak_ / dram() / kSlopeShown), right = kRight * top_ / dram();
        double lowest = std::numeric_limits<double>::max();
        for (const Standing& kernel : kernels_)
            for (const RooflinePoint& point : kernel.roofline.points) {
                left = std::min(left, point.intensity / kPointMargin);
                right = std::max(right, point.intensity * kRight);
                lowest = std::min(lowest, kernel.roofline.achieved.value_or(point.ceiling) / kBelow);
            }
        chart_.x.least = power_of_ten_below(left);
        chart_.x.most = power_of_ten_above(right);
        chart_.y.least = power_of_ten_below(std::min(lowest, chart_.x.least * dram() * kBelow));
        chart_.y.most = power_of_ten_above(top_ * kAbove);
    }

    void curves() {
        const double left = chart_.x.least, right = chart_.x.most;
        for (const Line& slope : slopes_) {
            chart_.curves.push_back({slope.names + " " + rate_of_roof(slope.height, "B/s"),
                                     {{left, left * slope.height}, {peak_ / slope.height, peak_}},
                                     false,
                                     slope.height == dram()});
        }
        // Thin lines lead on to the higher ceilings, for other types, and to the faster slopes, for other levels.
        double fastest = dram();
        for (const Line& slope : slopes_) fastest = std::max(fastest, slope.height);
        if (top_ > peak_) chart_.curves.push_back({"", {{peak_ / dram(), peak_}, {top_ / dram(), top_}}, false, false});
        if (fastest > dram())
            chart_.curves.push_back({"", {{peak_ / fastest, peak_}, {peak_ / dram(), peak_}}, false, false});
        for (const Line& ceiling : ceilings_)
            chart_.curves.push_back({ceiling.names + " " + rate_of_roof(ceiling.height, unit_ + "/s"),
                                     {{ceiling.height / dram(), ceiling.height}, {right, ceiling.height}},
                                     false,
                                     ceiling.height == peak_});
    }

    void marks() {
        const bool all_levels = kernels_.size() <= kKernelsInDetail;
        for (const Standing& kernel : kernels_) {
            const auto& points = kernel.roofline.points;
            const bool several = all_levels && points.size() > 1;
            chart_.at_ceilings = chart_.at_ceilings || (!kernel.roofline.achieved && !points.empty());
            // The lowest ceiling that was counted is where the kernel stands.
            const auto lowest = std::min_element(points.begin(), points.end(), [](const auto& a, const auto& b) {
                return std::pair(is_modelled(a.level), a.ceiling) < std::pair(is_modelled(b.level), b.ceiling);
            });
            for (const RooflinePoint& point : points) {
                const bool binds = &point == &*lowest;
                if (!binds && !several) continue;
                std::string name = kernel.name;
                // A kernel that has one point of several says which one it is.
                if (points.size() > 1)
                    name +=
                        point.level == TrafficLevel::kRequested
                            ? ", as requested"
                            : ", " + short_name(slope_of(point.level)) + (is_modelled(point.level) ? " (modeled)" : "");
                const double height = kernel.roofline.achieved.value_or(point.ceiling);
                chart_.marks.push_back({name + ": " + rate(height, unit_ + "/s"), point.intensity, height, binds});
            }
        }
    }

    const Roofs& roofs_;
    const std::vector<Standing>& kernels_;
    std::string type_, unit_;
    double peak_ = 0, top_ = 0;
    std::vector<Line> ceilings_, slopes_;
    Chart chart_;
};

}  // namespace

Chart roofline_chart(const Roofs& roofs, const std::vector<Standing>& kernels) {
    return Builder(roofs, kernels).build();
}

}  // namespace tilescope::models

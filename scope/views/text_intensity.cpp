#include "scope/views/text_intensity.h"

#include <cmath>
#include <cstdint>
#include <cstdio>
#include <utility>

#include "scope/base/names.h"
#include "scope/report/format.h"
#include "scope/report/ratios.h"
#include "scope/views/groups.h"

namespace tilescope::views {
namespace {

using C = Counter;

class IntensityRows {
public:
    IntensityRows(const TextContext& context, const LaunchProfile& launch, std::size_t room)
        : context_(context), options_(context.options), launch_(launch), c_(launch.counters), room_(room) {}

    std::vector<std::string> write() {
        const auto value = ratio_by_name("intensity")->value(c_);
        if (flop(c_) == 0) return {without_flop()};
        if (!value) return {thousands(flop(c_)) + " FLOP in " + types() + ", " + asked_otherwise()};
        std::string asked = plain_intensity(*value) + " FLOP/B asked for in " + types();
        const std::optional<double> useful = useful_intensity(launch_);
        const bool is_padded =
            useful && static_cast<double>(launch_.padded_flop.all()) >= kWorthSaying * static_cast<double>(flop(c_));
        if (is_padded) asked += ", of which " + plain_intensity(*useful) + " useful";
        // The comparison is left out where it would not fit the line.
        if (const std::string compared = against_baseline(*value); columns(asked) + columns(compared) <= room_)
            asked += compared;
        const std::string needed = needs(is_padded ? *useful : *value);
        if (needed.empty() || columns(asked + "; " + needed) <= room_)
            lines_ = {needed.empty() ? asked : asked + "; " + needed};
        else
            lines_ = {asked + ";", needed};
        padding();
        return std::move(lines_);
    }

private:
    std::string without_flop() const {
        const std::uint64_t bytes = requested_bytes(c_), special = c_[C::kFp32Special] + c_[C::kFp64Special];
        const std::string work = special == 0 ? "no floating-point work"
                                              : thousands(special) +
                                                    " special functions (roots, sines and the like), "
                                                    "no other floating-point work";
        const std::string atomics = c_[C::kGlobalAtomicThreadOperations] == 0 ? "" : " and " + atomics_text();
        return work + (bytes == 0 ? ", " + asked_otherwise() : "; " + thousands(bytes) + " B asked for" + atomics);
    }
    // What a kernel that neither loads nor stores asks of global memory.
    std::string asked_otherwise() const {
        if (c_[C::kGlobalAtomicThreadOperations] == 0) return "nothing asked of global memory";
        return atomics_text() + " and nothing else asked of global memory";
    }
    std::string atomics_text() const {
        const std::uint64_t atomics = c_[C::kGlobalAtomicThreadOperations];
        return thousands(atomics) + (atomics == 1 ? " atomic operation" : " atomic operations");
    }
    // Of the launch's arithmetic, the costlier first: "fp64 and fp32".
    struct TypeWork {
        const char* name;
        std::uint64_t flop;
        double ridge;
    };
    std::vector<TypeWork> typed_work() const {
        std::vector<TypeWork> list = {
            {"fp64", c_[C::kFp64Add] + c_[C::kFp64Mul] + 2 * c_[C::kFp64Fma], options_.ridge_fp64},
            {"fp32", c_[C::kFp32Add] + c_[C::kFp32Mul] + 2 * c_[C::kFp32Fma], options_.ridge_fp32},
            {"fp16", c_[C::kFp16Operations], 0}};
        // A division of doubles ends in a check in single precision, which is nobody's arithmetic.
        constexpr double kWorthNaming = 0.1;
        std::erase_if(list, [&](const TypeWork& type) {
            return static_cast<double>(type.flop) < kWorthNaming * static_cast<double>(flop(c_));
        });
        return list;
    }
    std::string types() const {
        std::string text;
        for (const TypeWork& type : typed_work()) text += (text.empty() ? "" : " and ") + std::string(type.name);
        return text;
    }
    // "the h200 needs 13.9 in fp32 to be compute-bound"
    std::string needs(double value) const {
        std::string text;
        bool bound = true;
        for (const TypeWork& type : typed_work()) {
            if (type.ridge <= 0) continue;
            text += (text.empty() ? "" : ", ") + plain_intensity(type.ridge) + " in " + type.name;
            bound = bound && value >= type.ridge;
        }
        if (text.empty()) return {};
        return "the " + printable(context_.profile.device) +
               (bound ? " is compute-bound from " + text : " needs " + text + " to be compute-bound");
    }
    static constexpr double kWorthSaying = 0.01;
    // A tile that hangs over the edge is filled up with zeros, and the arithmetic on them counts as work. How much of
    // it there is, is known where it could be followed; else what fills the tiles says it.
    void padding() {
        constexpr double kAFill = 0.5;
        const std::uint64_t padded = launch_.padded_flop.all();
        if (static_cast<double>(padded) >= kWorthSaying * static_cast<double>(flop(c_))) {
            lines_.push_back(thousands(padded) + " of its " + thousands(flop(c_)) +
                             " FLOP multiply padding: zeros that it put into its tiles instead of data");
            return;
        }
        std::uint64_t loaded = 0, written = 0;
        for (const LineProfile& line : launch_.lines) {
            const std::uint64_t in = line.counters[C::kGlobalLoadBytesRequested];
            const std::uint64_t out = line.counters[C::kSharedStoreBytesRequested];
            if (in >= out || static_cast<double>(in) < kAFill * static_cast<double>(out)) continue;
            loaded += in;
            written += out;
        }
        if (written == 0) return;
        const double share = static_cast<double>(written - loaded) / static_cast<double>(written);
        if (share < kWorthSaying) return;
        lines_.push_back(percent(share) +
                         " of what fills its tiles is padding, no data; the FLOP on it are counted, too");
    }
    static std::string plain_intensity(double value) {
        char buffer[32];
        // Halves go up, as people round: 1 FLOP for 8 bytes is 0.13, not printf's 0.12.
        constexpr double kUp = 1 + 1e-9;
        std::snprintf(buffer, sizeof buffer, value < 10 ? "%.2f" : "%.1f", value * kUp);
        return buffer;
    }
    // "(16.0× naive)" where the first launch did the same work with other traffic.
    std::string against_baseline(double value) const {
        const LaunchProfile* base = context_.baseline;
        if (base == nullptr || base == &launch_ || base->kernel == launch_.kernel) return {};
        const auto other = ratio_by_name("intensity")->value(base->counters);
        const auto work = static_cast<double>(flop(c_)), base_work = static_cast<double>(flop(base->counters));
        constexpr double kSameWork = 0.02, kSameFactor = 0.05;
        if (!other || *other <= 0 || std::abs(work - base_work) > kSameWork * base_work) return {};
        const double factor = value / *other;
        constexpr double kWorthTenths = 0.1;  // below it "0.0×" would stand there
        if (std::abs(factor - 1) < kSameFactor || factor < kWorthTenths) return {};
        return " (" + per_request(factor) + "× " + printable(short_kernel_name(base->kernel)) + ")";
    }

    const TextContext& context_;
    const ViewOptions& options_;
    const LaunchProfile& launch_;
    const CounterSet& c_;
    const std::size_t room_;
    std::vector<std::string> lines_;
};

}  // namespace

std::vector<std::string> intensity_lines(const TextContext& context, const LaunchProfile& launch, std::size_t room) {
    return IntensityRows(context, launch, room).write();
}

}  // namespace tilescope::views

#include "tiles/plan/cost_model.h"

#include <algorithm>
#include <cmath>

#include "tiles/plan/choice_cache.h"
#include "tiles/plan/registry.h"
#include "tiles/plan/tuning_file.h"
#include "tiles/src/tail_cut.h"
#include "tiles/src/team.h"
#include "tiles/src/validate.h"
#include "tiles/tuning/sm70.h"
#include "tiles/tuning/sm75.h"
#include "tiles/tuning/sm80.h"
#include "tiles/tuning/sm86.h"
#include "tiles/tuning/sm90.h"

namespace tiles {
namespace {

// Nobody has measured another card's.
constexpr const Rates& kRates = sm90::kRates;

const Peak& peak_of(int capability) {
    if (capability >= 90) return sm90::kPeak;
    if (capability > 80) return sm86::kPeak;
    if (capability == 80) return sm80::kPeak;
    return capability >= 75 ? sm75::kPeak : sm70::kPeak;
}

// Multiply-adds of one SM in one clock.
double peak_per_clock(Compute compute, const DeviceProperties& device) {
    const Peak& peak = peak_of(device.capability());
    switch (compute) {
        case Compute::kF32: return peak.f32;
        case Compute::kF64: return peak.f64;
        case Compute::kF32Tensor:
        case Compute::kTF32: return peak.tf32;
        default: return peak.half;
    }
}

// Bytes a second of kernels that only read and write.
double sums_rate(const DeviceProperties& device) { return device.memory_gb_per_s * (kRates.sums_share * 1e9); }

int64_t parts(int64_t whole, int64_t part) { return (whole + part - 1) / part; }

// A last wave whose tiles are cut along k.
struct Tail {
    bool cut = false;
    double waves = 0, seconds = 0;  // how long it is, and what adding up takes
};

Tail tail_of(const Figures& kernel, const GemmProblem& p, int64_t tiles, const DeviceProperties& device) {
    const int64_t clusters = std::max(device.sms / kernel.tail_cluster, 1), all = parts(tiles, kernel.tail_cluster);
    const int64_t k_blocks = parts(p.k, kernel.tile_k);
    const TailCut cut = cut_of_tail(all % clusters, clusters, k_blocks);
    if (cut.parts == 0 || all < clusters) return {};
    // Each cluster's sums are written and, in a kernel of its own, read and added.
    const double tile = static_cast<double>(int64_t{kernel.tile_m} * kernel.tile_n * kernel.tail_cluster);
    const double pieces = static_cast<double>(clusters * (cut.shared ? 2 : 1)) * tile * 8;
    const double out = static_cast<double>(all % clusters) * tile * static_cast<double>(type_bytes(p.type_c));
    const double seconds = (pieces + out * (p.beta == 0 ? 1 : 2)) / sums_rate(device) + kRates.tail_seconds;
    return {true, static_cast<double>(cut.longest) / static_cast<double>(k_blocks), seconds};
}

// How long it takes to bring the 16-bit factors of all tiles to the SMs, through the port of each and out of the L2: a
// limit of small tiles that a share of the peak does not tell, because it depends on how many run and how rows lie.
double seconds_to_feed(const Figures& kernel, const GemmProblem& p, double blocks, double waves, double k,
                       const DeviceProperties& device) {
    if (input_bytes(p.compute) != 2) return 0;
    const auto bytes = [&](int across, int64_t ld) {
        return 2.0 * across * k * (ld * 2 % 128 == 0 ? 1 : kRates.unaligned);
    };
    const double a = bytes(kernel.tile_m, p.lda), b = bytes(kernel.tile_n, p.ldb);
    const double from_l2 = kernel.tail_cluster > 1 ? a + b - std::max(a, b) / 2 : a + b;  // a pair shares a factor
    const double clocks =
        std::max(waves * (a + b) / kRates.port_bytes, blocks * from_l2 / (kRates.l2_bytes * device.sms));
    return clocks / (device.clock_ghz * 1e9);
}

// The partial sums of a cut k are added up by a kernel of its own, which nothing overlaps.
double seconds_to_add(const GemmProblem& p, int split, const DeviceProperties& device) {
    if (split == 1) return 0;
    const double results = static_cast<double>(p.batch) * static_cast<double>(p.m) * static_cast<double>(p.n);
    const double bytes = results * (4 * split + static_cast<double>(type_bytes(p.type_c)));
    return bytes / sums_rate(device) + kRates.add_seconds;
}

// How long the blocks of a cluster take to add up what they have of a tile, at the rate of stores to each other's
// shared memory. They do not overlap with the next tile's multiplies.
double seconds_in_team(const Figures& kernel, int team) {
    const double bytes = 4.0 * kernel.tile_m * kernel.tile_n * (team - 1) / team;
    return kRates.team_seconds + bytes / kRates.team_bytes_per_second;
}

double predict(const TunedKernel& tuned, const Tuning& tuning, const GemmProblem& p, const DeviceProperties& device) {
    const Figures& kernel = tuned.kernel->figures;
    const bool stream_k = tuned.kernel->stream_k;
    const int split = std::max(tuning.split_k, 1);
    const int64_t tiles = parts(p.m, kernel.tile_m) * parts(p.n, kernel.tile_n) * p.batch;
    const int64_t blocks = stream_k ? tiles : tiles * split;
    const int team = team_of(split, kernel.max_team), cluster = team * std::max(kernel.tail_cluster, 1);
    const int sums = split / team;  // of each result, that a kernel of its own adds up
    const int64_t slots = team > 1 ? int64_t{std::max(device.clusters(cluster), 1)} * cluster
                                   : static_cast<int64_t>(device.sms) * kernel.blocks_per_sm;
    const double k = static_cast<double>(parts(parts(p.k, stream_k ? 1 : split), kernel.tile_k) * kernel.tile_k);
    const double per_clock = peak_per_clock(p.compute, device) * tuned.efficiency;
    // Blocks of an SM share its units: what is left in the last wave runs as if it were alone.
    const int64_t full = blocks / slots, rest = blocks - full * slots;
    const double last = rest == 0 ? 0 : static_cast<double>(parts(rest, device.sms)) / kernel.blocks_per_sm;
    const Tail tail = tuning.cut_tail ? tail_of(kernel, p, tiles, device) : Tail{};
    double waves = static_cast<double>(full) + (tail.cut ? tail.waves : last);
    const bool shared = stream_k && split > 1;
    if (shared) {
        // All blocks share the tiles evenly, but for a handful of iterations.
        const double iterations = static_cast<double>(parts(p.k, kernel.tile_k));
        waves = static_cast<double>(tiles) / static_cast<double>(slots) + 2 / iterations;
        waves = std::max(waves, std::min(8 / iterations, 1.0));
    }
    const double block_macs = static_cast<double>(kernel.tile_m) * kernel.tile_n * k * kernel.blocks_per_sm;
    const double feed = seconds_to_feed(kernel, p, static_cast<double>(blocks), waves, k, device);
    const double compute = std::max(waves * block_macs / per_clock / (device.clock_ghz * 1e9), feed);
    const double overhead = team > 1 ? std::ceil(waves) * (tuned.fixed_us * 1e-6 + seconds_in_team(kernel, team))
                                     : tuned.fixed_us * 1e-6 * std::max(1.0, waves / 4);

    const double m = static_cast<double>(p.m), n = static_cast<double>(p.n), depth = static_cast<double>(p.k);
    const double in = static_cast<double>(input_bytes(p.compute)), out = static_cast<double>(type_bytes(p.type_c));
    double bytes = static_cast<double>(p.batch) * ((m * depth + depth * n) * in + m * n * out * (p.beta == 0 ? 1 : 2));
    // Partial sums; stream-K reads them again in the same kernel.
    if (shared) {
        bytes += static_cast<double>(slots) * kernel.tile_m * kernel.tile_n * 8;
    } else if (sums > 1) {
        bytes += static_cast<double>(p.batch) * m * n * 4 * sums;
    }
    const double memory =
        bytes / (device.memory_gb_per_s * (kRates.traffic_share * 1e9)) + feed / 4;  // they do not quite overlap
    const double sharing = shared ? kRates.share_seconds : 0;
    if (shared || split == 1) return std::max(compute, memory) + overhead + sharing + tail.seconds;
    return std::max(compute, memory) + overhead + seconds_to_add(p, sums, device);
}

// The next larger number of parts that makes them less deep; 0 when there is none. In between, parts only get empty.
int next_split(int split, int64_t k_blocks) {
    const int64_t depth = parts(k_blocks, split);
    return depth > 1 ? static_cast<int>(std::min<int64_t>(parts(k_blocks, depth - 1), INT32_MAX)) : 0;
}

}  // namespace

double peak_flops(Compute compute, const DeviceProperties& device) {
    return 2 * peak_per_clock(compute, device) * device.sms * device.clock_ghz * 1e9;
}

double predict_seconds(const Kernel& kernel, const Tuning& tuning, const GemmProblem& p,
                       const DeviceProperties& device) {
    return predict(tuned_figures(kernel, device), tuning, p, device);
}

Choice best_tuning(const Kernel& kernel, const GemmProblem& p, const DeviceProperties& device, size_t workspace_limit) {
    Choice best;
    const TunedKernel tuned = tuned_figures(kernel, device);
    const Figures& figures = kernel.figures;
    // What a kernel wants in the workspace without cutting k is copies of the factors: read, written, and read again.
    Tuning whole;
    whole.split_k = 1;
    const size_t copies = kernel.workspace == nullptr ? 0 : kernel.workspace(p, whole, device);
    const double preparation =
        copies == 0 ? 0 : 2 * static_cast<double>(copies) / sums_rate(device) + kRates.copy_seconds;
    const auto consider = [&](const Tuning& tuning) {
        const double seconds = predict(tuned, tuning, p, device) + preparation;
        if (best.kernel != nullptr && seconds >= best.seconds) return;
        if (kernel.workspace != nullptr && kernel.workspace(p, tuning, device) > workspace_limit) return;
        best = {&kernel, tuning, seconds};
    };
    Tuning tuning;
    tuning.split_k = 1;
    consider(tuning);
    const int64_t k_blocks = parts(p.k, figures.tile_k);
    const auto next = [&](int split) { return kernel.stream_k ? split + 1 : next_split(split, k_blocks); };
    for (int split = next(1); split > 0 && split <= figures.max_split; split = next(split)) {
        if (int64_t{split} * figures.tile_k > p.k) break;
        // More parts are more sums: from here on these alone take too long.
        const bool added = !kernel.stream_k && best.kernel != nullptr;
        if (added && seconds_to_add(p, split / figures.max_team, device) + preparation >= best.seconds) break;
        for (int team = 1; team <= figures.max_team; team *= 2) {
            const int64_t rounded = parts(split, team) * team;  // so that teams of this size can add them up
            if (team > 1 && (rounded == split || rounded > std::min<int64_t>(k_blocks, figures.max_split))) continue;
            tuning.split_k = static_cast<int>(rounded);
            consider(tuning);
        }
    }
    if (figures.tail_cluster > 0) {
        tuning.split_k = 1, tuning.cut_tail = true;
        consider(tuning);
    }
    return best;
}

namespace {

Choice choose_afresh(const GemmProblem& p, const DeviceProperties& device, size_t workspace_limit) {
    Choice best;
    const KernelList list = all_kernels();
    for (int i = 0; i < list.count; ++i) {
        const Kernel& kernel = *list.rows[i];
        if (kernel.compute != p.compute || device.capability() < kernel.min_capability) continue;
        if (!kernel.supports(p, device)) continue;
        const Choice choice = best_tuning(kernel, p, device, workspace_limit);
        if (choice.kernel != nullptr && (best.kernel == nullptr || choice.seconds < best.seconds)) best = choice;
    }
    return best;
}

}  // namespace

Choice choose_kernel(const GemmProblem& p, const DeviceProperties& device, size_t workspace_limit) {
    thread_local ChoiceCache cache;
    const ChoiceKey key = choice_key(p, device, workspace_limit);
    Choice* place = cache.place(key);
    if (place->kernel == nullptr) *place = choose_afresh(p, device, workspace_limit);
    return *place;
}

}  // namespace tiles

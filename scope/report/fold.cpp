#include "scope/report/fold.h"

#include <algorithm>
#include <map>
#include <set>
#include <string_view>
#include <tuple>
#include <utility>

namespace tilescope::report {
namespace {

using Launches = std::vector<const LaunchProfile*>;

void add(Tiling& into, const Tiling& more) {
    into.requested_bytes += more.requested_bytes;
    into.unique_bytes_per_block += more.unique_bytes_per_block;
    into.requests += more.requests;
    if (into.unique_bytes && more.unique_bytes)
        *into.unique_bytes += *more.unique_bytes;
    else
        into.unique_bytes.reset();
}

void add(std::optional<Tiling>& into, const std::optional<Tiling>& more) {
    if (into && more)
        add(*into, *more);
    else if (more)
        into = more;
}

// Finds what has the same key as `more` in a list, or appends it; true when it was there.
template <class T, class Key>
T* find(std::vector<T>& list, const T& more, const Key& key) {
    for (T& item : list)
        if (key(item) == key(more)) return &item;
    list.push_back(more);
    return nullptr;
}

void add(SpillCount& into, const SpillCount& more) {
    into.instructions += more.instructions;
    into.requests += more.requests;
    into.sectors += more.sectors;
    into.bytes += more.bytes;
}

// Of launches of which one cannot tell, none can.
void add_spills(const Launches& launches, LaunchProfile& into) {
    into.spill_traffic = launches.front()->spill_traffic;
    for (std::size_t i = 1; i < launches.size() && into.spill_traffic; ++i) {
        const auto& more = launches[i]->spill_traffic;
        if (!more) return into.spill_traffic.reset();
        into.spill_traffic->counted = into.spill_traffic->counted && more->counted;
        into.spill_traffic->in_caches = std::min(into.spill_traffic->in_caches, more->in_caches);
        add(into.spill_traffic->loads, more->loads);
        add(into.spill_traffic->stores, more->stores);
    }
}

void add_lines(const Launches& launches, LaunchProfile& into) {
    std::map<std::pair<std::string, std::uint32_t>, LineProfile> lines;
    for (const LaunchProfile* launch : launches)
        for (const LineProfile& line : launch->lines) {
            const auto [found, is_new] = lines.try_emplace({line.file, line.line}, line);
            if (is_new) continue;
            found->second.counters += line.counters;
            add(found->second.tiling, line.tiling);
        }
    into.lines.clear();
    for (auto& [place, line] : lines) into.lines.push_back(std::move(line));
}

void add_reuse(const Launches& launches, LaunchProfile& into) {
    into.tiling.reset();
    into.buffers.clear();
    into.shared_reuse.clear();
    into.cached_buffers.clear();
    const bool modelled =
        std::all_of(launches.begin(), launches.end(), [](const auto* one) { return one->counters.modelled; });
    for (const LaunchProfile* launch : launches) {
        for (std::size_t i = 0; modelled && i < launch->cached_buffers.size(); ++i) {
            const CachedBuffer& buffer = launch->cached_buffers[i];
            if (auto* known = find(into.cached_buffers, buffer, [](const CachedBuffer& b) {
                    return std::tuple(b.kind, b.parameter, b.name, b.bytes);
                })) {
                known->atomic_sectors += buffer.atomic_sectors;
                known->counters += buffer.counters;
            }
        }
        add(into.tiling, launch->tiling);
        for (const BufferReuse& buffer : launch->buffers)
            if (auto* known = find(into.buffers, buffer,
                                   [](const BufferReuse& b) { return std::tuple(b.parameter, b.name, b.bytes); }))
                add(known->tiling, buffer.tiling);
        for (const SharedReuse& shared : launch->shared_reuse)
            if (auto* known = find(into.shared_reuse, shared,
                                   [](const SharedReuse& s) { return std::tuple(s.name, s.offset, s.bytes); })) {
                known->written_bytes += shared.written_bytes;
                known->read_by_others_bytes += shared.read_by_others_bytes;
            }
    }
}

void add_findings(const Launches& launches, LaunchProfile& into) {
    into.advice.clear();
    into.hazards.clear();
    into.hazards_passed_over = 0;
    for (const LaunchProfile* launch : launches) {
        into.hazards_passed_over += launch->hazards_passed_over;
        for (const Advice& advice : launch->advice)
            if (auto* known =
                    find(into.advice, advice, [](const Advice& a) { return std::tie(a.rule, a.file, a.line); })) {
                known->saves_bytes += advice.saves_bytes;
                if (known->saves_microseconds && advice.saves_microseconds)
                    *known->saves_microseconds += *advice.saves_microseconds;
                else
                    known->saves_microseconds.reset();
                if (advice.speedup <= known->speedup) continue;
                known->speedup = advice.speedup;
                known->message = advice.message;  // what is said fits the figure
                known->facts = advice.facts;
            }
        for (const Hazard& hazard : launch->hazards)
            if (auto* known = find(into.hazards, hazard, [](const Hazard& h) {
                    // What is said of a race is that of its example.
                    const bool has_other = h.other_line != 0;
                    return std::tuple(h.kind, h.space, h.order, h.severity, h.file, h.line, h.other_file, h.other_line,
                                      has_other ? std::string_view() : std::string_view(h.message));
                }))
                known->count += hazard.count;
    }
}

// A sum over some of the launches would pass for one over all.
void forget_modelled(CounterSet& counters) {
    for (std::size_t i = 0; i < kCounterCount; ++i)
        if (is_modelled(static_cast<Counter>(i))) counters.values[i] = 0;
    counters.modelled = false;
}

void add(WarpWork& into, const WarpWork& more) {
    into.PipeWork::add(more);
    for (double WarpWork::*field :
         {&WarpWork::load_passes, &WarpWork::load_lines, &WarpWork::store_lines, &WarpWork::texture_passes,
          &WarpWork::texture_lines, &WarpWork::hottest_updates, &WarpWork::hottest_waits, &WarpWork::hottest_stores,
          &WarpWork::sent_lines, &WarpWork::sent_in_part})
        into.*field += more.*field;
    into.busiest_warp = std::max(into.busiest_warp, more.busiest_warp);
}

// Rates are averages over the time: sums of rate × time until all launches are there, then over it.
void add_rates(const TimeProfile& more, TimeProfile& into) {
    if (into.of_peak && more.of_peak)
        into.of_peak->add(*more.of_peak, more.microseconds);
    else
        into.of_peak.reset();
    into.dram_gb_per_second += more.dram_gb_per_second * more.microseconds;
    into.l2_gb_per_second += more.l2_gb_per_second * more.microseconds;
    into.effective_gb_per_second += more.effective_gb_per_second * more.microseconds;
}

void over(double microseconds, TimeProfile& time) {
    if (time.of_peak)
        for (double& share : time.of_peak->shares) share /= microseconds;
    time.dram_gb_per_second /= microseconds;
    time.l2_gb_per_second /= microseconds;
    time.effective_gb_per_second /= microseconds;
}

// Likewise, over the launches' times; of what has none the average would be of some only.
std::optional<double> achieved_occupancy(const Launches& launches) {
    double sum = 0, time = 0;
    for (const LaunchProfile* launch : launches) {
        if (!launch->achieved_occupancy || !launch->time) return {};
        sum += *launch->achieved_occupancy * launch->time->microseconds;
        time += launch->time->microseconds;
    }
    return time > 0 ? std::optional(sum / time) : std::nullopt;
}

// Of launches of which one has none, the sum would be of some only.
std::optional<EnergyProfile> energy_together(const Launches& launches) {
    EnergyProfile sum;
    for (const LaunchProfile* launch : launches) {
        if (!launch->energy) return {};
        for (const EnergyPart& part : launch->energy->parts) {
            auto at = std::find_if(sum.parts.begin(), sum.parts.end(),
                                   [&](const EnergyPart& known) { return known.level >= part.level; });
            if (at == sum.parts.end() || at->level != part.level)
                at = sum.parts.insert(at, {part.level, 0, part.picojoules_per_byte, 0, 0});
            at->bytes += part.bytes;
            at->microjoules += part.microjoules;
        }
        sum.microjoules += launch->energy->microjoules;
    }
    for (EnergyPart& part : sum.parts) part.share = sum.microjoules > 0 ? part.microjoules / sum.microjoules : 0;
    return sum;
}

// Of launches of which one has none, the sum would be of some only. Bounds are those of the longest launch.
void add_time(const Launches& launches, LaunchProfile& into) {
    const LaunchProfile* longest = launches.front();
    std::optional<TimeProfile> time = TimeProfile{};
    time->of_peak.emplace();
    std::optional<WarpWork> work = WarpWork{};
    for (const LaunchProfile* launch : launches) {
        if (launch->work && work)
            add(*work, *launch->work);
        else
            work.reset();
        if (!launch->time) {
            time.reset();
        } else if (time) {
            if (!longest->time || launch->time->microseconds > longest->time->microseconds) longest = launch;
            time->microseconds += launch->time->microseconds;
            time->next_microseconds += launch->time->next_microseconds;
            time->breakdown.add(launch->time->breakdown);
            add_rates(*launch->time, *time);
        }
    }
    if (time && time->microseconds > 0) over(time->microseconds, *time);
    if (time) {
        time->bound = longest->time->bound;
        time->next_bound = longest->time->next_bound;
        time->clock_ghz = longest->time->clock_ghz;
    }
    into.time = time;
    into.work = work;
    into.achieved_occupancy = achieved_occupancy(launches);
    into.energy = energy_together(launches);
    into.replay.reset();  // the clock of one launch
}

// Of all requests to memory, as far as counters tell them.
std::optional<double> share_replayed(const Launches& launches) {
    double all = 0, replayed = 0;
    for (const LaunchProfile* launch : launches) {
        if (!launch->caches_replayed) return {};
        const double requests = 1 + static_cast<double>(launch->counters[Counter::kGlobalLoadRequests] +
                                                        launch->counters[Counter::kGlobalStoreRequests]);
        all += requests;
        replayed += requests * *launch->caches_replayed;
    }
    return replayed / all;
}

LaunchProfile together(const Launches& launches, double seconds) {
    const auto work = [](const LaunchProfile* launch) { return launch->counters[Counter::kThreadInstructions]; };
    LaunchProfile entry = **std::max_element(launches.begin(), launches.end(),
                                             [&](const auto* a, const auto* b) { return work(a) < work(b); });
    std::set<std::tuple<Dim3, Dim3, std::uint64_t>> shapes;
    entry.index = launches.front()->index;
    entry.folded = 0;
    entry.counters = {};
    entry.padded_flop = {};
    entry.launch_read_bytes = 0;
    entry.seconds = seconds;
    entry.blocks_run = 0;
    entry.sampled = false;
    for (const LaunchProfile* launch : launches) {
        entry.folded += launch->folded;
        entry.counters += launch->counters;
        entry.padded_flop.fp16 += launch->padded_flop.fp16;
        entry.padded_flop.fp32 += launch->padded_flop.fp32;
        entry.padded_flop.fp64 += launch->padded_flop.fp64;
        entry.launch_read_bytes += launch->launch_read_bytes;
        entry.blocks_run += launch->blocks_run;
        entry.sampled = entry.sampled || launch->sampled;
        shapes.insert({launch->grid, launch->block, launch->dynamic_shared_bytes});
    }
    entry.folded_shapes = static_cast<std::uint32_t>(shapes.size());
    entry.caches_replayed = share_replayed(launches);
    add_spills(launches, entry);
    add_time(launches, entry);
    add_lines(launches, entry);
    if (!std::all_of(launches.begin(), launches.end(), [](const auto* one) { return one->counters.modelled; })) {
        forget_modelled(entry.counters);
        entry.launch_read_bytes = 0;
        for (LineProfile& line : entry.lines) forget_modelled(line.counters);
    }
    add_reuse(launches, entry);
    add_findings(launches, entry);
    return entry;
}

}  // namespace

Profile fold(Profile profile) {
    const LaunchList all = std::move(profile.launches);
    profile.launches.clear();
    std::vector<Launches> kernels;
    std::vector<double> seconds;  // of each
    std::map<std::tuple<std::string, std::string, bool>, std::size_t> places;
    for (std::size_t i = 0; i < all.size(); ++i) {
        const LaunchProfile& launch = all[i];
        const auto [place, is_new] = places.try_emplace({launch.entry, launch.kernel, launch.observed}, kernels.size());
        if (is_new) {
            kernels.emplace_back();
            seconds.push_back(0);
        }
        kernels[place->second].push_back(&launch);
        seconds[place->second] += all.marks(i).seconds;
    }
    for (std::size_t i = 0; i < kernels.size(); ++i)
        profile.launches.push_back(kernels[i].size() == 1 ? *kernels[i].front() : together(kernels[i], seconds[i]));
    return profile;
}

}  // namespace tilescope::report

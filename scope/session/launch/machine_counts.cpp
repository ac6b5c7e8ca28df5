#include "scope/session/launch/machine_counts.h"

#include <algorithm>
#include <map>
#include <tuple>
#include <unordered_map>
#include <utility>
#include <vector>

#include "scope/observers/counting.h"

namespace tilescope {
namespace {

using image::CodeRegion;
using image::LineMark;
using image::MachineCode;
using image::MarkKind;

constexpr std::uint64_t kLanesOfSector = 8;  // a word of each
constexpr std::uint64_t kSectorsOfWord = machine::kWarpSize / kLanesOfSector;
constexpr unsigned kEnoughLines = 3;

struct Runs {
    std::uint64_t warps = 0, lanes = 0;
    bool operator==(const Runs&) const = default;
    bool operator<(const Runs& other) const { return std::tie(warps, lanes) < std::tie(other.warps, other.lanes); }
};

// A line of the PTX: how often it ran, and in which regions its machine code stands.
struct Line {
    MarkKind kind = MarkKind::kEffect;
    bool is_of_use = false;
    Runs runs;
    std::vector<std::pair<std::uint32_t, std::uint32_t>> times;  // region, copies
};

bool is_one_operation(const machine::OpFacts& facts) {
    std::uint64_t operations = 0;
    for (const CounterAmount& part : facts.operations)
        if (part.counter != Counter::kCount) operations += part.amount;
    return facts.computes && operations == 1;
}

class Solver {
public:
    Solver(const MachineCode& code, const machine::Program& program, const machine::GridResult& result,
           std::uint32_t threads)
        : code_(code), known_(code.regions.size()), exact_(code.regions.size(), 1) {
        const std::uint64_t warps = (threads + machine::kWarpSize - 1) / machine::kWarpSize;
        all_ = {result.blocks_run * warps, result.blocks_run * threads};
        // A whole block's last warp may have fewer lanes, which fill this many sectors with a word each.
        sectors_of_all_ =
            result.blocks_run * ((warps - 1) * kSectorsOfWord +
                                 (threads - (warps - 1) * machine::kWarpSize + kLanesOfSector - 1) / kLanesOfSector);
        read_marks();
        count_lines(program, result);
    }

    void solve() {
        for (std::size_t i = 0; i < known_.size(); ++i)
            if (code_.regions[i].once_a_warp) known_[i] = all_;
        while (step()) continue;
        check();
    }

    std::optional<SharedInstructions> shared() const {
        if (!code_.complete || !code_.plain_shared) return std::nullopt;
        SharedInstructions sum;
        for (std::size_t i = 0; i < known_.size(); ++i) {
            const CodeRegion& region = code_.regions[i];
            if (region.shared_loads + region.shared_stores == 0) continue;
            if (!known_[i] || exact_[i] == 0) return std::nullopt;
            sum.loads += known_[i]->warps * region.shared_loads;
            sum.stores += known_[i]->warps * region.shared_stores;
        }
        return sum;
    }

    std::optional<SpillTraffic> spills() const {
        SpillTraffic traffic;
        bool has_some = false;
        traffic.counted = code_.complete;
        for (std::size_t i = 0; i < known_.size(); ++i) {
            const CodeRegion& region = code_.regions[i];
            if (region.loads + region.stores == 0) continue;
            // What nothing tells of, in front of a loop that may not run, is taken to run once a warp, beside others
            // that are known.
            if (!known_[i] && has_marks(i)) return std::nullopt;
            has_some = has_some || known_[i].has_value();
            const Runs runs = known_[i].value_or(all_);
            const auto [sectors, is_exact] = sectors_of_word(runs);
            traffic.counted = traffic.counted && known_[i] && is_exact && exact_[i] != 0 && !region.guarded;
            add(traffic.loads, region.loads, region.load_words, runs, sectors);
            add(traffic.stores, region.stores, region.store_words, runs, sectors);
        }
        return has_some ? std::optional(traffic) : std::nullopt;
    }

private:
    bool has_marks(std::size_t region) const {
        return std::any_of(code_.marks.begin(), code_.marks.end(),
                           [&](const LineMark& mark) { return mark.region == region; });
    }

    void read_marks() {
        for (const LineMark& mark : code_.marks) {
            const auto [place, fresh] = places_.try_emplace(mark.line, lines_.size());
            if (fresh) lines_.push_back({mark.kind, false, {}, {}});
            lines_[place->second].times.emplace_back(mark.region, mark.times);
        }
    }

    void count_lines(const machine::Program& program, const machine::GridResult& result) {
        if (lines_.empty()) return;
        std::vector<char> fits(lines_.size(), 1);
        const auto count = [&](const machine::OpFacts& facts, const machine::BlockCount& runs, bool is_barrier) {
            const auto place = places_.find(facts.text_line);
            if (place == places_.end()) return;
            Line& line = lines_[place->second];
            const bool is_such = line.kind == MarkKind::kArithmetic ? is_one_operation(facts)
                                                                    : facts.memory != Counter::kCount || is_barrier;
            if (!is_such) return;
            if (facts.guarded) fits[place->second] = 0;
            line.is_of_use = true;
            line.runs.warps += runs.runs;
            line.runs.lanes += runs.lanes;
        };
        for (std::size_t b = 0; b < program.blocks.size(); ++b) {
            const machine::BasicBlock& block = program.blocks[b];
            for (std::uint32_t i = block.first; i < block.first + block.count; ++i)
                count(program.facts[i], result.counts[b], false);
            if (block.end.op != nullptr)
                count(program.facts[block.end.op->index], result.counts[b],
                      block.end.kind == machine::TerminatorKind::kBarrier);
        }
        for (std::size_t i = 0; i < lines_.size(); ++i) lines_[i].is_of_use &= fits[i] != 0;
    }

    // What a line says of the only region that is not known yet.
    struct Word {
        std::uint32_t region = 0;
        std::optional<Runs> runs;  // nothing: it cannot be
        bool is_exact = true;      // as far as what is known is
    };
    std::optional<Word> word_of(const Line& line) const {
        Runs left = line.runs;
        std::uint64_t copies = 0;
        Word word;
        bool fits = true;
        for (const auto& [region, times] : line.times) {
            if (!known_[region]) {
                if (copies != 0) return std::nullopt;
                word.region = region;
                copies = times;
                continue;
            }
            word.is_exact = word.is_exact && exact_[region] != 0;
            const Runs taken{known_[region]->warps * times, known_[region]->lanes * times};
            fits = fits && taken.warps <= left.warps && taken.lanes <= left.lanes;
            if (fits) left = {left.warps - taken.warps, left.lanes - taken.lanes};
        }
        if (copies == 0) return std::nullopt;
        if (fits && left.warps % copies == 0 && left.lanes % copies == 0)
            word.runs = Runs{left.warps / copies, left.lanes / copies};
        return word;
    }

    struct Votes {
        std::map<Runs, std::pair<unsigned, bool>> lines;  // how many, and whether all of them exact
        unsigned all = 0;
    };
    struct Answer {
        Runs runs;
        bool is_exact = false;
        double share = 0;  // of the lines that say so
    };
    static std::optional<Answer> answer(const Votes& effects, const Votes& others) {
        const Votes& votes = effects.all != 0 ? effects : others;
        const auto best = std::max_element(votes.lines.begin(), votes.lines.end(), [](const auto& a, const auto& b) {
            return a.second.first < b.second.first;
        });
        if (best == votes.lines.end()) return std::nullopt;
        const auto [lines, exact] = best->second;
        const bool agree = lines == votes.all && (effects.all != 0 || lines >= kEnoughLines);
        return Answer{best->first, agree && exact, static_cast<double>(lines) / votes.all};
    }

    // Learns of the regions of which all lines agree, or else of the one where most do; false if none is left that they
    // tell of.
    bool step() {
        std::map<std::uint32_t, std::pair<Votes, Votes>> votes;
        for (const Line& line : lines_) {
            const auto word = line.is_of_use ? word_of(line) : std::nullopt;
            if (!word) continue;
            auto& [effects, others] = votes[word->region];
            Votes& its = line.kind == MarkKind::kEffect ? effects : others;
            ++its.all;
            if (!word->runs) continue;
            auto& [lines, exact] = its.lines.try_emplace(*word->runs, 0, true).first->second;
            ++lines;
            exact = exact && word->is_exact;
        }
        std::optional<std::pair<std::uint32_t, Answer>> best;
        bool learned = false;
        for (const auto& [region, both] : votes) {
            const auto its = answer(both.first, both.second);
            if (!its) continue;
            if (its->is_exact) learn(region, *its);
            learned = learned || its->is_exact;
            if (!best || its->share > best->second.share) best = {region, *its};
        }
        if (!learned && best) learn(best->first, best->second);
        return learned || best.has_value();
    }

    void learn(std::uint32_t region, const Answer& its) {
        known_[region] = its.runs;
        exact_[region] = its.is_exact;
    }

    // What stays in place must add up.
    void check() {
        for (const Line& line : lines_) {
            if (!line.is_of_use || line.kind != MarkKind::kEffect) continue;
            Runs sum;
            bool is_known = true;
            for (const auto& [region, times] : line.times) {
                is_known = is_known && known_[region].has_value();
                if (!is_known) break;
                sum.warps += known_[region]->warps * times;
                sum.lanes += known_[region]->lanes * times;
            }
            if (!is_known || sum == line.runs) continue;
            for (const auto& [region, times] : line.times) exact_[region] = 0;
        }
    }

    std::pair<std::uint64_t, bool> sectors_of_word(const Runs& runs) const {
        if (runs == all_) return {sectors_of_all_, true};
        if (runs.lanes == runs.warps * machine::kWarpSize) return {runs.warps * kSectorsOfWord, true};
        const std::uint64_t packed = (runs.lanes + kLanesOfSector - 1) / kLanesOfSector;
        return {std::max(packed, runs.warps), false};
    }

    static void add(SpillCount& to, std::uint64_t instructions, std::uint64_t words, const Runs& runs,
                    std::uint64_t sectors) {
        to.instructions += instructions * runs.warps;
        to.requests += words * runs.warps;
        to.sectors += words * sectors;
        to.bytes += words * sizeof(std::uint32_t) * runs.lanes;
    }

    const MachineCode& code_;
    std::unordered_map<std::uint32_t, std::size_t> places_;
    std::vector<Line> lines_;
    Runs all_;
    std::uint64_t sectors_of_all_ = 0;
    std::vector<std::optional<Runs>> known_;  // by region
    std::vector<char> exact_;
};

}  // namespace

MachineCounts machine_counts(const MachineCode& code, const machine::Program& program,
                             const machine::GridResult& result, std::uint32_t threads_per_block) {
    Solver solver(code, program, result, threads_per_block);
    solver.solve();
    return {solver.spills(), solver.shared()};
}

void add_machine_counts(const image::MachineCode& code, const machine::Program& program,
                        const machine::GridResult& result, LaunchProfile& launch) {
    const std::uint32_t threads = launch.block[0] * launch.block[1] * launch.block[2];
    const MachineCounts counts = machine_counts(code, program, result, threads);
    if (counts.shared) {
        launch.counters[Counter::kSharedLoadInstructions] = observers::scaled(launch, counts.shared->loads);
        launch.counters[Counter::kSharedStoreInstructions] = observers::scaled(launch, counts.shared->stores);
    }
    launch.spill_traffic = counts.spills;
    if (!launch.spill_traffic) return;
    for (SpillCount* count : {&launch.spill_traffic->loads, &launch.spill_traffic->stores})
        for (std::uint64_t* value : {&count->instructions, &count->requests, &count->sectors, &count->bytes})
            *value = observers::scaled(launch, *value);
    if (!launch.spill_traffic->counted) return;
    const SpillCount &loads = launch.spill_traffic->loads, &stores = launch.spill_traffic->stores;
    launch.counters[Counter::kLocalLoadRequests] += loads.requests;
    launch.counters[Counter::kLocalLoadSectors] += loads.sectors;
    launch.counters[Counter::kLocalLoadBytesRequested] += loads.bytes;
    launch.counters[Counter::kLocalStoreRequests] += stores.requests;
    launch.counters[Counter::kLocalStoreSectors] += stores.sectors;
    launch.counters[Counter::kLocalStoreBytesRequested] += stores.bytes;
}

}  // namespace tilescope

// Instruction words are 16 bytes from sm_70 on: the opcode in bits 0 to 11, the guard in 12 to 15, the width of an
// access in 73 to 75. Read off machine code of ptxas 13.0 for sm_75 to sm_120; NVIDIA publishes no description.
#include "scope/image/machine_code.h"

#include <algorithm>
#include <cstring>
#include <map>
#include <set>

#include "scope/image/code_regions.h"
#include "scope/image/text_lines.h"

namespace tilescope::image {
namespace {

constexpr std::uint64_t kWordBytes = 16;
constexpr unsigned kAlways = 7;  // the guard that holds

enum SassOpcode : unsigned {
    kStoreLocal = 0x387,
    kLoadLocal = 0x983,
    kLoadShared = 0x984,
    kStoreShared = 0x388,
    kStoreSharedUniform = 0x988,  // the address in a register of the whole warp
    kBranch = 0x947,
    kBranchUniform = 0x547,
    kCall = 0x944,
    kExit = 0x94d,
    kReturn = 0x950,
    kReturnFromTrap = 0x94f,
    kKill = 0x95b,
    kNothing = 0x918,
};
// Calls out of the section or through a register.
constexpr unsigned kOtherCalls[] = {0x943, 0x343, 0x344, 0x543, 0x544};
// Generic loads and stores, and loads of matrices.
constexpr unsigned kMayBeShared[] = {0x980, 0x985, 0x83b};
// Jumps that are not followed: through tables and registers, and absolute ones.
constexpr unsigned kJumps[] = {0x949, 0x94a, 0x94b, 0x94c, 0x958, 0x959, 0x95a, 0x54a};
// Generic, global and shared stores, reductions and atomics, asynchronous copies, barriers.
constexpr unsigned kEffects[] = {0x985, 0x986, 0x388, 0x988, 0x98e, 0x9a8, 0x3a8, 0x9a9,
                                 0x3a9, 0x98a, 0x38a, 0x98c, 0x38c, 0x38d, 0xfae, 0xb1d};
constexpr unsigned kLoads[] = {0x980, 0x981, 0x984, 0x83b};
// Add, multiply and fuse of f32 and f64, and the products of matrices: whatever the form of their operands.
constexpr unsigned kArithmetic[] = {0x020, 0x021, 0x023, 0x028, 0x029, 0x02b, 0x03c, 0x03f};
constexpr unsigned kFormBits = 0xe00;

template <std::size_t kCount>
bool is_one_of(unsigned opcode, const unsigned (&all)[kCount]) {
    return std::find(std::begin(all), std::end(all), opcode) != std::end(all);
}

struct Word {
    std::uint64_t low = 0, high = 0;

    unsigned opcode() const { return low & 0xfff; }
    bool is_guarded() const { return (low >> 12 & 15) != kAlways; }
    // Whether a branch or an exit hangs on nothing: no guard, no predicate and no register among its operands.
    bool is_plain() const {
        constexpr std::uint64_t kOffset = 0x3ffff, kBelowControl = (std::uint64_t{1} << 41) - 1;
        return !is_guarded() && (low >> 24 & 0xff) == 0 &&
               (high & kBelowControl & ~kOffset) == std::uint64_t{kAlways} << 23;
    }
    // Where in the frame an access to local memory lies, if it is one by the stack pointer.
    std::optional<std::uint32_t> frame_offset() const {
        constexpr unsigned kStackPointer = 1, kOffsetBit = 40, kSign = 1u << 23;
        const auto offset = static_cast<std::uint32_t>(low >> kOffsetBit);
        return (low >> 24 & 0xff) == kStackPointer && (offset & kSign) == 0 ? std::optional(offset) : std::nullopt;
    }
    // Bytes a lane of an access to local memory; 0 for none.
    unsigned width() const {
        constexpr unsigned kWidths[] = {1, 1, 2, 2, 4, 8, 16, 0};
        return kWidths[high >> 9 & 7];
    }
    // Where a branch or call goes, from the word behind it.
    std::int64_t distance(unsigned sm) const {
        const std::uint64_t field = (low >> 34 | high << 30) << 16;  // 48 bits, at the top
        const std::int64_t offset = static_cast<std::int64_t>(field) >> 16;
        constexpr unsigned kSplitSince = 90;
        return sm >= kSplitSince ? offset * 1024 + static_cast<std::int64_t>(low >> 16 & 0xff) * 4 : offset * 4;
    }
};

std::optional<Word> word_at(std::span<const std::byte> code, std::uint64_t address) {
    Word word;
    if (address % kWordBytes != 0 || address > code.size() || code.size() - address < kWordBytes) return std::nullopt;
    std::memcpy(&word.low, code.data() + address, 8);
    std::memcpy(&word.high, code.data() + address + 8, 8);
    return word;
}

class Code {
public:
    Code(const SassFunction& function, const std::vector<SassLine>& lines, const std::vector<std::string_view>& text)
        : function_(function), lines_(lines), text_(text), words_(function.code.size() / kWordBytes) {}

    std::optional<MachineCode> read() {
        if (words_ == 0 || words_ > kMaxWords || !spill_bytes(function_) || !split()) return std::nullopt;
        connect();
        regions_ = equal_regions(graph_);
        take_spills();
        take_all();
        take_marks();
        place_spills();
        return std::move(found_);
    }

private:
    static constexpr std::size_t kMaxWords = std::size_t{1} << 20;
    using Index = std::uint32_t;

    Word word(Index index) const { return *word_at(function_.code, std::uint64_t{index} * kWordBytes); }
    std::optional<Index> target(Index index) const {
        const std::int64_t at =
            static_cast<std::int64_t>((index + 1) * kWordBytes) + word(index).distance(function_.sm);
        if (at < 0 || at % static_cast<std::int64_t>(kWordBytes) != 0) return std::nullopt;
        const std::uint64_t to = static_cast<std::uint64_t>(at) / kWordBytes;
        return to < words_ ? std::optional(static_cast<Index>(to)) : std::nullopt;
    }
    static bool is_branch(unsigned opcode) { return opcode == kBranch || opcode == kBranchUniform; }
    static bool is_end(unsigned opcode) {
        return opcode == kExit || opcode == kReturn || opcode == kReturnFromTrap || opcode == kKill;
    }

    // sm_80 leaves some loops by a call that is none.
    bool is_routine(Index word) const {
        const auto& routines = function_.routines;
        return std::find(routines.begin(), routines.end(), std::uint64_t{word} * kWordBytes) != routines.end();
    }

    // Finds where blocks begin; false if a branch cannot be followed.
    bool split() {
        std::set<Index> starts{0};
        for (Index i = 0; i < words_; ++i) {
            const unsigned opcode = word(i).opcode();
            if (is_one_of(opcode, kJumps)) return false;
            if (is_one_of(opcode, kOtherCalls)) found_.complete = false;
            if (is_branch(opcode) || opcode == kCall) {
                const auto to = target(i);
                if (!to) return false;
                starts.insert(*to);
                if (opcode == kCall && is_routine(*to)) called_.insert(*to);
                if (opcode == kCall && i + 1 < words_) starts.insert(i + 1);
            }
            if ((is_branch(opcode) || is_end(opcode)) && i + 1 < words_) starts.insert(i + 1);
        }
        if (function_.entry % kWordBytes != 0 || function_.entry / kWordBytes >= words_) return false;
        starts.insert(static_cast<Index>(function_.entry / kWordBytes));
        if (starts.size() > kMaxFlowBlocks) return false;
        starts_.assign(starts.begin(), starts.end());
        return true;
    }

    Index block_of(Index word) const {
        return static_cast<Index>(std::upper_bound(starts_.begin(), starts_.end(), word) - starts_.begin() - 1);
    }
    Index end_of(Index block) const {
        return block + 1 < starts_.size() ? starts_[block + 1] : static_cast<Index>(words_);
    }

    // Whether the block calls what only operands out of the ordinary need.
    bool is_rare(Index block) const {
        for (Index i = starts_[block]; i < end_of(block); ++i) {
            if (word(i).opcode() != kCall || word(i).is_guarded()) continue;
            const std::uint64_t to = std::uint64_t{*target(i)} * kWordBytes;
            if (std::find(function_.rare_routines.begin(), function_.rare_routines.end(), to) !=
                function_.rare_routines.end())
                return true;
        }
        return false;
    }

    void connect() {
        const std::size_t blocks = starts_.size();
        std::vector<char> rare(blocks);
        for (Index block = 0; block < blocks; ++block) rare[block] = is_rare(block);
        graph_.successors.resize(blocks);
        graph_.ends.assign(blocks, 0);
        const auto connect_to = [&](Index from, Index to) {
            if (!rare[to]) graph_.successors[from].push_back(to);
        };
        for (Index block = 0; block < blocks; ++block) {
            const Index last = end_of(block) - 1;
            const Word word = this->word(last);
            const unsigned opcode = word.opcode();
            if (is_branch(opcode) || (opcode == kCall && !is_routine(*target(last))))
                connect_to(block, block_of(*target(last)));
            if (is_end(opcode)) graph_.ends[block] = 1;
            // What a return names in its operands is no condition.
            const bool is_sure = opcode == kReturn ? !word.is_guarded() : word.is_plain();
            const bool goes_on = !((opcode == kBranch || is_end(opcode)) && is_sure);
            if (goes_on && block + 1 < blocks) connect_to(block, block + 1);
            if (goes_on && block + 1 == blocks) graph_.ends[block] = 1;
        }
        entry_ = block_of(static_cast<Index>(function_.entry / kWordBytes));
        graph_.roots.push_back(entry_);
        for (const Index to : called_) graph_.roots.push_back(block_of(to));
        find_reached();
    }

    void find_reached() {
        reached_.assign(starts_.size(), 0);
        std::vector<Index> open = {entry_};
        while (!open.empty()) {
            const Index block = open.back();
            open.pop_back();
            if (reached_[block]) continue;
            reached_[block] = 1;
            open.insert(open.end(), graph_.successors[block].begin(), graph_.successors[block].end());
            for (Index i = starts_[block]; i < end_of(block); ++i)
                if (word(i).opcode() == kCall) open.push_back(block_of(*target(i)));
        }
    }

    // The region of a block among those that are kept.
    Index region_of(Index block) {
        const auto [known, fresh] = kept_.try_emplace(regions_[block], static_cast<Index>(found_.regions.size()));
        if (!fresh) return known->second;
        CodeRegion& region = found_.regions.emplace_back();
        bool is_entered_once = called_.count(starts_[entry_]) == 0;
        for (const auto& successors : graph_.successors)
            is_entered_once &= std::find(successors.begin(), successors.end(), entry_) == successors.end();
        region.once_a_warp = is_entered_once && regions_[block] == regions_[entry_];
        return known->second;
    }

    void take_spills() {
        for (const std::uint32_t address : function_.spills) {
            const Index index = static_cast<Index>(address / kWordBytes);
            const Word word = this->word(index);
            const unsigned words = (word.width() + 3) / 4;
            const Index block = block_of(index);
            if (!reached_[block]) continue;
            CodeRegion& region = found_.regions[region_of(block)];
            (word.opcode() == kLoadLocal ? region.loads : region.stores) += 1;
            (word.opcode() == kLoadLocal ? region.load_words : region.store_words) += words;
            region.guarded |= word.is_guarded();
        }
    }

    void take_all() {
        for (Index i = 0; i < words_; ++i) {
            const unsigned opcode = word(i).opcode();
            const Index block = block_of(i);
            if (!reached_[block]) continue;
            found_.instructions += opcode == kNothing ? 0 : 1;
            if (is_one_of(opcode, kMayBeShared)) found_.plain_shared = false;
            if (opcode == kLoadShared) ++found_.regions[region_of(block)].shared_loads;
            if (opcode == kStoreShared || opcode == kStoreSharedUniform)
                ++found_.regions[region_of(block)].shared_stores;
        }
    }

    static std::optional<MarkKind> kind_of(unsigned opcode) {
        if (is_one_of(opcode, kEffects)) return MarkKind::kEffect;
        if (is_one_of(opcode, kLoads)) return MarkKind::kLoad;
        if (is_one_of(opcode & ~kFormBits, kArithmetic)) return MarkKind::kArithmetic;
        return std::nullopt;
    }

    struct MarkedLine {
        MarkKind kind = MarkKind::kEffect;
        bool is_of_use = true;
        std::map<Index, std::uint32_t> times;  // by region, as regions_ numbers them
    };

    // Marks of every line that has instructions in a region with spills, wherever else these lines have some.
    void take_marks() {
        std::map<std::uint32_t, MarkedLine> by_line;
        auto entry = lines_.begin();
        std::uint32_t line = 0;
        for (Index i = 0; i < words_; ++i) {
            for (; entry != lines_.end() && entry->address <= i * kWordBytes; ++entry) line = entry->line;
            const auto kind = kind_of(word(i).opcode());
            const Index block = block_of(i);
            if (!kind || line == 0 || line > text_.size() || !reached_[block]) continue;
            if (*kind != MarkKind::kArithmetic) anchors_[i] = line;
            MarkedLine& mark = by_line[line];
            // What stands under a predicate may have been a branch before.
            mark.is_of_use &= (mark.times.empty() || mark.kind == *kind) && !word(i).is_guarded();
            mark.kind = *kind;
            ++mark.times[regions_[block]];
        }
        // Of a line in several regions nobody knows which of its turns were which.
        std::erase_if(anchors_, [&](const auto& anchor) {
            const MarkedLine& mark = by_line[anchor.second];
            return !mark.is_of_use || mark.times.size() != 1;
        });
        std::set<Index> wanted;
        for (const auto& [region, kept] : kept_) wanted.insert(region);
        for (const auto& [number, mark] : by_line) {
            const bool is_wanted = std::any_of(mark.times.begin(), mark.times.end(),
                                               [&](const auto& each) { return wanted.count(each.first) != 0; });
            if (!mark.is_of_use || !is_wanted) continue;
            for (const auto& [region, times] : mark.times) {
                found_.marks.push_back({number, region_of(region), times, mark.kind});
                found_.lines.emplace_back(text_[number - 1]);
            }
        }
    }

    // The access of the same block that comes next, or else the last one before.
    std::optional<std::map<Index, std::uint32_t>::const_iterator> anchor_of(Index spill) const {
        const auto fits = [&](auto anchor) { return block_of(anchor->first) == block_of(spill); };
        const auto next = anchors_.lower_bound(spill);
        if (next != anchors_.end() && fits(next)) return next;
        if (next != anchors_.begin() && fits(std::prev(next))) return std::prev(next);
        return std::nullopt;
    }

    void place_spills() {
        std::map<std::uint32_t, std::uint32_t> copies;  // by line
        std::map<Index, std::uint32_t> copy;            // by word
        for (const auto& [word, line] : anchors_) copy[word] = copies[line]++;
        std::vector<Index> spills;
        for (const std::uint32_t address : function_.spills) spills.push_back(static_cast<Index>(address / kWordBytes));
        std::sort(spills.begin(), spills.end());
        for (const Index index : spills) {
            const Word word = this->word(index);
            const Index block = block_of(index);
            if (!reached_[block]) continue;
            const auto anchor = anchor_of(index);
            const auto offset = word.frame_offset();
            if (!anchor || !offset) return found_.spills.clear();
            const auto& [at, line] = **anchor;
            found_.spills.push_back({region_of(block), word.opcode() == kLoadLocal, at < index,
                                     static_cast<std::uint8_t>((word.width() + 3) / 4), *offset, line, copy[at],
                                     copies[line]});
        }
    }

    const SassFunction& function_;
    const std::vector<SassLine>& lines_;
    const std::vector<std::string_view>& text_;
    std::size_t words_;
    std::vector<Index> starts_;  // of blocks
    std::set<Index> called_;
    FlowGraph graph_;
    Index entry_ = 0;
    std::vector<char> reached_;
    std::vector<Index> regions_;
    std::map<Index, Index> kept_;             // places in found_.regions
    std::map<Index, std::uint32_t> anchors_;  // by word: the line of an access or barrier
    MachineCode found_;
};

// Text without its blanks, of which fat binaries keep fewer than the assembler was given.
std::string squeezed(std::string_view text) {
    std::string left(text);
    std::erase_if(left, [](char c) { return c == ' ' || c == '\t' || c == '\r'; });
    return left;
}

}  // namespace

std::optional<SpillBytes> spill_bytes(const SassFunction& function) {
    SpillBytes bytes;
    for (const std::uint32_t address : function.spills) {
        const auto word = word_at(function.code, address);
        if (!word || (word->opcode() != kStoreLocal && word->opcode() != kLoadLocal) || word->width() == 0)
            return std::nullopt;
        (word->opcode() == kLoadLocal ? bytes.loads : bytes.stores) += word->width();
    }
    return bytes;
}

std::optional<MachineCode> read_machine_code(const SassFunction& function, const std::vector<SassLine>& lines,
                                             const std::vector<std::string_view>& text) {
    return Code(function, lines, text).read();
}

bool was_assembled_from(const MachineCode& code, const std::vector<std::string_view>& ptx_lines) {
    for (std::size_t i = 0; i < code.marks.size(); ++i) {
        const std::uint32_t line = code.marks[i].line;
        if (line > ptx_lines.size() || squeezed(ptx_lines[line - 1]) != squeezed(code.lines[i])) return false;
    }
    return true;
}

std::vector<std::string_view> lines_of(std::string_view text) {
    std::vector<std::string_view> lines;
    each_line(text, [&](std::string_view line) { lines.push_back(line); });
    return lines;
}

}  // namespace tilescope::image

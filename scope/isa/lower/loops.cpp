#include "scope/isa/lower/loops.h"

#include <algorithm>

namespace tilescope::isa {
namespace {

constexpr std::uint32_t kUnnumbered = 0xffffffffu;

// Tarjan's strongly connected components of a part of the graph, without recursion.
class Components {
public:
    // `part`: by block, the part that it belongs to.
    Components(const FunctionCode& code, const std::vector<std::uint32_t>& part)
        : code_(code), part_(part), number_(code.blocks.size(), kUnnumbered), low_(code.blocks.size()) {
        on_path_.resize(code.blocks.size(), 0);
    }

    // Those with a cycle among `blocks`, all of one part; ways back to `cut` blocks do not count.
    std::vector<std::vector<std::uint32_t>> of(const std::vector<std::uint32_t>& blocks, const std::vector<char>& cut) {
        std::vector<std::vector<std::uint32_t>> found;
        for (const std::uint32_t start : blocks) number_[start] = kUnnumbered;
        for (const std::uint32_t start : blocks)
            if (number_[start] == kUnnumbered) walk(start, cut, found);
        return found;
    }

private:
    bool is_way(std::uint32_t from, std::uint32_t to, const std::vector<char>& cut) const {
        return part_[from] == part_[to] && !cut[to];
    }

    void enter(std::uint32_t block) {
        number_[block] = low_[block] = next_++;
        path_.push_back(block);
        on_path_[block] = 1;
        stack_.push_back({block, 0});
    }

    void walk(std::uint32_t start, const std::vector<char>& cut, std::vector<std::vector<std::uint32_t>>& found) {
        enter(start);
        while (!stack_.empty()) {
            auto& [block, next] = stack_.back();
            const auto& ways = code_.blocks[block].successors;
            if (next < ways.size()) {
                const std::uint32_t to = ways[next++];
                if (!is_way(block, to, cut)) continue;
                if (number_[to] == kUnnumbered)
                    enter(to);
                else if (on_path_[to])
                    low_[block] = std::min(low_[block], number_[to]);
                continue;
            }
            const std::uint32_t done = block;
            stack_.pop_back();
            if (!stack_.empty()) low_[stack_.back().first] = std::min(low_[stack_.back().first], low_[done]);
            if (low_[done] == number_[done]) close(done, cut, found);
        }
    }

    void close(std::uint32_t root, const std::vector<char>& cut, std::vector<std::vector<std::uint32_t>>& found) {
        std::vector<std::uint32_t> blocks;
        do {
            blocks.push_back(path_.back());
            on_path_[path_.back()] = 0;
            path_.pop_back();
        } while (blocks.back() != root);
        const auto& ways = code_.blocks[root].successors;
        const bool goes_round =
            blocks.size() > 1 || (std::find(ways.begin(), ways.end(), root) != ways.end() && !cut[root]);
        if (!goes_round) return;
        std::sort(blocks.begin(), blocks.end());
        found.push_back(std::move(blocks));
    }

    const FunctionCode& code_;
    const std::vector<std::uint32_t>& part_;
    std::vector<std::uint32_t> number_, low_;
    std::vector<char> on_path_;
    std::vector<std::uint32_t> path_;
    std::vector<std::pair<std::uint32_t, std::size_t>> stack_;
    std::uint32_t next_ = 0;
};

}  // namespace

std::vector<Loop> find_loops(const FunctionCode& code) {
    std::vector<Loop> loops;
    bool goes_back = false;  // every cycle has a step that does
    for (std::uint32_t i = 0; i < code.blocks.size(); ++i)
        for (const std::uint32_t to : code.blocks[i].successors) goes_back |= to <= i;
    if (!goes_back) return loops;
    std::vector<std::uint32_t> part(code.blocks.size(), 0);  // the innermost loop found so far, counted from 1
    std::vector<char> cut(code.blocks.size(), 0);
    Components components(code, part);
    const auto add = [&](const std::vector<std::vector<std::uint32_t>>& found) {
        for (const std::vector<std::uint32_t>& blocks : found) {
            loops.push_back({blocks, {}});
            Loop& loop = loops.back();
            const std::uint32_t around = part[blocks.front()];
            for (const std::uint32_t block : blocks) part[block] = static_cast<std::uint32_t>(loops.size());
            const auto inside = [&](std::uint32_t block) { return part[block] == loops.size(); };
            for (const std::uint32_t block : blocks) {
                const auto& from = code.blocks[block].predecessors;
                // What stands outside the loop around comes in through that one's header, which is cut already.
                if (!std::all_of(from.begin(), from.end(), inside)) loop.headers.push_back(block);
            }
            // A loop that nothing leads into, or one that starts the function.
            if (loop.headers.empty() || (around == 0 && blocks.front() == 0 && loop.headers.front() != 0))
                loop.headers.insert(loop.headers.begin(), blocks.front());
        }
    };
    std::vector<std::uint32_t> all(code.blocks.size());
    for (std::uint32_t i = 0; i < all.size(); ++i) all[i] = i;
    add(components.of(all, cut));
    for (std::size_t i = 0; i < loops.size(); ++i) {
        for (const std::uint32_t header : loops[i].headers) cut[header] = 1;
        const std::vector<std::uint32_t> blocks = loops[i].blocks;
        add(components.of(blocks, cut));
    }
    return loops;
}

}  // namespace tilescope::isa

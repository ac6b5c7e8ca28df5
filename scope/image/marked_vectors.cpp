// What becomes of the vectors of typed_accesses.cpp when the optimizer is done.
#include <algorithm>
#include <optional>
#include <unordered_map>
#include <unordered_set>
#include <vector>

#include "scope/image/ir_operands.h"
#include "scope/image/text_lines.h"
#include "scope/image/typed_accesses.h"

namespace tilescope::image {
namespace {

// One function behind the optimizer, with the frozen vectors of TypedAccesses.
class MarkedFunction {
public:
    explicit MarkedFunction(std::string_view text) {
        each_line(text, [&](std::string_view line) {
            add_uses(line);
            lines_.push_back(line);
        });
        for (const std::string_view line : lines_) find_mark(line);
    }

    void append_to(std::string& out) const {
        for (const std::string_view line : lines_) {
            const std::string_view result = instruction_of(line).result;
            const auto found = changed_.find(result);
            if (found != changed_.end() && !result.empty())
                out += found->second;
            else if (!describes_changed(line))
                out.append(line).append("\n");
        }
    }

private:
    static bool is_debug(std::string_view line) {
        return line.find("llvm.dbg.") != std::string_view::npos || line.find("#dbg_") != std::string_view::npos;
    }
    template <class F>
    static void each_name(std::string_view line, F f) {
        for (std::size_t at = line.find(kVectorMark); at != std::string_view::npos;
             at = line.find(kVectorMark, at + 1)) {
            const std::size_t end = line.find_first_not_of(kNameCharacters, at + 1);
            f(line.substr(at, std::min(end, line.size()) - at));
        }
    }
    void add_uses(std::string_view line) {
        if (is_debug(line)) return;
        const std::string_view result = instruction_of(line).result;
        if (result.starts_with(kVectorMark)) lines_of_[result] = line;
        each_name(line, [&](std::string_view name) {
            if (name != result) uses_[name].push_back(line);
        });
    }
    // A variable of which the value is no longer the one described.
    bool describes_changed(std::string_view line) const {
        bool found = false;
        if (is_debug(line)) each_name(line, [&](std::string_view name) { found = found || narrowed_.contains(name); });
        return found;
    }

    // "%a = freeze <4 x float> %b" becomes %b by another name, or a load of the one lane that is used.
    void find_mark(std::string_view line) {
        auto [result, text] = instruction_of(line);
        if (!result.starts_with(kVectorMark) || !take(text, "freeze ") || !text.starts_with('<')) return;
        const std::string type(text.substr(0, text.find('>') + 1));
        const std::string_view operand = value_of(text.substr(0, std::min(text.find(','), text.size())));
        if (narrow(result, operand, type)) return;
        changed_[result] = "  " + std::string(result) + " = bitcast " + type + " " + std::string(operand) + " to " +
                           type + debug_of_instruction(text) + "\n";
    }

    bool narrow(std::string_view frozen, std::string_view loaded, const std::string& type) {
        const auto load = lines_of_.find(loaded);
        const auto uses = uses_.find(frozen);
        if (frozen.starts_with(kWholeVectorMark) || load == lines_of_.end() || uses == uses_.end() ||
            uses_[loaded].size() != 1)
            return false;
        std::string_view text = instruction_of(load->second).text;
        if (!take(text, "load ") || !text.starts_with('<')) return false;
        std::optional<std::string_view> lane;
        for (const std::string_view line : uses->second) {
            std::string_view use = instruction_of(line).text;
            const auto parts = take(use, "extractelement ") ? split_operands(use) : std::vector<std::string_view>();
            if (parts.size() < 2 || (lane && *lane != parts[1])) return false;
            lane = parts[1];
        }
        std::string_view index = lane->substr(std::min(lane->find(' ') + 1, lane->size()));
        const auto number = take_number(index);
        const std::size_t by = type.find(" x "), align = text.find(", align ");
        const auto operands = split_operands(text.substr(std::min(text.find(',') + 1, text.size())));
        if (!number || by == std::string::npos || align == std::string_view::npos) return false;
        const std::string scalar = type.substr(by + 3, type.size() - by - 4);
        std::string_view alignment_text = text.substr(align + 8);
        const std::uint64_t offset = *number * size_of(scalar), alignment = take_number(alignment_text).value_or(1);
        const std::string name(loaded), debug = debug_of_instruction(text);
        changed_[loaded] = "  " + name + ".at = getelementptr inbounds " + type + ", " + std::string(operands[0]) +
                           ", i64 0, i64 " + std::to_string(*number) + debug + "\n";
        const std::string pointer = operands[0].starts_with("ptr")
                                        ? std::string(operands[0].substr(0, operands[0].rfind(' ')))
                                        : scalar + space_of(operands[0]) + "*";
        changed_[loaded] += "  " + name + " = load " + scalar + ", " + pointer + " " + name + ".at, align " +
                            std::to_string(aligned_at(alignment, offset)) + debug + "\n";
        for (const std::string_view line : uses->second) {
            const std::string result(instruction_of(line).result);
            changed_[std::string_view(instruction_of(line).result)] = "  " + result + " = bitcast " + scalar + " " +
                                                                      name + " to " + scalar +
                                                                      debug_of_instruction(line) + "\n";
        }
        changed_[frozen] = {};
        narrowed_.insert({loaded, frozen});
        return true;
    }
    static std::uint64_t size_of(const std::string& scalar) {
        return scalar == "float" ? 4 : scalar == "double" ? 8 : std::stoul(scalar.substr(1)) / 8;
    }
    static std::uint64_t aligned_at(std::uint64_t alignment, std::uint64_t offset) {
        return (alignment | offset) & (~(alignment | offset) + 1);
    }
    // " addrspace(3)" of "<4 x float> addrspace(3)* %5".
    static std::string space_of(std::string_view operand) {
        const std::size_t at = operand.find(" addrspace(");
        return at == std::string_view::npos ? std::string()
                                            : std::string(operand.substr(at, operand.find(')', at) + 1 - at));
    }

    static constexpr std::string_view kNameCharacters =
        "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789._";

    std::vector<std::string_view> lines_;
    std::unordered_map<std::string_view, std::string_view> lines_of_;
    std::unordered_map<std::string_view, std::vector<std::string_view>> uses_;
    std::unordered_map<std::string_view, std::string> changed_;
    std::unordered_set<std::string_view> narrowed_;
};

}  // namespace

std::string unmark_vectors(std::string_view llvm_ir) {
    std::string out;
    out.reserve(llvm_ir.size());
    while (!llvm_ir.empty()) {
        // A function ends with a brace of its own; between functions there are no instructions.
        const std::size_t brace = llvm_ir.find("\n}\n");
        const std::size_t size = brace == std::string_view::npos ? llvm_ir.size() : brace + 3;
        MarkedFunction(llvm_ir.substr(0, size)).append_to(out);
        llvm_ir.remove_prefix(size);
    }
    return out;
}

}  // namespace tilescope::image

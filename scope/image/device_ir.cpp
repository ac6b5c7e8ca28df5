#include "scope/image/device_ir.h"

#include <array>
#include <cstdint>
#include <optional>
#include <unordered_map>
#include <unordered_set>

#include "scope/image/ir_operands.h"
#include "scope/image/text_lines.h"

namespace tilescope::image {
namespace {

constexpr std::uint64_t kWide = 16;
constexpr std::uint64_t kMaxBytes = 128;   // beyond, clang itself makes a loop, byte by byte
constexpr std::uint64_t kMaxPieces = 256;  // of a longer copy; nvcc makes a loop of accesses as wide

// Writes vector accesses, with names that no other line uses.
class Widener {
public:
    std::optional<std::string> replacement(std::string_view line) {
        static constexpr std::array<std::string_view, 3> kCalls = {
            "call void @llvm.memcpy.", "call void @llvm.memmove.", "call void @llvm.memset."};
        for (const std::string_view call : kCalls) {
            const std::size_t at = line.find(call);
            if (at == std::string_view::npos) continue;
            const std::size_t open = line.find('(', at);
            if (open == std::string_view::npos) return std::nullopt;
            const auto arguments = split_arguments(line.substr(open + 1));
            if (!arguments || arguments->each.size() != 4 || arguments->each[3] != "i1 false") return std::nullopt;
            return rewrite(*arguments, call);
        }
        return std::nullopt;
    }

private:
    std::optional<std::string> rewrite(const Arguments& arguments, std::string_view call) {
        const bool set = call.find("memset") != std::string_view::npos;
        std::string_view size_text = arguments.each[2];
        if (!take(size_text, "i64 ") && !take(size_text, "i32 ")) return std::nullopt;
        const auto size = take_number(size_text);
        const auto to = parse_pointer(arguments.each[0]);
        if (!size || !to || *size == 0) return std::nullopt;
        debug_ = debug_of_instruction(arguments.rest);
        if (*size > kMaxBytes)
            return call.find("memcpy") != std::string_view::npos ? rewrite_long(arguments, *size, *to) : std::nullopt;
        if (*size % kWide != 0 || to->align % kWide != 0) return std::nullopt;
        std::string lines;
        std::vector<std::string> values;
        if (set) {
            if (arguments.each[1] != "i8 0") return std::nullopt;
            values.assign(*size / kWide, "zeroinitializer");
        } else {
            const auto from = parse_pointer(arguments.each[1]);
            if (!from || from->align % kWide != 0) return std::nullopt;
            for (std::uint64_t at = 0; at < *size; at += kWide) {
                const std::string address = element(*from, at, lines);
                values.push_back(fresh());
                lines += "  " + values.back() + " = load <4 x i32>, " + address + ", align 16" + debug_ + "\n";
            }
        }
        for (std::uint64_t at = 0; at < *size; at += kWide) {
            const std::string address = element(*to, at, lines);
            lines += "  store <4 x i32> " + values[at / kWide] + ", " + address + ", align 16" + debug_ + "\n";
        }
        return lines;
    }

    // As many accesses as nvcc's loop makes, of the width that the operands' alignment allows, one after the other:
    // what memcpy copies doesn't overlap.
    std::optional<std::string> rewrite_long(const Arguments& arguments, std::uint64_t size, const Pointer& to) {
        const auto from = parse_pointer(arguments.each[1]);
        const std::uint64_t width = from ? std::min({kWide, to.align, from->align}) : 0;
        if (width < 4 || size % width != 0 || size / width > kMaxPieces) return std::nullopt;
        const std::string type = width == 4 ? "i32" : "<" + std::to_string(width / 4) + " x i32>";
        const std::string align = ", align " + std::to_string(width) + debug_ + "\n";
        std::string lines;
        for (std::uint64_t at = 0; at < size; at += width) {
            const std::string source = element(*from, at, lines, type);
            const std::string value = fresh();
            lines += "  " + value + " = load " + type + ", " + source + align;
            const std::string target = element(to, at, lines, type);
            lines += "  store " + type + " " + value + ", " + target + align;
        }
        return lines;
    }

    std::string fresh() { return "%tilescope." + std::to_string(next_++); }

    // The operand "TYPE VALUE" of the vector at `offset` bytes; the lines that compute it go to `lines`.
    std::string element(const Pointer& pointer, std::uint64_t offset, std::string& lines,
                        const std::string& type = "<4 x i32>") {
        const std::string bytes = pointer.typed ? "i8" + pointer.space + "*" : "ptr" + pointer.space;
        std::string value(pointer.value);
        if (offset != 0) {
            const std::string moved = fresh();
            lines += "  " + moved + " = getelementptr inbounds i8, " + bytes + " " + value + ", i64 " +
                     std::to_string(offset) + debug_ + "\n";
            value = moved;
        }
        if (!pointer.typed) return bytes + " " + value;
        const std::string vector = type + pointer.space + "*";
        const std::string cast = fresh();
        lines += "  " + cast + " = bitcast " + bytes + " " + value + " to " + vector + debug_ + "\n";
        return vector + " " + cast;
    }

    std::uint64_t next_ = 0;
    std::string debug_;
};

// One line "!7 = KIND(field: value, ...)".
struct DebugNode {
    std::string_view kind;  // DILocation, DISubprogram, ...
    std::string_view body;
};

std::optional<std::uint64_t> reference_in(std::string_view body, std::string_view field) {
    for (std::size_t at = body.find(field); at != std::string_view::npos; at = body.find(field, at + 1)) {
        if (at != 0 && body[at - 1] != ' ' && body[at - 1] != '(') continue;
        std::string_view value = body.substr(at + field.size());
        if (!take(value, ": !")) continue;
        return take_number(value);
    }
    return std::nullopt;
}

std::string_view quoted_in(std::string_view body, std::string_view field) {
    const std::size_t at = body.find(field);
    if (at == std::string_view::npos) return {};
    std::string_view value = body.substr(at + field.size());
    return value.substr(0, value.find('"'));
}

using DebugNodes = std::unordered_map<std::uint64_t, DebugNode>;

DebugNodes debug_nodes(std::string_view llvm_ir) {
    DebugNodes nodes;
    each_line(llvm_ir, [&](std::string_view line) {
        if (!take(line, "!")) return;
        const auto number = take_number(line);
        if (!number || !take(line, " = ")) return;
        take(line, "distinct ");
        if (!take(line, "!")) return;
        const std::size_t open = line.find('(');
        if (open != std::string_view::npos) nodes[*number] = {line.substr(0, open), line.substr(open)};
    });
    return nodes;
}

bool in_header(const DebugNodes& nodes, const DebugNode& location, const std::vector<std::string>& folders) {
    const auto scope = reference_in(location.body, "scope");
    const auto scope_node = scope ? nodes.find(*scope) : nodes.end();
    if (scope_node == nodes.end()) return false;
    const auto file = reference_in(scope_node->second.body, "file");
    const auto file_node = file ? nodes.find(*file) : nodes.end();
    if (file_node == nodes.end()) return false;
    // Under the folder that the compiler ran in, the name is relative to it.
    std::string name(quoted_in(file_node->second.body, "filename: \""));
    if (!name.starts_with('/')) name = std::string(quoted_in(file_node->second.body, "directory: \"")) + "/" + name;
    for (const std::string& folder : folders)
        if (!folder.empty() && name.starts_with(folder)) return true;
    return false;
}

// The value that a mask, shift or truncation takes: "%5" of "  %6 = and i32 %5, 255"; empty for any other line.
std::string_view cut_value(std::string_view line) {
    const std::size_t equals = line.find(" = ");
    if (equals == std::string_view::npos) return {};
    line.remove_prefix(equals + 3);
    if (!take(line, "and ") && !take(line, "trunc ") && !take(line, "lshr ") && !take(line, "ashr ")) return {};
    for (const std::string_view flag : {"exact ", "nuw ", "nsw "}) take(line, flag);
    if (!take(line, "i16 ") && !take(line, "i32 ") && !take(line, "i64 ")) return {};
    return line.substr(0, std::min(line.find_first_of(", "), line.size()));
}

// "  %5 = load i32, ..." with its parts; value is empty for any other line.
struct ScalarLoad {
    std::string_view value, type, rest;
};

ScalarLoad scalar_load(std::string_view line) {
    if (!take(line, "  %")) return {};
    const std::size_t equals = line.find(" = load i");
    if (equals == std::string_view::npos || line.substr(0, equals).find(' ') != std::string_view::npos) return {};
    const std::string_view rest = line.substr(equals + 8);  // "i32, ptr ..."
    const std::string_view type = rest.substr(0, std::min(rest.find(','), rest.size()));
    if (type != "i16" && type != "i32" && type != "i64") return {};
    return {line.substr(0, equals), type, rest};
}

// One function's lines, with what ends narrowing where it is needed.
void append_function(std::string_view function, std::string& out) {
    std::unordered_set<std::string_view> cut;
    each_line(function, [&](std::string_view line) {
        if (const std::string_view value = cut_value(line); value.starts_with('%')) cut.insert(value.substr(1));
    });
    each_line(function, [&](std::string_view line) {
        const ScalarLoad load = scalar_load(line);
        if (load.value.empty() || cut.count(load.value) == 0) {
            out += line;
            out += '\n';
            return;
        }
        const std::string wide = "%tilescope.load." + std::string(load.value);
        const std::string value(load.value), type(load.type);
        out += "  " + wide + " = load " + std::string(load.rest) + "\n";
        out += "  %" + value + " = freeze " + type + " " + wide + "\n";
    });
}

}  // namespace

std::string keep_load_widths(std::string_view llvm_ir) {
    std::string out;
    out.reserve(llvm_ir.size() + llvm_ir.size() / 16);
    while (!llvm_ir.empty()) {
        // A function ends with a brace of its own; what lies between functions has no loads.
        const std::size_t brace = llvm_ir.find("\n}\n");
        const std::size_t size = brace == std::string_view::npos ? llvm_ir.size() : brace + 3;
        append_function(llvm_ir.substr(0, size), out);
        llvm_ir.remove_prefix(size);
    }
    return out;
}

std::string widen_copies(std::string_view llvm_ir) {
    std::string out;
    out.reserve(llvm_ir.size() + llvm_ir.size() / 16);
    Widener widener;
    each_line(llvm_ir, [&](std::string_view line) {
        if (const auto wide = widener.replacement(line)) {
            out += *wide;
        } else {
            out += line;
            out += '\n';
        }
    });
    return out;
}

std::string credit_callers(std::string_view llvm_ir, const std::vector<std::string>& header_folders) {
    const DebugNodes nodes = debug_nodes(llvm_ir);
    std::string out;
    out.reserve(llvm_ir.size());
    each_line(llvm_ir, [&](std::string_view line) {
        std::string_view text = line;
        std::optional<std::uint64_t> number;
        if (take(text, "!")) number = take_number(text);
        const auto found = number ? nodes.find(*number) : nodes.end();
        if (found == nodes.end() || found->second.kind != "DILocation") {
            out += line;
            out += '\n';
            return;
        }
        const DebugNode* at = &found->second;
        while (in_header(nodes, *at, header_folders)) {
            const auto caller = reference_in(at->body, "inlinedAt");
            const auto next = caller ? nodes.find(*caller) : nodes.end();
            if (next == nodes.end()) break;
            at = &next->second;
        }
        // A location that other instructions are inlined at must stay distinct from all others.
        const bool distinct = text.starts_with(" = distinct ");
        out += "!" + std::to_string(*number) + (distinct ? " = distinct !DILocation" : " = !DILocation");
        out += at->body;
        out += '\n';
    });
    return out;
}

}  // namespace tilescope::image

#include "scope/image/typed_accesses.h"

#include <algorithm>
#include <array>
#include <optional>
#include <unordered_map>
#include <unordered_set>
#include <vector>

#include "scope/image/access_types.h"
#include "scope/image/copy_places.h"
#include "scope/image/ir_operands.h"
#include "scope/image/text_lines.h"

namespace tilescope::image {
namespace {

using Element = AccessTypes::Element;

constexpr std::uint64_t kWidest = 16;
constexpr std::uint64_t kLongestCopy = 128;  // beyond, clang makes a loop
constexpr unsigned kMaxSteps = 16;           // from a pointer to the variable behind it

// What a pointer of one function is made of.
class Pointers {
public:
    void add(std::string_view line) {
        if (line.starts_with("define ")) return add_arguments(line);
        auto [result, text] = instruction_of(line);
        if (result.empty()) return;
        if (text.starts_with("alloca ")) {
            local_.insert(result);
        } else if (take(text, "getelementptr ")) {
            take(text, "inbounds ");
            const auto parts = split_operands(text);
            if (parts.size() >= 2) from_[result] = {value_of(parts[1]), is_record(parts[0])};
        } else if (take(text, "bitcast ") || take(text, "addrspacecast ")) {
            const std::size_t to = text.find(" to ");
            if (to != std::string_view::npos) from_[result] = {value_of(text.substr(0, to)), false};
        }
    }

    // Whether it points into a variable of the function's own.
    bool is_local(std::string_view pointer) const {
        bool through_record = false;
        return local_.contains(origin(pointer, through_record));
    }
    // Whether it was made from a pointer to a record: the record's layout then says how it is aligned.
    bool is_member(std::string_view pointer) const {
        bool through_record = false;
        const std::string_view at = origin(pointer, through_record);
        return through_record || (at.starts_with('(') && at.find_first_of("%{") != std::string_view::npos);
    }

private:
    struct Step {
        std::string_view from;
        bool through_record = false;
    };

    static bool is_record(std::string_view type) {
        return type.starts_with('%') || type.starts_with('{') || type.starts_with('<');
    }
    // "ptr noundef byval(%struct.float4) align 16 %0": the caller made a copy.
    void add_arguments(std::string_view line) {
        const std::size_t name = line.find('@'), open = line.find('(', name == std::string_view::npos ? 0 : name);
        const auto arguments = open == std::string_view::npos ? std::nullopt : split_arguments(line.substr(open + 1));
        if (!arguments) return;
        for (const std::string_view argument : arguments->each)
            if (argument.find(" byval(") != std::string_view::npos || argument.find(" sret(") != std::string_view::npos)
                local_.insert(value_of(argument));
    }
    std::string_view origin(std::string_view pointer, bool& through_record) const {
        for (unsigned step = 0; step < kMaxSteps; ++step) {
            const auto found = from_.find(pointer);
            if (found == from_.end()) break;
            pointer = found->second.from;
            through_record = through_record || found->second.through_record;
        }
        return pointer;
    }

    std::unordered_set<std::string_view> local_;
    std::unordered_map<std::string_view, Step> from_;
};

// The bytes of a copy that become one access.
struct Piece {
    std::uint64_t offset = 0;
    std::uint64_t lane_size = 0;  // of a lane in memory, which holds one or more elements
    std::uint64_t lanes = 0;
    std::string lane_type;
    std::vector<Element> elements;
};

// Padding, and what the type doesn't tell of, counts as elements of the size of the others; nothing where elements
// differ in size.
std::optional<Piece> piece_of(const std::vector<Element>& all, std::uint64_t offset, std::uint64_t bytes) {
    Piece piece{offset, 0, 0, {}, {}};
    bool floats = true, doubles = true;
    std::uint64_t size = 0;
    for (const Element& element : all) {
        if (element.offset < offset || element.offset >= offset + bytes) continue;
        if ((size != 0 && element.size != size) || element.offset % element.size != 0) return std::nullopt;
        size = element.size;
        floats = floats && element.floating == 'f';
        doubles = doubles && element.floating == 'd';
    }
    if (size == 0) floats = doubles = false;
    if (size == 0) size = 4;
    if (bytes % size != 0) return std::nullopt;
    for (std::uint64_t at = offset; at < offset + bytes; at += size) piece.elements.push_back({at, size, 0});
    const bool packs = bytes / size > 4;  // more than a vector of PTX has
    piece.lane_size = packs ? 4 : size;
    piece.lanes = bytes / piece.lane_size;
    piece.lane_type = floats ? "float" : doubles ? "double" : "i" + std::to_string(piece.lane_size * 8);
    if (piece.lanes < 2 || piece.lanes > 4) return std::nullopt;
    return piece;
}

// Writes the accesses of one module, with names that no other line uses.
class TypedAccesses {
public:
    explicit TypedAccesses(std::string_view llvm_ir) : types_(llvm_ir), places_(llvm_ir) {
        out_.reserve(llvm_ir.size() + llvm_ir.size() / 8);
    }

    void add(std::string_view line) {
        if (line.starts_with("define ")) pointers_ = Pointers();
        pointers_.add(line);
        if (line.starts_with('!')) {
            put(types_.in_old_form(line));
        } else if (line.starts_with("  ") && line.find(" !tbaa") != std::string_view::npos) {
            line.find("call void @llvm.mem") != std::string_view::npos ? add_copy(line) : add_access(line);
        } else {
            put(line);
        }
    }

    std::string take_text() { return std::move(out_) + places_.nodes(); }

private:
    void put(std::string_view line) { out_.append(line).append("\n"); }

    static std::optional<debug::Id> tag_of(std::string_view line, std::string_view mark) {
        const std::size_t at = line.find(mark);
        return at == std::string_view::npos ? std::nullopt : debug::reference(line.substr(at + mark.size()));
    }

    // A load or store of a scalar.
    void add_access(std::string_view line) {
        const auto tag = tag_of(line, "!tbaa ");
        const auto instruction = instruction_of(line);
        const bool loads = instruction.text.starts_with("load "), stores = instruction.text.starts_with("store ");
        const std::size_t at = line.find(", align ");
        if (!tag || at == std::string_view::npos || !(loads || stores)) return put(line);
        std::string_view behind = line.substr(at + 8);
        const auto parts = split_operands(instruction.text);
        const auto alignment = take_number(behind);
        if (!alignment || parts.size() < 2) return put(line);
        std::uint64_t wanted = types_.record_alignment(*tag);
        if (wanted == 1 && !pointers_.is_member(value_of(parts[1]))) wanted = types_.scalar_alignment(*tag);
        if (wanted <= *alignment) return put(line);
        out_.append(line.substr(0, at + 8)).append(std::to_string(wanted)).append(behind).append("\n");
    }

    // llvm.memcpy or llvm.memmove of a record.
    void add_copy(std::string_view line) {
        const auto tag = tag_of(line, "!tbaa ");
        const std::size_t open = line.find('(');
        if (!tag || open == std::string_view::npos) return put(line);
        auto arguments = split_arguments(line.substr(open + 1));
        if (!arguments || arguments->each.size() != 4) return put(without_tag(line));
        const std::uint64_t alignment = types_.record_alignment(*tag);
        const std::string rest = places_.marked(arguments->rest, std::min(kWidest, alignment));
        arguments->rest = rest;
        const std::string to = aligned(arguments->each[0], alignment), from = aligned(arguments->each[1], alignment);
        if (add_vectors(*tag, to, from, *arguments)) return;
        std::string call(line.substr(0, open + 1));
        call.append(to).append(", ").append(from).append(", ").append(arguments->each[2]).append(", ");
        call.append(arguments->each[3]).append(")").append(arguments->rest);
        put(without_tag(call));
    }

    // The passes know a copy by !tbaa.struct alone.
    static std::string without_tag(std::string_view line) {
        const std::size_t at = line.find(", !tbaa !");
        if (at == std::string_view::npos) return std::string(line);
        std::string_view behind = line.substr(at + 9);
        take_number(behind);
        return std::string(line.substr(0, at)).append(behind);
    }

    // "ptr align 4 %5" with an alignment of no less than `alignment`.
    static std::string aligned(std::string_view operand, std::uint64_t alignment) {
        const std::size_t at = operand.find("align ");
        if (at == std::string_view::npos) return std::string(operand);
        std::string_view behind = operand.substr(at + 6);
        const auto own = take_number(behind);
        if (!own || *own >= alignment) return std::string(operand);
        return std::string(operand.substr(0, at + 6)).append(std::to_string(alignment)).append(behind);
    }

    // A copy between memory and a local variable, or from memory to memory; false where it stays a copy.
    bool add_vectors(debug::Id tag, const std::string& to_text, const std::string& from_text,
                     const Arguments& arguments) {
        std::string_view size_text = arguments.each[2];
        if (!take(size_text, "i64 ") || arguments.each[3] != "i1 false") return false;
        const auto size = take_number(size_text);
        const auto to = parse_pointer(to_text), from = parse_pointer(from_text);
        if (!size || !to || !from) return false;
        const bool to_local = pointers_.is_local(to->value), from_local = pointers_.is_local(from->value);
        const std::uint64_t width = std::min({kWidest, to->align, from->align, *size});
        if ((to_local && from_local) || *size > kLongestCopy || width < 4 || *size % width != 0) return false;
        const auto elements = types_.elements(tag, *size);
        std::vector<Piece> pieces;
        for (std::uint64_t at = 0; at < *size; at += width) {
            auto piece = piece_of(elements, at, width);
            if (!piece) return false;
            pieces.push_back(std::move(*piece));
        }
        debug_ = debug_of_instruction(arguments.rest);
        std::vector<std::string> values;
        const bool whole = pieces.size() > 1;
        for (const Piece& piece : pieces)
            values.push_back(from_local ? gather(piece, *from) : load(piece, *from, width, whole));
        for (std::size_t i = 0; i < pieces.size(); ++i)
            to_local ? scatter(pieces[i], values[i], *to) : store(pieces[i], values[i], *to, width);
        return true;
    }

    static std::string vector_type(const Piece& piece) {
        return "<" + std::to_string(piece.lanes) + " x " + piece.lane_type + ">";
    }
    static std::string scalar_type(const Piece& piece, const Element& element) {
        return piece.lane_size == element.size ? piece.lane_type : "i" + std::to_string(element.size * 8);
    }

    // A new value made by `operation`.
    std::string value(const std::string& operation, std::string_view mark = kVectorMark) {
        std::string name = std::string(mark) + std::to_string(next_++);
        out_.append("  ").append(name).append(" = ").append(operation).append(debug_).append("\n");
        return name;
    }
    // The operand "ptr %7" of `type` at `offset` bytes.
    std::string address(const Pointer& pointer, std::uint64_t offset, const std::string& type) {
        const std::string bytes = pointer.typed ? "i8" + pointer.space + "*" : "ptr" + pointer.space;
        std::string at(pointer.value);
        if (offset != 0)
            at = value("getelementptr inbounds i8, " + bytes + " " + at + ", i64 " + std::to_string(offset));
        if (!pointer.typed) return bytes + " " + at;
        const std::string typed = type + pointer.space + "*";
        return typed + " " + value("bitcast " + bytes + " " + at + " to " + typed);
    }

    // Frozen until it is optimized: without, scalars take its place. `whole` keeps it whole also behind that.
    std::string load(const Piece& piece, const Pointer& from, std::uint64_t width, bool whole) {
        const std::string type = vector_type(piece), at = address(from, piece.offset, type);
        const std::string loaded = value("load " + type + ", " + at + ", align " + std::to_string(width));
        return value("freeze " + type + " " + loaded, whole ? kWholeVectorMark : kVectorMark);
    }
    void store(const Piece& piece, const std::string& vector, const Pointer& to, std::uint64_t width) {
        const std::string type = vector_type(piece), at = address(to, piece.offset, type);
        out_.append("  store ").append(type).append(" ").append(vector).append(", ").append(at);
        out_.append(", align ").append(std::to_string(width)).append(debug_).append("\n");
    }

    // Elements to their places in a local variable.
    void scatter(const Piece& piece, const std::string& vector, const Pointer& to) {
        for (const Element& element : piece.elements) {
            const std::uint64_t inside = element.offset - piece.offset, lane = inside / piece.lane_size;
            const std::string type = scalar_type(piece, element);
            std::string part =
                value("extractelement " + vector_type(piece) + " " + vector + ", i32 " + std::to_string(lane));
            if (element.size < piece.lane_size) {
                const std::uint64_t shift = inside % piece.lane_size * 8;
                if (shift != 0) part = value("lshr i32 " + part + ", " + std::to_string(shift));
                part = value("trunc i32 " + part + " to " + type);
            }
            const std::string at = address(to, element.offset, type);
            out_.append("  store ").append(type).append(" ").append(part).append(", ").append(at);
            out_.append(", align ").append(std::to_string(element.size)).append(debug_).append("\n");
        }
    }
    // The reverse.
    std::string gather(const Piece& piece, const Pointer& from) {
        std::vector<std::string> lanes(piece.lanes);
        for (const Element& element : piece.elements) {
            const std::uint64_t inside = element.offset - piece.offset;
            const std::string type = scalar_type(piece, element), at = address(from, element.offset, type);
            std::string part = value("load " + type + ", " + at + ", align " + std::to_string(element.size));
            std::string& lane = lanes[inside / piece.lane_size];
            if (element.size < piece.lane_size) {
                part = value("zext " + type + " " + part + " to i32");
                const std::uint64_t shift = inside % piece.lane_size * 8;
                if (shift != 0) part = value("shl i32 " + part + ", " + std::to_string(shift));
                if (!lane.empty()) part = value("or i32 " + lane + ", " + part);
            }
            lane = part;
        }
        std::string vector = "undef";
        for (std::size_t i = 0; i < lanes.size(); ++i)
            if (!lanes[i].empty())
                vector = value("insertelement " + vector_type(piece) + " " + vector + ", " + piece.lane_type + " " +
                               lanes[i] + ", i32 " + std::to_string(i));
        return vector;
    }

    AccessTypes types_;
    CopyPlaces places_;
    Pointers pointers_;
    std::string out_;
    std::string debug_;
    std::uint64_t next_ = 0;
};

}  // namespace

std::string type_accesses(std::string_view llvm_ir) {
    TypedAccesses accesses(llvm_ir);
    each_line(llvm_ir, [&](std::string_view line) { accesses.add(line); });
    return accesses.take_text();
}

}  // namespace tilescope::image

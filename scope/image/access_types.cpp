#include "scope/image/access_types.h"

#include <algorithm>
#include <bit>

#include "scope/image/ir_operands.h"
#include "scope/image/text_lines.h"

namespace tilescope::image {
namespace {

using debug::Id;

constexpr unsigned kMaxDepth = 32;         // of records in records
constexpr std::size_t kMaxElements = 128;  // beyond, nobody takes a record apart

// "i64 12" to 12.
std::optional<std::uint64_t> constant_at(std::string_view text) {
    if (!take(text, "i64 ")) return std::nullopt;
    return debug::number_at(text);
}

std::uint64_t alignment_at(std::uint64_t alignment, std::uint64_t offset) {
    const std::uint64_t bits = alignment | offset;
    return bits == 0 ? 1 : bits & (~bits + 1);
}

bool names_record(std::string_view name) { return name.starts_with("_ZTS"); }

}  // namespace

AccessTypes::AccessTypes(std::string_view llvm_ir) : text_(llvm_ir), nodes_(llvm_ir) {
    read_types();
    if (!types_.empty()) read_alignments();
}

// Every tag that an instruction names, and the tags of the lists that describe copies.
void AccessTypes::read_types() {
    each_line(text_, [&](std::string_view line) {
        if (!line.starts_with("  ")) return;
        for (const std::string_view mark : {"!tbaa ", "!tbaa.struct "}) {
            const std::size_t at = line.find(mark);
            const auto id =
                at == std::string_view::npos ? std::nullopt : debug::reference(line.substr(at + mark.size()));
            if (!id) continue;
            if (mark == "!tbaa ") {
                read_tag(*id);
            } else {
                for (const std::string_view part : debug::Nodes::list(nodes_.of(*id)))
                    if (const auto tag = debug::reference(part)) read_tag(*tag);
            }
        }
    });
}

bool AccessTypes::read_tag(Id id) {
    if (tags_.contains(id)) return true;
    const auto parts = debug::Nodes::list(nodes_.of(id));
    if (parts.size() < 4 || parts.size() > 5) return false;
    const auto base = debug::reference(parts[0]), access = debug::reference(parts[1]);
    const auto offset = constant_at(parts[2]);
    if (!base || !access || !offset || !constant_at(parts[3])) return false;
    if (!read_type(*base, 0) || !read_type(*access, 0)) return false;
    tags_[id] = {*base, *access, *offset, parts.size() == 5 ? parts[4] : std::string_view()};
    return true;
}

bool AccessTypes::read_type(Id id, unsigned depth) {
    if (types_.contains(id)) return true;
    const auto parts = debug::Nodes::list(nodes_.of(id));
    if (parts.size() < 3 || parts.size() % 3 != 0 || depth > kMaxDepth) return false;
    const auto parent = debug::reference(parts[0]);
    const auto size = constant_at(parts[1]);
    if (!parent || !size || !parts[2].starts_with("!\"") || parts[2].size() < 3) return false;
    Type type{*parent, *size, parts[2].substr(2, parts[2].size() - 3), {}};
    for (std::size_t i = 3; i < parts.size(); i += 3) {
        const auto field = debug::reference(parts[i]);
        const auto offset = constant_at(parts[i + 1]), bytes = constant_at(parts[i + 2]);
        if (!field || !offset || !bytes || !read_type(*field, depth + 1)) return false;
        type.fields.push_back({*field, *offset, *bytes});
    }
    types_.emplace(id, std::move(type));
    read_type(*parent, depth + 1);  // the root has no parent, and its form is the same in both
    return true;
}

void AccessTypes::read_alignments() {
    nodes_.each([&](std::string_view node) {
        const bool record = node.starts_with("!DICompositeType(");
        if (!record && !node.starts_with("!DIDerivedType(")) return;
        const auto bits = debug::number_at(debug::field(node, "align"));
        if (!bits || *bits < 8) return;
        const std::string_view tag = debug::field(node, "tag");
        if (tag == "DW_TAG_structure_type" || tag == "DW_TAG_class_type") {
            const std::string_view identifier = debug::quoted(debug::field(node, "identifier"));
            const std::string_view name = debug::quoted(debug::field(node, "name"));
            if (!identifier.empty()) {
                by_identifier_[identifier] = *bits / 8;
            } else if (!name.empty()) {
                const auto [at, is_new] = by_name_.emplace(std::to_string(name.size()) + std::string(name), *bits / 8);
                if (!is_new) at->second = std::min(at->second, *bits / 8);
            }
        } else if (tag == "DW_TAG_typedef") {
            std::string_view type = nodes_.behind(node, "baseType");
            for (unsigned depth = 0; depth < kMaxDepth && !debug::field(type, "baseType").empty(); ++depth)
                type = nodes_.behind(type, "baseType");
            if (const auto identifier = debug::quoted(debug::field(type, "identifier")); !identifier.empty())
                less_aligned_.insert(identifier);
            else if (const auto size = debug::number_at(debug::field(type, "size")))
                less_aligned_sizes_.insert(*size / 8);
        }
    });
}

std::uint64_t AccessTypes::explicit_alignment(const Type& type) const {
    if (less_aligned_.contains(type.name)) return 1;
    if (const auto found = by_identifier_.find(type.name); found != by_identifier_.end()) return found->second;
    std::uint64_t alignment = 1;
    for (const auto& [name, bytes] : by_name_) {
        const std::size_t at = type.name.rfind(name);
        // Behind the name stand an "E" of each namespace and nothing else.
        if (at == std::string_view::npos ||
            type.name.find_first_not_of('E', at + name.size()) != std::string_view::npos)
            continue;
        alignment = std::max(alignment, bytes);
    }
    return alignment;
}

// Of the record itself, or of a record in it; fields that don't lie at multiples of their alignment say that the record
// is packed.
std::uint64_t AccessTypes::alignment_of(Id id, unsigned depth) {
    const auto known = alignments_.find(id);
    if (known != alignments_.end()) return known->second;
    const auto found = types_.find(id);
    if (found == types_.end() || !names_record(found->second.name) || depth > kMaxDepth) return 1;
    std::uint64_t alignment = explicit_alignment(found->second);
    if (alignment == 1 && !less_aligned_.contains(found->second.name)) {
        for (const Field& field : found->second.fields) {
            const std::uint64_t own = alignment_of(field.type, depth + 1);
            alignment = std::max(alignment, own);
            if (field.offset % own != 0) alignment = 1;
            if (field.offset % own != 0) break;
        }
        if (found->second.size % alignment != 0) alignment = 1;
    }
    alignments_[id] = alignment;
    return alignment;
}

std::uint64_t AccessTypes::record_alignment(Id id) {
    const auto tag = tags_.find(id);
    if (tag == tags_.end()) return 1;
    const std::uint64_t alignment = alignment_of(tag->second.base, 0);
    return alignment == 1 ? 1 : alignment_at(alignment, tag->second.offset);
}

std::uint64_t AccessTypes::scalar_alignment(Id id) const {
    const auto tag = tags_.find(id);
    if (tag == tags_.end() || tag->second.base != tag->second.access) return 1;
    const Type& type = types_.at(tag->second.base);
    if (!type.fields.empty() || names_record(type.name) || less_aligned_sizes_.contains(type.size)) return 1;
    return std::has_single_bit(type.size) && type.size <= 8 ? type.size : 1;
}

bool AccessTypes::add_elements(Id id, std::uint64_t offset, std::uint64_t size, std::vector<Element>& all,
                               unsigned depth) {
    const auto found = types_.find(id);
    if (found == types_.end() || depth > kMaxDepth) return false;
    const Type& type = found->second;
    if (!type.fields.empty()) {
        for (std::uint64_t at = 0; at + type.size <= size && type.size != 0; at += type.size)
            for (const Field& field : type.fields)
                if (!add_elements(field.type, offset + at + field.offset, field.size, all, depth + 1)) return false;
        return true;
    }
    if (names_record(type.name)) return true;  // an empty one
    // Unions and arrays of characters are of words where they can be.
    const bool bytes = type.size == 1 && size % 4 == 0 && offset % 4 == 0;
    const std::uint64_t each = bytes ? 4 : type.size;
    if (!std::has_single_bit(each) || each > 8) return false;
    for (std::uint64_t at = 0; at + each <= size; at += each) {
        if (all.size() == kMaxElements) return false;
        all.push_back({offset + at, each, type.name == "float" ? 'f' : type.name == "double" ? 'd' : '\0'});
    }
    return true;
}

std::vector<AccessTypes::Element> AccessTypes::elements(Id id, std::uint64_t size) {
    std::vector<Element> all;
    const auto tag = tags_.find(id);
    if (tag == tags_.end()) return all;
    const auto type = types_.find(tag->second.access);
    const bool known = type != types_.end() && type->second.size == size && add_elements(type->first, 0, size, all, 0);
    return known ? all : std::vector<Element>();
}

std::string AccessTypes::in_old_form(std::string_view line) const {
    const auto id = debug::reference(line);
    if (!id) return std::string(line);
    const auto name = [](Id type) { return "!" + std::to_string(type); };
    const std::string start = name(*id) + " = !{";
    if (const auto tag = tags_.find(*id); tag != tags_.end()) {
        const auto& [base, access, offset, constant] = tag->second;
        return start + name(base) + ", " + name(access) + ", i64 " + std::to_string(offset) +
               (constant.empty() ? "" : ", " + std::string(constant)) + "}";
    }
    const auto found = types_.find(*id);
    if (found == types_.end()) return std::string(line);
    const Type& type = found->second;
    std::string out = start + "!\"" + std::string(type.name) + "\"";
    for (const Field& field : type.fields) out += ", " + name(field.type) + ", i64 " + std::to_string(field.offset);
    if (type.fields.empty()) out += ", " + name(type.parent) + ", i64 0";
    return out + "}";
}

}  // namespace tilescope::image

// The types that clang names beside each access of LLVM code: their alignment and their elements.
//
// An lvalue of type float4 is aligned to 16 bytes. clang forgets this where it sees the variable that the memory
// belongs to: *(float4*)&s[i] with `float s[1024]` is aligned to 4 for clang, to 16 for nvcc. The metadata of
// -new-struct-path-tbaa name the type of each access, and the debug information tells its alignment.
//
// Guarantees: an alignment is never above the type's own. A type that the metadata don't name is aligned to 1 byte.
// Does not model: packed records that hold nothing but one aligned record.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <unordered_map>
#include <unordered_set>
#include <vector>

#include "scope/image/debug_nodes.h"

namespace tilescope::image {

class AccessTypes {
public:
    explicit AccessTypes(std::string_view llvm_ir);

    // The alignment of an access with "!tbaa !tag", as far as the record that it belongs to says so.
    std::uint64_t record_alignment(debug::Id tag);
    // The same, where the access is no part of a record: the alignment of a scalar is its size.
    std::uint64_t scalar_alignment(debug::Id tag) const;

    // A scalar of a record. `floating` is 'f' for float and 'd' for double.
    struct Element {
        std::uint64_t offset = 0;
        std::uint64_t size = 0;
        char floating = 0;
    };
    // The scalars of the record of `size` bytes that a copy with this tag is about, in order; none where these are
    // unknown.
    std::vector<Element> elements(debug::Id tag, std::uint64_t size);

    // A line of metadata in the form that LLVM's passes expect: without -new-struct-path-tbaa.
    std::string in_old_form(std::string_view line) const;

private:
    struct Field {
        debug::Id type = 0;
        std::uint64_t offset = 0;
        std::uint64_t size = 0;
    };
    struct Type {
        debug::Id parent = 0;
        std::uint64_t size = 0;
        std::string_view name;
        std::vector<Field> fields;
    };
    struct Tag {
        debug::Id base = 0;
        debug::Id access = 0;
        std::uint64_t offset = 0;
        std::string_view constant;  // "i64 1" where nobody writes the memory
    };

    void read_types();
    void read_alignments();
    bool read_tag(debug::Id id);
    bool read_type(debug::Id id, unsigned depth);
    std::uint64_t alignment_of(debug::Id type, unsigned depth);
    std::uint64_t explicit_alignment(const Type& type) const;
    bool add_elements(debug::Id type, std::uint64_t offset, std::uint64_t size, std::vector<Element>& all,
                      unsigned depth);

    std::string_view text_;
    debug::Nodes nodes_;
    std::unordered_map<debug::Id, Type> types_;
    std::unordered_map<debug::Id, Tag> tags_;
    std::unordered_map<debug::Id, std::uint64_t> alignments_;
    std::unordered_map<std::string_view, std::uint64_t> by_identifier_;
    std::unordered_map<std::string, std::uint64_t> by_name_;  // "5Half8" of records without an identifier
    std::unordered_set<std::string_view> less_aligned_;       // records that a typedef aligns otherwise
    std::unordered_set<std::uint64_t> less_aligned_sizes_;    // the same of scalars
};

}  // namespace tilescope::image

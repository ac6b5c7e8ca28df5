#include "scope/observers/trace_names.h"

#include <algorithm>
#include <charconv>

namespace tilescope::observers {
namespace {

std::string hexadecimal(std::uint64_t value) {
    char digits[16];
    const auto end = std::to_chars(digits, digits + sizeof digits, value, 16).ptr;
    return "0x" + std::string(digits, end);
}

std::string brackets(const std::vector<std::uint64_t>& index, const std::string& last) {
    std::string text;
    for (std::size_t i = 0; i + 1 < index.size(); ++i) text += "[" + std::to_string(index[i]) + "]";
    return text + "[" + last + "]";
}

// The subscripts of an element; beyond its first dimension an array has no elements.
bool subscripts(const std::vector<std::uint64_t>& shape, std::uint64_t index, std::vector<std::uint64_t>& into) {
    into.assign(shape.size(), 0);
    for (std::size_t d = shape.size(); d-- > 0;) {
        into[d] = index % shape[d];
        index /= shape[d];
    }
    return index == 0;
}

std::string offset_text(const std::string& name, std::int64_t offset) {
    return name + (offset < 0 ? "-" : "+") + std::to_string(offset < 0 ? -offset : offset);
}

std::string in_array(const TraceArray& array, std::uint64_t address, std::uint64_t bytes) {
    const std::string& name = array.shown.name;
    const auto offset = static_cast<std::int64_t>(address - array.base);
    const std::int64_t element = array.shown.element_bytes;
    if (element == 0 || offset % element != 0) return offset_text(name, offset);
    const std::int64_t index = offset / element;
    const auto count = static_cast<std::int64_t>((bytes + element - 1) / element);
    if (array.shown.shape.size() < 2) {
        const std::string first = std::to_string(index);
        return name + "[" + (count > 1 ? first + ".." + std::to_string(index + count - 1) : first) + "]";
    }
    std::vector<std::uint64_t> from, to;
    if (index < 0 || !subscripts(array.shown.shape, static_cast<std::uint64_t>(index), from))
        return offset_text(name, offset);
    const std::string last = std::to_string(from.back());
    if (count <= 1) return name + brackets(from, last);
    if (subscripts(array.shown.shape, static_cast<std::uint64_t>(index + count - 1), to) &&
        std::equal(from.begin(), from.end() - 1, to.begin()))
        return name + brackets(from, last + ".." + std::to_string(to.back()));
    return name + brackets(from, last) + "..";
}

}  // namespace

std::size_t TraceNames::find(machine::Space space, std::uint64_t address) const {
    std::size_t best = arrays.size();
    for (std::size_t i = 0; i < arrays.size(); ++i) {
        const TraceArray& array = arrays[i];
        if (array.space != space || address < array.low || address >= array.high) continue;
        if (best == arrays.size()) {
            best = i;
            continue;
        }
        // Several may point into one allocation: the nearest below, of equal ones a part named by the user.
        const TraceArray& other = arrays[best];
        const bool below = array.base <= address, other_below = other.base <= address;
        const bool nearer = below != other_below ? below : below == (array.base > other.base);
        if (array.base != other.base ? nearer : array.is_part && !other.is_part) best = i;
    }
    return best;
}

std::string TraceNames::element(machine::Space space, std::uint64_t address, std::uint64_t bytes) const {
    const std::size_t found = find(space, address);
    if (found < arrays.size()) return in_array(arrays[found], address, bytes);
    if (space == machine::Space::kShared) return offset_text("shared", static_cast<std::int64_t>(address));
    return hexadecimal(address);
}

std::string TraceNames::parameter(std::uint64_t offset) const {
    std::string name = "argument";
    for (const auto& [at, text] : parameters)
        if (at <= offset) name = text;
    return name;
}

}  // namespace tilescope::observers

#include "scope/session/trace_options.h"

#include <charconv>

namespace tilescope {
namespace {

constexpr std::size_t kMaxDimensions = 4;
constexpr std::uint64_t kMaxElements = std::uint64_t{1} << 40;

bool whole(std::string_view text, std::uint64_t& value) {
    const auto [end, status] = std::from_chars(text.data(), text.data() + text.size(), value);
    return status == std::errc() && end == text.data() + text.size() && !text.empty();
}

}  // namespace

Result<TraceShape> parse_shape(const std::string& text) {
    auto bad = [&](const std::string& why) {
        return error("trace-shape", {}, "--shape: cannot use \"" + text + "\": " + why,
                     "write NAME=ROWSxCOLUMNS, NAME=ROWSxCOLUMNS:PITCH for rows that begin PITCH elements apart, or "
                     "NAME=ROWSxCOLUMNS@ARRAY+BYTES for a part of an array");
    };
    TraceShape shape;
    const std::size_t equals = text.find('=');
    if (equals == std::string::npos || equals == 0) return bad("there is no name in front of \"=\"");
    shape.name = text.substr(0, equals);
    std::string_view rest = std::string_view(text).substr(equals + 1);
    if (const std::size_t at = rest.find('@'); at != std::string_view::npos) {
        std::string_view place = rest.substr(at + 1);
        rest = rest.substr(0, at);
        if (const std::size_t plus = place.rfind('+'); plus != std::string_view::npos) {
            if (!whole(place.substr(plus + 1), shape.offset)) return bad("the offset is no number of bytes");
            place = place.substr(0, plus);
        }
        if (place.empty()) return bad("there is no array behind \"@\"");
        shape.within = place;
    }
    if (const std::size_t colon = rest.find(':'); colon != std::string_view::npos) {
        if (!whole(rest.substr(colon + 1), shape.pitch) || shape.pitch == 0 || shape.pitch > kMaxElements)
            return bad("the pitch is no whole number of elements");
        rest = rest.substr(0, colon);
    }
    std::uint64_t elements = 1;
    while (true) {
        const std::size_t cross = rest.find('x');
        std::uint64_t size = 0;
        if (!whole(rest.substr(0, cross), size) || size == 0 || size > kMaxElements / elements ||
            shape.shape.size() == kMaxDimensions)
            return bad("a shape is one to four whole numbers of at least 1, with x between them");
        elements *= size;
        shape.shape.push_back(size);
        if (cross == std::string_view::npos) break;
        rest.remove_prefix(cross + 1);
    }
    if (shape.pitch != 0 && shape.pitch < shape.shape.back()) return bad("the pitch is shorter than a row");
    if (shape.pitch != 0 && elements / shape.shape.back() > kMaxElements / shape.pitch) return bad("it is too large");
    return shape;
}

std::string to_text(const TraceShape& shape) {
    std::string text = shape.name + "=";
    for (std::size_t i = 0; i < shape.shape.size(); ++i) text += (i ? "x" : "") + std::to_string(shape.shape[i]);
    if (shape.pitch != 0) text += ":" + std::to_string(shape.pitch);
    if (!shape.within.empty()) text += "@" + shape.within + "+" + std::to_string(shape.offset);
    return text;
}

}  // namespace tilescope

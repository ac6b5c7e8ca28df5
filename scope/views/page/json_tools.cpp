#include "scope/views/page/json_tools.h"

#include <cmath>
#include <cstdint>
#include <cstdlib>

#include <fmt/format.h>

namespace tilescope::views::page {
namespace {

constexpr std::string_view kEllipsis = "…";

// At a boundary of UTF-8.
std::size_t boundary(std::string_view text, std::size_t at) {
    constexpr unsigned kContinues = 0x80, kMask = 0xc0;
    while (at > 0 && (static_cast<unsigned char>(text[at]) & kMask) == kContinues) --at;
    return at;
}

bool shorten(std::string& text, std::size_t most) {
    if (text.size() <= most) return false;
    text.resize(boundary(text, most));
    text += kEllipsis;
    return true;
}

std::size_t cut_all(Json& json, std::size_t most) {
    std::size_t count = 0;
    if (json.is_string()) {
        count += shorten(json.get_ref<std::string&>(), most) ? 1 : 0;
    } else if (json.is_object()) {
        bool is_long = false;
        for (auto& [key, value] : json.items()) {
            is_long = is_long || key.size() > most;
            count += cut_all(value, most);
        }
        if (!is_long) return count;
        Json again = Json::object();
        for (auto& [key, value] : json.items()) {
            std::string name = key;
            count += shorten(name, most) ? 1 : 0;
            again[name] = std::move(value);
        }
        json = std::move(again);
    } else if (json.is_array()) {
        for (Json& value : json) count += cut_all(value, most);
    }
    return count;
}

}  // namespace

Json rounded(double value) {
    if (!std::isfinite(value)) return nullptr;
    constexpr double kExact = 9007199254740992;  // beyond, doubles are no longer one apart
    if (value == std::floor(value) && std::abs(value) < kExact) return static_cast<std::int64_t>(value);
    return std::strtod(fmt::format("{:.6g}", value).c_str(), nullptr);
}

void cut_texts(Json& json, std::size_t most, LeftOut& left) {
    if (const std::size_t count = cut_all(json, most); count != 0) left.add("texts that are cut short", count);
}

std::string script_text(const Json& json) {
    const std::string plain = json.dump(-1, ' ', false, Json::error_handler_t::replace);
    std::string text;
    text.reserve(plain.size());
    for (std::size_t i = 0; i < plain.size(); ++i) {
        const std::string_view rest = std::string_view(plain).substr(i);
        if (plain[i] == '<') {
            text += "\\u003c";
        } else if (plain[i] == '>') {
            text += "\\u003e";
        } else if (plain[i] == '&') {
            text += "\\u0026";
        } else if (rest.starts_with("\u2028") || rest.starts_with("\u2029")) {
            text += rest.starts_with("\u2028") ? "\\u2028" : "\\u2029";
            i += std::string_view("\u2028").size() - 1;
        } else {
            text += plain[i];
        }
    }
    return text;
}

}  // namespace tilescope::views::page

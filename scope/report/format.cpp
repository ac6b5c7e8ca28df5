#include "scope/report/format.h"

#include <fmt/format.h>

#include <algorithm>
#include <cctype>
#include <cmath>

#include "scope/base/safe_text.h"

namespace tilescope::report {

std::string thousands(std::uint64_t value) {
    std::string text = std::to_string(value);
    for (std::size_t at = text.size(); at > 3; at -= 3) text.insert(at - 3, 1, ',');
    return text;
}

std::string counted(std::uint64_t count, std::string_view one, std::string_view many) {
    std::string text = thousands(count) + " ";
    if (count == 1 || many.empty()) return text.append(one) + (count == 1 ? "" : "s");
    return text.append(many);
}

std::string plain_number(double value) {
    constexpr double kExact = 9007199254740992.0;
    if (value == std::floor(value) && std::abs(value) < kExact) return fmt::format("{:.0f}", value);
    return fmt::format("{:.6g}", value);
}

std::string per_request(double value) { return fmt::format("{:.1f}", value); }

std::string times_text(double factor) {
    const double whole = std::round(factor);
    constexpr double kNear = 0.05;
    return std::abs(factor - whole) < kNear ? thousands(static_cast<std::uint64_t>(whole)) : per_request(factor);
}

std::string waves_text(const OccupancyWaves& waves) {
    const std::string idle =
        waves.idle_sms == 0 ? "" : ", " + thousands(waves.idle_sms) + (waves.idle_sms == 1 ? " SM idle" : " SMs idle");
    if (waves.full == 0)
        return percent(waves.tail_fraction()) + " of the " + thousands(waves.blocks_at_once) + " that fit at once" +
               idle;
    std::string text = thousands(waves.full) + (waves.full == 1 ? " full wave of " : " full waves of ") +
                       thousands(waves.blocks_at_once);
    if (waves.tail_blocks == 0) return text;
    return text + ", then " + thousands(waves.tail_blocks) + " (" + percent(waves.tail_fraction()) + " of a wave)" +
           idle;
}

std::string_view origin_words(std::string_view origin) { return origin == "modelled" ? "modeled" : origin; }

std::string gpu_name(std::string_view device) {
    std::string name(device);
    // A variant behind the model, such as "-pcie", stays as it is.
    const auto end = std::find(name.begin(), name.end(), '-');
    const bool is_model = name.begin() != end && std::isalpha(static_cast<unsigned char>(name.front())) != 0 &&
                          std::any_of(name.begin(), end, [](unsigned char c) { return std::isdigit(c) != 0; });
    if (is_model)
        std::transform(name.begin(), end, name.begin(),
                       [](unsigned char c) { return static_cast<char>(std::toupper(c)); });
    return name;
}

std::string percent(double fraction) {
    const double value = 100 * fraction;
    if (value > 0 && value < 1) return fmt::format("{:.1f} %", value);
    // 99.97 is not all of it.
    if (value > 99 && value < 100) return fmt::format("{:.1f} %", std::min(value, 99.9));
    return fmt::format("{:.0f} %", value);
}

std::string with_prefix(double value) {
    constexpr std::pair<double, const char*> kPrefixes[] = {{1e12, " T"}, {1e9, " G"}, {1e6, " M"}, {1e3, " k"}};
    for (const auto& [scale, name] : kPrefixes)
        if (value >= scale) return fmt::format("{:.{}f}{}", value / scale, value < 10 * scale ? 1 : 0, name);
    return fmt::format("{:.0f} ", value);
}

std::string microseconds_text(double value) {
    constexpr double kWhole = 1000;  // numeric: from here on tenths are noise
    return (value < kWhole ? per_request(value) : thousands(static_cast<std::uint64_t>(std::llround(value)))) + " µs";
}

std::string duration(double seconds) {
    if (seconds < 1e-3) return "under 1 ms";
    if (seconds < 0.0995) return fmt::format("{:.0f} ms", 1e3 * seconds);
    if (seconds < 60) return fmt::format("{:.1f} s", seconds);
    const auto whole = static_cast<std::uint64_t>(std::llround(seconds));
    return fmt::format("{} min {} s", whole / 60, whole % 60);
}

std::string_view words_of(SmResource resource) {
    switch (resource) {
        // A profile calls it threads; whole warps are what an SM has room for.
        case SmResource::kThreads: return "warps";
        case SmResource::kShared: return "shared memory";
        case SmResource::kCarveout: return "the carve-out of shared memory";
        case SmResource::kBlocks:
        case SmResource::kRegisters:
        case SmResource::kBarriers: break;
    }
    return name_of(resource);
}

std::string dimensions(const Dim3& extent) {
    std::string text = std::to_string(extent[0]);
    if (extent[1] > 1 || extent[2] > 1) text += "×" + std::to_string(extent[1]);
    if (extent[2] > 1) text += "×" + std::to_string(extent[2]);
    return text;
}

std::size_t columns(std::string_view text) {
    std::size_t count = 0;
    for (char c : text) count += (static_cast<unsigned char>(c) & 0xC0) != 0x80;
    return count;
}

std::string padded(const std::string& text, std::size_t width) {
    const std::size_t used = columns(text);
    return used >= width ? text : text + std::string(width - used, ' ');
}

std::string right_aligned(const std::string& text, std::size_t width) {
    const std::size_t used = columns(text);
    return used >= width ? text : std::string(width - used, ' ') + text;
}

std::string cut(std::string_view text, std::size_t width) {
    if (columns(text) <= width) return std::string(text);
    if (width == 0) return {};
    std::size_t kept = 0, end = 0;
    for (; end < text.size(); ++end) {
        const bool starts = (static_cast<unsigned char>(text[end]) & 0xC0) != 0x80;
        if (starts && kept++ == width - 1) break;
    }
    return std::string(text.substr(0, end)) + "…";
}

std::vector<std::string> wrap(std::string_view text, std::size_t width) {
    std::vector<std::string> lines;
    while (!text.empty()) {
        const std::string_view word = text.substr(0, text.find(' '));
        text.remove_prefix(std::min(text.size(), word.size() + 1));
        if (lines.empty() || columns(lines.back()) + 1 + columns(word) > width)
            lines.emplace_back(word);
        else
            lines.back() += " " + std::string(word);
    }
    return lines;
}

std::string printable(std::string_view text) {
    std::string line(text);
    std::replace_if(
        line.begin(), line.end(), [](char c) { return c == '\t' || c == '\n'; }, ' ');
    return safe_text(line);
}

std::string_view file_name(std::string_view path) {
    const std::size_t slash = path.rfind('/');
    return slash == std::string_view::npos ? path : path.substr(slash + 1);
}

}  // namespace tilescope::report

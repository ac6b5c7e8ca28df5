#include "tests/golden/case.h"

#include <algorithm>
#include <charconv>
#include <filesystem>
#include <fstream>
#include <sstream>

namespace tilescope::golden {
namespace {

constexpr std::string_view kContinuation = "//    ";

std::string_view trimmed(std::string_view text) {
    const std::size_t first = text.find_first_not_of(" \t");
    if (first == std::string_view::npos) return {};
    return text.substr(first, text.find_last_not_of(" \t") - first + 1);
}

bool read_number(std::string_view text, std::uint64_t& value) {
    const auto read = std::from_chars(text.data(), text.data() + text.size(), value);
    return !text.empty() && read.ec == std::errc{} && read.ptr == text.data() + text.size();
}

bool read_extent(std::string_view text, std::array<std::uint32_t, 3>& extent) {
    for (std::uint32_t& part : extent) {
        const std::size_t comma = text.find(',');
        std::uint64_t value = 0;
        if (!read_number(text.substr(0, comma), value)) return false;
        part = static_cast<std::uint32_t>(value);
        if (comma == std::string_view::npos) return true;
        text.remove_prefix(comma + 1);
    }
    return false;
}

bool read_launch(std::string_view text, Case& out) {
    std::istringstream words{std::string(text)};
    std::string word;
    if (!(words >> out.kernel)) return false;
    while (words >> word) {
        const std::size_t equals = word.find('=');
        if (equals == std::string::npos) return false;
        const std::string_view key = std::string_view(word).substr(0, equals);
        const std::string_view value = std::string_view(word).substr(equals + 1);
        if (key == "grid") {
            if (!read_extent(value, out.grid)) return false;
        } else if (key == "block") {
            if (!read_extent(value, out.block)) return false;
        } else if (key == "measured") {
            if (value.empty()) return false;
            out.measured = value;
        } else {
            std::uint64_t* const number = key == "shared"             ? &out.shared_bytes
                                          : key == "stack"            ? &out.stack_bytes
                                          : key == "max-instructions" ? &out.max_instructions
                                                                      : nullptr;
            if (number == nullptr || !read_number(value, *number)) return false;
        }
    }
    return true;
}

// "u32=5", "value:u32[3]=1 2 3" or "buffer:u32[64]=iota"
bool read_argument(std::string_view text, Argument& out) {
    const std::size_t equals = text.find('=');
    if (equals == std::string_view::npos) return false;
    std::string_view type = trimmed(text.substr(0, equals));
    std::uint64_t count = 1;
    if (const std::size_t colon = type.find(':'); colon != std::string_view::npos) {
        out.is_buffer = type.substr(0, colon) == "buffer";
        if (!out.is_buffer && type.substr(0, colon) != "value") return false;
        type.remove_prefix(colon + 1);
        const std::size_t open = type.find('[');
        if (open == std::string_view::npos || !type.ends_with(']')) return false;
        if (!read_number(type.substr(open + 1, type.size() - open - 2), count)) return false;
        type = type.substr(0, open);
    }
    const auto known = value_type(type);
    if (!known) return false;
    out.type = *known;
    const auto bytes = read_values(*known, text.substr(equals + 1), count);
    if (bytes) out.bytes = *bytes;
    return bytes.has_value();
}

// "arg 1 = …", "arg 1 within 2 ulp = …" or "arg 1 within 2 ulp or 1e-6 = …"
bool read_expectation(std::string_view text, Expectation& out) {
    const std::size_t equals = text.find('=');
    if (equals == std::string_view::npos) return false;
    std::istringstream words{std::string(text.substr(0, equals))};
    std::string arg, within, ulp, either;
    if (!(words >> arg >> out.argument) || arg != "arg") return false;
    out.values = trimmed(text.substr(equals + 1));
    if (!(words >> within)) return true;
    if (within != "within" || !(words >> out.within.ulps >> ulp) || ulp != "ulp") return false;
    out.tolerance = trimmed(text.substr(text.find("within"), equals - text.find("within")));
    return !(words >> either) || (either == "or" && words >> out.within.absolute);
}

bool read_counter(std::string_view text, CounterLine& out) {
    const std::size_t equals = text.find('=');
    if (equals == std::string_view::npos) return false;
    const auto counter = counter_by_name(trimmed(text.substr(0, equals)));
    if (counter) out.counter = *counter;
    return counter && read_number(trimmed(text.substr(equals + 1)), out.value);
}

bool read_failure(std::string_view text, Failure& out) {
    std::istringstream words{std::string(text)};
    std::string line;
    return words >> out.what >> line >> out.line && line == "line";
}

bool read_directive(std::string_view key, std::string_view text, Place place, std::vector<Case>& cases) {
    if (key == "launch") return read_launch(text, cases.emplace_back());
    if (cases.empty()) return false;
    Case& out = cases.back();
    if (key == "arg") return read_argument(text, out.arguments.emplace_back());
    if (key == "expect") {
        out.expectations.emplace_back().place = place;
        return read_expectation(text, out.expectations.back());
    }
    if (key == "counter") {
        out.counters.emplace_back().place = place;
        return read_counter(text, out.counters.back());
    }
    auto& failures = key == "fault" ? out.faults : key == "hazard" ? out.hazards : out.errors;
    failures.emplace_back().place = place;
    return read_failure(text, failures.back());
}

}  // namespace

GoldenFile read_golden(const std::string& path) {
    GoldenFile file;
    file.path = path;
    std::ifstream stream(path, std::ios::binary);
    if (!stream) file.problems.push_back("cannot be read");
    std::string line;
    while (std::getline(stream, line)) {
        file.lines.push_back(line);
        file.text += line + "\n";
    }
    for (std::size_t i = 0; i < file.lines.size(); ++i) {
        const std::string_view at = file.lines[i];
        std::string_view key;
        for (std::string_view known : {"launch", "arg", "expect", "counter", "fault", "hazard", "error"})
            if (at.starts_with("// " + std::string(known) + ":")) key = known;
        if (key.empty()) continue;
        std::string text(trimmed(at.substr(key.size() + 4)));
        Place place{i, 1};
        while (i + 1 < file.lines.size() && std::string_view(file.lines[i + 1]).starts_with(kContinuation)) {
            text.append(" ").append(trimmed(std::string_view(file.lines[++i]).substr(2)));
            ++place.lines;
        }
        if (!read_directive(key, text, place, file.cases))
            file.problems.push_back("line " + std::to_string(place.first + 1) + " does not read: " + std::string(at));
    }
    if (file.cases.empty()) file.problems.push_back("no '// launch:' line");
    return file;
}

std::vector<std::string> golden_files(const std::string& folder) {
    std::vector<std::string> files;
    for (const auto& entry : std::filesystem::recursive_directory_iterator(folder))
        if (entry.path().extension() == ".ptx") files.push_back(entry.path().string());
    std::sort(files.begin(), files.end());
    return files;
}

}  // namespace tilescope::golden

#include "tests/truth/isa/table.h"

#include <algorithm>
#include <cctype>
#include <charconv>
#include <cmath>
#include <cstdio>
#include <cstring>
#include <fstream>
#include <limits>
#include <sstream>

namespace tilescope::truth {
namespace {

std::vector<std::string> split(std::string_view text, char separator) {
    std::vector<std::string> parts;
    for (std::size_t at = 0;; ++at) {
        const std::size_t end = text.find(separator, at);
        parts.emplace_back(text.substr(at, end == text.npos ? end : end - at));
        if (end == text.npos) return parts;
        at = end;
    }
}

template <class T>
std::optional<T> number(std::string_view text, int base = 10) {
    T value{};
    const auto read = std::from_chars(text.data(), text.data() + text.size(), value, base);
    if (text.empty() || read.ec != std::errc{} || read.ptr != text.data() + text.size()) return std::nullopt;
    return value;
}

std::optional<Bits> bits(std::string_view text) {
    const std::size_t low = text.size() > 16 ? text.size() - 16 : 0;
    const auto high_half = low > 0 ? number<std::uint64_t>(text.substr(0, low), 16) : std::optional<std::uint64_t>(0);
    const auto low_half = number<std::uint64_t>(text.substr(low), 16);
    if (!high_half || !low_half) return std::nullopt;
    return Bits{*low_half, *high_half};
}

std::optional<Lanes> read_lanes(std::string_view text) {
    Lanes lanes;
    for (const std::string& word : split(text, ' ')) {
        const std::size_t star = word.find('*');
        const auto value = bits(std::string_view(word).substr(0, star));
        const auto times =
            star == word.npos ? std::optional<unsigned>(1) : number<unsigned>(std::string_view(word).substr(star + 1));
        if (!value || !times || *times > kLanes) return std::nullopt;
        lanes.insert(lanes.end(), *times, *value);
    }
    if (lanes.size() != kLanes) return std::nullopt;
    return lanes;
}

std::optional<Closeness> read_closeness(const std::string& text) {
    Closeness out;
    if (text == "exact") return out;
    out.any_nan = true;
    if (text == "any nan") return out;
    std::istringstream words(text);
    std::string ulp, either;
    if (!(words >> out.within.ulps >> ulp) || ulp != "ulp") return std::nullopt;
    if (!(words >> either)) return out;
    if (either != "or" || !(words >> out.within.absolute)) return std::nullopt;
    return out;
}

bool is_word_letter(char c) { return std::isalnum(static_cast<unsigned char>(c)) || std::strchr("_.=~+:%$", c); }

// "list", "list+5" or two of these with a colon between; nothing when the word is no list's name.
std::optional<std::vector<Word::Source>> read_sources(const Table& table, std::string_view word) {
    std::vector<Word::Source> sources;
    for (const std::string& part : split(word, ':')) {
        const std::size_t plus = part.find('+');
        const auto list = table.lists.find(part.substr(0, plus));
        const auto turn =
            plus == part.npos ? std::optional<unsigned>(0) : number<unsigned>(std::string_view(part).substr(plus + 1));
        if (list == table.lists.end() || !turn) return std::nullopt;
        sources.push_back({&list->second, *turn % kLanes});
    }
    return sources;
}

bool read_instruction(const Table& table, Line& line) {
    const std::string_view text = line.instruction;
    for (std::size_t at = 0; at < text.size();) {
        std::size_t end = at;
        while (end < text.size() && is_word_letter(text[end])) ++end;
        if (end == at) ++end;
        Word word;
        word.text = text.substr(at, end - at);
        at = end;
        if (const char first = word.text[0]; first == '=' || first == '~') {
            word.use = first == '=' ? Word::Use::kResult : Word::Use::kScratch;
            word.text.erase(0, 1);
            if (bits_of(word.text) == 0) return false;
            if (first == '=') line.results.push_back(word.text);
        } else if (auto sources = read_sources(table, word.text)) {
            word.use = Word::Use::kInput;
            word.sources = std::move(*sources);
            if (word.sources.size() > 2) return false;
        }
        line.words.push_back(std::move(word));
    }
    return !line.results.empty();
}

bool read_line(const std::vector<std::string>& columns, Table& table, std::size_t at) {
    Line line;
    line.number = at;
    if (columns.size() < 3 || (columns[0] != "h200" && columns[0] != "ours")) return false;
    line.origin = columns[0] == "h200" ? Origin::kHardware : Origin::kOurs;
    const auto closeness = read_closeness(columns[1]);
    if (!closeness) return false;
    line.closeness = *closeness;
    line.instruction = columns[2];
    if (!read_instruction(table, line)) return false;
    for (std::size_t i = 3; i < columns.size(); ++i) {
        const auto lanes = read_lanes(columns[i]);
        if (!lanes) return false;
        line.outputs.push_back(*lanes);
    }
    const bool is_new = line.outputs.empty() && line.origin == Origin::kOurs;
    if (!is_new && line.outputs.size() != line.results.size()) return false;
    for (std::size_t r = 0; r < line.outputs.size(); ++r)
        for (const Bits& value : line.outputs[r]) {
            const unsigned width = bits_of(line.results[r]);
            if (width < 128 && (value.high || (width < 64 && value.low >> width))) return false;
        }
    table.lines.push_back(std::move(line));
    return true;
}

bool read_list(const std::vector<std::string>& columns, Table& table) {
    if (columns.size() != 4 || bits_of(columns[2]) == 0) return false;
    const auto lanes = read_lanes(columns[3]);
    if (!lanes) return false;
    ValueList list{columns[1], columns[2], {}};
    for (const Bits& value : *lanes) list.values.push_back(value.low);
    return table.lists.emplace(columns[1], std::move(list)).second;
}

// ---- comparing ------------------------------------------------------------------------------------------------------

struct FloatFormat {
    unsigned bits, exponent_bits;
};

std::optional<FloatFormat> format_of(std::string_view type) {
    if (type == "f16" || type == "f16x2") return FloatFormat{16, 5};
    if (type == "bf16" || type == "bf16x2") return FloatFormat{16, 8};
    if (type == "f32") return FloatFormat{32, 8};
    if (type == "f64") return FloatFormat{64, 11};
    return std::nullopt;
}

double value_of(FloatFormat format, std::uint64_t bits) {
    const unsigned fraction_bits = format.bits - 1 - format.exponent_bits;
    const std::uint64_t fraction = bits & ((std::uint64_t{1} << fraction_bits) - 1);
    const int top = (1 << format.exponent_bits) - 1, exponent = static_cast<int>(bits >> fraction_bits) & top;
    const double sign = bits >> (format.bits - 1) & 1 ? -1 : 1;
    if (exponent == top)
        return fraction ? std::numeric_limits<double>::quiet_NaN() : sign * std::numeric_limits<double>::infinity();
    const std::uint64_t hidden = exponent ? std::uint64_t{1} << fraction_bits : 0;
    return sign * std::ldexp(static_cast<double>(fraction + hidden),
                             std::max(exponent, 1) - (top >> 1) - static_cast<int>(fraction_bits));
}

// Neighbouring values have neighbouring numbers; both zeros have the same.
std::uint64_t place_in_order(FloatFormat format, std::uint64_t bits) {
    const std::uint64_t sign = std::uint64_t{1} << (format.bits - 1);
    return bits & sign ? sign - (bits - sign) : sign + bits;
}

bool is_close(FloatFormat format, std::uint64_t wanted, std::uint64_t got, const Closeness& closeness) {
    if (wanted == got) return true;
    const double a = value_of(format, wanted), b = value_of(format, got);
    if (std::isnan(a) || std::isnan(b)) return std::isnan(a) && std::isnan(b);
    if (closeness.within.absolute > 0 && std::fabs(a - b) <= closeness.within.absolute) return true;
    if (closeness.within.ulps == 0) return false;
    const std::uint64_t p = place_in_order(format, wanted), q = place_in_order(format, got);
    return (p > q ? p - q : q - p) <= closeness.within.ulps;
}

}  // namespace

unsigned bits_of(std::string_view type) {
    if (type == "pred") return 1;
    if (type.ends_with("16x2")) return 32;
    const std::size_t digits = type.find_first_of("0123456789");
    const std::string_view letters = type.substr(0, std::min(digits, type.size()));
    if (digits == type.npos || (letters != "b" && letters != "f" && letters != "bf")) return 0;
    const auto width = number<unsigned>(type.substr(digits));
    constexpr unsigned kWidths[] = {8, 16, 32, 64, 128};
    return width && std::find(std::begin(kWidths), std::end(kWidths), *width) != std::end(kWidths) ? *width : 0;
}

bool is_close(std::string_view type, const Bits& wanted, const Bits& got, const Closeness& closeness) {
    if (wanted == got) return true;
    const auto format = format_of(type);
    if (!format || !closeness.any_nan) return false;
    if (!type.ends_with("x2")) return is_close(*format, wanted.low, got.low, closeness);
    return is_close(*format, wanted.low & 0xffff, got.low & 0xffff, closeness) &&
           is_close(*format, wanted.low >> 16, got.low >> 16, closeness);
}

std::string text_of_file(const std::string& path) {
    std::ifstream stream(path, std::ios::binary);
    std::ostringstream text;
    text << stream.rdbuf();
    return text.str();
}

Table read_table(std::string text) {
    Table table;
    table.text = std::move(text);
    std::size_t at = 0;
    for (const std::string& line : split(table.text, '\n')) {
        ++at;
        if (line.empty() || line[0] == '#') continue;
        const std::vector<std::string> columns = split(line, '\t');
        bool reads = false;
        if (columns[0] == "values")
            reads = read_list(columns, table);
        else if (columns.size() == 2)
            reads = table.facts.emplace(columns[0], columns[1]).second;
        else
            reads = read_line(columns, table, at);
        if (!reads) table.problems.push_back("line " + std::to_string(at) + " does not read: " + line);
    }
    for (const char* fact : {"device", "driver", "cuda", "date"})
        if (!table.facts.count(fact)) table.problems.push_back("the head does not say the " + std::string(fact));
    return table;
}

std::string opcode_of(const Line& line) {
    for (const std::string& instruction : split(line.instruction, ';')) {
        if (instruction.find('=') == instruction.npos) continue;
        const std::size_t first = instruction.find_first_not_of(' ');
        if (instruction.compare(first, 5, "__nv_") == 0) return "device_library";
        return instruction.substr(first, instruction.find_first_of(". ", first) - first);
    }
    return {};
}

std::string print_lanes(const Lanes& lanes) {
    std::string text;
    for (std::size_t i = 0; i < lanes.size();) {
        std::size_t same = 1;
        while (i + same < lanes.size() && lanes[i + same] == lanes[i]) ++same;
        char word[40];
        const auto low = static_cast<unsigned long long>(lanes[i].low);
        if (lanes[i].high)
            std::snprintf(word, sizeof word, "%llx%016llx", static_cast<unsigned long long>(lanes[i].high), low);
        else
            std::snprintf(word, sizeof word, "%llx", low);
        text += (text.empty() ? "" : " ") + std::string(word);
        if (same > 1) text += "*" + std::to_string(same);
        i += same;
    }
    return text;
}

std::optional<std::string> with_outputs(const Table& table, const Line& line, const std::vector<Lanes>& outputs) {
    if (line.origin != Origin::kOurs) return std::nullopt;
    std::vector<std::string> lines = split(table.text, '\n');
    std::string& text = lines.at(line.number - 1);
    const std::vector<std::string> columns = split(text, '\t');
    text = columns.at(0) + "\t" + columns.at(1) + "\t" + columns.at(2);
    for (const Lanes& lanes : outputs) text += "\t" + print_lanes(lanes);
    std::string out;
    for (std::size_t i = 0; i < lines.size(); ++i) out += (i ? "\n" : "") + lines[i];
    return out;
}

}  // namespace tilescope::truth

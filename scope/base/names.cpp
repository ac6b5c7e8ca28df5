#include "scope/base/names.h"

#include <algorithm>
#include <utility>

namespace tilescope {
namespace {

// Position of the '(' that opens the parameters, or the length. Parentheses inside template arguments, as in
// "f<(int)4>(float*)", come with their own '<' around them.
std::size_t find_parameters(std::string_view name) {
    int angle = 0;
    for (std::size_t i = 0; i < name.size(); ++i) {
        if (name[i] == '<') ++angle;
        if (name[i] == '>') --angle;
        if (name[i] != '(' || angle > 0) continue;
        constexpr std::string_view kAnonymous = "(anonymous namespace)";
        if (name.substr(i).starts_with(kAnonymous)) {
            i += kAnonymous.size() - 1;
            continue;
        }
        return i;
    }
    return name.size();
}

// Start of the name after the return type that demanglers put before template functions.
std::size_t find_name(std::string_view name) {
    const std::size_t end = find_parameters(name);
    std::size_t start = 0;
    int depth = 0;
    for (std::size_t i = 0; i < end; ++i) {
        if (name[i] == '<' || name[i] == '(') ++depth;
        if (name[i] == '>' || name[i] == ')') --depth;
        if (name[i] == ' ' && depth == 0) start = i + 1;
    }
    return start;
}

// "f<double, 16>(float*, int)" to "f<double,16>(float*,int)": people leave the space out as often as not.
std::string without_spaces_behind_commas(std::string_view name) {
    std::string text;
    for (const char letter : name)
        if (letter != ' ' || text.empty() || text.back() != ',') text += letter;
    return text;
}

std::string_view without_template(std::string_view name) {
    const std::size_t at = name.find('<');
    return at == std::string_view::npos || at == 0 ? name : name.substr(0, at);
}

// Top-level parts of the text between the brackets at `open` and its partner.
std::vector<std::string> parts_of(std::string_view text, std::size_t open) {
    std::vector<std::string> parts;
    int depth = 0;
    std::string part;
    const auto close = [&] {
        part.erase(part.find_last_not_of(' ') + 1);
        parts.push_back(std::exchange(part, {}));
    };
    for (std::size_t i = open; i < text.size(); ++i) {
        const char c = text[i];
        if (c == '(' || c == '<' || c == '[') {
            if (++depth == 1) continue;
        }
        if ((c == ')' || c == '>' || c == ']') && --depth == 0) break;
        if (c == ',' && depth == 1) {
            close();
            continue;
        }
        if (c != ' ' || !part.empty()) part += c;
    }
    if (!part.empty()) close();
    return parts;
}

}  // namespace

bool glob_match(std::string_view pattern, std::string_view text) {
    std::size_t p = 0, t = 0, star = std::string_view::npos, resume = 0;
    while (t < text.size()) {
        if (p < pattern.size() && pattern[p] == '*') {
            star = p++;
            resume = t;
        } else if (p < pattern.size() && (pattern[p] == '?' || pattern[p] == text[t])) {
            ++p;
            ++t;
        } else if (star != std::string_view::npos) {
            p = star + 1;  // let the last star take one character more
            t = ++resume;
        } else {
            return false;
        }
    }
    while (p < pattern.size() && pattern[p] == '*') ++p;
    return p == pattern.size();
}

std::string_view short_kernel_name(std::string_view demangled) {
    const std::string_view full = demangled.substr(0, find_parameters(demangled)).substr(find_name(demangled));
    const std::string_view plain = without_template(full);
    const std::size_t scope = plain.rfind("::");
    return scope == std::string_view::npos ? plain : plain.substr(scope + 2);
}

std::vector<std::string> template_arguments(std::string_view demangled) {
    const std::size_t open = demangled.substr(0, demangled.find('(')).find('<');
    return open == std::string_view::npos ? std::vector<std::string>{} : parts_of(demangled, open);
}

std::vector<std::string> parameter_types(std::string_view demangled) {
    const std::size_t open = find_parameters(demangled);
    return open == demangled.size() ? std::vector<std::string>{} : parts_of(demangled, open);
}

bool kernel_matches(std::string_view pattern, std::string_view demangled, std::string_view entry) {
    const std::string wanted = without_spaces_behind_commas(pattern), all = without_spaces_behind_commas(demangled);
    const std::string_view name = all, with_parameters = name.substr(find_name(name));
    const std::string_view full = with_parameters.substr(0, find_parameters(with_parameters));
    for (std::string_view form : {name, with_parameters, full, without_template(full), short_kernel_name(name), entry})
        if (glob_match(wanted, form)) return true;
    return false;
}

std::string nearest(std::string_view name, const std::vector<std::string>& candidates) {
    constexpr std::size_t kLongest = 128;  // no known name is longer; keeps a hostile one from costing anything
    if (name.size() > kLongest) return {};
    std::string best;
    std::size_t fewest = name.size() / 3 + 1;
    for (const std::string& candidate : candidates) {
        std::vector<std::size_t> row(candidate.size() + 1);
        for (std::size_t j = 0; j < row.size(); ++j) row[j] = j;
        for (std::size_t i = 1; i <= name.size(); ++i) {
            std::size_t diagonal = row[0];
            row[0] = i;
            for (std::size_t j = 1; j < row.size(); ++j) {
                const std::size_t change = diagonal + (name[i - 1] != candidate[j - 1]);
                diagonal = row[j];
                row[j] = std::min({row[j] + 1, row[j - 1] + 1, change});
            }
        }
        if (row.back() < fewest || (row.back() == fewest && best.empty())) {
            fewest = row.back();
            best = candidate;
        }
    }
    return best;
}

}  // namespace tilescope

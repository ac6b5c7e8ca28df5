#include "scope/report/source_text.h"

#include <filesystem>
#include <fstream>

#include "scope/report/format.h"

namespace tilescope::report {
namespace {

constexpr std::uintmax_t kLargest = 16 << 20;  // bytes; nobody reads a larger source file line by line

bool readable(const std::filesystem::path& path) {
    std::error_code failed;
    if (!std::filesystem::is_regular_file(path, failed) || failed) return false;
    const std::uintmax_t size = std::filesystem::file_size(path, failed);
    return !failed && size <= kLargest;
}

constexpr std::size_t kTab = 4;  // columns to the next stop, as editors show it

// Without what ends it, and tabs that begin it as spaces.
std::string shown_line(std::string_view text) {
    const std::size_t last = text.find_last_not_of(" \t\r");
    if (last == std::string_view::npos) return {};
    const std::size_t first = text.find_first_not_of(" \t\r");
    std::size_t indent = 0;
    for (const char c : text.substr(0, first)) indent += c == '\t' ? kTab - indent % kTab : 1;
    return std::string(indent, ' ') + printable(text.substr(first, last - first + 1));
}

std::string trimmed(const std::string& text) {
    const std::size_t first = text.find_first_not_of(' ');
    return first == std::string::npos ? "" : text.substr(first);
}

}  // namespace

const std::vector<std::string>& SourceText::lines(const std::string& file) {
    const auto [it, is_new] = files_.try_emplace(file);
    if (!is_new) return it->second;
    std::vector<std::filesystem::path> candidates = {file};
    for (const std::string& directory : directories_)
        candidates.push_back(std::filesystem::path(directory) / std::string(file_name(file)));
    for (const auto& path : candidates) {
        if (!readable(path)) continue;
        std::ifstream stream(path, std::ios::binary);
        for (std::string line; std::getline(stream, line);) it->second.push_back(shown_line(line));
        break;
    }
    return it->second;
}

std::string SourceText::line(const std::string& file, std::uint32_t number) {
    if (file.empty() || number == 0) return {};
    const auto& all = lines(file);
    return number <= all.size() ? trimmed(all[number - 1]) : std::string();
}

}  // namespace tilescope::report

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

std::string trimmed(std::string_view text) {
    const std::size_t first = text.find_first_not_of(" \t\r");
    if (first == std::string_view::npos) return {};
    return printable(text.substr(first, text.find_last_not_of(" \t\r") - first + 1));
}

}  // namespace

const std::vector<std::string>& SourceText::lines_of(const std::string& file) {
    const auto [it, is_new] = files_.try_emplace(file);
    if (!is_new) return it->second;
    std::vector<std::filesystem::path> candidates = {file};
    for (const std::string& directory : directories_)
        candidates.push_back(std::filesystem::path(directory) / std::string(file_name(file)));
    for (const auto& path : candidates) {
        if (!readable(path)) continue;
        std::ifstream stream(path, std::ios::binary);
        for (std::string line; std::getline(stream, line);) it->second.push_back(trimmed(line));
        break;
    }
    return it->second;
}

const std::string& SourceText::line(const std::string& file, std::uint32_t number) {
    static const std::string kNone;
    if (file.empty() || number == 0) return kNone;
    const auto& lines = lines_of(file);
    return number <= lines.size() ? lines[number - 1] : kNone;
}

}  // namespace tilescope::report

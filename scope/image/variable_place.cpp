#include "scope/image/variable_place.h"

#include <cctype>
#include <filesystem>
#include <fstream>
#include <string>
#include <string_view>

namespace tilescope::image {
namespace {

bool of_word(char c) { return std::isalnum(static_cast<unsigned char>(c)) != 0 || c == '_'; }

// Whether the variable's name, as the compiler writes it, is this word or ends a chain of scopes with it.
bool names(const std::string& symbol, std::string_view word) {
    if (symbol == word) return true;
    const std::string part = std::to_string(word.size()) + std::string(word);
    return symbol.starts_with("_Z") && symbol.find(part) != std::string::npos;
}

bool declares(std::string_view line, const ptx::Variable& variable) {
    const std::string_view memory = variable.space == "const" ? "__constant__" : "__device__";
    if (line.find(memory) == std::string_view::npos && line.find("__managed__") == std::string_view::npos) return false;
    for (std::size_t at = 0; at < line.size();) {
        std::size_t end = at;
        while (end < line.size() && of_word(line[end])) ++end;
        if (end > at && names(variable.name, line.substr(at, end - at))) return true;
        at = end + 1;
    }
    return false;
}

// 0: none.
std::uint32_t line_in(const std::string& path, const ptx::Variable& variable) {
    // The name is the PTX's, and may be anything.
    constexpr std::uintmax_t kLargest = 16 << 20;
    std::error_code failed;
    if (!std::filesystem::is_regular_file(path, failed) || std::filesystem::file_size(path, failed) > kLargest)
        return 0;
    std::ifstream text(path);
    std::uint32_t number = 0;
    for (std::string line; std::getline(text, line);) {
        ++number;
        if (declares(line, variable)) return number;
    }
    return 0;
}

}  // namespace

SourceLocation place_of_variable(const ptx::Module& module, const ptx::Variable& variable) {
    namespace fs = std::filesystem;
    if (fs::path(module.name).extension() == ".ptx" || module.files.empty())
        return {module.name, variable.position.line, variable.position.column};
    for (const ptx::File& file : module.files)
        if (const std::uint32_t line = line_in(file.name, variable); line != 0) return {file.name, line, 0};
    return {module.name, 0, 0};
}

}  // namespace tilescope::image

#include "scope/image/cache.h"

#include <unistd.h>

#include <algorithm>
#include <cstdlib>
#include <sstream>

#include "scope/image/hash.h"
#include "scope/image/process.h"

namespace tilescope::image {
namespace {

namespace fs = std::filesystem;

std::string hash_of_file(const fs::path& path) {
    const auto content = read_file(path);
    return content ? ContentHash().add(*content).finish() : std::string();
}

fs::path from_variable(const char* name, const char* below) {
    const char* value = std::getenv(name);
    return value == nullptr || value[0] != '/' ? fs::path() : fs::path(value) / below;
}

bool usable(const fs::path& folder) {
    std::error_code failure;
    fs::create_directories(folder, failure);
    return fs::is_directory(folder, failure) && access(folder.c_str(), W_OK | X_OK) == 0;
}

}  // namespace

Result<CompileCache> CompileCache::open(const fs::path& folder) {
    if (!folder.empty()) {
        if (usable(folder)) return CompileCache(fs::absolute(folder));
        return error("image-unwritable", {folder.string(), 0, 0}, "cannot keep compiled programs here");
    }
    std::error_code failure;
    fs::path temporary = fs::temp_directory_path(failure);
    if (failure) temporary = "/tmp";
    const fs::path candidates[] = {from_variable("XDG_CACHE_HOME", "tilescope"),
                                   from_variable("HOME", ".cache/tilescope"),
                                   temporary / ("tilescope-" + std::to_string(getuid()))};
    for (const fs::path& candidate : candidates)
        if (!candidate.empty() && usable(candidate)) return CompileCache(candidate);
    return error("image-unwritable", {candidates[2].string(), 0, 0}, "cannot keep compiled programs here",
                 "set XDG_CACHE_HOME to a folder that can be written");
}

std::optional<fs::path> CompileCache::find(const std::string& known_hash) const {
    const auto text = read_file(manifest(known_hash));
    if (!text) return std::nullopt;
    std::istringstream lines(*text);
    std::string entry;
    if (!std::getline(lines, entry) || entry.empty() || entry.find('/') != std::string::npos) return std::nullopt;
    for (std::string line; std::getline(lines, line);) {
        const std::size_t space = line.find(' ');
        if (space == std::string::npos) return std::nullopt;
        if (hash_of_file(line.substr(space + 1)) != line.substr(0, space)) return std::nullopt;
    }
    std::error_code failure;
    if (!fs::is_directory(folder_ / entry, failure)) return std::nullopt;
    return folder_ / entry;
}

Result<fs::path> CompileCache::keep(const std::string& known_hash, const std::vector<fs::path>& dependencies,
                                    const fs::path& made) const {
    ContentHash all;
    all.add(known_hash);
    std::string lines;
    for (const fs::path& dependency : dependencies) {
        const std::string hash = hash_of_file(dependency);
        all.add(dependency.string()).add(hash);
        lines += hash + " " + dependency.string() + "\n";
    }
    const std::string entry = all.finish();
    const fs::path kept = folder_ / entry;
    std::error_code failure;
    fs::rename(made, kept, failure);
    // Not ours then: another process was faster with the same entry, or this is a real failure.
    if (failure && !fs::is_directory(kept))
        return error("image-unwritable", {kept.string(), 0, 0}, "cannot keep a compiled program: " + failure.message());
    const auto written = write_file_atomically(manifest(known_hash), entry + "\n" + lines);
    if (!written) return written.errors();
    return kept;
}

std::vector<fs::path> parse_dependencies(const std::string& rule) {
    std::vector<fs::path> paths;
    std::string word;
    bool after_colon = false;
    const auto finish = [&] {
        if (!after_colon && !word.empty() && word.back() == ':')
            after_colon = true;
        else if (after_colon && !word.empty())
            paths.push_back(fs::absolute(word).lexically_normal());
        word.clear();
    };
    for (std::size_t i = 0; i < rule.size(); ++i) {
        const char c = rule[i];
        const char next = i + 1 < rule.size() ? rule[i + 1] : '\0';
        if (c == '\\' && (next == '\n' || next == ' ' || next == '#' || next == '\\')) {
            if (next != '\n') word += next;
            if (next == '\n') finish();
            ++i;
        } else if (c == '$' && next == '$') {
            word += '$';
            ++i;
        } else if (c == ' ' || c == '\t' || c == '\n' || c == '\r') {
            finish();
        } else {
            word += c;
        }
    }
    finish();
    std::sort(paths.begin(), paths.end());
    paths.erase(std::unique(paths.begin(), paths.end()), paths.end());
    return paths;
}

}  // namespace tilescope::image

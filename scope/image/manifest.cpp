#include "scope/image/manifest.h"

#include <sys/stat.h>

#include <algorithm>
#include <set>
#include <sstream>
#include <unordered_set>

#include "scope/image/hash.h"
#include "scope/image/private_folder.h"
#include "scope/image/process.h"

namespace tilescope::image {
namespace {

namespace fs = std::filesystem;

constexpr std::string_view kHead = "tilescope cache 1";
constexpr std::string_view kEnd = "end";

std::string hash_of_file(const fs::path& path) {
    const auto content = read_file(path);
    return content ? ContentHash().add(*content).finish() : std::string();
}

FileState state_of(const fs::path& path) {
    // Before its content: a change between the two shows as another identity the next time.
    std::string identity = identity_of(path);
    return {path, std::move(identity), hash_of_file(path)};
}

bool same(const FileState& before) {
    const std::string identity = identity_of(before.path);
    if (identity.empty() || before.hash.empty()) return identity.empty() && before.hash.empty();
    return identity == before.identity || hash_of_file(before.path) == before.hash;
}

std::unordered_set<std::string> names_in(const fs::path& folder) {
    std::unordered_set<std::string> names;
    std::error_code failed;
    for (fs::directory_iterator each(folder, failed), end; !failed && each != end; each.increment(failed))
        names.insert(each->path().filename().string());
    return names;
}

// "c.h", "b/c.h", "a/b/c.h" of "/a/b/c.h": what the program may have written to get it.
std::vector<std::string> endings(const fs::path& path) {
    const std::string text = path.string();
    std::vector<std::string> found;
    for (std::size_t slash = text.rfind('/'); slash != std::string::npos && slash != 0;
         slash = text.rfind('/', slash - 1))
        found.push_back(text.substr(slash + 1));
    return found;
}

// Calls f for every file in a searched folder that goes by a name under which a file was found or looked for.
template <class F>
void each_candidate(const Manifest& manifest, F f) {
    std::set<std::string> wanted(manifest.names.begin(), manifest.names.end());
    for (const FileState& file : manifest.read)
        for (std::string& ending : endings(file.path)) wanted.insert(std::move(ending));
    for (const fs::path& folder : manifest.searched) {
        const auto present = names_in(folder);
        if (present.empty()) continue;
        for (const std::string& name : wanted) {
            if (present.count(name.substr(0, name.find('/'))) == 0) continue;
            std::error_code failed;
            const fs::path candidate = folder / name;
            if (fs::is_regular_file(candidate, failed)) f(candidate, name);
        }
    }
}

}  // namespace

std::string identity_of(const fs::path& path) {
    struct stat found {};
    if (::stat(path.c_str(), &found) != 0 || !S_ISREG(found.st_mode)) return {};
    const auto time = [](const timespec& when) {
        return std::to_string(when.tv_sec) + "." + std::to_string(when.tv_nsec);
    };
    return std::to_string(found.st_size) + "-" + time(found.st_mtim) + "-" + time(found.st_ctim) + "-" +
           std::to_string(found.st_ino);
}

Manifest observe(const CacheInputs& inputs) {
    Manifest manifest;
    std::set<fs::path> read(inputs.read.begin(), inputs.read.end());
    std::set<fs::path> searched(inputs.searched.begin(), inputs.searched.end());
    // A header in quotes is looked for beside the file that names it.
    for (const fs::path& file : inputs.read) searched.insert(file.parent_path());
    manifest.searched.assign(searched.begin(), searched.end());
    manifest.names = inputs.names;
    for (const fs::path& file : read) manifest.read.push_back({file, {}, {}});
    const std::set<std::string> names(inputs.names.begin(), inputs.names.end());
    std::set<fs::path> passed_over;
    each_candidate(manifest, [&](const fs::path& candidate, const std::string& name) {
        if (read.count(candidate) != 0) return;
        if (names.count(name) != 0)
            read.insert(candidate);  // a library, say: only its name is known to have been asked for
        else
            passed_over.insert(candidate);
    });
    manifest.read.clear();
    for (const fs::path& file : read) manifest.read.push_back(state_of(file));
    manifest.passed_over.assign(passed_over.begin(), passed_over.end());
    return manifest;
}

bool unchanged(const Manifest& manifest) {
    if (!std::all_of(manifest.read.begin(), manifest.read.end(), same)) return false;
    std::set<fs::path> known(manifest.passed_over.begin(), manifest.passed_over.end());
    for (const FileState& file : manifest.read) known.insert(file.path);
    bool found_new = false;
    each_candidate(manifest, [&](const fs::path& candidate, const std::string&) {
        found_new = found_new || known.count(candidate) == 0;
    });
    return !found_new;
}

std::vector<FileState> files_of(const fs::path& folder) {
    std::vector<FileState> files;
    for (const std::string& name : names_in(folder)) files.push_back({name, {}, hash_of_file(folder / name)});
    std::sort(files.begin(), files.end(), [](const FileState& a, const FileState& b) { return a.path < b.path; });
    return files;
}

bool holds(const fs::path& folder, const std::vector<FileState>& files) {
    if (!is_private(folder)) return false;
    return std::all_of(files.begin(), files.end(), [&](const FileState& file) {
        const fs::path path = folder / file.path;
        return is_private(path) && hash_of_file(path) == file.hash;
    });
}

std::string to_text(const Manifest& manifest) {
    std::string text = std::string(kHead) + "\n";
    const auto line = [&text](std::string_view kind, const std::string& rest) {
        text += std::string(kind) + " " + rest + "\n";
    };
    const auto hash_or_none = [](const FileState& file) { return file.hash.empty() ? "-" : file.hash; };
    line("entry", manifest.entry);
    for (const FileState& file : manifest.kept) line("kept", hash_or_none(file) + " - " + file.path.string());
    for (const FileState& file : manifest.read)
        line("read",
             hash_or_none(file) + " " + (file.identity.empty() ? "-" : file.identity) + " " + file.path.string());
    for (const fs::path& folder : manifest.searched) line("searched", folder.string());
    for (const std::string& name : manifest.names) line("name", name);
    for (const fs::path& file : manifest.passed_over) line("passed-over", file.string());
    return text + std::string(kEnd) + "\n";
}

std::optional<Manifest> manifest_from(std::string_view text) {
    std::istringstream lines{std::string(text)};
    std::string line;
    if (!std::getline(lines, line) || line != kHead) return std::nullopt;
    Manifest manifest;
    const auto file_in = [](const std::string& rest) -> std::optional<FileState> {
        const std::size_t first = rest.find(' ');
        const std::size_t second = first == std::string::npos ? first : rest.find(' ', first + 1);
        if (second == std::string::npos) return std::nullopt;
        const auto given = [](const std::string& value) { return value == "-" ? std::string() : value; };
        return FileState{rest.substr(second + 1), given(rest.substr(first + 1, second - first - 1)),
                         given(rest.substr(0, first))};
    };
    while (std::getline(lines, line)) {
        if (line == kEnd) return manifest;
        const std::size_t space = line.find(' ');
        if (space == std::string::npos) return std::nullopt;
        const std::string kind = line.substr(0, space), rest = line.substr(space + 1);
        if (kind == "entry" && rest.find('/') == std::string::npos && !rest.empty() && rest[0] != '.') {
            manifest.entry = rest;
        } else if (kind == "read" || kind == "kept") {
            const auto file = file_in(rest);
            if (!file || (kind == "kept" && file->path.has_parent_path())) return std::nullopt;
            (kind == "read" ? manifest.read : manifest.kept).push_back(*file);
        } else if (kind == "searched") {
            manifest.searched.emplace_back(rest);
        } else if (kind == "name") {
            manifest.names.push_back(rest);
        } else if (kind == "passed-over") {
            manifest.passed_over.emplace_back(rest);
        } else {
            return std::nullopt;
        }
    }
    return std::nullopt;  // cut off
}

}  // namespace tilescope::image

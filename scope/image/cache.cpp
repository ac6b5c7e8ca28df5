#include "scope/image/cache.h"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstdlib>

#include "scope/image/hash.h"
#include "scope/image/manifest.h"
#include "scope/image/private_folder.h"

namespace tilescope::image {
namespace {

namespace fs = std::filesystem;

fs::path from_variable(const char* name, const char* below) {
    const char* value = std::getenv(name);
    return value == nullptr || value[0] != '/' ? fs::path() : fs::path(value) / below;
}

// Where no folder can be trusted to stay ours: one that nobody knows of, until this process ends.
Result<fs::path> folder_of_this_process() {
    static const Result<TemporaryFolder> folder = TemporaryFolder::create();
    if (!folder) return folder.errors();
    if (const Status safe = make_private_folder(folder->path()); !safe) return safe.errors();
    return folder->path();
}

// Nobody else may write what a compiler made, whatever this user's umask is.
void close_to_others(const fs::path& folder) {
    std::error_code ignored;
    for (const auto& file : fs::directory_iterator(folder, ignored))
        fs::permissions(file.path(), fs::perms::group_write | fs::perms::others_write, fs::perm_options::remove,
                        ignored);
}

}  // namespace

Result<CompileCache> CompileCache::open(const fs::path& folder) {
    if (!folder.empty()) {
        if (Status safe = make_private_folder(folder); !safe) return safe.errors();
        return CompileCache(fs::absolute(folder));
    }
    std::error_code failure;
    fs::path temporary = fs::temp_directory_path(failure);
    if (failure) temporary = "/tmp";
    for (const fs::path& candidate :
         {from_variable("XDG_CACHE_HOME", "tilescope"), from_variable("HOME", ".cache/tilescope"),
          temporary / ("tilescope-" + std::to_string(geteuid()))})
        if (!candidate.empty() && make_private_folder(candidate)) return CompileCache(candidate);
    const auto last = folder_of_this_process();
    if (last) return CompileCache(*last);
    Diagnostic refused = last.errors().front();
    refused.message = "cannot keep compiled programs here: " + refused.message;
    refused.hint = "set XDG_CACHE_HOME to a folder of yours that nobody else can write";
    return refused;
}

std::optional<fs::path> CompileCache::find(const std::string& known_hash) const {
    if (!is_private(manifest(known_hash))) return std::nullopt;
    const auto text = read_file(manifest(known_hash));
    if (!text) return std::nullopt;
    const auto found = manifest_from(*text);
    if (!found || found->entry.empty() || found->kept.empty()) return std::nullopt;
    if (!holds(folder_ / found->entry, found->kept) || !unchanged(*found)) return std::nullopt;
    return folder_ / found->entry;
}

bool CompileCache::asked_before(const std::string& known_hash) const {
    const fs::path mark = folder_ / (known_hash + ".asked");
    const int file = ::open(mark.c_str(), O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, S_IRUSR | S_IWUSR);
    if (file < 0) return errno == EEXIST;
    ::close(file);
    return false;
}

Result<TemporaryFolder> CompileCache::start() const { return TemporaryFolder::create(folder_, "making-"); }

Result<fs::path> CompileCache::keep(const std::string& known_hash, const CacheInputs& inputs,
                                    const TemporaryFolder& made) const {
    close_to_others(made.path());
    Manifest described = observe(inputs);
    described.kept = files_of(made.path());
    ContentHash all;
    all.add(known_hash);
    for (const FileState& file : described.read) all.add(file.path.string()).add(file.hash);
    for (const FileState& file : described.kept) all.add(file.path.string()).add(file.hash);
    described.entry = all.finish();
    const fs::path kept = folder_ / described.entry;
    std::error_code failure;
    fs::rename(made.path(), kept, failure);
    if (failure && !holds(kept, described.kept)) {
        // In the way is an entry that was damaged; it goes with the folder that it is moved into.
        const auto aside = start();
        if (!aside) return aside.errors();
        fs::rename(kept, aside->path() / "damaged", failure);
        fs::rename(made.path(), kept, failure);
    }
    // Else another process was faster with the same entry, or this is a real failure.
    if (failure && !holds(kept, described.kept))
        return error("image-unwritable", {kept.string(), 0, 0}, "cannot keep a compiled program: " + failure.message());
    const auto written = write_file_atomically(manifest(known_hash), to_text(described));
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

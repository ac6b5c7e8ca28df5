// Compiled programs kept by content: a second run of an unchanged source compiles nothing.
//
// An entry is a folder of files, named by a hash of what it was made from. Beside it a manifest, named by what is known
// before compiling (source, compiler, flags), lists every file that the compiler then read, with its hash.
//
// Guarantees: an entry appears whole or not at all, and is never changed; safe with other processes at the same work; a
// changed, missing or renamed included file is a miss.
// Does not model: a new file that would now be found earlier in the include path; eviction (remove the folder).
#pragma once

#include <filesystem>
#include <optional>
#include <string>
#include <vector>

#include "scope/base/result.h"

namespace tilescope::image {

class CompileCache {
public:
    // `folder`: where to keep entries; empty for $XDG_CACHE_HOME/tilescope or ~/.cache/tilescope, and where neither can
    // be written a folder of this user under TMPDIR. "image-unwritable" where that fails too.
    static Result<CompileCache> open(const std::filesystem::path& folder);

    // The entry made from this and from files that are all still the same.
    std::optional<std::filesystem::path> find(const std::string& known_hash) const;

    // Keeps the files of `made` (a folder under folder(), which is moved) as the entry for known_hash and
    // `dependencies`; the result is the entry's folder, ours or that of a process that was faster.
    Result<std::filesystem::path> keep(const std::string& known_hash,
                                       const std::vector<std::filesystem::path>& dependencies,
                                       const std::filesystem::path& made) const;

    const std::filesystem::path& folder() const { return folder_; }

private:
    explicit CompileCache(std::filesystem::path folder) : folder_(std::move(folder)) {}

    std::filesystem::path manifest(const std::string& known_hash) const { return folder_ / (known_hash + ".deps"); }

    std::filesystem::path folder_;
};

// The prerequisites in a rule as `-MD` writes it: continued lines, spaces escaped with a backslash, `$$` for `$`.
std::vector<std::filesystem::path> parse_dependencies(const std::string& rule);

}  // namespace tilescope::image

// Compiled programs kept by content: a second run of an unchanged source compiles nothing.
//
// An entry is a folder of files, named by a hash of what it was made from. Beside it a manifest, named by what is known
// before compiling (source, compiler, flags, environment), lists every file that the compiler then read and every file
// of the entry, each with its hash, and where a new file would be found before one of those read.
//
// Guarantees: an entry appears whole or not at all; safe with other processes at the same work; a changed, missing or
// renamed included file is a miss, and so is a new one that the compiler would now find first; only what this user
// wrote is ever used, in a folder that nobody else can write (private_folder.h); an entry that was damaged is made
// anew. Does not model: eviction (remove the folder); a change that keeps a file's size, times and inode.
#pragma once

#include <filesystem>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "scope/base/result.h"
#include "scope/image/process.h"

namespace tilescope::image {

// What an entry was made from, beyond what its hash says.
struct CacheInputs {
    std::vector<std::filesystem::path> read;      // files
    std::vector<std::filesystem::path> searched;  // folders in which the compiler may have looked for them
    std::vector<std::string> names;               // of more files that it looked for in them: "libm.a", "fast/path.h"
};

class CompileCache {
public:
    // `folder`: where to keep entries; empty for $XDG_CACHE_HOME/tilescope or ~/.cache/tilescope, then a folder of this
    // user under TMPDIR: the first that is safe. Where none is, a fresh one that goes with this process.
    // "image-unwritable" where that fails too, or with the reason why `folder` is not safe.
    static Result<CompileCache> open(const std::filesystem::path& folder);

    // The entry made from this and from files that are all still the same.
    std::optional<std::filesystem::path> find(const std::string& known_hash) const;

    // Whether this was called with the same hash before; nothing is made for those who come once.
    bool asked_before(const std::string& known_hash) const;

    // A new folder to make an entry in; it goes away unless it is kept.
    Result<TemporaryFolder> start() const;

    // Keeps the files of `made` as the entry for known_hash and `inputs`; the result is the entry's folder, ours or
    // that of a process that was faster.
    Result<std::filesystem::path> keep(const std::string& known_hash, const CacheInputs& inputs,
                                       const TemporaryFolder& made) const;

    const std::filesystem::path& folder() const { return folder_; }

private:
    explicit CompileCache(std::filesystem::path folder) : folder_(std::move(folder)) {}

    std::filesystem::path manifest(const std::string& known_hash) const { return folder_ / (known_hash + ".deps"); }

    std::filesystem::path folder_;
};

// The prerequisites in a rule as `-MD` writes it: continued lines, spaces escaped with a backslash, `$$` for `$`.
std::vector<std::filesystem::path> parse_dependencies(const std::string& rule);

}  // namespace tilescope::image

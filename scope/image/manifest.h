// What a compiled program was made from and what it consists of, as text that is kept beside it (cache.h).
//
// Guarantees: text that is not a whole manifest is none. Does not model: which compiler, flags and environment there
// were; they are in the manifest's name.
#pragma once

#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "scope/image/cache.h"

namespace tilescope::image {

// A file as it was. When size, times and inode are the same, it was not changed; else its content decides.
struct FileState {
    std::filesystem::path path;
    std::string identity;  // size, times and inode
    std::string hash;      // of its content; empty: there was none
};

struct Manifest {
    std::string entry;  // the folder's name
    std::vector<FileState> read;
    std::vector<std::filesystem::path> searched;
    std::vector<std::string> names;
    std::vector<std::filesystem::path> passed_over;  // found where `searched` and the names say, but not read
    std::vector<FileState> kept;                     // the entry's files, by name
};

// The state of the world that `inputs` name.
Manifest observe(const CacheInputs& inputs);
// Whether the compiler would read the same again.
bool unchanged(const Manifest& manifest);

// The regular files of a folder and their content.
std::vector<FileState> files_of(const std::filesystem::path& folder);
// Whether the folder holds these, all written by this user alone.
bool holds(const std::filesystem::path& folder, const std::vector<FileState>& files);

std::string to_text(const Manifest& manifest);
std::optional<Manifest> manifest_from(std::string_view text);

// "size-mtime-ctime-inode" of what a path leads to; empty where there is nothing.
std::string identity_of(const std::filesystem::path& path);

}  // namespace tilescope::image

#include "scope/base/files.h"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <atomic>
#include <cerrno>
#include <fstream>
#include <sstream>

namespace tilescope {
namespace {

namespace fs = std::filesystem;

std::error_code last_error() { return {errno, std::generic_category()}; }

std::error_code write_all(int descriptor, std::initializer_list<std::string_view> parts) {
    for (std::string_view part : parts)
        while (!part.empty()) {
            const ssize_t put = ::write(descriptor, part.data(), part.size());
            if (put < 0 && errno != EINTR) return last_error();
            if (put > 0) part.remove_prefix(static_cast<std::size_t>(put));
        }
    return {};
}

// A full disk may only show when the file is closed.
std::error_code write_and_close(int descriptor, std::initializer_list<std::string_view> parts) {
    const std::error_code failed = write_all(descriptor, parts);
    const bool closed = ::close(descriptor) == 0;
    return !failed && !closed ? last_error() : failed;
}

// A new file in `folder` that nobody else writes; its name goes to `name`, which does not grow with the final one.
int create_aside(const fs::path& folder, fs::path& name) {
    static std::atomic<unsigned> next{0};
    int descriptor = -1;
    do {
        name = folder / (".tilescope-" + std::to_string(getpid()) + "-" + std::to_string(next++));
        descriptor = ::open(name.c_str(), O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0666);
    } while (descriptor < 0 && errno == EEXIST);
    return descriptor;
}

}  // namespace

std::optional<std::string> read_whole_file(const fs::path& path) {
    std::error_code failed;
    if (fs::is_directory(path, failed)) return std::nullopt;
    std::ifstream file(path, std::ios::binary);
    if (!file) return std::nullopt;
    std::ostringstream text;
    text << file.rdbuf();  // fails for an empty file, too: only the file itself tells whether reading did
    if (file.bad()) return std::nullopt;
    return std::move(text).str();
}

std::error_code write_whole_file(const fs::path& path, std::initializer_list<std::string_view> parts) {
    std::error_code failed;
    fs::path target = fs::canonical(path, failed);
    if (failed) target = path;  // not there yet
    const bool dangling = fs::is_symlink(target, failed);
    struct stat before {};
    const bool exists = ::stat(target.c_str(), &before) == 0;
    const auto in_place = [&] {
        const int descriptor = ::open(target.c_str(), O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0666);
        return descriptor < 0 ? last_error() : write_and_close(descriptor, parts);
    };
    if (dangling || (exists && !S_ISREG(before.st_mode))) return in_place();
    // A file that may not be written is not replaced either.
    if (exists && ::access(target.c_str(), W_OK) != 0) return last_error();
    fs::path aside;
    const int descriptor = create_aside(target.has_parent_path() ? target.parent_path() : ".", aside);
    if (descriptor < 0) return exists ? in_place() : last_error();
    if (exists) static_cast<void>(::fchmod(descriptor, before.st_mode & 07777));
    failed = write_and_close(descriptor, parts);
    if (!failed && ::rename(aside.c_str(), target.c_str()) == 0) return {};
    if (!failed) failed = last_error();
    ::unlink(aside.c_str());
    return failed;
}

}  // namespace tilescope

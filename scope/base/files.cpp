#include "scope/base/files.h"

#include <fcntl.h>
#include <poll.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <atomic>
#include <cerrno>
#include <fstream>
#include <sstream>

namespace tilescope {
namespace {

namespace fs = std::filesystem;

std::error_code last_error() { return {errno, std::generic_category()}; }

std::error_code write_all(int descriptor, std::string_view part) {
    while (!part.empty()) {
        const ssize_t put = ::write(descriptor, part.data(), part.size());
        if (put < 0 && errno != EINTR) return last_error();
        if (put > 0) part.remove_prefix(static_cast<std::size_t>(put));
    }
    return {};
}

// Small pieces go together; nothing is written behind an error.
std::error_code write_all(int descriptor, const std::function<void(const FileSink&)>& tell) {
    constexpr std::size_t kTogether = 1 << 20;
    std::error_code failed;
    std::string waiting;
    tell([&](std::string_view part) {
        if (failed) return;
        if (waiting.size() + part.size() > kTogether) {
            failed = write_all(descriptor, waiting);
            waiting.clear();
        }
        if (part.size() <= kTogether)
            waiting += part;
        else if (!failed)
            failed = write_all(descriptor, part);
    });
    return failed ? failed : write_all(descriptor, waiting);
}

// A full disk may only show when the file is closed.
std::error_code write_and_close(int descriptor, const std::function<void(const FileSink&)>& tell) {
    const std::error_code failed = write_all(descriptor, tell);
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

class Descriptor {
public:
    explicit Descriptor(int number) : number_(number) {}
    ~Descriptor() {
        if (number_ >= 0) ::close(number_);
    }
    Descriptor(const Descriptor&) = delete;
    Descriptor& operator=(const Descriptor&) = delete;
    int number() const { return number_; }

private:
    int number_;
};

std::string in_units(std::uint64_t bytes) {
    constexpr std::uint64_t kMega = 1 << 20;
    return bytes >= kMega ? std::to_string(bytes / kMega) + " MiB" : std::to_string(bytes) + " bytes";
}

}  // namespace

std::optional<std::string> read_input(const fs::path& path, std::uint64_t most, std::string& why,
                                      std::chrono::milliseconds patience) {
    const auto fail = [&](std::string reason) {
        why = std::move(reason);
        return std::nullopt;
    };
    const auto fail_by_system = [&] { return fail(last_error().message()); };
    // Opening a pipe that nobody writes into must not wait for ever.
    const Descriptor file(::open(path.c_str(), O_RDONLY | O_NONBLOCK | O_CLOEXEC | O_NOCTTY));
    struct stat about {};
    if (file.number() < 0 || ::fstat(file.number(), &about) != 0) return fail_by_system();
    if (S_ISDIR(about.st_mode)) return fail("it is a folder");
    if (!S_ISREG(about.st_mode)) most = std::min(most, kMostOfPipe);
    if (S_ISREG(about.st_mode) && static_cast<std::uint64_t>(about.st_size) > most)
        return fail("it is larger than the " + in_units(most) + " that such a file may have");
    std::string text;
    std::array<char, 1 << 16> buffer;
    while (true) {
        pollfd wait{file.number(), POLLIN, 0};
        const int ready = ::poll(&wait, 1, static_cast<int>(patience.count()));
        if (ready < 0 && errno == EINTR) continue;
        if (ready < 0) return fail_by_system();
        if (ready == 0) return fail("nothing came out of it for " + std::to_string(patience.count() / 1000) + " s");
        const ssize_t got = ::read(file.number(), buffer.data(), buffer.size());
        if (got < 0 && (errno == EINTR || errno == EAGAIN)) continue;
        if (got < 0) return fail_by_system();
        if (got == 0) return text;
        text.append(buffer.data(), static_cast<std::size_t>(got));
        if (text.size() > most) return fail("more came out of it than the " + in_units(most) + " that it may have");
    }
}

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
    return write_file_by(path, [&](const FileSink& sink) {
        for (const std::string_view part : parts) sink(part);
    });
}

std::error_code write_file_by(const fs::path& path, const std::function<void(const FileSink&)>& tell) {
    std::error_code failed;
    fs::path target = fs::canonical(path, failed);
    if (failed) target = path;  // not there yet
    const bool dangling = fs::is_symlink(target, failed);
    struct stat before {};
    const bool exists = ::stat(target.c_str(), &before) == 0;
    const auto in_place = [&] {
        const int descriptor = ::open(target.c_str(), O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0666);
        return descriptor < 0 ? last_error() : write_and_close(descriptor, tell);
    };
    if (dangling || (exists && !S_ISREG(before.st_mode))) return in_place();
    // A file that may not be written is not replaced either.
    if (exists && ::access(target.c_str(), W_OK) != 0) return last_error();
    fs::path aside;
    const int descriptor = create_aside(target.has_parent_path() ? target.parent_path() : ".", aside);
    if (descriptor < 0) return exists ? in_place() : last_error();
    if (exists) static_cast<void>(::fchmod(descriptor, before.st_mode & 07777));
    failed = write_and_close(descriptor, tell);
    if (!failed && ::rename(aside.c_str(), target.c_str()) == 0) return {};
    if (!failed) failed = last_error();
    ::unlink(aside.c_str());
    return failed;
}

}  // namespace tilescope

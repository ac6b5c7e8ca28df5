#include "scope/image/process.h"

#include <fcntl.h>
#include <poll.h>
#include <spawn.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <cstdlib>
#include <cstring>
#include <fstream>
#include <sstream>

extern char** environ;

namespace tilescope::image {
namespace {

namespace fs = std::filesystem;

// A pipe whose ends close when it goes, and in the child of any other spawn.
struct Pipe {
    int read_end = -1, write_end = -1;

    bool open() {
        std::array<int, 2> ends;
        if (pipe2(ends.data(), O_CLOEXEC) != 0) return false;
        read_end = ends[0];
        write_end = ends[1];
        return true;
    }
    void close_write() {
        if (write_end >= 0) ::close(write_end);
        write_end = -1;
    }
    ~Pipe() {
        close_write();
        if (read_end >= 0) ::close(read_end);
    }
};

// Reads both pipes to their ends together: a child that fills one must not wait for us at the other.
void drain(int out_fd, int err_fd, std::string& out, std::string& err) {
    std::array<pollfd, 2> waits = {pollfd{out_fd, POLLIN, 0}, pollfd{err_fd, POLLIN, 0}};
    std::array<std::string*, 2> texts = {&out, &err};
    std::array<char, 1 << 16> buffer;
    int open = 2;
    while (open > 0) {
        if (poll(waits.data(), waits.size(), -1) < 0 && errno != EINTR) return;
        for (std::size_t i = 0; i < waits.size(); ++i) {
            if (waits[i].fd < 0 || waits[i].revents == 0) continue;
            const ssize_t got = ::read(waits[i].fd, buffer.data(), buffer.size());
            if (got > 0) texts[i]->append(buffer.data(), static_cast<std::size_t>(got));
            if (got == 0 || (got < 0 && errno != EINTR)) {
                waits[i].fd = -1;  // poll passes over it
                --open;
            }
        }
    }
}

Diagnostic cannot(const std::string& code, const fs::path& path, const std::string& what, int reason) {
    return error(code, {path.string(), 0, 0}, what + ": " + std::strerror(reason));
}

}  // namespace

Result<ProcessOutput> run_process(const std::vector<std::string>& arguments) {
    Pipe out, err;
    if (!out.open() || !err.open()) return cannot("image-process", arguments[0], "cannot make a pipe", errno);
    posix_spawn_file_actions_t actions;
    posix_spawn_file_actions_init(&actions);
    posix_spawn_file_actions_addopen(&actions, STDIN_FILENO, "/dev/null", O_RDONLY, 0);
    posix_spawn_file_actions_adddup2(&actions, out.write_end, STDOUT_FILENO);
    posix_spawn_file_actions_adddup2(&actions, err.write_end, STDERR_FILENO);
    std::vector<char*> argv;
    argv.reserve(arguments.size() + 1);
    for (const std::string& argument : arguments) argv.push_back(const_cast<char*>(argument.c_str()));
    argv.push_back(nullptr);
    pid_t child = 0;
    const int failure = posix_spawnp(&child, argv[0], &actions, nullptr, argv.data(), environ);
    posix_spawn_file_actions_destroy(&actions);
    if (failure != 0) return cannot("image-process", arguments[0], "cannot start", failure);
    out.close_write();
    err.close_write();

    ProcessOutput result;
    drain(out.read_end, err.read_end, result.output, result.errors);
    int status = 0;
    while (waitpid(child, &status, 0) < 0 && errno == EINTR) {
    }
    result.status = WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
    return result;
}

std::optional<fs::path> find_program(const std::string& name) {
    const char* path = std::getenv("PATH");
    std::istringstream folders(path == nullptr ? "" : path);
    for (std::string folder; std::getline(folders, folder, ':');) {
        const fs::path candidate = fs::path(folder.empty() ? "." : folder) / name;
        struct stat found;
        if (stat(candidate.c_str(), &found) == 0 && S_ISREG(found.st_mode) && access(candidate.c_str(), X_OK) == 0)
            return candidate;
    }
    return std::nullopt;
}

Result<TemporaryFolder> TemporaryFolder::create() {
    std::error_code failure;
    fs::path parent = fs::temp_directory_path(failure);
    if (failure) parent = "/tmp";
    std::string name = (parent / "tilescope-XXXXXX").string();
    if (mkdtemp(name.data()) == nullptr) return cannot("image-unwritable", parent, "cannot make a folder here", errno);
    return TemporaryFolder(name);
}

TemporaryFolder::TemporaryFolder(TemporaryFolder&& other) noexcept : path_(std::move(other.path_)) {
    other.path_.clear();
}

TemporaryFolder::~TemporaryFolder() {
    if (path_.empty()) return;
    std::error_code ignored;
    fs::remove_all(path_, ignored);
}

Result<std::string> read_file(const fs::path& path) {
    std::error_code failure;
    if (fs::is_directory(path, failure)) return cannot("image-unreadable", path, "cannot read", EISDIR);
    errno = 0;
    std::ifstream file(path, std::ios::binary);
    if (!file) return cannot("image-unreadable", path, "cannot read", errno == 0 ? EIO : errno);
    std::ostringstream content;
    content << file.rdbuf();
    if (file.bad()) return cannot("image-unreadable", path, "cannot read", EIO);
    return std::move(content).str();
}

Status write_file_atomically(const fs::path& path, std::string_view content) {
    std::string temporary = path.string() + ".XXXXXX";
    const int fd = mkstemp(temporary.data());
    if (fd < 0) return cannot("image-unwritable", path, "cannot write", errno);
    bool good = true;
    while (good && !content.empty()) {
        const ssize_t put = ::write(fd, content.data(), content.size());
        good = put > 0 || (put < 0 && errno == EINTR);
        if (put > 0) content.remove_prefix(static_cast<std::size_t>(put));
    }
    int reason = errno;
    good = ::fchmod(fd, 0644) == 0 && good;
    good = ::close(fd) == 0 && good;
    if (good && std::rename(temporary.c_str(), path.c_str()) == 0) return Success{};
    if (good) reason = errno;
    ::unlink(temporary.c_str());
    return cannot("image-unwritable", path, "cannot write", reason);
}

}  // namespace tilescope::image

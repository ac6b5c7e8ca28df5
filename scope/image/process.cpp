#include "scope/image/process.h"

#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <spawn.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <cstdlib>
#include <cstring>
#include <fstream>
#include <sstream>
#include <thread>

#include "scope/base/files.h"

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

using Clock = std::chrono::steady_clock;

// More words than this are dropped: nobody reads them, and they would fill our own memory.
constexpr std::size_t kMaxWords = 16 << 20;

// Reads both pipes to their ends together: a child that fills one must not wait for us at the other. False when the
// time was up before that.
bool drain(int out_fd, int err_fd, std::optional<Clock::time_point> deadline, ProcessOutput& result) {
    std::array<pollfd, 2> waits = {pollfd{out_fd, POLLIN, 0}, pollfd{err_fd, POLLIN, 0}};
    const std::array<std::string*, 2> texts = {&result.output, &result.errors};
    std::array<char, 1 << 16> buffer;
    int open = 2;
    while (open > 0) {
        int patience = -1;
        if (deadline) {
            const auto left = std::chrono::ceil<std::chrono::milliseconds>(*deadline - Clock::now());
            if (left.count() <= 0) return false;
            patience = static_cast<int>(left.count());
        }
        if (poll(waits.data(), waits.size(), patience) < 0 && errno != EINTR) return true;
        for (std::size_t i = 0; i < waits.size(); ++i) {
            if (waits[i].fd < 0 || waits[i].revents == 0) continue;
            const ssize_t got = ::read(waits[i].fd, buffer.data(), buffer.size());
            if (got > 0 && texts[i]->size() < kMaxWords) texts[i]->append(buffer.data(), static_cast<std::size_t>(got));
            if (got == 0 || (got < 0 && errno != EINTR)) {
                waits[i].fd = -1;  // poll passes over it
                --open;
            }
        }
    }
    return true;
}

// Waits for the child; false when the time was up before that. A child may close its pipes and run on.
bool wait_until(pid_t child, std::optional<Clock::time_point> deadline, int& state) {
    while (true) {
        const pid_t ended = waitpid(child, &state, deadline ? WNOHANG : 0);
        if (ended == child) return true;
        if (ended < 0 && errno != EINTR) {
            state = 127 << 8;  // somebody else in this process took its end: take it for a failure
            return true;
        }
        if (ended == 0 && Clock::now() >= *deadline) return false;
        if (ended == 0) std::this_thread::sleep_for(std::chrono::milliseconds(5));
    }
}

// On the child, which runs already: limits hold for whatever it asks for from now on.
void limit(pid_t child, const ProcessLimits& limits) {
    const auto set = [child](__rlimit_resource what, rlim_t soft, rlim_t hard) {
        const rlimit value{soft, hard};
        static_cast<void>(prlimit(child, what, &value, nullptr));
    };
    const auto seconds = static_cast<rlim_t>(limits.processor_time.count());
    if (seconds != 0) set(RLIMIT_CPU, seconds, seconds + 1);
    if (limits.memory_bytes != 0) set(RLIMIT_AS, limits.memory_bytes, limits.memory_bytes);
    if (limits.memory_bytes != 0) set(RLIMIT_FSIZE, limits.memory_bytes, limits.memory_bytes);
    if (limits.memory_bytes != 0 || seconds != 0) set(RLIMIT_CORE, 0, 0);
}

std::vector<std::string> environment_with(const ProcessEnvironment& changes) {
    std::vector<std::string> result;
    for (char** entry = environ; *entry != nullptr; ++entry) {
        const std::string_view text = *entry;
        const std::string_view name = text.substr(0, text.find('='));
        if (std::none_of(changes.begin(), changes.end(), [&](const auto& change) { return change.first == name; }))
            result.emplace_back(text);
    }
    for (const auto& [name, value] : changes)
        if (value) result.push_back(name + "=" + *value);
    return result;
}

std::vector<char*> pointers(const std::vector<std::string>& texts) {
    std::vector<char*> result;
    result.reserve(texts.size() + 1);
    for (const std::string& text : texts) result.push_back(const_cast<char*>(text.c_str()));
    result.push_back(nullptr);
    return result;
}

Diagnostic cannot(const std::string& code, const fs::path& path, const std::string& what, int reason) {
    return error(code, {path.string(), 0, 0}, what + ": " + std::strerror(reason));
}

}  // namespace

Result<ProcessOutput> run_process(const std::vector<std::string>& arguments, const ProcessLimits& limits,
                                  const ProcessEnvironment& environment) {
    Pipe out, err;
    if (!out.open() || !err.open()) return cannot("image-process", arguments[0], "cannot make a pipe", errno);
    const bool timed = limits.wall_time.count() != 0;
    const bool limited = timed || limits.processor_time.count() != 0 || limits.memory_bytes != 0;
    posix_spawn_file_actions_t actions;
    posix_spawn_file_actions_init(&actions);
    posix_spawn_file_actions_addopen(&actions, STDIN_FILENO, "/dev/null", O_RDONLY, 0);
    posix_spawn_file_actions_adddup2(&actions, out.write_end, STDOUT_FILENO);
    posix_spawn_file_actions_adddup2(&actions, err.write_end, STDERR_FILENO);
    posix_spawnattr_t attributes;
    posix_spawnattr_init(&attributes);
    if (limited) posix_spawnattr_setflags(&attributes, POSIX_SPAWN_SETPGROUP);
    const std::vector<std::string> variables = environment_with(environment);
    std::optional<Clock::time_point> deadline;
    if (timed) deadline = Clock::now() + limits.wall_time;
    pid_t child = 0;
    const int failure = posix_spawnp(&child, arguments[0].c_str(), &actions, &attributes, pointers(arguments).data(),
                                     pointers(variables).data());
    posix_spawnattr_destroy(&attributes);
    posix_spawn_file_actions_destroy(&actions);
    if (failure != 0) return cannot("image-process", arguments[0], "cannot start", failure);
    if (limited) limit(child, limits);
    out.close_write();
    err.close_write();

    ProcessOutput result;
    int state = 0;
    const bool in_time = drain(out.read_end, err.read_end, deadline, result) && wait_until(child, deadline, state);
    if (!in_time) {
        ::kill(-child, SIGKILL);
        wait_until(child, std::nullopt, state);
    }
    result.status = WIFEXITED(state) ? WEXITSTATUS(state) : 128 + WTERMSIG(state);
    const bool out_of_time = !in_time || (WIFSIGNALED(state) && WTERMSIG(state) == SIGXCPU);
    result.end = out_of_time ? ProcessEnd::kTimeLimit : WIFSIGNALED(state) ? ProcessEnd::kSignal : ProcessEnd::kExited;
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
    const fs::path parent = fs::temp_directory_path(failure);
    return create(failure ? "/tmp" : parent, "tilescope-");
}

Result<TemporaryFolder> TemporaryFolder::create(const fs::path& parent, const std::string& prefix) {
    std::string name = (parent / (prefix + "XXXXXX")).string();
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
    if (const auto failed = write_whole_file(path, {content}))
        return error("image-unwritable", {path.string(), 0, 0}, "cannot write: " + failed.message());
    return Success{};
}

}  // namespace tilescope::image

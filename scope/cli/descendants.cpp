#include "scope/cli/descendants.h"

#include <fcntl.h>
#include <signal.h>
#include <sys/wait.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <charconv>
#include <chrono>
#include <filesystem>
#include <fstream>
#include <sstream>
#include <thread>

namespace tilescope::cli {
namespace {

constexpr char kDone = 'd';

bool carries(const std::filesystem::path& process, const std::string& mark) {
    std::ifstream file(process / "environ", std::ios::binary);
    for (std::string entry; std::getline(file, entry, '\0');)
        if (entry == mark) return true;
    return false;
}

std::vector<pid_t> marked(const std::string& mark) {
    std::vector<pid_t> found;
    std::error_code failed;
    for (const auto& entry : std::filesystem::directory_iterator("/proc", failed)) {
        const std::string name = entry.path().filename().string();
        pid_t process = 0;
        const auto [end, wrong] = std::from_chars(name.data(), name.data() + name.size(), process);
        if (wrong != std::errc() || *end != '\0' || process == getpid()) continue;
        if (carries(entry.path(), mark)) found.push_back(process);
    }
    return found;
}

// In the guardian's process: until the pipe closes, which the death of the one who holds the other end does.
[[noreturn]] void guard(int read_end, const std::string& mark, const std::vector<std::string>& scratch) {
    char said = 0;
    ssize_t got = 0;
    while ((got = read(read_end, &said, 1)) < 0 && errno == EINTR) {
    }
    if (got == 1 && said == kDone) _exit(0);
    kill_marked(mark);
    for (const std::string& file : scratch) unlink(file.c_str());
    _exit(0);
}

void close_others(int kept) {
    std::error_code failed;
    std::vector<int> open;
    for (const auto& entry : std::filesystem::directory_iterator("/proc/self/fd", failed)) {
        const int descriptor = std::atoi(entry.path().filename().c_str());
        if (descriptor != kept) open.push_back(descriptor);
    }
    // Ours are held by whoever reads them to their end.
    for (const int descriptor : open) close(descriptor);
}

}  // namespace

void kill_marked(const std::string& mark) {
    // One that is just being started may be missed by the first look, and what was killed takes the system a moment to
    // put away: until nothing is seen any more, for two seconds at most.
    constexpr int kLooks = 400;
    for (int look = 0; look < kLooks; ++look) {
        const std::vector<pid_t> found = marked(mark);
        if (found.empty()) return;
        for (const pid_t process : found) kill(process, SIGKILL);
        std::this_thread::sleep_for(std::chrono::milliseconds(5));
    }
}

Guardian::Guardian(const std::string& mark, const std::vector<std::string>& scratch) {
    std::array<int, 2> ends{};
    if (pipe2(ends.data(), O_CLOEXEC) != 0) return;
    process_ = fork();
    if (process_ == 0) {
        setsid();  // what the terminal sends to us is none of its business
        close_others(ends[0]);
        guard(ends[0], mark, scratch);
    }
    close(ends[0]);
    if (process_ < 0)
        close(ends[1]);
    else
        pipe_ = ends[1];
}

Guardian::~Guardian() {
    if (pipe_ < 0) return;
    while (write(pipe_, &kDone, 1) < 0 && errno == EINTR) {
    }
    close(pipe_);
    while (waitpid(process_, nullptr, 0) < 0 && errno == EINTR) {
    }
}

}  // namespace tilescope::cli

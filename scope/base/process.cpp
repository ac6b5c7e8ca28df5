#include "scope/base/process.h"

#include <fcntl.h>
#include <poll.h>
#include <spawn.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <string_view>
#include <thread>

extern char** environ;

namespace tilescope {
namespace {

// More words than this are dropped: nobody reads them, and they would fill our own memory.
constexpr std::size_t kMaxWords = 16 << 20;
// Whoever sends a signal to us and to our group at once means it once.
constexpr auto kOneRequest = std::chrono::milliseconds(50);
// For a child whose end somebody else took: take it for a failure.
constexpr int kLostStatus = 127 << 8;

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

// On the child, which runs already: limits hold for whatever it asks for from now on.
void limit(pid_t child, const ProcessRequest& request) {
    const auto set = [child](__rlimit_resource what, rlim_t soft, rlim_t hard) {
        const rlimit value{soft, hard};
        static_cast<void>(prlimit(child, what, &value, nullptr));
    };
    const auto seconds = static_cast<rlim_t>(request.processor_time.count());
    if (seconds != 0) set(RLIMIT_CPU, seconds, seconds + 1);
    if (request.memory_bytes != 0) set(RLIMIT_AS, request.memory_bytes, request.memory_bytes);
    if (request.memory_bytes != 0) set(RLIMIT_FSIZE, request.memory_bytes, request.memory_bytes);
    if (request.memory_bytes != 0 || seconds != 0) set(RLIMIT_CORE, 0, 0);
}

// In the child: becomes the program, or tells `complaints` why not.
[[noreturn]] void become(const char* program, char* const* arguments, char* const* variables, pid_t parent,
                         int complaints) {
    prctl(PR_SET_PDEATHSIG, SIGKILL);
    if (getppid() != parent) _exit(1);  // it was gone before we said so
    execve(program, arguments, variables);
    const int reason = errno;
    const ssize_t told = write(complaints, &reason, sizeof reason);
    _exit(told == sizeof reason ? 1 : 2);
}

}  // namespace

bool Process::Pipe::open() {
    std::array<int, 2> ends;
    if (pipe2(ends.data(), O_CLOEXEC) != 0) return false;
    read_end = ends[0];
    write_end = ends[1];
    return true;
}

void Process::Pipe::close_write() {
    if (write_end >= 0) ::close(write_end);
    write_end = -1;
}

Process::Pipe::~Pipe() {
    close_write();
    if (read_end >= 0) ::close(read_end);
}

Process::~Process() = default;

Process::Failure Process::start(const ProcessRequest& request) {
    if (request.captured)
        for (Pipe& pipe : pipes_)
            if (!pipe.open()) return {"cannot make a pipe", errno};
    const std::vector<std::string> texts = environment_with(request.variables);
    const std::vector<char*> variables = pointers(texts);
    const int failure = request.forwarded != nullptr ? fork_forwarded(request, variables) : spawn(request, variables);
    if (failure != 0) return {"cannot start", failure};
    own_group_ = request.own_group;
    limit(child_, request);
    for (Pipe& pipe : pipes_) pipe.close_write();
    return {};
}

// Nothing of ours is copied and nobody who waits for forks is told, however much this process holds.
int Process::spawn(const ProcessRequest& request, const std::vector<char*>& variables) {
    posix_spawn_file_actions_t actions;
    posix_spawn_file_actions_init(&actions);
    if (request.captured) {
        posix_spawn_file_actions_addopen(&actions, STDIN_FILENO, "/dev/null", O_RDONLY, 0);
        posix_spawn_file_actions_adddup2(&actions, pipes_[0].write_end, STDOUT_FILENO);
        posix_spawn_file_actions_adddup2(&actions, pipes_[1].write_end, STDERR_FILENO);
    }
    posix_spawnattr_t attributes;
    posix_spawnattr_init(&attributes);
    if (request.own_group) posix_spawnattr_setflags(&attributes, POSIX_SPAWN_SETPGROUP);
    const int failure = posix_spawnp(&child_, request.program.c_str(), &actions, &attributes,
                                     pointers(request.arguments).data(), variables.data());
    posix_spawnattr_destroy(&attributes);
    posix_spawn_file_actions_destroy(&actions);
    return failure;
}

// Only the child itself can ask to be killed when we end, so it needs a moment of its own before it becomes the
// program.
int Process::fork_forwarded(const ProcessRequest& request, const std::vector<char*>& variables) {
    const std::vector<char*> arguments = pointers(request.arguments);
    Pipe complaints;
    if (!complaints.open()) return errno;
    const pid_t parent = getpid();
    child_ = fork();
    if (child_ == 0) {
        request.forwarded->let_go();
        if (request.own_group) setpgid(0, 0);
        if (request.captured) {
            dup2(::open("/dev/null", O_RDONLY | O_CLOEXEC), STDIN_FILENO);
            dup2(pipes_[0].write_end, STDOUT_FILENO);
            dup2(pipes_[1].write_end, STDERR_FILENO);
        }
        become(request.program.c_str(), arguments.data(), variables.data(), parent, complaints.write_end);
    }
    if (child_ < 0) return errno;
    complaints.close_write();
    int reason = 0;
    ssize_t got = 0;
    while ((got = ::read(complaints.read_end, &reason, sizeof reason)) < 0 && errno == EINTR) {
    }
    if (got != sizeof reason) return 0;
    waitpid(child_, nullptr, 0);
    return reason;
}

bool Process::read(Deadline deadline) {
    std::array<pollfd, 2> waits = {pollfd{pipes_[0].read_end, POLLIN, 0}, pollfd{pipes_[1].read_end, POLLIN, 0}};
    std::array<char, 1 << 16> buffer;
    std::size_t open = waits.size();
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
            if (got > 0 && texts_[i].size() < kMaxWords) texts_[i].append(buffer.data(), static_cast<std::size_t>(got));
            if (got == 0 || (got < 0 && errno != EINTR)) {
                waits[i].fd = -1;  // poll passes over it
                --open;
            }
        }
    }
    return true;
}

Process::State Process::look(bool wait) {
    const pid_t ended = waitpid(child_, &state_, wait ? 0 : WNOHANG);
    if (ended == child_) return State::kEnded;
    if (ended == 0 || errno == EINTR) return State::kRunning;
    state_ = kLostStatus;
    return State::kLost;
}

Process::State Process::wait(Deadline deadline) {
    constexpr auto kPause = std::chrono::milliseconds(5);
    while (true) {
        const State state = look(!deadline);
        if (state != State::kRunning || (deadline && Clock::now() >= *deadline)) return state;
        if (deadline) std::this_thread::sleep_for(kPause);
    }
}

Process::State Process::wait(const HeldSignals& held, Deadline deadline, const std::function<void()>& end_all) {
    std::optional<Clock::time_point> asked;
    while (true) {
        if (const State state = look(false); state != State::kRunning) return state;
        std::optional<Clock::duration> left;
        if (deadline && !timed_out_) left = *deadline - Clock::now();
        siginfo_t about{};
        const int signal = held.wait(left, about);
        if (signal == 0 && left && Clock::now() >= *deadline) {
            timed_out_ = true;
            end_all();
        }
        if (signal == 0 || signal == SIGCHLD) continue;
        const auto now = Clock::now();
        if (asked && now - *asked > kOneRequest) {
            end_all();
        } else if (own_group_ || about.si_code != SI_KERNEL) {
            // What the terminal sends goes to every process of our group, the child among them if it is.
            kill(signal);
        }
        if (!asked) asked = now;
    }
}

void Process::kill(int signal) const { ::kill(own_group_ ? -child_ : child_, signal); }
void Process::kill_group() const { ::kill(-child_, SIGKILL); }

int Process::status() const { return WIFEXITED(state_) ? WEXITSTATUS(state_) : 0; }
int Process::signal() const { return WIFSIGNALED(state_) ? WTERMSIG(state_) : 0; }

}  // namespace tilescope

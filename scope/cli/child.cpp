#include "scope/cli/child.h"

#include <fcntl.h>
#include <signal.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <cstring>

#include "scope/cli/descendants.h"

extern char** environ;

namespace tilescope::cli {
namespace {

using Clock = std::chrono::steady_clock;

constexpr std::array kForwarded = {SIGINT, SIGTERM, SIGHUP, SIGQUIT};
// Whoever sends a signal to us and to our group at once means it once.
constexpr auto kOneRequest = std::chrono::milliseconds(50);

// The signals that we wait for are held back meanwhile, so that none is lost between two looks.
class HeldSignals {
public:
    HeldSignals() {
        sigemptyset(&held_);
        for (const int signal : kForwarded) sigaddset(&held_, signal);
        sigaddset(&held_, SIGCHLD);
        sigprocmask(SIG_BLOCK, &held_, &before_);
        // Where SIGCHLD is ignored a child's end cannot be waited for.
        struct sigaction plain {};
        plain.sa_handler = SIG_DFL;
        sigaction(SIGCHLD, &plain, &child_before_);
    }
    ~HeldSignals() {
        sigaction(SIGCHLD, &child_before_, nullptr);
        sigprocmask(SIG_SETMASK, &before_, nullptr);
    }
    HeldSignals(const HeldSignals&) = delete;
    HeldSignals& operator=(const HeldSignals&) = delete;

    // For the child.
    void let_go() const {
        sigaction(SIGCHLD, &child_before_, nullptr);
        sigprocmask(SIG_SETMASK, &before_, nullptr);
    }
    // The next one, or 0 after the time.
    int wait(std::optional<Clock::duration> time, siginfo_t& about) const {
        if (!time) {
            const int got = sigwaitinfo(&held_, &about);
            return got > 0 ? got : 0;
        }
        const auto left = std::max(*time, Clock::duration::zero());
        const auto whole = std::chrono::duration_cast<std::chrono::seconds>(left);
        timespec most{};
        most.tv_sec = static_cast<time_t>(whole.count());
        most.tv_nsec = static_cast<long>(std::chrono::nanoseconds(left - whole).count());
        const int got = sigtimedwait(&held_, &about, &most);
        return got > 0 ? got : 0;
    }

private:
    sigset_t held_, before_;
    struct sigaction child_before_ {};
};

std::vector<std::string> environment(const std::vector<std::pair<std::string, std::string>>& variables) {
    std::vector<std::string> result;
    for (char** entry = environ; *entry != nullptr; ++entry) {
        const std::string_view text = *entry;
        bool replaced = false;
        for (const auto& [name, value] : variables)
            replaced |= text.starts_with(name) && text.size() > name.size() && text[name.size()] == '=';
        if (!replaced) result.emplace_back(text);
    }
    for (const auto& [name, value] : variables) result.push_back(name + "=" + value);
    return result;
}

std::vector<char*> pointers(std::vector<std::string>& texts) {
    std::vector<char*> result;
    result.reserve(texts.size() + 1);
    for (std::string& text : texts) result.push_back(text.data());
    result.push_back(nullptr);
    return result;
}

// In the child: becomes the program, or tells `complaints` why not.
[[noreturn]] void become(const char* program, char** arguments, char** variables, pid_t parent, int complaints) {
    prctl(PR_SET_PDEATHSIG, SIGKILL);
    if (getppid() != parent) _exit(1);  // it was gone before we said so
    execve(program, arguments, variables);
    const int reason = errno;
    const ssize_t told = write(complaints, &reason, sizeof reason);
    _exit(told == sizeof reason ? 1 : 2);
}

// The child's number, or why it cannot be.
Result<pid_t> start(const ChildRequest& request, const HeldSignals& held) {
    std::vector<std::string> argument_texts = request.arguments, environment_texts = environment(request.variables);
    const std::vector<char*> arguments = pointers(argument_texts), variables = pointers(environment_texts);
    std::array<int, 2> complaints{};
    const auto failed = [&](int reason) {
        return error("cli-start", {request.program},
                     std::string("cannot start this program: ") + std::strerror(reason));
    };
    if (pipe2(complaints.data(), O_CLOEXEC) != 0) return failed(errno);
    const pid_t parent = getpid();
    const pid_t child = fork();
    if (child == 0) {
        held.let_go();
        become(request.program.c_str(), const_cast<char**>(arguments.data()), const_cast<char**>(variables.data()),
               parent, complaints[1]);
    }
    const int fork_failed = errno;
    close(complaints[1]);
    int reason = 0;
    ssize_t got = 0;
    while (child > 0 && (got = read(complaints[0], &reason, sizeof reason)) < 0 && errno == EINTR) {
    }
    close(complaints[0]);
    if (child < 0) return failed(fork_failed);
    if (got != sizeof reason) return child;
    waitpid(child, nullptr, 0);
    return failed(reason);
}

void end_all(pid_t child, const std::string& mark) {
    if (!mark.empty()) kill_marked(mark);
    kill(child, SIGKILL);
}

// Passes on what comes until the child has ended.
Result<ChildEnd> wait_for(pid_t child, const ChildRequest& request, const std::string& mark, const HeldSignals& held) {
    ChildEnd end;
    std::optional<Clock::time_point> asked;
    while (true) {
        int state = 0;
        const pid_t got = waitpid(child, &state, WNOHANG);
        if (got < 0 && errno != EINTR)
            return error("cli-start", {request.program}, std::string("lost the program: ") + std::strerror(errno));
        if (got == child) {
            end.signal = WIFSIGNALED(state) ? WTERMSIG(state) : 0;
            end.status = WIFEXITED(state) ? WEXITSTATUS(state) : 0;
            return end;
        }
        std::optional<Clock::duration> left;
        if (request.deadline && !end.timed_out) left = *request.deadline - Clock::now();
        siginfo_t about{};
        const int signal = held.wait(left, about);
        if (signal == 0 && left && Clock::now() >= *request.deadline) {
            end.timed_out = true;
            end_all(child, mark);
        }
        if (signal == 0 || signal == SIGCHLD) continue;
        const auto now = Clock::now();
        if (asked && now - *asked > kOneRequest) {
            end_all(child, mark);
        } else if (about.si_code != SI_KERNEL) {
            // What the terminal sends goes to every process in the foreground, the child among them.
            kill(child, signal);
        }
        if (!asked) asked = now;
    }
}

}  // namespace

Result<ChildEnd> run_child(const ChildRequest& request) {
    const std::string mark =
        request.variables.empty() ? std::string() : request.variables[0].first + "=" + request.variables[0].second;
    const HeldSignals held;
    std::optional<Guardian> guardian;
    if (!mark.empty()) guardian.emplace(mark, request.scratch);
    const auto child = start(request, held);
    if (!child) return child.errors();
    return wait_for(*child, request, mark, held);
}

}  // namespace tilescope::cli

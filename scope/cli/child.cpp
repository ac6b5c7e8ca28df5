#include "scope/cli/child.h"

#include <signal.h>
#include <spawn.h>
#include <sys/wait.h>
#include <unistd.h>

#include <array>
#include <atomic>
#include <cerrno>
#include <cstring>

extern char** environ;

namespace tilescope::cli {
namespace {

constexpr std::array kForwarded = {SIGINT, SIGTERM, SIGHUP, SIGQUIT};

std::atomic<pid_t> child{0};

// What the terminal sends goes to every process in the foreground, the child among them; only the rest is passed on.
void forward(int signal, siginfo_t* about, void*) {
    const pid_t pid = child.load();
    if (pid > 0 && about->si_code != SI_KERNEL) kill(pid, signal);
}

// Handlers for as long as the child runs.
class Forwarding {
public:
    Forwarding() {
        struct sigaction action {};
        action.sa_sigaction = forward;
        action.sa_flags = SA_SIGINFO | SA_RESTART;
        sigemptyset(&action.sa_mask);
        for (std::size_t i = 0; i < kForwarded.size(); ++i) sigaction(kForwarded[i], &action, &before_[i]);
    }
    ~Forwarding() {
        child = 0;
        for (std::size_t i = 0; i < kForwarded.size(); ++i) sigaction(kForwarded[i], &before_[i], nullptr);
    }
    Forwarding(const Forwarding&) = delete;
    Forwarding& operator=(const Forwarding&) = delete;

private:
    std::array<struct sigaction, kForwarded.size()> before_{};
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

}  // namespace

Result<ChildEnd> run_child(const std::string& program, const std::vector<std::string>& arguments,
                           const std::vector<std::pair<std::string, std::string>>& variables) {
    std::vector<std::string> argument_texts = arguments, environment_texts = environment(variables);
    const Forwarding forwarding;
    // A signal that came before we know whom to hand it to would be lost, so none comes until then.
    sigset_t blocked, before;
    sigemptyset(&blocked);
    for (int signal : kForwarded) sigaddset(&blocked, signal);
    sigprocmask(SIG_BLOCK, &blocked, &before);
    posix_spawnattr_t attributes;
    posix_spawnattr_init(&attributes);
    posix_spawnattr_setsigmask(&attributes, &before);
    posix_spawnattr_setflags(&attributes, POSIX_SPAWN_SETSIGMASK);
    pid_t pid = 0;
    const int failed = posix_spawn(&pid, program.c_str(), nullptr, &attributes, pointers(argument_texts).data(),
                                   pointers(environment_texts).data());
    posix_spawnattr_destroy(&attributes);
    if (failed == 0) child = pid;
    sigprocmask(SIG_SETMASK, &before, nullptr);
    if (failed != 0)
        return error("cli-start", {program}, std::string("cannot start this program: ") + std::strerror(failed));
    int state = 0;
    while (waitpid(pid, &state, 0) < 0)
        if (errno != EINTR)
            return error("cli-start", {program}, std::string("lost the program: ") + std::strerror(errno));
    ChildEnd end;
    if (WIFSIGNALED(state))
        end.signal = WTERMSIG(state);
    else
        end.status = WEXITSTATUS(state);
    return end;
}

}  // namespace tilescope::cli

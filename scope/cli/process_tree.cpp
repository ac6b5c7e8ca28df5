#include "scope/cli/process_tree.h"

#include <signal.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

#include <charconv>
#include <chrono>
#include <filesystem>
#include <fstream>
#include <map>
#include <optional>
#include <sstream>
#include <string>
#include <thread>

namespace tilescope::cli {
namespace {

struct Living {
    pid_t parent = 0, group = 0;
    bool has_ended = false;  // and waits for its parent to look
};

// Of /proc/PID/stat: "12 (a name) S 1 ...". A name may hold anything.
std::optional<Living> living(const std::filesystem::path& folder) {
    std::ifstream file(folder / "stat");
    std::string text;
    if (!std::getline(file, text)) return std::nullopt;
    const std::size_t end = text.rfind(')');
    if (end == std::string::npos) return std::nullopt;
    std::istringstream rest(text.substr(end + 1));
    char state = 0;
    Living found;
    if (!(rest >> state >> found.parent >> found.group)) return std::nullopt;
    found.has_ended = state == 'Z' || state == 'X';
    return found;
}

std::map<pid_t, Living> all_processes() {
    std::map<pid_t, Living> all;
    std::error_code failed;
    for (std::filesystem::directory_iterator entry("/proc", failed), end; !failed && entry != end;
         entry.increment(failed)) {
        const std::string name = entry->path().filename().string();
        pid_t process = 0;
        const auto [rest, wrong] = std::from_chars(name.data(), name.data() + name.size(), process);
        if (wrong != std::errc() || *rest != '\0') continue;
        if (const auto found = living(entry->path())) all.emplace(process, *found);
    }
    return all;
}

// Whether `process` is below this one, by no way through `others`.
bool is_below(pid_t process, const std::map<pid_t, Living>& all, const std::set<pid_t>& others) {
    const pid_t self = getpid();
    for (std::size_t steps = 0; steps <= all.size(); ++steps) {
        if (others.count(process) != 0) return false;
        const auto found = all.find(process);
        if (found == all.end()) return false;
        if (found->second.parent == self) return true;
        process = found->second.parent;
    }
    return false;
}

}  // namespace

ProcessTree::ProcessTree() {
    prctl(PR_GET_CHILD_SUBREAPER, &was_subreaper_);
    prctl(PR_SET_CHILD_SUBREAPER, 1);
    for (const auto& [process, about] : all_processes())
        if (about.parent == getpid()) others_.insert(process);
}

ProcessTree::~ProcessTree() { prctl(PR_SET_CHILD_SUBREAPER, was_subreaper_); }

std::vector<pid_t> ProcessTree::running() const {
    const auto all = all_processes();
    std::vector<pid_t> found;
    for (const auto& [process, about] : all)
        if (!about.has_ended && is_below(process, all, others_)) found.push_back(process);
    return found;
}

std::size_t ProcessTree::bury(pid_t but) const {
    std::size_t buried = 0;
    for (const auto& [process, about] : all_processes())
        if (about.has_ended && about.parent == getpid() && process != but && others_.count(process) == 0)
            buried += waitpid(process, nullptr, WNOHANG) == process ? 1 : 0;
    return buried;
}

// One that ends as soon as the next one runs is gone when it is looked for; its group is not, and nobody in it starts
// another one once the system has ended it.
std::size_t ProcessTree::end_some() const {
    const auto all = all_processes();
    std::set<pid_t> own, groups, shared{getpgrp()};
    for (const auto& [process, about] : all)
        if (is_below(process, all, others_)) {
            if (!about.has_ended) own.insert(process);
            groups.insert(about.group);
        } else {
            shared.insert(about.group);
        }
    for (const pid_t group : groups)
        if (group > 1 && shared.count(group) == 0) kill(-group, SIGKILL);
    for (const pid_t process : own) kill(process, SIGKILL);
    return own.size();
}

bool ProcessTree::end_all(pid_t but) const {
    const auto patience = std::chrono::steady_clock::now() + std::chrono::seconds(10);
    constexpr unsigned kQuiet = 3;  // looks without anybody who runs or has ended since the one before
    for (unsigned quiet = 0; std::chrono::steady_clock::now() < patience;) {
        const std::size_t ended = end_some(), buried = bury(but);
        quiet = ended + buried == 0 ? quiet + 1 : 0;
        if (quiet == kQuiet) return true;
        if (quiet != 0) std::this_thread::sleep_for(std::chrono::milliseconds(3));
    }
    return false;
}

}  // namespace tilescope::cli

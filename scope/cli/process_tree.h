// All processes below this one: what a program started, whoever their parent is by now and whatever they dropped.
//
// Owns: ProcessTree. While one lives, a process whose parent has ended becomes a child of this one (a subreaper), so
// none leaves the tree: neither by ending its parent nor by a session, a group or an environment of its own.
// Guarantees: children that were there before are none of it. Does not model: what other processes start for the
// program (a service manager, a container's daemon).
#pragma once

#include <sys/types.h>

#include <cstddef>
#include <set>
#include <vector>

namespace tilescope::cli {

class ProcessTree {
public:
    // Before the program is started.
    ProcessTree();
    ~ProcessTree();
    ProcessTree(const ProcessTree&) = delete;
    ProcessTree& operator=(const ProcessTree&) = delete;

    // Those that run, without the ones that ended and wait for somebody to look.
    std::vector<pid_t> running() const;
    // Takes the ends of those that became our children, `but` apart. How many there were.
    std::size_t bury(pid_t but) const;
    // Ends all of them, again and again until none is left, ten seconds at most; `but` is ended, too, and its end is
    // left to be taken by others. False: some are still there.
    bool end_all(pid_t but) const;

private:
    std::size_t end_some() const;

    std::set<pid_t> others_;
    int was_subreaper_ = 0;
};

}  // namespace tilescope::cli

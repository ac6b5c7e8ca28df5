// The file to which a run's journal (scope/report/journal.h) is appended while the program runs.
//
// Owns: JournalFile. Guarantees: what was appended stays, however the process ends; lines of several processes do not
// mix. The process that began the journal is its owner; one that it forked, or started with the same environment, is a
// guest, who only leaves notes. A program that replaces itself by another (exec) stays the owner.
// append() makes one system call and allocates nothing, so a signal handler may call it.
// Does not model: who reads it.
#pragma once

#include <atomic>
#include <string_view>

namespace tilescope::runtime {

class JournalFile {
public:
    enum class Role { kNone, kOwner, kSuccessor, kGuest };  // a successor owns what another program image began

    // path: null or empty for none.
    explicit JournalFile(const char* path);
    JournalFile(const JournalFile&) = delete;
    JournalFile& operator=(const JournalFile&) = delete;

    Role role() const { return role_.load(std::memory_order_acquire); }
    bool is_owned() const { return role() == Role::kOwner || role() == Role::kSuccessor; }
    // In a forked child.
    void become_guest();
    // False: it could not be written, or could not be before; nothing more will be.
    bool append(std::string_view lines) noexcept;

private:
    int descriptor_ = -1;
    std::atomic<Role> role_{Role::kNone};
    std::atomic<bool> failed_{false};
};

}  // namespace tilescope::runtime

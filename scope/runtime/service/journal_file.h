// The file to which a run's journal (scope/report/journal.h) is appended while the program runs.
//
// Owns: JournalFile. Guarantees: what was appended stays, however the process ends; lines of several processes do not
// mix, and each says whose it is. Every process that finds the file in its environment tells what it does, those that
// another one forked and programs that take a process over (exec) among them; a forked child whose parent had used the
// device, which can do nothing with it, only leaves notes.
// append() makes one system call and allocates nothing, so a signal handler may call it.
// Does not model: who reads it.
#pragma once

#include <atomic>
#include <string>
#include <string_view>

namespace tilescope::runtime {

class JournalFile {
public:
    enum class Role { kNone, kOwner, kSuccessor, kGuest };  // a successor took over a process that has written before

    // path: null or empty for none.
    explicit JournalFile(const char* path);
    JournalFile(const JournalFile&) = delete;
    JournalFile& operator=(const JournalFile&) = delete;

    Role role() const { return role_.load(std::memory_order_acquire); }
    bool is_owned() const { return role() == Role::kOwner || role() == Role::kSuccessor; }
    // In a forked child: a process like others, that has written nothing yet.
    void forked();
    // In a forked child that can do nothing.
    void become_guest();
    // False: it could not be written, or could not be before; nothing more will be.
    bool append(std::string_view lines) noexcept;

private:
    void set_writer(bool forked);

    int descriptor_ = -1;
    std::atomic<Role> role_{Role::kNone};
    std::atomic<bool> failed_{false};
    std::atomic<bool> said_who_{false};
    std::string begin_;  // of whatever is appended
    std::string who_;    // behind that, the first time
};

}  // namespace tilescope::runtime

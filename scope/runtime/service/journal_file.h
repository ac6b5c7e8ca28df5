// The file to which a run's journal (scope/report/journal.h) is appended while the program runs.
//
// Owns: JournalFile. Guarantees: what was appended stays, however the process ends; lines of several processes do not
// mix, and each says whose it is. Every process that finds the file in its environment tells what it does, those that
// another one forked and programs that take a process over (exec) among them; a forked child whose parent had used the
// device, which can do nothing with it, only leaves notes. A program that closes every descriptor does not stop that,
// and no file of its own that then gets the number is written to. append() makes a few system calls and allocates
// nothing, so a signal handler may call it. Does not model: who reads it.
#pragma once

#include <sys/types.h>

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
    // Then: whether for want of room, and not because the file is out of reach.
    bool is_full() const { return full_.load(std::memory_order_relaxed); }

private:
    void set_writer(bool forked);
    bool is_at(int descriptor) const noexcept;
    int reachable() noexcept;

    std::string path_;
    std::atomic<int> descriptor_{-1};
    dev_t device_ = 0;  // what the file is, whatever its descriptor has become
    ino_t node_ = 0;
    std::atomic<bool> full_{false};
    std::atomic<Role> role_{Role::kNone};
    std::atomic<bool> failed_{false};
    std::atomic<bool> said_who_{false};
    std::string begin_;  // of whatever is appended
    std::string who_;    // behind that, the first time
};

}  // namespace tilescope::runtime

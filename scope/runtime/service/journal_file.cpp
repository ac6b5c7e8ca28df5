#include "scope/runtime/service/journal_file.h"

#include <fcntl.h>
#include <sys/stat.h>
#include <sys/uio.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <chrono>
#include <filesystem>

#include "scope/report/journal.h"

namespace tilescope::runtime {
namespace {

constexpr int kMostBegin = 512;  // of the file: the first lines are short

std::string beginning(int descriptor) {
    std::array<char, kMostBegin> buffer{};
    const ssize_t got = pread(descriptor, buffer.data(), buffer.size(), 0);
    return {buffer.data(), got > 0 ? static_cast<std::size_t>(got) : 0};
}

constexpr int kHow = O_RDWR | O_APPEND | O_CLOEXEC;

// With a number that a program does not expect to get, nor closes among its first.
int out_of_the_way(int descriptor) {
    constexpr int kFrom = 900;  // below the usual limit of 1,024
    if (descriptor < 0) return descriptor;
    const int other = fcntl(descriptor, F_DUPFD_CLOEXEC, kFrom);
    if (other < 0) return descriptor;
    close(descriptor);
    return other;
}

std::string name_of_program() {
    std::error_code failed;
    return std::filesystem::read_symlink("/proc/self/exe", failed).filename().string();
}

}  // namespace

JournalFile::JournalFile(const char* path) {
    if (path == nullptr || *path == '\0') return;
    path_ = path;
    const int file = out_of_the_way(open(path, kHow));
    struct stat what {};
    if (file < 0 || fstat(file, &what) != 0) return;
    device_ = what.st_dev;
    node_ = what.st_ino;
    descriptor_ = file;
    const std::string before = beginning(file);
    role_ = report::first_process(before) == getpid() ? Role::kSuccessor : Role::kOwner;
    set_writer(false);
    append({});
}

// A number of a process may be another one's later.
void JournalFile::set_writer(bool forked) {
    const auto now = std::chrono::steady_clock::now().time_since_epoch().count();
    begin_ = report::writer_lines(std::to_string(getpid()) + "." + std::to_string(now));
    ProcessOfRun self{getpid(), getppid(), name_of_program()};
    self.how = forked                       ? ProcessBegin::kForked
               : role() == Role::kSuccessor ? ProcessBegin::kReplaced
                                            : ProcessBegin::kStarted;
    who_ = report::process_line(self);
    said_who_ = false;
}

void JournalFile::forked() {
    if (role() == Role::kNone) return;
    role_ = Role::kOwner;
    set_writer(true);
}

void JournalFile::become_guest() {
    if (role() == Role::kNone) return;
    role_ = Role::kGuest;
    set_writer(true);
}

bool JournalFile::is_at(int descriptor) const noexcept {
    struct stat what {};
    return fstat(descriptor, &what) == 0 && what.st_dev == device_ && what.st_ino == node_;
}

// The file's descriptor; opened again where the program has closed it, whatever has its number now.
int JournalFile::reachable() noexcept {
    const int known = descriptor_.load();
    if (is_at(known)) return known;
    const int again = out_of_the_way(open(path_.c_str(), kHow));
    if (again >= 0 && !is_at(again)) {
        close(again);
        return -1;
    }
    if (again >= 0) descriptor_ = again;
    return again;
}

bool JournalFile::append(std::string_view lines) noexcept {
    if (role() == Role::kNone) return true;
    if (failed_.load(std::memory_order_relaxed)) return false;
    const int file = reachable();
    if (file < 0) {
        failed_ = true;
        return false;
    }
    const std::string_view who = said_who_.exchange(true) ? std::string_view() : std::string_view(who_);
    std::array<std::string_view, 3> parts{begin_, who, lines};
    // One call, so that nobody else's lines come between; what it leaves is for want of room.
    while (true) {
        std::array<iovec, 3> out{};
        std::size_t left = 0;
        for (std::size_t i = 0; i < parts.size(); ++i) {
            out[i] = {const_cast<char*>(parts[i].data()), parts[i].size()};
            left += parts[i].size();
        }
        if (left == 0) return true;
        const ssize_t written = writev(file, out.data(), static_cast<int>(out.size()));
        if (written < 0 && errno == EINTR) continue;
        if (written <= 0) {
            full_ = true;
            failed_ = true;
            return false;
        }
        auto done = static_cast<std::size_t>(written);
        for (std::string_view& part : parts) {
            const std::size_t gone = std::min(done, part.size());
            part.remove_prefix(gone);
            done -= gone;
        }
    }
}

}  // namespace tilescope::runtime

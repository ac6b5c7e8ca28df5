#include "scope/runtime/service/journal_file.h"

#include <fcntl.h>
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

std::string name_of_program() {
    std::error_code failed;
    return std::filesystem::read_symlink("/proc/self/exe", failed).filename().string();
}

}  // namespace

JournalFile::JournalFile(const char* path) {
    if (path == nullptr || *path == '\0') return;
    descriptor_ = open(path, O_RDWR | O_APPEND | O_CLOEXEC);
    if (descriptor_ < 0) return;
    const std::string before = beginning(descriptor_);
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

bool JournalFile::append(std::string_view lines) noexcept {
    if (descriptor_ < 0 || failed_.load(std::memory_order_relaxed)) return descriptor_ < 0;
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
        const ssize_t written = writev(descriptor_, out.data(), static_cast<int>(out.size()));
        if (written < 0 && errno == EINTR) continue;
        if (written <= 0) {
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

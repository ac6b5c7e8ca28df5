#include "scope/runtime/service/journal_file.h"

#include <fcntl.h>
#include <unistd.h>

#include <array>
#include <cerrno>

#include "scope/report/journal.h"

namespace tilescope::runtime {
namespace {

// The first line is short.
std::string_view beginning(int descriptor, std::array<char, 256>& buffer) {
    const ssize_t got = pread(descriptor, buffer.data(), buffer.size(), 0);
    return {buffer.data(), got > 0 ? static_cast<std::size_t>(got) : 0};
}

}  // namespace

JournalFile::JournalFile(const char* path) {
    if (path == nullptr || *path == '\0') return;
    descriptor_ = open(path, O_RDWR | O_APPEND | O_CLOEXEC);
    if (descriptor_ < 0) return;
    std::array<char, 256> buffer{};
    const std::string_view before = beginning(descriptor_, buffer);
    if (before.empty()) {
        role_ = Role::kOwner;
        append(report::process_line(getpid()));
        return;
    }
    role_ = report::first_process(before) == getpid() ? Role::kSuccessor : Role::kGuest;
}

void JournalFile::become_guest() {
    if (role() != Role::kNone) role_ = Role::kGuest;
}

bool JournalFile::append(std::string_view lines) noexcept {
    if (descriptor_ < 0 || failed_.load(std::memory_order_relaxed)) return descriptor_ < 0;
    while (!lines.empty()) {
        const ssize_t written = write(descriptor_, lines.data(), lines.size());
        if (written < 0 && errno == EINTR) continue;
        if (written <= 0) {
            failed_ = true;
            return false;
        }
        lines.remove_prefix(static_cast<std::size_t>(written));
    }
    return true;
}

}  // namespace tilescope::runtime

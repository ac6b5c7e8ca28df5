#include "scope/session/launch/print_buffer.h"

#include <cstdio>

namespace tilescope {

void PrintBuffer::add(const char* text, std::size_t size) {
    if (printed_ < room_) {
        ++printed_;
        std::fwrite(text, 1, size, stdout);
        std::fflush(stdout);
        return;
    }
    waiting_.emplace_back(text, size);
    if (waiting_.size() <= room_) return;
    waiting_.pop_front();
    ++lost_;
}

std::uint64_t PrintBuffer::flush() {
    for (const std::string& text : waiting_) std::fwrite(text.data(), 1, text.size(), stdout);
    if (!waiting_.empty()) std::fflush(stdout);
    waiting_.clear();
    return lost_;
}

}  // namespace tilescope

// The driver's log.
#include <algorithm>
#include <cstring>
#include <fstream>

#include "scope/runtime/cuda/guard.h"
#include "scope/runtime/cuda/log.h"

namespace tilescope::runtime::driver {
namespace {

constexpr std::size_t kLinesKept = 100;

}  // namespace

DriverLog& DriverLog::get() {
    static auto* const kept = new DriverLog;
    return *kept;
}

// Listeners are called without the lock, as they may ask for lines.
void DriverLog::add(const std::string& line) {
    std::map<std::uintptr_t, Listener> told;
    {
        const std::lock_guard lock(mutex_);
        lines_.push_back(line);
        if (lines_.size() > kLinesKept) lines_.pop_front();
        ++count_;
        told = listeners_;
    }
    for (const auto& [handle, listener] : told) {
        std::string own = line;
        listener.callback(listener.data, 0, own.data(), own.size() + 1);
    }
}

unsigned DriverLog::count() {
    const std::lock_guard lock(mutex_);
    return count_;
}

std::string DriverLog::lines_from(unsigned first) {
    const std::lock_guard lock(mutex_);
    const unsigned oldest = count_ - static_cast<unsigned>(lines_.size());
    std::string text;
    for (unsigned i = std::max(first, oldest); i < count_; ++i) text += lines_[i - oldest] + "\n";
    return text;
}

std::uintptr_t DriverLog::listen(LogCallback callback, void* data) {
    const std::lock_guard lock(mutex_);
    listeners_[++last_] = {callback, data};
    return last_;
}

bool DriverLog::stop(std::uintptr_t handle) {
    const std::lock_guard lock(mutex_);
    return listeners_.erase(handle) != 0;
}

TILESCOPE_DRIVER Code cuLogsRegisterCallback(LogCallback callback, void* data, void** handle) {
    return call([&] {
        if (callback == nullptr || handle == nullptr) return Status::kInvalidValue;
        *handle = reinterpret_cast<void*>(DriverLog::get().listen(callback, data));
        return Status::kOk;
    });
}
TILESCOPE_DRIVER Code cuLogsUnregisterCallback(void* handle) {
    return call([&] {
        return DriverLog::get().stop(reinterpret_cast<std::uintptr_t>(handle)) ? Status::kOk : Status::kInvalidValue;
    });
}
TILESCOPE_DRIVER Code cuLogsCurrent(unsigned* place, unsigned flags) {
    return call([&] {
        if (place == nullptr || flags != 0) return Status::kInvalidValue;
        *place = DriverLog::get().count();
        return Status::kOk;
    });
}
TILESCOPE_DRIVER Code cuLogsDumpToFile(unsigned* place, const char* path, unsigned flags) {
    return call([&]() -> Status {
        if (path == nullptr || flags != 0) return Status::kInvalidValue;
        DriverLog& log = DriverLog::get();
        const unsigned end = log.count();
        std::ofstream file(path, std::ios::app);
        file << log.lines_from(place == nullptr ? 0 : *place);
        if (!file.flush()) return because(Status::kOperatingSystem, std::string("cannot write ") + path);
        if (place != nullptr) *place = end;
        return Status::kOk;
    });
}
// As many whole lines as there is room for.
TILESCOPE_DRIVER Code cuLogsDumpToMemory(unsigned* place, char* out, std::size_t* bytes, unsigned flags) {
    return call([&]() -> Status {
        if (out == nullptr || bytes == nullptr || *bytes == 0 || flags != 0) return Status::kInvalidValue;
        DriverLog& log = DriverLog::get();
        const unsigned end = log.count();
        std::string text = log.lines_from(place == nullptr ? 0 : *place);
        if (text.size() >= *bytes) {
            const std::size_t last = *bytes < 2 ? std::string::npos : text.rfind('\n', *bytes - 2);
            text.resize(last == std::string::npos ? 0 : last + 1);
        }
        std::memcpy(out, text.c_str(), text.size() + 1);
        *bytes = text.size();
        if (place != nullptr) *place = end;
        return Status::kOk;
    });
}

std::span<const Entry> log_calls() {
    static const Entry kCalls[] = {
        TILESCOPE_THERE(cuLogsRegisterCallback), TILESCOPE_THERE(cuLogsUnregisterCallback),
        TILESCOPE_THERE(cuLogsCurrent),          TILESCOPE_THERE(cuLogsDumpToFile),
        TILESCOPE_THERE(cuLogsDumpToMemory),
    };
    return kCalls;
}

}  // namespace tilescope::runtime::driver

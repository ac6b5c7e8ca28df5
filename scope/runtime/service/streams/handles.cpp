#include "scope/runtime/service/streams/handles.h"

#include <utility>

#include "scope/runtime/service/streams/default_stream.h"

namespace tilescope::runtime {
namespace {

void* const kLegacyHandle = reinterpret_cast<void*>(1);
void* const kPerThread = reinterpret_cast<void*>(2);

}  // namespace

void* Handles::make_stream(unsigned flags, int priority) {
    const std::lock_guard lock(mutex_);
    auto made = std::make_unique<Stream>(Stream{.id = next_stream_++, .flags = flags, .priority = priority});
    void* const handle = made.get();
    streams_.emplace(handle, std::move(made));
    return handle;
}

bool Handles::destroy_stream(void* handle) {
    const std::lock_guard lock(mutex_);
    return streams_.erase(handle) != 0;
}

std::optional<Stream> Handles::stream(void* handle) const {
    if (handle == nullptr && PerThreadDefault::is_on()) handle = kPerThread;
    Stream stream;
    if (handle == kPerThread) stream.id = of_thread();
    const std::lock_guard lock(mutex_);
    if (handle != nullptr && handle != kLegacyHandle && handle != kPerThread) {
        const auto found = streams_.find(handle);
        if (found == streams_.end()) return std::nullopt;
        stream = *found->second;
    }
    if (const auto given = attributes_.find(stream.id); given != attributes_.end()) {
        stream.window = given->second.window;
        stream.synchronization = given->second.synchronization;
    }
    return stream;
}

std::uint32_t Handles::take_stream_number() {
    const std::lock_guard lock(mutex_);
    return next_stream_++;
}

void Handles::change_attributes(const Stream& stream) {
    const std::lock_guard lock(mutex_);
    attributes_[stream.id] = {stream.window, stream.synchronization};
}

// The first thread that asks has number 1, whose name needs no number.
std::uint32_t Handles::of_thread() const {
    static thread_local std::uint32_t own = 0;
    if (own != 0) return own;
    const std::lock_guard lock(mutex_);
    own = std::exchange(has_thread_stream_, true) ? next_stream_++ : 1;
    return own;
}

void* Handles::make_event(unsigned flags) {
    const std::lock_guard lock(mutex_);
    auto made = std::make_unique<Event>(Event{.flags = flags});
    void* const handle = made.get();
    events_.emplace(handle, std::move(made));
    return handle;
}

bool Handles::destroy_event(void* handle) {
    const std::lock_guard lock(mutex_);
    return events_.erase(handle) != 0;
}

std::optional<Event> Handles::event(void* handle) const {
    const std::lock_guard lock(mutex_);
    const auto found = events_.find(handle);
    if (found == events_.end()) return std::nullopt;
    return *found->second;
}

bool Handles::record_event(void* handle) {
    const std::lock_guard lock(mutex_);
    const auto found = events_.find(handle);
    if (found == events_.end()) return false;
    found->second->is_recorded = true;
    return true;
}

void Handles::clear() {
    const std::lock_guard lock(mutex_);
    streams_.clear();
    events_.clear();
    attributes_.clear();
}

}  // namespace tilescope::runtime

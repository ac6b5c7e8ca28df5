// Streams and events: the handles that programs hold.
//
// Guarantees: a handle that was never given out, or was destroyed, is recognised without being followed.
// Does not model: order between streams. Work is done when it is issued, so a stream is always idle and an event always
// complete; when it was recorded is the time line's to know (session/run_work.h).
#pragma once

#include <cstdint>
#include <map>
#include <memory>
#include <mutex>
#include <optional>

#include "scope/runtime/service/streams/access_window.h"

namespace tilescope::runtime {

// A flag of streams: they do not wait for the legacy default stream, nor it for them.
inline constexpr unsigned kNonBlocking = 1;

struct Stream {
    std::uint32_t id = 0;  // 0: the legacy default stream; 1: the default stream of the first thread that used its own
    unsigned flags = 0;
    int priority = 0;
    AccessWindow window{};
    int synchronization = 1;  // how a thread of the host waits; 1: as the device thinks best
};

struct Event {
    unsigned flags = 0;
    bool is_recorded = false;
};

class Handles {
public:
    void* make_stream(unsigned flags, int priority);
    bool destroy_stream(void* handle);
    // Also the default streams: null (of the legacy or of the thread, default_stream.h), 1 (legacy) and 2 (per thread).
    std::optional<Stream> stream(void* handle) const;
    // Of a stream that no handle stands for.
    std::uint32_t take_stream_number();
    // The stream of its id gets its attributes: its window and how it is waited for.
    void change_attributes(const Stream& stream);
    bool is_stream(void* handle) const { return stream(handle).has_value(); }

    void* make_event(unsigned flags);
    bool destroy_event(void* handle);
    std::optional<Event> event(void* handle) const;
    bool record_event(void* handle);

    // Every handle becomes one that was destroyed.
    void clear();

private:
    std::uint32_t of_thread() const;

    mutable std::mutex mutex_;
    std::map<void*, std::unique_ptr<Stream>> streams_;  // by the handle, which is the stream's address
    std::map<void*, std::unique_ptr<Event>> events_;
    struct Attributes {
        AccessWindow window{};
        int synchronization = 1;
    };
    std::map<std::uint32_t, Attributes> attributes_;  // by id, of streams that were given any
    mutable std::uint32_t next_stream_ = 2;
    mutable bool has_thread_stream_ = false;
};

}  // namespace tilescope::runtime

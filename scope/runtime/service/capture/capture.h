// Stream capture: streams whose work becomes nodes of a graph instead of being done.
//
// Owns: Captures: which streams take part in which capture, and behind which nodes their next one comes; which events
// were recorded in one. Guarantees: errors and what they do to a capture are those of an H200 (driver 580.159.04, CUDA
// 13.0, measured 24 November 2026), except where docs/reference/limitations.md says otherwise; as long as nothing
// captures, a call pays for a look at one flag. All members may be called from several host threads.
#pragma once

#include <atomic>
#include <map>
#include <memory>
#include <mutex>
#include <thread>
#include <vector>

#include "scope/runtime/service/graphs/graph.h"
#include "scope/runtime/service/streams/handles.h"

namespace tilescope::runtime {

enum class CaptureStatus : int { kNone, kActive, kInvalidated };
// What a capture forbids the process, its thread, or nobody.
enum class CaptureMode : int { kGlobal, kThreadLocal, kRelaxed };
// Whether it is one of them: programs may say anything.
inline bool is_mode(CaptureMode mode) { return mode >= CaptureMode::kGlobal && mode <= CaptureMode::kRelaxed; }

class Captures {
public:
    // What a program may ask of a capture.
    struct Info {
        CaptureStatus status = CaptureStatus::kNone;
        unsigned long long id = 0;
        Graph* graph = nullptr;
        Node* const* before = nullptr;  // valid until the capture goes on
        std::size_t count = 0;
    };

    // Nothing captures, and no event was recorded by a capture.
    bool is_idle() const { return idle_.load(std::memory_order_acquire); }

    // `into`: a graph of the program's own, whose nodes `before` the first node comes behind; null: a new one.
    Status begin(const Stream& stream, CaptureMode mode, Graph* into = nullptr, const std::vector<Node*>& before = {});
    // A new graph that was begun without one comes back in `made`, any in `graph`.
    Status end(const Stream& stream, std::shared_ptr<Graph>& made, Graph*& graph);
    Status info(const Stream& stream, Info& out);
    Status change_tails(const Stream& stream, const std::vector<Node*>& nodes, bool replaces);

    // Work for a stream: `is_taken` says that a capture takes it. An error ends its capture, or those that forbid it.
    Status enter(const Stream& stream, bool& is_taken);
    // The node of a stream that takes part; `error`: what was wrong with it, which ends the capture. Work that is
    // EmptyWork is none.
    Status add(const Stream& stream, Status status, Work work);
    // A call on a stream that cannot be a node.
    Status forbid_on(const Stream& stream);
    // Calls that a capture forbids by its mode because they might wait or be waited for (cudaMalloc), and those that it
    // always forbids (cudaDeviceSynchronize).
    Status forbid_unsafe();
    Status forbid_always();
    // The calling thread's mode for the former; gives the one before.
    static CaptureMode exchange_mode(CaptureMode mode);

    // Events. Of those that say `is_taken`, nothing is left to do.
    Status record(const Stream& stream, void* event, bool is_external, bool& is_taken);
    Status wait(const Stream& stream, void* event, bool was_recorded, bool is_external, bool& is_taken);
    // A call that asks whether an event is complete, or waits for that.
    Status ask(void* event);
    Status check_time(void* event);
    void forget(void* event);
    // Whether a capture is under way into the graph.
    bool uses(const Graph* graph);
    // The stream is no more.
    void forget(const Stream& stream);
    void clear();

private:
    struct Capture {
        unsigned long long id = 0;
        std::shared_ptr<Graph> made;  // the graph, unless the program gave it
        Graph* graph = nullptr;
        CaptureMode mode = CaptureMode::kGlobal;
        std::thread::id thread;
        std::uint32_t origin = 0;
        bool is_blocking = false;  // the legacy default stream would wait for a stream of it
        bool is_invalid = false;
        std::map<std::uint32_t, std::vector<Node*>> tails;  // by stream that takes part
        std::vector<Node*> told;
    };
    struct Recorded {
        unsigned long long capture = 0;
        std::vector<Node*> nodes;
    };
    Capture* of(const Stream& stream);
    Capture* active(unsigned long long id);
    Status refuse_legacy(const Stream& stream);
    Status invalidate(Capture& capture, Status status);
    void drop(const Capture& capture);
    void note_idle() { idle_.store(captures_.empty() && events_.empty(), std::memory_order_release); }
    static void add_node(Capture& capture, const Stream& stream, Work work);

    std::recursive_mutex mutex_;
    std::atomic<bool> idle_{true};
    unsigned long long next_ = 1;
    std::vector<std::unique_ptr<Capture>> captures_;
    std::map<void*, Recorded> events_;
};

// An external event outside of a capture.
inline constexpr const char* kNoCapture = "the event is external, and the stream does not capture";

// Where the call under way on this thread comes from.
AskedAt asked_here();

}  // namespace tilescope::runtime

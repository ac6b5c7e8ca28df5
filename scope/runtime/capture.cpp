#include "scope/runtime/capture.h"

#include <algorithm>
#include <set>

#include "scope/runtime/guard.h"
#include "scope/runtime/host_hazards.h"

namespace tilescope::runtime {
namespace {

constexpr std::uint32_t kLegacyStream = 0;

bool is_blocking(const Stream& stream) { return (stream.flags & kNonBlocking) == 0; }

thread_local abi::CaptureMode mode_of_thread = abi::CaptureMode::kGlobal;

void join(std::vector<Node*>& into, const std::vector<Node*>& nodes) {
    for (Node* const node : nodes)
        if (std::find(into.begin(), into.end(), node) == into.end()) into.push_back(node);
}

}  // namespace

AskedAt asked_here() {
    AskedAt asked{.from = called_from()};
    Runtime& runtime = Runtime::get();
    if (is_checked(runtime, Check::kStreams) || is_checked(runtime, Check::kInit)) asked.site = call_site();
    return asked;
}

Captures::Capture* Captures::of(const Stream& stream) {
    for (const auto& capture : captures_)
        if (capture->tails.count(stream.id) != 0) return capture.get();
    return nullptr;
}

Captures::Capture* Captures::active(unsigned long long id) {
    for (const auto& capture : captures_)
        if (capture->id == id) return capture.get();
    return nullptr;
}

cudaError Captures::invalidate(Capture& capture, cudaError error) {
    capture.is_invalid = true;
    return error;
}

void Captures::drop(const Capture& capture) {
    std::erase_if(captures_, [&](const auto& own) { return own.get() == &capture; });
    note_idle();
}

// The legacy default stream would wait for streams that capture, and they for it.
cudaError Captures::refuse_legacy(const Stream& stream) {
    if (stream.id != kLegacyStream) return cudaSuccess;
    cudaError error = cudaSuccess;
    for (const auto& capture : captures_)
        if (capture->is_blocking)
            error =
                invalidate(*capture, because(cudaErrorStreamCaptureImplicit,
                                             "the call uses the default stream while a stream that this waits for "
                                             "captures: make that one with cudaStreamNonBlocking, or name a stream"));
    return error;
}

cudaError Captures::begin(const Stream& stream, abi::CaptureMode mode, Graph* into, const std::vector<Node*>& before) {
    if (mode < abi::CaptureMode::kGlobal || mode > abi::CaptureMode::kRelaxed) return cudaErrorInvalidValue;
    if (stream.id == kLegacyStream)
        return because(cudaErrorStreamCaptureUnsupported, "the legacy default stream cannot capture");
    const std::lock_guard lock(mutex_);
    if (of(stream) != nullptr) return because(cudaErrorIllegalState, "the stream captures already");
    auto capture = std::make_unique<Capture>();
    capture->id = next_++;
    if (into == nullptr) capture->made = std::make_shared<Graph>();
    capture->graph = into != nullptr ? into : capture->made.get();
    capture->mode = mode;
    capture->thread = std::this_thread::get_id();
    capture->origin = stream.id;
    capture->is_blocking = is_blocking(stream);
    join(capture->tails[stream.id], before);
    captures_.push_back(std::move(capture));
    note_idle();
    return cudaSuccess;
}

cudaError Captures::end(const Stream& stream, std::shared_ptr<Graph>& made, Graph*& graph) {
    const std::lock_guard lock(mutex_);
    Capture* const capture = of(stream);
    if (capture == nullptr) return because(cudaErrorIllegalState, "the stream does not capture");
    if (capture->origin != stream.id) return invalidate(*capture, cudaErrorStreamCaptureUnmatched);
    cudaError error = cudaSuccess;
    if (capture->mode != abi::CaptureMode::kRelaxed && capture->thread != std::this_thread::get_id())
        error = cudaErrorStreamCaptureWrongThread;
    else if (capture->is_invalid)
        error = cudaErrorStreamCaptureInvalidated;
    const std::set<const Node*> joined = with_all_before(capture->tails[stream.id]);
    for (const auto& [other, tails] : capture->tails)
        for (const Node* const node : tails)
            if (error == cudaSuccess && joined.count(node) == 0)
                error = because(cudaErrorStreamCaptureUnjoined,
                                "work of another stream is not joined: record an event behind it and let the stream "
                                "that began the capture wait for it");
    if (error == cudaSuccess) {
        made = capture->made;
        graph = capture->graph;
    }
    drop(*capture);
    return error;
}

cudaError Captures::info(const Stream& stream, Info& out) {
    const std::lock_guard lock(mutex_);
    Capture* const capture = of(stream);
    if (capture == nullptr) {
        const bool is_implicit =
            stream.id == kLegacyStream &&
            std::any_of(captures_.begin(), captures_.end(), [](const auto& other) { return other->is_blocking; });
        return is_implicit ? cudaErrorStreamCaptureImplicit : cudaSuccess;
    }
    out.status = capture->is_invalid ? abi::CaptureStatus::kInvalidated : abi::CaptureStatus::kActive;
    if (capture->is_invalid) return cudaSuccess;
    capture->told = capture->tails[stream.id];
    out.id = capture->id;
    out.graph = capture->graph;
    out.before = capture->told.data();
    out.count = capture->told.size();
    return cudaSuccess;
}

cudaError Captures::change_tails(const Stream& stream, const std::vector<Node*>& nodes, bool replaces) {
    const std::lock_guard lock(mutex_);
    Capture* const capture = of(stream);
    if (capture == nullptr) return because(cudaErrorIllegalState, "the stream does not capture");
    if (capture->is_invalid) return cudaErrorStreamCaptureInvalidated;
    for (const Node* const node : nodes)
        if (node->graph != capture->graph) return cudaErrorInvalidValue;
    if (replaces) capture->tails[stream.id].clear();
    join(capture->tails[stream.id], nodes);
    return cudaSuccess;
}

cudaError Captures::enter(const Stream& stream, bool& is_taken) {
    const std::lock_guard lock(mutex_);
    if (const cudaError error = refuse_legacy(stream); error != cudaSuccess) return error;
    const Capture* const capture = of(stream);
    is_taken = capture != nullptr;
    return is_taken && capture->is_invalid ? cudaErrorStreamCaptureInvalidated : cudaSuccess;
}

void Captures::add_node(Capture& capture, const Stream& stream, Work work) {
    std::vector<Node*>& tails = capture.tails[stream.id];
    tails = {capture.graph->add(std::move(work), tails, asked_here())};
}

cudaError Captures::add(const Stream& stream, cudaError error, Work work) {
    const std::lock_guard lock(mutex_);
    Capture* const capture = of(stream);
    if (capture == nullptr) return cudaErrorIllegalState;
    if (capture->is_invalid) return cudaErrorStreamCaptureInvalidated;
    if (error != cudaSuccess) return invalidate(*capture, error);
    if (!std::holds_alternative<EmptyWork>(work)) add_node(*capture, stream, std::move(work));
    return cudaSuccess;
}

cudaError Captures::forbid_on(const Stream& stream) {
    const std::lock_guard lock(mutex_);
    if (const cudaError error = refuse_legacy(stream); error != cudaSuccess) return error;
    Capture* const capture = of(stream);
    return capture == nullptr ? cudaSuccess : invalidate(*capture, cudaErrorStreamCaptureUnsupported);
}

cudaError Captures::forbid_unsafe() {
    if (is_idle() || mode_of_thread == abi::CaptureMode::kRelaxed) return cudaSuccess;
    const std::lock_guard lock(mutex_);
    cudaError error = cudaSuccess;
    for (const auto& capture : captures_) {
        if (capture->mode == abi::CaptureMode::kRelaxed) continue;
        const bool is_global =
            capture->mode == abi::CaptureMode::kGlobal && mode_of_thread == abi::CaptureMode::kGlobal;
        if (!is_global && capture->thread != std::this_thread::get_id()) continue;
        error = invalidate(*capture, because(cudaErrorStreamCaptureUnsupported,
                                             "a stream captures in a mode that does not allow this call meanwhile"));
    }
    return error;
}

cudaError Captures::forbid_always() {
    if (is_idle()) return cudaSuccess;
    const std::lock_guard lock(mutex_);
    cudaError error = cudaSuccess;
    for (const auto& capture : captures_) error = invalidate(*capture, cudaErrorStreamCaptureUnsupported);
    return error;
}

abi::CaptureMode Captures::exchange_mode(abi::CaptureMode mode) { return std::exchange(mode_of_thread, mode); }

cudaError Captures::record(const Stream& stream, void* event, bool is_external, bool& is_taken) {
    const std::lock_guard lock(mutex_);
    if (const cudaError error = enter(stream, is_taken); error != cudaSuccess) return error;
    if (!is_taken) {
        if (!is_external) forget(event);
        return cudaSuccess;
    }
    Capture& capture = *of(stream);
    if (is_external)
        add_node(capture, stream, RecordWork{event});
    else
        events_[event] = {capture.id, capture.tails[stream.id]};
    return cudaSuccess;
}

cudaError Captures::wait(const Stream& stream, void* event, bool was_recorded, bool is_external, bool& is_taken) {
    const std::lock_guard lock(mutex_);
    Capture* const own = of(stream);
    if (own != nullptr && own->is_invalid) return cudaErrorStreamCaptureInvalidated;
    const auto recorded = events_.find(event);
    if (recorded == events_.end() || is_external) {
        if (const cudaError error = enter(stream, is_taken); error != cudaSuccess || !is_taken) return error;
        if (is_external)
            add_node(*own, stream, WaitWork{event});
        else if (was_recorded)
            return invalidate(*own, cudaErrorStreamCaptureIsolation);
        return cudaSuccess;
    }
    is_taken = true;
    Capture* const from = active(recorded->second.capture);
    if (from == nullptr) {
        if (own != nullptr) own->is_invalid = true;
        return because(cudaErrorInvalidValue, "the event was last recorded in a capture that is over");
    }
    if (from->is_invalid) return cudaErrorStreamCaptureInvalidated;
    if (own != nullptr && own != from) {
        own->is_invalid = true;
        return invalidate(*from, cudaErrorStreamCaptureMerge);
    }
    if (stream.id == kLegacyStream) return invalidate(*from, cudaErrorStreamCaptureImplicit);
    from->is_blocking = from->is_blocking || is_blocking(stream);
    join(from->tails[stream.id], recorded->second.nodes);
    return cudaSuccess;
}

cudaError Captures::ask(void* event) {
    if (is_idle()) return cudaSuccess;
    const std::lock_guard lock(mutex_);
    const auto recorded = events_.find(event);
    if (recorded == events_.end()) return forbid_unsafe();
    if (Capture* const capture = active(recorded->second.capture)) return invalidate(*capture, cudaErrorCapturedEvent);
    return because(cudaErrorInvalidValue, "the event was last recorded in a capture that is over");
}

cudaError Captures::check_time(void* event) {
    if (is_idle()) return cudaSuccess;
    const std::lock_guard lock(mutex_);
    const auto recorded = events_.find(event);
    if (recorded == events_.end()) return cudaSuccess;
    const bool is_over = active(recorded->second.capture) == nullptr;
    return because(is_over ? cudaErrorInvalidValue : cudaErrorCapturedEvent,
                   "the event was last recorded in a capture");
}

void Captures::forget(void* event) {
    const std::lock_guard lock(mutex_);
    if (events_.erase(event) != 0) note_idle();
}

bool Captures::uses(const Graph* graph) {
    const std::lock_guard lock(mutex_);
    return std::any_of(captures_.begin(), captures_.end(),
                       [&](const auto& capture) { return capture->graph == graph; });
}

// Work of a stream that only took part still has to be joined.
void Captures::forget(const Stream& stream) {
    const std::lock_guard lock(mutex_);
    if (const Capture* const capture = of(stream); capture != nullptr && capture->origin == stream.id) drop(*capture);
}

void Captures::clear() {
    const std::lock_guard lock(mutex_);
    captures_.clear();
    events_.clear();
    note_idle();
}

}  // namespace tilescope::runtime

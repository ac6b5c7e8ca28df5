#include "scope/runtime/service/capture/capture.h"

#include <algorithm>
#include <set>

#include "scope/runtime/service/watch/host_hazards.h"

namespace tilescope::runtime {
namespace {

constexpr std::uint32_t kLegacyStream = 0;

bool is_blocking(const Stream& stream) { return (stream.flags & kNonBlocking) == 0; }

thread_local CaptureMode mode_of_thread = CaptureMode::kGlobal;

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

Status Captures::invalidate(Capture& capture, Status status) {
    capture.is_invalid = true;
    return status;
}

void Captures::drop(const Capture& capture) {
    std::erase_if(captures_, [&](const auto& own) { return own.get() == &capture; });
    note_idle();
}

// The legacy default stream would wait for streams that capture, and they for it.
Status Captures::refuse_legacy(const Stream& stream) {
    if (stream.id != kLegacyStream) return Status::kOk;
    Status status = Status::kOk;
    for (const auto& capture : captures_)
        if (capture->is_blocking)
            status =
                invalidate(*capture, because(Status::kCaptureImplicit,
                                             "the call uses the default stream while a stream that this waits for "
                                             "captures: make that one with cudaStreamNonBlocking, or name a stream"));
    return status;
}

Status Captures::begin(const Stream& stream, CaptureMode mode, Graph* into, const std::vector<Node*>& before) {
    if (!is_mode(mode)) return Status::kInvalidValue;
    if (stream.id == kLegacyStream)
        return because(Status::kCaptureUnsupported, "the legacy default stream cannot capture");
    const std::lock_guard lock(mutex_);
    if (of(stream) != nullptr) return because(Status::kIllegalState, "the stream captures already");
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
    return Status::kOk;
}

Status Captures::end(const Stream& stream, std::shared_ptr<Graph>& made, Graph*& graph) {
    const std::lock_guard lock(mutex_);
    Capture* const capture = of(stream);
    if (capture == nullptr) return because(Status::kIllegalState, "the stream does not capture");
    if (capture->origin != stream.id) return invalidate(*capture, Status::kCaptureUnmatched);
    Status status = Status::kOk;
    if (capture->mode != CaptureMode::kRelaxed && capture->thread != std::this_thread::get_id())
        status = Status::kCaptureWrongThread;
    else if (capture->is_invalid)
        status = Status::kCaptureInvalidated;
    const std::set<const Node*> joined = with_all_before(capture->tails[stream.id]);
    for (const auto& [other, tails] : capture->tails)
        for (const Node* const node : tails)
            if (status == Status::kOk && joined.count(node) == 0)
                status = because(Status::kCaptureUnjoined,
                                 "work of another stream is not joined: record an event behind it and let the stream "
                                 "that began the capture wait for it");
    if (status == Status::kOk) {
        made = capture->made;
        graph = capture->graph;
    }
    drop(*capture);
    return status;
}

Status Captures::info(const Stream& stream, Info& out) {
    const std::lock_guard lock(mutex_);
    Capture* const capture = of(stream);
    if (capture == nullptr) {
        const bool is_implicit =
            stream.id == kLegacyStream &&
            std::any_of(captures_.begin(), captures_.end(), [](const auto& other) { return other->is_blocking; });
        return is_implicit ? Status::kCaptureImplicit : Status::kOk;
    }
    out.status = capture->is_invalid ? CaptureStatus::kInvalidated : CaptureStatus::kActive;
    if (capture->is_invalid) return Status::kOk;
    capture->told = capture->tails[stream.id];
    out.id = capture->id;
    out.graph = capture->graph;
    out.before = capture->told.data();
    out.count = capture->told.size();
    return Status::kOk;
}

Status Captures::change_tails(const Stream& stream, const std::vector<Node*>& nodes, bool replaces) {
    const std::lock_guard lock(mutex_);
    Capture* const capture = of(stream);
    if (capture == nullptr) return because(Status::kIllegalState, "the stream does not capture");
    if (capture->is_invalid) return Status::kCaptureInvalidated;
    for (const Node* const node : nodes)
        if (node->graph != capture->graph) return Status::kInvalidValue;
    if (replaces) capture->tails[stream.id].clear();
    join(capture->tails[stream.id], nodes);
    return Status::kOk;
}

Status Captures::enter(const Stream& stream, bool& is_taken) {
    const std::lock_guard lock(mutex_);
    if (const Status status = refuse_legacy(stream); status != Status::kOk) return status;
    const Capture* const capture = of(stream);
    is_taken = capture != nullptr;
    return is_taken && capture->is_invalid ? Status::kCaptureInvalidated : Status::kOk;
}

void Captures::add_node(Capture& capture, const Stream& stream, Work work) {
    std::vector<Node*>& tails = capture.tails[stream.id];
    tails = {capture.graph->add(std::move(work), tails, asked_here())};
}

Status Captures::add(const Stream& stream, Status status, Work work) {
    const std::lock_guard lock(mutex_);
    Capture* const capture = of(stream);
    if (capture == nullptr) return Status::kIllegalState;
    if (capture->is_invalid) return Status::kCaptureInvalidated;
    if (status != Status::kOk) return invalidate(*capture, status);
    if (!std::holds_alternative<EmptyWork>(work)) add_node(*capture, stream, std::move(work));
    return Status::kOk;
}

Status Captures::forbid_on(const Stream& stream) {
    const std::lock_guard lock(mutex_);
    if (const Status status = refuse_legacy(stream); status != Status::kOk) return status;
    Capture* const capture = of(stream);
    return capture == nullptr ? Status::kOk : invalidate(*capture, Status::kCaptureUnsupported);
}

Status Captures::forbid_unsafe() {
    if (is_idle() || mode_of_thread == CaptureMode::kRelaxed) return Status::kOk;
    const std::lock_guard lock(mutex_);
    Status status = Status::kOk;
    for (const auto& capture : captures_) {
        if (capture->mode == CaptureMode::kRelaxed) continue;
        const bool is_global = capture->mode == CaptureMode::kGlobal && mode_of_thread == CaptureMode::kGlobal;
        if (!is_global && capture->thread != std::this_thread::get_id()) continue;
        status = invalidate(*capture, because(Status::kCaptureUnsupported,
                                              "a stream captures in a mode that does not allow this call meanwhile"));
    }
    return status;
}

Status Captures::forbid_always() {
    if (is_idle()) return Status::kOk;
    const std::lock_guard lock(mutex_);
    Status status = Status::kOk;
    for (const auto& capture : captures_) status = invalidate(*capture, Status::kCaptureUnsupported);
    return status;
}

CaptureMode Captures::exchange_mode(CaptureMode mode) { return std::exchange(mode_of_thread, mode); }

Status Captures::record(const Stream& stream, void* event, bool is_external, bool& is_taken) {
    const std::lock_guard lock(mutex_);
    if (const Status status = enter(stream, is_taken); status != Status::kOk) return status;
    if (!is_taken) {
        if (!is_external) forget(event);
        return Status::kOk;
    }
    Capture& capture = *of(stream);
    if (is_external)
        add_node(capture, stream, RecordWork{event});
    else
        events_[event] = {capture.id, capture.tails[stream.id]};
    return Status::kOk;
}

Status Captures::wait(const Stream& stream, void* event, bool was_recorded, bool is_external, bool& is_taken) {
    const std::lock_guard lock(mutex_);
    Capture* const own = of(stream);
    if (own != nullptr && own->is_invalid) return Status::kCaptureInvalidated;
    const auto recorded = events_.find(event);
    if (recorded == events_.end() || is_external) {
        if (const Status status = enter(stream, is_taken); status != Status::kOk || !is_taken) return status;
        if (is_external)
            add_node(*own, stream, WaitWork{event});
        else if (was_recorded)
            return invalidate(*own, Status::kCaptureIsolation);
        return Status::kOk;
    }
    is_taken = true;
    Capture* const from = active(recorded->second.capture);
    if (from == nullptr) {
        if (own != nullptr) own->is_invalid = true;
        return because(Status::kInvalidValue, "the event was last recorded in a capture that is over");
    }
    if (from->is_invalid) return Status::kCaptureInvalidated;
    if (own != nullptr && own != from) {
        own->is_invalid = true;
        return invalidate(*from, Status::kCaptureMerge);
    }
    if (stream.id == kLegacyStream) return invalidate(*from, Status::kCaptureImplicit);
    from->is_blocking = from->is_blocking || is_blocking(stream);
    join(from->tails[stream.id], recorded->second.nodes);
    return Status::kOk;
}

Status Captures::ask(void* event) {
    if (is_idle()) return Status::kOk;
    const std::lock_guard lock(mutex_);
    const auto recorded = events_.find(event);
    if (recorded == events_.end()) return forbid_unsafe();
    if (Capture* const capture = active(recorded->second.capture)) return invalidate(*capture, Status::kCapturedEvent);
    return because(Status::kInvalidValue, "the event was last recorded in a capture that is over");
}

Status Captures::check_time(void* event) {
    if (is_idle()) return Status::kOk;
    const std::lock_guard lock(mutex_);
    const auto recorded = events_.find(event);
    if (recorded == events_.end()) return Status::kOk;
    const bool is_over = active(recorded->second.capture) == nullptr;
    return because(is_over ? Status::kInvalidValue : Status::kCapturedEvent,
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

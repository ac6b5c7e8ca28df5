#include "scope/runtime/service/memory/pool.h"

#include <algorithm>
#include <string>

#include "scope/runtime/service/memory/allocate.h"
#include "scope/runtime/service/streams/issue.h"

namespace tilescope::runtime {
namespace {

// Memory that a graph itself takes and gives back.
Status refuse_in_capture(Runtime& runtime, const char* name, const char* instead) {
    runtime.warn_once("runtime-unsupported-call",
                      std::string(name) + " in a stream that captures is not supported yet: " + instead);
    return Status::kNotSupported;
}

}  // namespace

Pool& Pool::get() {
    static Pool* const kept = new Pool;
    return *kept;
}

int Pool::reuse(Reuse which) {
    const std::lock_guard lock(mutex_);
    return reuse_[static_cast<std::size_t>(which)];
}

void Pool::set_reuse(Reuse which, int value) {
    const std::lock_guard lock(mutex_);
    reuse_[static_cast<std::size_t>(which)] = value;
}

std::uint64_t Pool::release_threshold() {
    const std::lock_guard lock(mutex_);
    return threshold_;
}

void Pool::set_release_threshold(std::uint64_t bytes) {
    const std::lock_guard lock(mutex_);
    threshold_ = bytes;
}

std::uint64_t Pool::high_water(std::uint64_t now) {
    const std::lock_guard lock(mutex_);
    return std::max(high_, now);
}

void Pool::note_use(std::uint64_t now) {
    const std::lock_guard lock(mutex_);
    high_ = std::max(high_, now);
}

void Pool::reset_high_water() {
    const std::lock_guard lock(mutex_);
    high_ = 0;
}

Status allocate_async(Runtime& runtime, std::size_t bytes, void* stream, void*& base, const char* name) {
    return on_stream(
        runtime, stream,
        [&](const machine::Issue& issue) {
            const Status status = allocate(runtime, bytes, machine::AllocationKind::kDevice, base, issue);
            Pool::get().note_use(runtime.session().memory().in_use());
            return status;
        },
        [&](Work&) { return refuse_in_capture(runtime, name, "allocate before the capture"); });
}

Status release_async(Runtime& runtime, void* base, void* stream, const char* name) {
    return on_stream(
        runtime, stream,
        [&](const machine::Issue& issue) {
            return release(
                runtime, base, [](machine::AllocationKind kind) { return kind == machine::AllocationKind::kDevice; },
                issue);
        },
        [&](Work&) { return refuse_in_capture(runtime, name, "free behind the graph's launch"); });
}

}  // namespace tilescope::runtime

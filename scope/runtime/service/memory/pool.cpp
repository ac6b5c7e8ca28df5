#include "scope/runtime/service/memory/pool.h"

#include <algorithm>
#include <memory>
#include <string>
#include <vector>

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

class MadePools {
public:
    static MadePools& get() {
        static auto* const kept = new MadePools;
        return *kept;
    }
    std::mutex mutex;
    std::vector<std::unique_ptr<Pool>> pools;
};

}  // namespace

Pool* Pool::make(std::uint64_t most) {
    MadePools& made = MadePools::get();
    const std::lock_guard lock(made.mutex);
    made.pools.push_back(std::make_unique<Pool>());
    made.pools.back()->most_ = most;
    return made.pools.back().get();
}

bool Pool::destroy(const void* handle) {
    MadePools& made = MadePools::get();
    const std::lock_guard lock(made.mutex);
    return std::erase_if(made.pools, [&](const auto& pool) { return pool.get() == handle; }) != 0;
}

Pool* Pool::find(const void* handle) {
    if (handle == &get()) return &get();
    MadePools& made = MadePools::get();
    const std::lock_guard lock(made.mutex);
    for (const auto& pool : made.pools)
        if (pool.get() == handle) return pool.get();
    return nullptr;
}

void Pool::clear() {
    MadePools& made = MadePools::get();
    const std::lock_guard lock(made.mutex);
    made.pools.clear();
}

std::uint64_t Pool::used(Runtime& runtime) {
    if (this == &get()) return runtime.session().memory().in_use();
    const std::lock_guard lock(mutex_);
    return given_;
}

bool Pool::has_room(std::uint64_t bytes) {
    const std::lock_guard lock(mutex_);
    return most_ == 0 || (bytes <= most_ && given_ <= most_ - bytes);
}

void Pool::note_given(const void* base, std::uint64_t bytes) {
    if (this == &get() || base == nullptr) return;
    const std::lock_guard lock(mutex_);
    pieces_[base] = bytes;
    given_ += bytes;
    high_ = std::max(high_, given_);
}

void Pool::note_taken_back(const void* base) {
    MadePools& made = MadePools::get();
    const std::lock_guard lock(made.mutex);
    for (const auto& pool : made.pools) {
        const std::lock_guard own(pool->mutex_);
        const auto found = pool->pieces_.find(base);
        if (found == pool->pieces_.end()) continue;
        pool->given_ -= found->second;
        pool->pieces_.erase(found);
    }
}

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

Status allocate_async(Runtime& runtime, Pool& pool, std::size_t bytes, void* stream, void*& base, const char* name) {
    return on_stream(
        runtime, stream,
        [&](const machine::Issue& issue) {
            if (!pool.has_room(bytes)) return because(Status::kOutOfMemory, "the pool may give no more");
            const Status status = allocate(runtime, bytes, machine::AllocationKind::kDevice, base, issue);
            if (status == Status::kOk) pool.note_given(base, bytes);
            Pool::get().note_use(runtime.session().memory().in_use());
            return status;
        },
        [&](Work&) { return refuse_in_capture(runtime, name, "allocate before the capture"); });
}

Status release_async(Runtime& runtime, void* base, void* stream, const char* name) {
    return on_stream(
        runtime, stream,
        [&](const machine::Issue& issue) {
            const Status status = release(
                runtime, base, [](machine::AllocationKind kind) { return kind == machine::AllocationKind::kDevice; },
                issue);
            if (status == Status::kOk) Pool::note_taken_back(base);
            return status;
        },
        [&](Work&) { return refuse_in_capture(runtime, name, "free behind the graph's launch"); });
}

}  // namespace tilescope::runtime

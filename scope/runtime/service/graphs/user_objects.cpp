#include "scope/runtime/service/graphs/user_objects.h"

#include <algorithm>
#include <mutex>

#include "scope/runtime/service/graphs/graph.h"
#include "scope/runtime/service/graphs/graph_edits.h"

namespace tilescope::runtime {

class UserObject {
public:
    UserObject(void* data, void (*end)(void*)) : data_(data), end_(end) {}
    ~UserObject() { end_(data_); }
    UserObject(const UserObject&) = delete;
    UserObject& operator=(const UserObject&) = delete;

private:
    void* data_;
    void (*end_)(void*);
};

namespace {

struct HeldByProgram {
    std::shared_ptr<UserObject> object;  // null: the program holds it no more, and graphs may
    std::weak_ptr<UserObject> known;
    unsigned count = 0;
};

class ProgramObjects {
public:
    static ProgramObjects& get() {
        static auto* const kept = new ProgramObjects;
        return *kept;
    }
    void* add(std::shared_ptr<UserObject> object, unsigned count) {
        const std::lock_guard lock(mutex_);
        void* const handle = object.get();
        const std::weak_ptr<UserObject> known = object;
        objects_[handle] = {std::move(object), known, count};
        return handle;
    }
    // Null: nobody holds such an object.
    std::shared_ptr<UserObject> find(void* handle) {
        const std::lock_guard lock(mutex_);
        const auto found = objects_.find(handle);
        return found == objects_.end() ? nullptr : found->second.known.lock();
    }
    bool hold(void* handle, unsigned count) {
        const std::lock_guard lock(mutex_);
        const auto found = objects_.find(handle);
        if (found == objects_.end()) return false;
        found->second.object = found->second.known.lock();
        if (!found->second.object) return false;
        found->second.count += count;
        return true;
    }
    // What the program held last ends outside the lock: its end may call in.
    bool let_go(void* handle, unsigned count) {
        std::shared_ptr<UserObject> last;
        const std::lock_guard lock(mutex_);
        const auto found = objects_.find(handle);
        if (found == objects_.end()) return false;
        found->second.count -= std::min(count, found->second.count);
        if (found->second.count == 0) last = std::move(found->second.object);
        ended_.push_back(std::move(last));
        return true;
    }
    void end_all() {
        std::vector<std::shared_ptr<UserObject>> ended;
        {
            const std::lock_guard lock(mutex_);
            ended.swap(ended_);
        }
        ended.clear();
        const std::lock_guard lock(mutex_);
        std::erase_if(objects_, [](const auto& one) { return one.second.known.expired(); });
    }

private:
    std::mutex mutex_;
    std::map<void*, HeldByProgram> objects_;
    std::vector<std::shared_ptr<UserObject>> ended_;
};

Status no_object() { return because(Status::kInvalidValue, "the object was never made, or nobody holds it any more"); }

}  // namespace

void HeldObjects::remove(const std::shared_ptr<UserObject>& object, unsigned count) {
    const auto found = held_.find(object);
    if (found == held_.end()) return;
    found->second -= std::min(count, found->second);
    if (found->second == 0) held_.erase(found);
}

Status make_object(void** handle, void* data, void (*end)(void*), unsigned count, unsigned flags) {
    constexpr unsigned kEndsOnItsOwn = 1;
    if (handle == nullptr || end == nullptr || count == 0 || flags != kEndsOnItsOwn) return Status::kInvalidValue;
    *handle = ProgramObjects::get().add(std::make_shared<UserObject>(data, end), count);
    return Status::kOk;
}

Status retain_object(void* handle, unsigned count) {
    if (count == 0) return Status::kInvalidValue;
    return ProgramObjects::get().hold(handle, count) ? Status::kOk : no_object();
}

Status release_object(void* handle, unsigned count) {
    if (count == 0) return Status::kInvalidValue;
    if (!ProgramObjects::get().let_go(handle, count)) return no_object();
    ProgramObjects::get().end_all();
    return Status::kOk;
}

Status retain_in_graph(void* graph, void* handle, unsigned count, unsigned flags) {
    constexpr unsigned kMoves = 1;
    Graph* const known = Graph::find(graph);
    if (known == nullptr) return no_graph();
    if (count == 0 || (flags & ~kMoves) != 0) return Status::kInvalidValue;
    const auto object = ProgramObjects::get().find(handle);
    if (!object) return no_object();
    known->held().add(object, count);
    return flags == kMoves ? release_object(handle, count) : Status::kOk;
}

Status release_in_graph(void* graph, void* handle, unsigned count) {
    Graph* const known = Graph::find(graph);
    if (known == nullptr) return no_graph();
    if (count == 0) return Status::kInvalidValue;
    const auto object = ProgramObjects::get().find(handle);
    if (!object) return no_object();
    known->held().remove(object, count);
    return Status::kOk;
}

}  // namespace tilescope::runtime

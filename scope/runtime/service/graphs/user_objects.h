// Objects of the program's own that live as long as it or a graph holds them.
//
// Owns: the objects that programs made, and how often each is held by the program itself. Guarantees: an object's end
// is called once, when neither the program nor a graph, a copy of one or an executable graph holds it; a handle that
// was never given out, or is nobody's, is recognised without being followed. Does not model: that the end is called on
// a thread of the driver's: it is called where the last holder lets go.
#pragma once

#include <map>
#include <memory>

#include "scope/runtime/service/status.h"

namespace tilescope::runtime {

class UserObject;

// What a graph holds, and how often. Copies hold as much.
class HeldObjects {
public:
    void add(const std::shared_ptr<UserObject>& object, unsigned count) { held_[object] += count; }
    void remove(const std::shared_ptr<UserObject>& object, unsigned count);

private:
    std::map<std::shared_ptr<UserObject>, unsigned> held_;
};

// Answers are those of an H200 (driver 580, November 2026). To let go of more than is held lets go of all.
Status make_object(void** handle, void* data, void (*end)(void*), unsigned count, unsigned flags);
Status retain_object(void* handle, unsigned count);
Status release_object(void* handle, unsigned count);
// flags: 1: the program's own holding moves to the graph. With Graphs::lock().
Status retain_in_graph(void* graph, void* handle, unsigned count, unsigned flags);
Status release_in_graph(void* graph, void* handle, unsigned count);

}  // namespace tilescope::runtime

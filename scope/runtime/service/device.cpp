#include "scope/runtime/service/device.h"

#include "scope/runtime/service/arrays/arrays.h"
#include "scope/runtime/service/arrays/objects.h"
#include "scope/runtime/service/graphs/graphs.h"
#include "scope/runtime/service/memory/memory_book.h"
#include "scope/runtime/service/memory/pool.h"
#include "scope/runtime/service/streams/issue.h"
#include "scope/runtime/service/watch/host_hazards.h"

namespace tilescope::runtime {

Status synchronize_device(Runtime& runtime) {
    if (const Status status = runtime.captures().forbid_always(); status != Status::kOk) return status;
    const auto lock = runtime.work();
    if (runtime.poisoned() == Status::kOk) tell_stream(runtime, machine::StreamEventKind::kSynchronizeDevice, 0);
    return runtime.poisoned();
}

Status finish_work(Runtime& runtime) {
    const auto lock = runtime.work();
    return runtime.poisoned();
}

void reset_device(Runtime& runtime) {
    using machine::AllocationKind;
    const auto lock = runtime.work();
    machine::Memory& memory = runtime.session().memory();
    tell_stream(runtime, machine::StreamEventKind::kSynchronizeDevice, 0);
    if (looks_for_leaks(runtime) && runtime.poisoned() == Status::kOk) note_leaks(runtime);
    memory.heap().clear();
    memory.virtual_memory().clear();
    for (const machine::Allocation& allocation : memory.all()) {
        const bool module = allocation.kind == AllocationKind::kModule || allocation.kind == AllocationKind::kConstant;
        if (!module) memory.release(reinterpret_cast<void*>(allocation.base));
    }
    if (runtime.poisoned() != Status::kOk) runtime.poison_for_good();
    Pool::clear();
    runtime.memory_book().clear();
    runtime.captures().clear();
    runtime.graphs().clear();
    runtime.handles().clear();
    runtime.arrays().clear();
    runtime.said_objects().clear();
}

void reset_persisting(Runtime& runtime) {
    const auto work = runtime.work();
    runtime.session().reset_persisting();
}

}  // namespace tilescope::runtime

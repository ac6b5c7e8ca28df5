// Copies of one run of bytes.
#include "scope/runtime/service/memory/copies.h"

#include <cstring>

#include "scope/runtime/service/streams/issue.h"

namespace tilescope::runtime {
namespace {

Status copy_now(Runtime& runtime, void* target, const void* source, std::size_t bytes, Direction direction,
                const machine::Issue& issue) {
    const auto lock = runtime.work();
    const machine::Memory& memory = runtime.session().memory();
    const Status status = check_copy(memory, target, source, bytes, direction);
    if (status != Status::kOk || bytes == 0) return status;
    runtime.session().observers().on_copy({.target = {reinterpret_cast<std::uint64_t>(target)},
                                           .source = {reinterpret_cast<std::uint64_t>(source)},
                                           .extent = {bytes},
                                           .kind = *direction,
                                           .issue = issue});
    std::memmove(memory.bytes(target), memory.bytes(source), bytes);
    runtime.session().observers().on_changed();
    return Status::kOk;
}

}  // namespace

Status copy_bytes(Runtime& runtime, void* target, const void* source, std::size_t bytes, Direction direction) {
    return at_once(runtime, [&](const machine::Issue& issue) {
        return copy_now(runtime, target, source, bytes, direction, issue);
    });
}

Status copy_bytes(Runtime& runtime, void* target, const void* source, std::size_t bytes, Direction direction,
                  void* stream) {
    return on_stream(
        runtime, stream,
        [&](const machine::Issue& issue) { return copy_now(runtime, target, source, bytes, direction, issue); },
        [&](Work& work) {
            Sides sides;
            if (bytes == 0) return sides_of(direction, sides) ? Status::kOk : Status::kInvalidDirection;
            const Copy volume = volume_of(target, source, bytes, direction);
            work = volume;
            return check_volume(runtime, volume);
        });
}

}  // namespace tilescope::runtime

#include "scope/runtime/service/memory/variables.h"

#include <cstring>
#include <string>

#include "scope/report/format.h"
#include "scope/runtime/service/streams/issue.h"

namespace tilescope::runtime {
namespace {

using machine::CopyKind;

// The variable's bytes that a copy means.
Status find_bytes(Runtime& runtime, const VariableCopy& copy, std::uint64_t& address) {
    const Direction across = copy.to_variable ? CopyKind::kHostToDevice : CopyKind::kDeviceToHost;
    if (copy.direction != across && copy.direction != CopyKind::kDeviceToDevice &&
        copy.direction != CopyKind::kByAddress)
        return because(Status::kInvalidDirection, copy.to_variable
                                                      ? "a copy to a variable goes from the host to the device"
                                                      : "a copy from a variable goes from the device to the host");
    ModuleVariable variable;
    if (const Status status = runtime.modules().find(runtime, copy.variable, variable); status != Status::kOk)
        return status;
    if (copy.offset > variable.size || copy.bytes > variable.size - copy.offset) {
        failure().hazard = HazardKind::kOutOfBounds;
        return because(Status::kInvalidValue, report::thousands(copy.bytes) + " bytes from byte " +
                                                  report::thousands(copy.offset) + " on pass the end of '" +
                                                  variable.name + "', which has " + report::thousands(variable.size));
    }
    address = variable.address + copy.offset;
    return Status::kOk;
}

Status run(Runtime& runtime, const VariableCopy& copy, const machine::Issue& issue) {
    std::uint64_t address = 0;
    const Status status = find_bytes(runtime, copy, address);
    if (status != Status::kOk || copy.bytes == 0) return status;
    const auto lock = runtime.work();
    const machine::Memory& memory = runtime.session().memory();
    const bool reachable = copy.direction == CopyKind::kDeviceToDevice ? device_span(memory, copy.other, copy.bytes)
                                                                       : host_span(memory, copy.other, copy.bytes);
    if (!reachable)
        return refuse_span(memory, copy.to_variable ? "source" : "target", copy.other, copy.bytes,
                           copy.direction == CopyKind::kDeviceToDevice);
    const machine::Rows of_variable{address}, of_other{reinterpret_cast<std::uint64_t>(copy.other)};
    runtime.session().observers().on_copy({.target = copy.to_variable ? of_variable : of_other,
                                           .source = copy.to_variable ? of_other : of_variable,
                                           .extent = {copy.bytes},
                                           .kind = *copy.direction,
                                           .issue = issue});
    std::byte* const storage = memory.bytes(address);
    if (copy.to_variable) {
        std::memmove(storage, memory.bytes(copy.other), copy.bytes);
    } else {
        std::memmove(memory.bytes(copy.other), storage, copy.bytes);
    }
    runtime.session().observers().on_changed();
    return Status::kOk;
}

}  // namespace

Status volume_of(Runtime& runtime, const VariableCopy& copy, Copy& out) {
    std::uint64_t address = 0;
    if (const Status status = find_bytes(runtime, copy, address); status != Status::kOk) return status;
    void* const variable = reinterpret_cast<void*>(address);
    out = copy.to_variable ? volume_of(variable, copy.other, copy.bytes, copy.direction)
                           : volume_of(copy.other, variable, copy.bytes, copy.direction);
    return check_volume(runtime, out);
}

Status copy_variable(Runtime& runtime, const VariableCopy& copy) {
    return at_once(runtime, [&](const machine::Issue& issue) { return run(runtime, copy, issue); });
}

Status copy_variable(Runtime& runtime, const VariableCopy& copy, void* stream) {
    return on_stream(
        runtime, stream, [&](const machine::Issue& issue) { return run(runtime, copy, issue); },
        [&](Work& work) {
            Copy volume;
            const Status status = volume_of(runtime, copy, volume);
            if (copy.bytes != 0) work = volume;
            return status;
        });
}

}  // namespace tilescope::runtime

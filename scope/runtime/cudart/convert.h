// From the structures of the runtime's interface to those of the services, and back.
#pragma once

#include <optional>

#include "scope/runtime/cudart/abi.h"
#include "scope/runtime/cudart/graph_abi.h"
#include "scope/runtime/cudart/registration.h"
#include "scope/runtime/service/memory/copies.h"
#include "scope/runtime/service/memory/sets.h"
#include "scope/runtime/service/memory/variables.h"
#include "scope/runtime/service/streams/access_window.h"

namespace tilescope::runtime {

inline Direction direction_of(cudaMemcpyKind kind) {
    using machine::CopyKind;
    switch (kind) {
        case cudaMemcpyHostToHost: return CopyKind::kHostToHost;
        case cudaMemcpyHostToDevice: return CopyKind::kHostToDevice;
        case cudaMemcpyDeviceToHost: return CopyKind::kDeviceToHost;
        case cudaMemcpyDeviceToDevice: return CopyKind::kDeviceToDevice;
        case cudaMemcpyDefault: return CopyKind::kByAddress;
    }
    return std::nullopt;
}

// Of a direction that there is.
inline cudaMemcpyKind kind_of(Direction direction) {
    using machine::CopyKind;
    switch (direction.value_or(CopyKind::kByAddress)) {
        case CopyKind::kHostToHost: return cudaMemcpyHostToHost;
        case CopyKind::kHostToDevice: return cudaMemcpyHostToDevice;
        case CopyKind::kDeviceToHost: return cudaMemcpyDeviceToHost;
        case CopyKind::kDeviceToDevice: return cudaMemcpyDeviceToDevice;
        case CopyKind::kByAddress: break;
    }
    return cudaMemcpyDefault;
}

inline Dim3 dim3_from(const abi::Dim& said) { return {said.x, said.y, said.z}; }
inline abi::Dim abi_of(const Dim3& extent) { return {extent[0], extent[1], extent[2]}; }

inline AccessWindow window_from(const abi::AccessPolicyWindow& said) {
    return {said.base, said.bytes, said.hit_ratio, said.hit_property, said.miss_property};
}
inline abi::AccessPolicyWindow abi_of(const AccessWindow& window) {
    return {window.base, window.bytes, window.hit_ratio, window.hit_property, window.miss_property};
}

inline CopySide side_of(void* array, const abi::Position& at, const abi::PitchedPointer& memory) {
    return {.array = array,
            .at = {at.x, at.y, at.z},
            .base = memory.ptr,
            .pitch = memory.pitch,
            .width = memory.xsize,
            .height = memory.ysize};
}

inline Copy copy_from(const abi::Memcpy3D& said) {
    return {.target = side_of(said.dst_array, said.dst_pos, said.dst_ptr),
            .source = side_of(said.src_array, said.src_pos, said.src_ptr),
            .extent = {said.extent.width, said.extent.height, said.extent.depth},
            .direction = direction_of(said.kind)};
}

inline abi::Memcpy3D abi_of(const Copy& copy) {
    const auto at = [](const CopySide& side) { return abi::Position{side.at.x, side.at.y, side.at.z}; };
    const auto memory = [](const CopySide& side) {
        return abi::PitchedPointer{side.base, side.pitch, side.width, side.height};
    };
    return {.src_array = copy.source.array,
            .src_pos = at(copy.source),
            .src_ptr = memory(copy.source),
            .dst_array = copy.target.array,
            .dst_pos = at(copy.target),
            .dst_ptr = memory(copy.target),
            .extent = {copy.extent.width, copy.extent.height, copy.extent.depth},
            .kind = kind_of(copy.direction)};
}

inline Set set_from(const abi::SetNode& said) {
    return {.target = said.target,
            .pitch = said.pitch,
            .value = said.value,
            .element_bytes = said.element_bytes,
            .width = said.width,
            .height = said.height};
}

inline abi::SetNode abi_of(const Set& set) {
    return {set.target, set.pitch, set.value, set.element_bytes, set.width, set.height};
}

inline VariableCopy to_symbol(const void* symbol, const void* source, std::size_t bytes, std::size_t offset,
                              cudaMemcpyKind kind) {
    return {variable_at(symbol), true, const_cast<void*>(source), bytes, offset, direction_of(kind)};
}

inline VariableCopy from_symbol(void* target, const void* symbol, std::size_t bytes, std::size_t offset,
                                cudaMemcpyKind kind) {
    return {variable_at(symbol), false, target, bytes, offset, direction_of(kind)};
}

}  // namespace tilescope::runtime

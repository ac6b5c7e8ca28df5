// Copies and sets as nodes of graphs have them.
#pragma once

#include "scope/runtime/service/graphs/graph.h"
#include "scope/runtime/service/runtime.h"

namespace tilescope::runtime {

// One run of bytes, and rows.
abi::Memcpy3D volume_of(void* target, const void* source, std::size_t bytes, cudaMemcpyKind kind);
abi::Memcpy3D volume_of(void* target, std::size_t target_pitch, const void* source, std::size_t source_pitch,
                        std::size_t width, std::size_t height, cudaMemcpyKind kind);
// The bytes of a device variable; `to_symbol`: it is the target, and `other` the source.
Status volume_of_symbol(Runtime& runtime, bool to_symbol, const void* symbol, void* other, std::size_t bytes,
                        std::size_t offset, cudaMemcpyKind kind, abi::Memcpy3D& out);
// What is refused before the copy runs: directions, pitches, and what lies on the device. Host memory is looked at when
// it runs.
Status check_volume(Runtime& runtime, const abi::Memcpy3D& copy);
Status run_copy(Runtime& runtime, const abi::Memcpy3D& copy, const machine::Issue& issue);

// Whether a node of an executable graph that does the one may do the other: within the same kinds of memory, and as
// many bytes unless both are one run of them.
bool may_become(Runtime& runtime, const abi::Memcpy3D& now, const abi::Memcpy3D& next);
bool may_become(const SetWork& now, const SetWork& next);

Status check_set(Runtime& runtime, const SetWork& set);
Status run_set(Runtime& runtime, const SetWork& set, const machine::Issue& issue);

}  // namespace tilescope::runtime

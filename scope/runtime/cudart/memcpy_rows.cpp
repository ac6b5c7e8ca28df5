// Copies of pitched rows and of volumes of them.
#include <cstring>
#include <utility>

#include "scope/runtime/cudart/guard.h"
#include "scope/runtime/cudart/per_thread.h"
#include "scope/runtime/service/memory/copies.h"
#include "scope/runtime/service/memory/spans.h"
#include "scope/runtime/service/streams/issue.h"

namespace tilescope::runtime {
namespace {

// Where rows lie: row y of slice z starts at base + z * slice + y * pitch.
struct Rows {
    unsigned char* base = nullptr;
    std::size_t pitch = 0, slice = 0;
};

// The bytes from the first to past the last of a volume; false when that overflows.
bool volume_extent(const Rows& rows, const abi::Extent& extent, std::size_t& bytes) {
    std::size_t last_slice = 0;
    std::size_t in_slice = 0;
    bytes = 0;
    if (extent.width == 0 || extent.height == 0 || extent.depth == 0) return true;
    if (!rows_extent(rows.pitch, extent.width, extent.height, in_slice)) return false;
    return !__builtin_mul_overflow(rows.slice, extent.depth - 1, &last_slice) &&
           !__builtin_add_overflow(last_slice, in_slice, &bytes);
}

machine::Rows told(const Rows& rows) { return {reinterpret_cast<std::uint64_t>(rows.base), rows.pitch, rows.slice}; }

// What a copy is refused for. Host memory may be left for later.
Status check(const machine::Memory& memory, const Rows& target, const Rows& source, const abi::Extent& extent,
             cudaMemcpyKind kind, bool looks_at_host) {
    Sides sides;
    std::size_t target_bytes = 0;
    std::size_t source_bytes = 0;
    if (!sides_of(kind, sides)) return Status::kInvalidDirection;
    if (!volume_extent(target, extent, target_bytes) || !volume_extent(source, extent, source_bytes)) {
        return Status::kInvalidValue;
    }
    if (target_bytes == 0) return Status::kOk;
    const auto reachable = [&](const Rows& rows, std::size_t bytes, bool on_device) {
        if (!on_device && !looks_at_host) return rows.base != nullptr;
        return on_device ? device_span(memory, rows.base, bytes) : host_span(memory, rows.base, bytes);
    };
    if (!reachable(target, target_bytes, sides.target_on_device))
        return refuse_span(memory, "target", target.base, target_bytes, sides.target_on_device);
    if (!reachable(source, source_bytes, sides.source_on_device))
        return refuse_span(memory, "source", source.base, source_bytes, sides.source_on_device);
    return Status::kOk;
}

Status copy_volume(Runtime& runtime, const Rows& target, const Rows& source, const abi::Extent& extent,
                   cudaMemcpyKind kind, const machine::Issue& issue) {
    const auto lock = runtime.work();
    const machine::Memory& memory = runtime.session().memory();
    const Status status = check(memory, target, source, extent, kind, true);
    if (status != Status::kOk || extent.width == 0 || extent.height == 0 || extent.depth == 0) return status;
    runtime.session().observers().on_copy({.target = told(target),
                                           .source = told(source),
                                           .extent = {extent.width, extent.height, extent.depth},
                                           .kind = copy_kind(kind),
                                           .issue = issue});
    std::byte* const to = memory.bytes(target.base);
    const std::byte* const from = memory.bytes(source.base);
    for (std::size_t z = 0; z < extent.depth; ++z) {
        for (std::size_t y = 0; y < extent.height; ++y) {
            std::memmove(to + z * target.slice + y * target.pitch, from + z * source.slice + y * source.pitch,
                         extent.width);
        }
    }
    runtime.session().observers().on_changed();
    return Status::kOk;
}

// What an H200 gives for rows wider than their pitch.
Status check_pitch(std::size_t width, std::size_t height, std::size_t target_pitch, std::size_t source_pitch) {
    if (width <= target_pitch && width <= source_pitch) return Status::kOk;
    return height > 1 ? Status::kInvalidPitch : Status::kInvalidValue;
}

Status copy_2d(Runtime& runtime, void* target, std::size_t target_pitch, const void* source, std::size_t source_pitch,
               std::size_t width, std::size_t height, cudaMemcpyKind kind, const machine::Issue& issue) {
    if (const Status status = check_pitch(width, height, target_pitch, source_pitch); status != Status::kOk)
        return status;
    const Rows to{static_cast<unsigned char*>(target), target_pitch, 0};
    const Rows from{static_cast<unsigned char*>(const_cast<void*>(source)), source_pitch, 0};
    return copy_volume(runtime, to, from, {width, height, 1}, kind, issue);
}

// The rows that a pitched pointer names, moved to a position. cudaErrorInvalidValue when they do not fit their pitch.
Status rows_of(const abi::PitchedPointer& pointer, const abi::Position& at, const abi::Extent& extent, Rows& rows) {
    std::size_t right = 0;
    std::size_t below = 0;
    if (__builtin_add_overflow(at.x, extent.width, &right) || __builtin_add_overflow(at.y, extent.height, &below)) {
        return Status::kInvalidValue;
    }
    if (right > pointer.pitch || (extent.depth > 1 && below > pointer.ysize)) return Status::kInvalidPitch;
    std::size_t offset = 0;
    std::size_t row = 0;
    rows.pitch = pointer.pitch;
    if (__builtin_mul_overflow(pointer.pitch, pointer.ysize, &rows.slice) ||
        __builtin_mul_overflow(rows.slice, at.z, &offset) || __builtin_mul_overflow(pointer.pitch, at.y, &row) ||
        __builtin_add_overflow(offset, row, &offset) || __builtin_add_overflow(offset, at.x, &offset)) {
        return Status::kInvalidValue;
    }
    rows.base = static_cast<unsigned char*>(pointer.ptr) + offset;
    return Status::kOk;
}

// Which sides of a copy lie on the device; where its direction does not say so, their addresses do.
Sides sides_of_rows(const machine::Memory& memory, const abi::Memcpy3D& copy) {
    Sides sides;
    if (copy.kind != cudaMemcpyDefault) {
        sides_of(copy.kind, sides);
        return sides;
    }
    const auto is_on_device = [&](const void* pointer) {
        const auto found = memory.find(reinterpret_cast<std::uint64_t>(pointer));
        return found && found->kind != machine::AllocationKind::kPinned &&
               found->kind != machine::AllocationKind::kRegistered;
    };
    sides.source_on_device = is_on_device(copy.src_ptr.ptr);
    sides.target_on_device = is_on_device(copy.dst_ptr.ptr);
    return sides;
}

bool is_empty(const abi::Extent& extent) { return extent.width == 0 || extent.height == 0 || extent.depth == 0; }

// Where the bytes of both sides lie.
Status rows_of(Runtime& runtime, const abi::Memcpy3D& p, Rows& target, Rows& source) {
    if (p.src_array != nullptr || p.dst_array != nullptr) {
        runtime.warn_once("runtime-unsupported-call", "copies to and from CUDA arrays are not supported yet");
        return Status::kNotSupported;
    }
    if (const Status status = rows_of(p.dst_ptr, p.dst_pos, p.extent, target); status != Status::kOk) return status;
    return rows_of(p.src_ptr, p.src_pos, p.extent, source);
}

Status copy_3d_async(Runtime& runtime, const abi::Memcpy3D& copy, void* stream) {
    return on_stream(
        runtime, stream, [&](const machine::Issue& issue) { return run_copy(runtime, copy, issue); },
        [&](Work& work) {
            if (!is_empty(copy.extent)) work = copy;
            return check_volume(runtime, copy);
        });
}

// The same between devices, which are all the one.
Status volume_of_peers(const abi::Memcpy3DPeer* p, abi::Memcpy3D& copy) {
    if (p == nullptr) return Status::kInvalidValue;
    if (p->src_device != 0 || p->dst_device != 0) return Status::kInvalidDevice;
    copy = {p->src_array, p->src_pos, p->src_ptr, p->dst_array,
            p->dst_pos,   p->dst_ptr, p->extent,  cudaMemcpyDeviceToDevice};
    return Status::kOk;
}

}  // namespace

abi::Memcpy3D volume_of(void* target, std::size_t target_pitch, const void* source, std::size_t source_pitch,
                        std::size_t width, std::size_t height, cudaMemcpyKind kind) {
    abi::Memcpy3D copy{};
    copy.dst_ptr = {target, target_pitch, width, height};
    copy.src_ptr = {const_cast<void*>(source), source_pitch, width, height};
    copy.extent = {width, height, 1};
    copy.kind = kind;
    return copy;
}

abi::Memcpy3D volume_of(void* target, const void* source, std::size_t bytes, cudaMemcpyKind kind) {
    return volume_of(target, bytes, source, bytes, bytes, 1, kind);
}

Status check_volume(Runtime& runtime, const abi::Memcpy3D& copy) {
    Rows target;
    Rows source;
    if (is_empty(copy.extent)) return Status::kOk;
    if (const Status status = rows_of(runtime, copy, target, source); status != Status::kOk) return status;
    const auto lock = runtime.work();
    return check(runtime.session().memory(), target, source, copy.extent, copy.kind, false);
}

bool may_become(Runtime& runtime, const abi::Memcpy3D& now, const abi::Memcpy3D& next) {
    const auto rows = [](const abi::Memcpy3D& copy) { return std::pair(copy.extent.height, copy.extent.depth); };
    constexpr std::pair<std::size_t, std::size_t> kOneRow{1, 1};
    const bool keeps_width = rows(now) == kOneRow || now.extent.width == next.extent.width;
    if (rows(now) != rows(next) || !keeps_width) return false;
    const auto lock = runtime.work();
    const machine::Memory& memory = runtime.session().memory();
    const Sides one = sides_of_rows(memory, now), other = sides_of_rows(memory, next);
    return one.source_on_device == other.source_on_device && one.target_on_device == other.target_on_device;
}

Status run_copy(Runtime& runtime, const abi::Memcpy3D& copy, const machine::Issue& issue) {
    Rows target;
    Rows source;
    if (is_empty(copy.extent)) return Status::kOk;
    if (const Status status = rows_of(runtime, copy, target, source); status != Status::kOk) return status;
    return copy_volume(runtime, target, source, copy.extent, copy.kind, issue);
}

TILESCOPE_API cudaError cudaMemcpy2D(void* target, std::size_t target_pitch, const void* source,
                                     std::size_t source_pitch, std::size_t width, std::size_t height,
                                     cudaMemcpyKind kind) {
    return on_device([&](Runtime& runtime) {
        return at_once(runtime, [&](const machine::Issue& issue) {
            return copy_2d(runtime, target, target_pitch, source, source_pitch, width, height, kind, issue);
        });
    });
}

TILESCOPE_API cudaError cudaMemcpy2DAsync(void* target, std::size_t target_pitch, const void* source,
                                          std::size_t source_pitch, std::size_t width, std::size_t height,
                                          cudaMemcpyKind kind, void* stream) {
    return on_device([&](Runtime& runtime) {
        return on_stream(
            runtime, stream,
            [&](const machine::Issue& issue) {
                return copy_2d(runtime, target, target_pitch, source, source_pitch, width, height, kind, issue);
            },
            [&](Work& work) {
                const Status status = check_pitch(width, height, target_pitch, source_pitch);
                if (status != Status::kOk || width == 0 || height == 0) return status;
                const abi::Memcpy3D copy = volume_of(target, target_pitch, source, source_pitch, width, height, kind);
                work = copy;
                return check_volume(runtime, copy);
            });
    });
}

TILESCOPE_API cudaError cudaMemcpy3D(const abi::Memcpy3D* p) {
    return on_device([&](Runtime& runtime) {
        return at_once(runtime, [&](const machine::Issue& issue) {
            return p == nullptr ? Status::kInvalidValue : run_copy(runtime, *p, issue);
        });
    });
}

TILESCOPE_API cudaError cudaMemcpy3DAsync(const abi::Memcpy3D* p, void* stream) {
    return on_device([&](Runtime& runtime) {
        if (!runtime.handles().is_stream(stream)) return Status::kInvalidHandle;
        return p == nullptr ? Status::kInvalidValue : copy_3d_async(runtime, *p, stream);
    });
}

TILESCOPE_API cudaError cudaMemcpy3DPeer(const abi::Memcpy3DPeer* p) {
    return on_device([&](Runtime& runtime) {
        abi::Memcpy3D copy{};
        if (const Status status = volume_of_peers(p, copy); status != Status::kOk) return status;
        return at_once(runtime, [&](const machine::Issue& issue) { return run_copy(runtime, copy, issue); });
    });
}

TILESCOPE_API cudaError cudaMemcpy3DPeerAsync(const abi::Memcpy3DPeer* p, void* stream) {
    return on_device([&](Runtime& runtime) {
        abi::Memcpy3D copy{};
        if (!runtime.handles().is_stream(stream)) return Status::kInvalidHandle;
        if (const Status status = volume_of_peers(p, copy); status != Status::kOk) return status;
        return copy_3d_async(runtime, copy, stream);
    });
}

TILESCOPE_PER_THREAD(cudaMemcpy2D_ptds, cudaMemcpy2D);
TILESCOPE_PER_THREAD(cudaMemcpy2DAsync_ptsz, cudaMemcpy2DAsync);
TILESCOPE_PER_THREAD(cudaMemcpy3D_ptds, cudaMemcpy3D);
TILESCOPE_PER_THREAD(cudaMemcpy3DAsync_ptsz, cudaMemcpy3DAsync);
TILESCOPE_PER_THREAD(cudaMemcpy3DPeer_ptds, cudaMemcpy3DPeer);
TILESCOPE_PER_THREAD(cudaMemcpy3DPeerAsync_ptsz, cudaMemcpy3DPeerAsync);

}  // namespace tilescope::runtime

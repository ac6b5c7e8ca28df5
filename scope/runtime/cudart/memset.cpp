// Filling device memory with a byte.
#include <cstring>
#include <utility>

#include "scope/runtime/cudart/guard.h"
#include "scope/runtime/cudart/per_thread.h"
#include "scope/runtime/service/memory/copies.h"
#include "scope/runtime/service/memory/spans.h"
#include "scope/runtime/service/streams/issue.h"

namespace tilescope::runtime {
namespace {

// All bytes from the first to past the last. Nothing to set: 0.
Status extent_of(const SetWork& work, std::size_t& width, std::size_t& bytes) {
    const abi::SetNode& set = work.set;
    bytes = 0;
    if (set.width == 0 || set.height == 0 || work.slices == 0) return Status::kOk;
    std::size_t in_slice = 0;
    std::size_t before = 0;
    if (__builtin_mul_overflow(set.width, std::size_t{set.element_bytes}, &width)) return Status::kInvalidValue;
    if (set.height > 1 && width > set.pitch) return Status::kInvalidValue;
    if (!rows_extent(set.pitch, width, set.height, in_slice)) return Status::kInvalidValue;
    if (work.slices > 1 && in_slice > work.slice) return Status::kInvalidValue;
    if (__builtin_mul_overflow(work.slice, work.slices - 1, &before) ||
        __builtin_add_overflow(before, in_slice, &bytes)) {
        return Status::kInvalidValue;
    }
    return Status::kOk;
}

void fill_row(std::byte* row, std::size_t width, const abi::SetNode& set) {
    if (set.element_bytes == 1) {
        std::memset(row, static_cast<int>(set.value), width);
        return;
    }
    for (std::size_t at = 0; at < width; at += set.element_bytes) std::memcpy(row + at, &set.value, set.element_bytes);
}

SetWork set_of(void* target, int value, std::size_t pitch, std::size_t width, std::size_t height) {
    return {.set = {target, pitch, static_cast<unsigned>(value) & 0xffU, 1, width, height}};
}

Status set_of(const abi::PitchedPointer& volume, int value, const abi::Extent& extent, SetWork& work) {
    work = set_of(volume.ptr, value, volume.pitch, extent.width, extent.height);
    work.slices = extent.depth;
    if (__builtin_mul_overflow(volume.pitch, volume.ysize, &work.slice)) return Status::kInvalidValue;
    return extent.height > volume.ysize && extent.depth > 1 ? Status::kInvalidValue : Status::kOk;
}

Status fill(Runtime& runtime, const SetWork& set) {
    return at_once(runtime, [&](const machine::Issue& issue) { return run_set(runtime, set, issue); });
}

Status fill_async(Runtime& runtime, const SetWork& set, void* stream) {
    return on_stream(
        runtime, stream, [&](const machine::Issue& issue) { return run_set(runtime, set, issue); },
        [&](Work& work) {
            if (set.set.width != 0 && set.set.height != 0 && set.slices != 0) work = set;
            return check_set(runtime, set);
        });
}

}  // namespace

bool may_become(const SetWork& now, const SetWork& next) {
    const auto rows = [](const SetWork& work) { return std::pair(work.set.height, work.slices); };
    constexpr std::pair<std::size_t, std::size_t> kOneRow{1, 1};
    const bool keeps_width = rows(now) == kOneRow || now.set.width == next.set.width;
    return rows(now) == rows(next) && keeps_width;
}

Status check_set(Runtime& runtime, const SetWork& set) {
    std::size_t width = 0;
    std::size_t bytes = 0;
    if (const Status status = extent_of(set, width, bytes); status != Status::kOk || bytes == 0) return status;
    const auto lock = runtime.work();
    const machine::Memory& memory = runtime.session().memory();
    return device_span(memory, set.set.target, bytes)
               ? Status::kOk
               : refuse_span(memory, "target", set.set.target, bytes, true, false);
}

// Everything is checked before the first byte is written.
Status run_set(Runtime& runtime, const SetWork& work, const machine::Issue& issue) {
    std::size_t width = 0;
    std::size_t bytes = 0;
    if (const Status status = extent_of(work, width, bytes); status != Status::kOk || bytes == 0) return status;
    const abi::SetNode& set = work.set;
    const auto lock = runtime.work();
    const machine::Memory& memory = runtime.session().memory();
    if (!device_span(memory, set.target, bytes)) return refuse_span(memory, "target", set.target, bytes, true, false);
    runtime.session().observers().on_set(
        {.target = {reinterpret_cast<std::uint64_t>(set.target), set.pitch, work.slice},
         .extent = {width, set.height, work.slices},
         .value = static_cast<std::uint8_t>(set.value),
         .issue = issue});
    std::byte* const first = memory.bytes(set.target);
    for (std::size_t z = 0; z < work.slices; ++z) {
        for (std::size_t y = 0; y < set.height; ++y) fill_row(first + z * work.slice + y * set.pitch, width, set);
    }
    runtime.session().observers().on_changed();
    return Status::kOk;
}

TILESCOPE_API cudaError cudaMemset(void* target, int value, std::size_t bytes) {
    return on_device([&](Runtime& runtime) { return fill(runtime, set_of(target, value, bytes, bytes, 1)); });
}

TILESCOPE_API cudaError cudaMemsetAsync(void* target, int value, std::size_t bytes, void* stream) {
    return on_device(
        [&](Runtime& runtime) { return fill_async(runtime, set_of(target, value, bytes, bytes, 1), stream); });
}

TILESCOPE_API cudaError cudaMemset2D(void* target, std::size_t pitch, int value, std::size_t width,
                                     std::size_t height) {
    return on_device([&](Runtime& runtime) { return fill(runtime, set_of(target, value, pitch, width, height)); });
}

TILESCOPE_API cudaError cudaMemset2DAsync(void* target, std::size_t pitch, int value, std::size_t width,
                                          std::size_t height, void* stream) {
    return on_device(
        [&](Runtime& runtime) { return fill_async(runtime, set_of(target, value, pitch, width, height), stream); });
}

TILESCOPE_API cudaError cudaMemset3D(abi::PitchedPointer volume, int value, abi::Extent extent) {
    return on_device([&](Runtime& runtime) {
        SetWork set;
        const Status status = set_of(volume, value, extent, set);
        return status != Status::kOk ? status : fill(runtime, set);
    });
}

TILESCOPE_API cudaError cudaMemset3DAsync(abi::PitchedPointer volume, int value, abi::Extent extent, void* stream) {
    return on_device([&](Runtime& runtime) {
        SetWork set;
        if (!runtime.handles().is_stream(stream)) return Status::kInvalidHandle;
        const Status status = set_of(volume, value, extent, set);
        return status != Status::kOk ? status : fill_async(runtime, set, stream);
    });
}

TILESCOPE_PER_THREAD(cudaMemset_ptds, cudaMemset);
TILESCOPE_PER_THREAD(cudaMemsetAsync_ptsz, cudaMemsetAsync);
TILESCOPE_PER_THREAD(cudaMemset2D_ptds, cudaMemset2D);
TILESCOPE_PER_THREAD(cudaMemset2DAsync_ptsz, cudaMemset2DAsync);
TILESCOPE_PER_THREAD(cudaMemset3D_ptds, cudaMemset3D);
TILESCOPE_PER_THREAD(cudaMemset3DAsync_ptsz, cudaMemset3DAsync);

}  // namespace tilescope::runtime

#include "scope/runtime/service/memory/sets.h"

#include <cstring>
#include <utility>

#include "scope/runtime/service/memory/spans.h"
#include "scope/runtime/service/streams/issue.h"

namespace tilescope::runtime {
namespace {

// All bytes from the first to past the last. Nothing to set: 0.
Status extent_of(const Set& set, std::size_t& width, std::size_t& bytes) {
    bytes = 0;
    if (set.width == 0 || set.height == 0 || set.slices == 0) return Status::kOk;
    std::size_t in_slice = 0;
    std::size_t before = 0;
    if (__builtin_mul_overflow(set.width, std::size_t{set.element_bytes}, &width)) return Status::kInvalidValue;
    if (set.height > 1 && width > set.pitch) return Status::kInvalidValue;
    if (!rows_extent(set.pitch, width, set.height, in_slice)) return Status::kInvalidValue;
    if (set.slices > 1 && in_slice > set.slice) return Status::kInvalidValue;
    if (__builtin_mul_overflow(set.slice, set.slices - 1, &before) ||
        __builtin_add_overflow(before, in_slice, &bytes)) {
        return Status::kInvalidValue;
    }
    return Status::kOk;
}

void fill_row(std::byte* row, std::size_t width, const Set& set) {
    if (set.element_bytes == 1) {
        std::memset(row, static_cast<int>(set.value), width);
        return;
    }
    for (std::size_t at = 0; at < width; at += set.element_bytes) std::memcpy(row + at, &set.value, set.element_bytes);
}

}  // namespace

Set set_of(void* target, int value, std::size_t pitch, std::size_t width, std::size_t height) {
    return {.target = target,
            .pitch = pitch,
            .value = static_cast<unsigned>(value) & 0xffU,
            .element_bytes = 1,
            .width = width,
            .height = height};
}

Status set_of(void* target, std::size_t pitch, std::size_t height, int value, const Extent& extent, Set& set) {
    set = set_of(target, value, pitch, extent.width, extent.height);
    set.slices = extent.depth;
    if (__builtin_mul_overflow(pitch, height, &set.slice)) return Status::kInvalidValue;
    return extent.height > height && extent.depth > 1 ? Status::kInvalidValue : Status::kOk;
}

bool may_become(const Set& now, const Set& next) {
    const auto rows = [](const Set& set) { return std::pair(set.height, set.slices); };
    constexpr std::pair<std::size_t, std::size_t> kOneRow{1, 1};
    const bool keeps_width = rows(now) == kOneRow || now.width == next.width;
    return rows(now) == rows(next) && keeps_width;
}

Status check_set(Runtime& runtime, const Set& set) {
    std::size_t width = 0;
    std::size_t bytes = 0;
    if (const Status status = extent_of(set, width, bytes); status != Status::kOk || bytes == 0) return status;
    const auto lock = runtime.work();
    const machine::Memory& memory = runtime.session().memory();
    return device_span(memory, set.target, bytes, true) ? Status::kOk
                                                        : refuse_span(memory, "target", set.target, bytes, true, false);
}

// Everything is checked before the first byte is written.
Status run_set(Runtime& runtime, const Set& set, const machine::Issue& issue) {
    std::size_t width = 0;
    std::size_t bytes = 0;
    if (const Status status = extent_of(set, width, bytes); status != Status::kOk || bytes == 0) return status;
    const auto lock = runtime.work();
    const machine::Memory& memory = runtime.session().memory();
    if (!device_span(memory, set.target, bytes, true))
        return refuse_span(memory, "target", set.target, bytes, true, false);
    runtime.session().observers().on_set({.target = {reinterpret_cast<std::uint64_t>(set.target), set.pitch, set.slice},
                                          .extent = {width, set.height, set.slices},
                                          .value = static_cast<std::uint8_t>(set.value),
                                          .issue = issue});
    std::byte* const first = memory.bytes(set.target);
    for (std::size_t z = 0; z < set.slices; ++z) {
        for (std::size_t y = 0; y < set.height; ++y) fill_row(first + z * set.slice + y * set.pitch, width, set);
    }
    runtime.session().observers().on_changed();
    return Status::kOk;
}

Status fill(Runtime& runtime, const Set& set) {
    return at_once(runtime, [&](const machine::Issue& issue) { return run_set(runtime, set, issue); });
}

Status fill(Runtime& runtime, const Set& set, void* stream) {
    return on_stream(
        runtime, stream, [&](const machine::Issue& issue) { return run_set(runtime, set, issue); },
        [&](Work& work) {
            if (set.width != 0 && set.height != 0 && set.slices != 0) work = set;
            return check_set(runtime, set);
        });
}

}  // namespace tilescope::runtime

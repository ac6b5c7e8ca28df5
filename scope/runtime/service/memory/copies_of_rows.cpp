// Copies of pitched rows and of volumes of them.
#include <algorithm>
#include <cstdint>
#include <cstring>
#include <utility>

#include "scope/runtime/service/arrays/arrays.h"
#include "scope/runtime/service/memory/copies.h"
#include "scope/runtime/service/streams/issue.h"

namespace tilescope::runtime {
namespace {

// Where rows lie: row y of slice z starts at base + z * slice + y * pitch.
struct Rows {
    unsigned char* base = nullptr;
    std::size_t pitch = 0, slice = 0;
};

// The bytes from the first to past the last of a volume; false when that overflows.
bool volume_extent(const Rows& rows, const Extent& extent, std::size_t& bytes) {
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
Status check(const machine::Memory& memory, const Rows& target, const Rows& source, const Extent& extent,
             Direction direction, bool looks_at_host) {
    Sides sides;
    std::size_t target_bytes = 0;
    std::size_t source_bytes = 0;
    if (!sides_of(direction, sides)) return Status::kInvalidDirection;
    if (!volume_extent(target, extent, target_bytes) || !volume_extent(source, extent, source_bytes)) {
        return Status::kInvalidValue;
    }
    if (target_bytes == 0) return Status::kOk;
    const auto reachable = [&](const Rows& rows, std::size_t bytes, bool on_device, bool writes) {
        if (!on_device && !looks_at_host) return rows.base != nullptr;
        return on_device ? device_span(memory, rows.base, bytes, writes) : host_span(memory, rows.base, bytes, writes);
    };
    if (!reachable(target, target_bytes, sides.target_on_device, true))
        return refuse_span(memory, "target", target.base, target_bytes, sides.target_on_device);
    if (!reachable(source, source_bytes, sides.source_on_device, false))
        return refuse_span(memory, "source", source.base, source_bytes, sides.source_on_device);
    return Status::kOk;
}

Status move(Runtime& runtime, const Rows& target, const Rows& source, const Extent& extent, Direction direction,
            const machine::Issue& issue) {
    const auto lock = runtime.work();
    const machine::Memory& memory = runtime.session().memory();
    const Status status = check(memory, target, source, extent, direction, true);
    if (status != Status::kOk || extent.width == 0 || extent.height == 0 || extent.depth == 0) return status;
    runtime.session().observers().on_copy({.target = told(target),
                                           .source = told(source),
                                           .extent = {extent.width, extent.height, extent.depth},
                                           .kind = *direction,
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

// Of a single row no pitch needs to be said.
bool is_single_row(const CopySide& side, const Extent& extent) {
    return side.pitch == 0 && extent.height <= 1 && extent.depth <= 1;
}

Status check_pitch(const Copy& copy) {
    for (const CopySide* side : {&copy.target, &copy.source})
        if (const Status status = check_pitch(*side, copy.extent); status != Status::kOk) return status;
    return Status::kOk;
}

Status run_rows(Runtime& runtime, const Copy& copy, const machine::Issue& issue) {
    if (const Status status = check_pitch(copy); status != Status::kOk) return status;
    const Rows to{static_cast<unsigned char*>(copy.target.base), copy.target.pitch, 0};
    const Rows from{static_cast<unsigned char*>(copy.source.base), copy.source.pitch, 0};
    return move(runtime, to, from, copy.extent, copy.direction, issue);
}

// The rows that a side names, moved to its position. kInvalidValue when they do not fit their pitch.
Status rows_of(const CopySide& side, const Extent& extent, Rows& rows) {
    std::size_t right = 0;
    std::size_t below = 0;
    if (__builtin_add_overflow(side.at.x, extent.width, &right) ||
        __builtin_add_overflow(side.at.y, extent.height, &below)) {
        return Status::kInvalidValue;
    }
    const std::size_t pitch = is_single_row(side, extent) ? right : side.pitch;
    // What an H200 gives: rows wider than their pitch, and rows that reach beyond it from where they begin.
    if (extent.width > pitch) return Status::kInvalidPitch;
    if (right > pitch) return Status::kInvalidValue;
    if (extent.depth > 1 && below > side.height) return Status::kInvalidPitch;
    std::size_t offset = 0;
    std::size_t row = 0;
    rows.pitch = pitch;
    if (__builtin_mul_overflow(pitch, side.height, &rows.slice) ||
        __builtin_mul_overflow(rows.slice, side.at.z, &offset) || __builtin_mul_overflow(pitch, side.at.y, &row) ||
        __builtin_add_overflow(offset, row, &offset) || __builtin_add_overflow(offset, side.at.x, &offset)) {
        return Status::kInvalidValue;
    }
    // A program's pointer may be null: it is checked where the bytes are moved.
    rows.base = reinterpret_cast<unsigned char*>(reinterpret_cast<std::uintptr_t>(side.base) + offset);
    return Status::kOk;
}

// Those of an array. kInvalidValue where they pass its end.
Status rows_of_array(Runtime& runtime, const CopySide& side, const Extent& extent, Rows& rows) {
    const Array* const array = runtime.arrays().array(side.array);
    if (array == nullptr)
        return because(Status::kInvalidHandle, "no array has this handle: it was freed, or never made");
    const texture::Image& image = array->image;
    const texture::Level& level = image.levels.front();
    const auto fits = [](std::size_t at, std::size_t count, std::size_t size) {
        return at <= size && count <= size - at;
    };
    if (!fits(side.at.x, extent.width, std::size_t{level.width} * image.format.bytes()) ||
        !fits(side.at.y, extent.height, level.height) || !fits(side.at.z, extent.depth, level.depth))
        return because(Status::kInvalidValue, "the copy passes the end of the array");
    rows.pitch = level.pitch;
    rows.slice = level.slice;
    rows.base = reinterpret_cast<unsigned char*>(image.address) + level.offset + side.at.z * level.slice +
                side.at.y * level.pitch + side.at.x;
    return Status::kOk;
}

// Which sides of a copy lie on the device; where its direction does not say so, their addresses do.
Sides sides_of_rows(const machine::Memory& memory, const Copy& copy) {
    Sides sides;
    if (copy.direction != machine::CopyKind::kByAddress) {
        sides_of(copy.direction, sides);
        return sides;
    }
    const auto is_on_device = [&](const void* pointer) {
        const auto found = memory.find(reinterpret_cast<std::uint64_t>(pointer));
        return found && found->kind != machine::AllocationKind::kPinned &&
               found->kind != machine::AllocationKind::kRegistered;
    };
    sides.source_on_device = copy.source.array != nullptr || is_on_device(copy.source.base);
    sides.target_on_device = copy.target.array != nullptr || is_on_device(copy.target.base);
    return sides;
}

// Where the bytes of both sides lie.
Status rows_of(Runtime& runtime, const Copy& copy, Rows& target, Rows& source) {
    Sides sides;
    sides_of(copy.direction, sides);
    const bool is_by_address = copy.direction == machine::CopyKind::kByAddress;
    for (const auto& [side, on_device] :
         {std::pair(&copy.source, sides.source_on_device), std::pair(&copy.target, sides.target_on_device)}) {
        if (side->array != nullptr && side->base != nullptr)
            return because(Status::kInvalidValue, "a side of the copy names an array and memory");
        if (side->array != nullptr && !on_device && !is_by_address) return Status::kInvalidDirection;
    }
    const auto of = [&](const CopySide& side, Rows& rows) {
        return side.array != nullptr ? rows_of_array(runtime, side, copy.extent, rows)
                                     : rows_of(side, copy.extent, rows);
    };
    if (const Status status = of(copy.target, target); status != Status::kOk) return status;
    return of(copy.source, source);
}

}  // namespace

Copy in_bytes(Runtime& runtime, Copy copy) {
    const auto texel_bytes = [&](const CopySide& side) {
        const Array* const array = side.array != nullptr ? runtime.arrays().array(side.array) : nullptr;
        return std::size_t{array != nullptr ? array->image.format.bytes() : 1};
    };
    const std::size_t of_target = texel_bytes(copy.target), of_source = texel_bytes(copy.source);
    // Memory beside an array is counted in the array's texels, too.
    const std::size_t texel = std::max(of_target, of_source);
    copy.target.at.x *= copy.target.array != nullptr ? of_target : texel;
    copy.source.at.x *= copy.source.array != nullptr ? of_source : texel;
    copy.extent.width *= copy.target.array != nullptr ? of_target : of_source;
    return copy;
}

Copy in_texels(Runtime& runtime, Copy copy) {
    const Copy scaled = in_bytes(runtime, {.target = {.array = copy.target.array, .at = {.x = 1}},
                                           .source = {.array = copy.source.array, .at = {.x = 1}},
                                           .extent = {.width = 1}});
    copy.target.at.x /= scaled.target.at.x;
    copy.source.at.x /= scaled.source.at.x;
    copy.extent.width /= scaled.extent.width;
    return copy;
}

bool is_empty(const Extent& extent) { return extent.width == 0 || extent.height == 0 || extent.depth == 0; }

Copy volume_of(void* target, std::size_t target_pitch, const void* source, std::size_t source_pitch, std::size_t width,
               std::size_t height, Direction direction) {
    Copy copy;
    copy.target = {.base = target, .pitch = target_pitch, .width = width, .height = height};
    copy.source = {.base = const_cast<void*>(source), .pitch = source_pitch, .width = width, .height = height};
    copy.extent = {width, height, 1};
    copy.direction = direction;
    return copy;
}

Copy volume_of(void* target, const void* source, std::size_t bytes, Direction direction) {
    return volume_of(target, bytes, source, bytes, bytes, 1, direction);
}

Status check_volume(Runtime& runtime, const Copy& copy) {
    Rows target;
    Rows source;
    if (is_empty(copy.extent)) return Status::kOk;
    if (const Status status = rows_of(runtime, copy, target, source); status != Status::kOk) return status;
    const auto lock = runtime.work();
    return check(runtime.session().memory(), target, source, copy.extent, copy.direction, false);
}

bool may_become(Runtime& runtime, const Copy& now, const Copy& next) {
    const auto rows = [](const Copy& copy) { return std::pair(copy.extent.height, copy.extent.depth); };
    constexpr std::pair<std::size_t, std::size_t> kOneRow{1, 1};
    const bool keeps_width = rows(now) == kOneRow || now.extent.width == next.extent.width;
    if (rows(now) != rows(next) || !keeps_width) return false;
    const auto lock = runtime.work();
    const machine::Memory& memory = runtime.session().memory();
    const Sides one = sides_of_rows(memory, now), other = sides_of_rows(memory, next);
    return one.source_on_device == other.source_on_device && one.target_on_device == other.target_on_device;
}

Status run_copy(Runtime& runtime, const Copy& copy, const machine::Issue& issue) {
    Rows target;
    Rows source;
    if (is_empty(copy.extent)) return Status::kOk;
    if (const Status status = rows_of(runtime, copy, target, source); status != Status::kOk) return status;
    return move(runtime, target, source, copy.extent, copy.direction, issue);
}

Status check_pitch(const CopySide& side, const Extent& extent) {
    if (extent.width <= side.pitch || is_single_row(side, extent)) return Status::kOk;
    return extent.height > 1 ? Status::kInvalidPitch : Status::kInvalidValue;
}

Status copy_rows(Runtime& runtime, const Copy& copy) {
    return at_once(runtime, [&](const machine::Issue& issue) { return run_rows(runtime, copy, issue); });
}

Status copy_rows(Runtime& runtime, const Copy& copy, void* stream) {
    return on_stream(
        runtime, stream, [&](const machine::Issue& issue) { return run_rows(runtime, copy, issue); },
        [&](Work& work) {
            const Status status = check_pitch(copy);
            if (status != Status::kOk || is_empty(copy.extent)) return status;
            work = copy;
            return check_volume(runtime, copy);
        });
}

Status copy_volume(Runtime& runtime, const std::optional<Copy>& copy) {
    return at_once(runtime, [&](const machine::Issue& issue) {
        return copy ? run_copy(runtime, *copy, issue) : Status::kInvalidValue;
    });
}

Status copy_volume(Runtime& runtime, const Copy& copy, void* stream) {
    return on_stream(
        runtime, stream, [&](const machine::Issue& issue) { return run_copy(runtime, copy, issue); },
        [&](Work& work) {
            if (!is_empty(copy.extent)) work = copy;
            return check_volume(runtime, copy);
        });
}

}  // namespace tilescope::runtime

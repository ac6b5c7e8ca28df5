// Copies: of one run of bytes, of rows, and of volumes of rows. They are done before the call returns, on every stream.
//
// A side may be a CUDA array (arrays/arrays.h), whose rows lie in memory of the device like any other.
#pragma once

#include <cstddef>
#include <optional>

#include "scope/runtime/service/memory/spans.h"
#include "scope/runtime/service/runtime.h"

namespace tilescope::runtime {

struct Extent {
    std::size_t width = 0, height = 0, depth = 0;  // bytes of a row, rows of a slice, slices
};

struct CopySide {
    void* array = nullptr;
    struct Position {
        std::size_t x = 0, y = 0, z = 0;  // bytes, rows, slices
    } at{};
    void* base = nullptr;
    std::size_t pitch = 0, width = 0, height = 0;  // of the memory: bytes from row to row, of a row, rows of a slice
};

struct Copy {
    CopySide target{}, source{};
    Extent extent{};
    Direction direction{};
};

// Where an array takes part, programs count along rows in its texels: from and to bytes, as everything here has them.
Copy in_bytes(Runtime& runtime, Copy copy);
Copy in_texels(Runtime& runtime, Copy copy);
// One run of bytes, and rows.
Copy volume_of(void* target, const void* source, std::size_t bytes, Direction direction);
Copy volume_of(void* target, std::size_t target_pitch, const void* source, std::size_t source_pitch, std::size_t width,
               std::size_t height, Direction direction);
bool is_empty(const Extent& extent);

// What is refused before the copy runs: directions, pitches, and what lies on the device. Host memory is looked at when
// it runs.
Status check_volume(Runtime& runtime, const Copy& copy);
Status run_copy(Runtime& runtime, const Copy& copy, const machine::Issue& issue);
// Whether a node of an executable graph that does the one may do the other: within the same kinds of memory, and as
// many bytes unless both are one run of them.
bool may_become(Runtime& runtime, const Copy& now, const Copy& next);

// As calls ask for them: those that wait, and those of a stream, which may capture them.
Status copy_bytes(Runtime& runtime, void* target, const void* source, std::size_t bytes, Direction direction);
Status copy_bytes(Runtime& runtime, void* target, const void* source, std::size_t bytes, Direction direction,
                  void* stream);
// What an H200 gives for rows of memory wider than their pitch; 0 will do for a single row.
Status check_pitch(const CopySide& side, const Extent& extent);
Status copy_rows(Runtime& runtime, const Copy& copy);
Status copy_rows(Runtime& runtime, const Copy& copy, void* stream);
// Nothing instead of a copy is refused, where the call may be made at all.
Status copy_volume(Runtime& runtime, const std::optional<Copy>& copy);
Status copy_volume(Runtime& runtime, const Copy& copy, void* stream);

}  // namespace tilescope::runtime

// What `trace` is asked to record, beside the options of any run.
#pragma once

#include <array>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "scope/base/result.h"

namespace tilescope {

// "M=4x4": the array M has 4 rows of 4 elements. "M=4x4:8": rows begin 8 elements apart. "Nds=2x2@tiles+16": there is
// an array Nds, 16 bytes into tiles.
struct TraceShape {
    std::string name;
    std::vector<std::uint64_t> shape;
    std::uint64_t pitch = 0;  // elements; 0: rows lie one behind the other
    std::string within;       // "": the array itself
    std::uint64_t offset = 0;
};
Result<TraceShape> parse_shape(const std::string& text);
std::string to_text(const TraceShape& shape);

struct TraceOptions {
    static constexpr std::uint32_t kThreads = 16, kPhases = 4;  // shown unless asked otherwise

    std::array<std::uint32_t, 3> block{};
    std::uint32_t first_thread = 0, last_thread = kThreads - 1;  // numbers within the block
    std::uint32_t first_phase = 1, last_phase = kPhases;
    std::vector<TraceShape> shapes;
    std::vector<std::string> source_directories;  // where sources may lie, beside their recorded names
};

}  // namespace tilescope

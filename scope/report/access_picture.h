// AccessPicture: where the lanes of one warp's request to memory go, as plain data.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace tilescope {

struct AccessPicture {
    std::string title, array;         // array: its name in the source
    bool banks = false;               // shared memory and its banks; otherwise sectors of global memory
    std::uint32_t element_bytes = 4;  // that a lane asks for
    // Of each lane, the offset of its first byte from the array's begin; nothing for a lane that asks for none.
    std::vector<std::optional<std::uint64_t>> lanes;
};

}  // namespace tilescope

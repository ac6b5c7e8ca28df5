// Where the lanes of one warp's request to memory go, as plain data.
//
// Owns: AccessPicture, as it is drawn, and RequestPicture, as a launch's profile has it. Guarantees: values only. Does
// not model: anything.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "scope/report/enums.h"

namespace tilescope {

struct AccessPicture {
    std::string title, array;         // array: its name in the source
    bool banks = false;               // shared memory and its banks; otherwise sectors of global memory
    std::uint32_t element_bytes = 4;  // that a lane asks for
    // Of each lane, the offset of its first byte from the array's begin; nothing for a lane that asks for none.
    std::vector<std::optional<std::uint64_t>> lanes;
};

// One request of a line of the source, and how many others of the same access took as many sectors or wavefronts. Of an
// access whose requests are not alike there are up to three: that with the least, that with the number most of them
// have, and that with the most.
struct RequestPicture {
    PictureOf which = PictureOf::kTypical;
    StatementKind kind = StatementKind::kLoad;  // load, store, or copy: cp.async
    bool banks = false;                         // of shared memory: wavefronts; else sectors of global memory
    std::uint32_t access = 0;                   // number of the line's accesses, those with the most requests first
    std::uint64_t requests = 0, of = 0;         // with as many units, and all of this access
    std::uint32_t units = 0, ideal = 0;         // sectors or wavefronts, and the fewest that would do
    std::uint32_t element_bytes = 0;            // that a lane asks for
    std::optional<std::uint32_t> parameter{};   // the kernel parameter that the address counts from
    std::string variable{};                     // else the module's or the shared variable
    // Offsets in bytes from the first byte's sector, or from the word of shared memory that it lies in; -1: the lane
    // asks for nothing.
    std::vector<std::int64_t> lanes{};
    // Of textures and surfaces instead, where an instruction is several requests of some neighbouring lanes each: how
    // many lanes, which memory, and four numbers for each texel that one of them asks for: the request, column, row,
    // and slice or layer. units, ideal, requests and of are then those of whole instructions of a warp.
    std::uint32_t lanes_of_request = 0;
    TexelMemory memory = TexelMemory::kNone;
    std::vector<std::int64_t> texels{};
    bool operator==(const RequestPicture&) const = default;
};

}  // namespace tilescope

// What a device linker is handed (cuLinkAddData, nvJitLinkAddData, objects beside a .cu), whatever it is, as PTX.
//
// Guarantees: any bytes are safe, and told apart by what they begin with. Nothing is left out without a word: code that
// has no PTX is an error with the name of the part. Does not model: machine code, LTO's intermediate code, thin
// archives.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "scope/base/result.h"
#include "scope/image/fatbinary.h"
#include "scope/image/load.h"

namespace tilescope::image {

enum class LinkInput : std::uint8_t {
    kUnknown,
    kPtx,        // text
    kContainer,  // a fat binary, and what stands for machine code here
    kObject,     // of the host
    kLibrary,    // of the host
    kCubin,      // machine code alone
};
LinkInput link_input_of(std::span<const std::byte> bytes);

// The PTX of every part: one of text and of a container, one for each source file of objects and libraries; none of
// objects without device code. `name`: of the whole. Codes: "image-no-ptx" for a part that has code but no PTX for this
// device, "image-unknown", device_objects()'s and parse_fatbinary()'s. Whether PTX is any, whoever links it sees.
Result<std::vector<LoadedPtx>> link_inputs(std::span<const std::byte> bytes, const std::string& name,
                                           unsigned device_sm);

// The same of one container's entries.
Result<LoadedPtx> link_input(const std::vector<FatEntry>& entries, const std::string& name, unsigned device_sm);

// PTX that has no name in it.
LoadedPtx part_of_nothing(unsigned sm);

}  // namespace tilescope::image

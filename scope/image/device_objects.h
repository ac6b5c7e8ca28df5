// Device code in what a linker is given: object files and static libraries.
//
// Guarantees: never reads outside the bytes given. Does not model: thin archives, whose members are other files; LTO's
// intermediate code, which is listed with its kind.
#pragma once

#include <span>
#include <string>
#include <vector>

#include "scope/image/fatbinary.h"

namespace tilescope::image {

// What one object file holds. A member of a library is named LIBRARY(MEMBER).
struct DeviceObject {
    std::string name;
    std::vector<FatEntry> entries;
};

// bytes: an x86-64 object file, or an archive of some; `name`: of the file. Objects without device code are left out.
// Codes: "image-object" for what is neither, parse_fatbinary()'s.
Result<std::vector<DeviceObject>> device_objects(std::span<const std::byte> bytes, const std::string& name);

}  // namespace tilescope::image

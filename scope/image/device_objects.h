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

// One container of an object: the code of one source file, for each architecture that it was compiled for.
struct ObjectCode {
    bool is_relocatable = false;  // part of a program (-rdc=true), not one by itself
    std::vector<FatEntry> entries;
};

// What one object file holds. A member of a library is named LIBRARY(MEMBER).
struct DeviceObject {
    std::string name;
    std::vector<ObjectCode> code;  // of several source files where objects were put together (ld -r)
    // Names of the host's code: those that others define, and those that it defines itself.
    std::vector<std::string> undefined, defined;
};

// bytes: an x86-64 object file, or an archive of some; `name`: of the file. Objects without device code are left out.
// Codes: "image-object" for what is neither, parse_fatbinary()'s.
Result<std::vector<DeviceObject>> device_objects(std::span<const std::byte> bytes, const std::string& name);

// By its first bytes.
bool is_library(std::span<const std::byte> bytes);

}  // namespace tilescope::image

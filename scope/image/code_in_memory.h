// Device code that a program hands over while it runs (cuModuleLoadData): PTX text, a fat binary, what a compiled
// program registers, or a cubin; told apart by its first bytes.
//
// Guarantees: of untrusted bytes none is read outside `bytes`, where that is said. Where a program gives an address
// alone, as CUDA lets it, text ends at its first NUL and a fat binary where its header says.
#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <vector>

#include "scope/base/result.h"
#include "scope/image/load.h"

namespace tilescope::image {

// code: not null. Codes: "image-unknown" for what is none of these, "image-no-ptx" for a cubin, which is machine code
// alone, and those of parse_fatbinary(). A fat binary without PTX that runs has no PTX in the image. `name`: for
// messages. Machine code beside the PTX gives registers; where there is none, ptxas is asked if it may be.
Result<LoadedImage> load_code(const void* code, std::optional<std::size_t> bytes, const std::string& name,
                              unsigned device_sm, bool ask_ptxas);

// Whether load_code() takes it for PTX text.
bool is_text(const void* code, std::optional<std::size_t> bytes);

// A container that load_code() takes, with this PTX alone. device_sm: where the text names no target.
// `options`: what the assembler was told with it.
std::vector<std::byte> container_of_ptx(const std::string& ptx, unsigned device_sm, const std::string& options = {});

}  // namespace tilescope::image

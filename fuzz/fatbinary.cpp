// Any bytes as a fat binary: entries, or an error.
#include <cstddef>
#include <cstdint>
#include <span>

#include "scope/image/code_in_memory.h"
#include "scope/image/cubin.h"
#include "scope/image/fatbinary.h"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    // What cuModuleLoad takes from a file.
    (void)tilescope::image::load_code(data, size, "fuzzed", 90, false);
    const auto entries = tilescope::image::parse_fatbinary(std::as_bytes(std::span(data, size)));
    if (!entries) return 0;
    for (const auto& entry : *entries) {
        (void)entry.text();
        if (entry.kind == tilescope::image::FatKind::kCubin) (void)tilescope::image::parse_cubin(entry.payload);
    }
    return 0;
}

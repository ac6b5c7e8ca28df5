// Any bytes as a cubin: kernels, or an error.
#include "scope/image/cubin.h"

#include <cstddef>
#include <cstdint>
#include <span>

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    (void)tilescope::image::parse_cubin(std::as_bytes(std::span(data, size)));
    return 0;
}

// Any bytes as a .npy file: an array or an error. An array that parses must survive being written again.
#include <cstdint>
#include <cstdlib>

#include "scope/base/npy.h"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    using namespace tilescope;
    const auto array = parse_npy({reinterpret_cast<const std::byte*>(data), size}, "fuzz.npy");
    if (!array) return 0;
    const std::string header = npy_header(array->kind, array->item_bytes, array->shape);
    std::vector<std::byte> again(header.size() + array->data.size());
    for (std::size_t i = 0; i < header.size(); ++i) again[i] = static_cast<std::byte>(header[i]);
    for (std::size_t i = 0; i < array->data.size(); ++i) again[header.size() + i] = array->data[i];
    const auto back = parse_npy(again, "again.npy");
    if (!back || back->shape != array->shape || back->data != array->data) std::abort();
    return 0;
}

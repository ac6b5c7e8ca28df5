// Any bytes as a device file: a device or an error. A device that loads must load again from the file that it prints
// as.
#include <cstdint>
#include <cstdlib>
#include <string_view>

#include "scope/models/device.h"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    using namespace tilescope::models;
    const auto device = parse_device({reinterpret_cast<const char*>(data), size}, "fuzz.json");
    if (!device) return 0;
    const std::string file = device_file(*device);
    const auto again = parse_device(file, "again.json");
    if (!again || device_file(*again) != file) std::abort();
    return 0;
}

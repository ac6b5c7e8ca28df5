#include "scope/machine/program.h"

#include <cstring>

namespace tilescope::machine {

Program::~Program() {
    for (auto owned = owned_.rbegin(); owned != owned_.rend(); ++owned) owned->destroy(owned->object);
}

std::optional<std::uint64_t> address_of(const PointerSource& source, std::span<const std::byte> parameters) {
    if (!source.is_parameter) return source.at;
    std::uint64_t address = 0;
    if (source.at + sizeof address > parameters.size()) return std::nullopt;
    std::memcpy(&address, parameters.data() + source.at, sizeof address);
    return address;
}

}  // namespace tilescope::machine

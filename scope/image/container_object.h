// The container of a CUDA source's kernels beside its host half, so that both halves are compiled side by side.
//
// clang writes a container into the host half as a constant, and would have to wait for it. Here the host half is made
// around a stand-in, which is then exchanged for a symbol; an object of its own defines that.
//
// Guarantees: nothing is exchanged where the host half is not as expected. Does not model: hosts other than x86-64.
#pragma once

#include <cstddef>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace tilescope::image {

// The bytes that clang is given for a container.
inline constexpr std::string_view kContainerStandIn = "tilescope: the container's stand-in";

// The host half's LLVM code with `symbol` where it points to the stand-in, also where it has none, as without kernels.
// Nothing where it has one and points to it in a way not known here.
std::optional<std::string> with_container_outside(std::string_view host_ir, const std::string& symbol);

// An object file that defines `symbol` as these bytes, in the section where CUDA's tools look for them.
std::vector<std::byte> container_object(std::span<const std::byte> container, const std::string& symbol);

}  // namespace tilescope::image

// __cluster_dims__ through clang, whose releases up to 19 do not know it: host_defines.h makes an annotation of it, and
// of that comes the directive that nvcc writes.
#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <string_view>
#include <vector>

namespace tilescope::image {

using ClusterDims = std::map<std::string, std::vector<std::uint64_t>, std::less<>>;  // by kernel: "_Z5tiledPKfPf"

// What the annotations of device code say.
ClusterDims cluster_dims(std::string_view llvm_ir);
// Each of these kernels with `.explicitcluster` and `.reqnctapercluster`.
std::string with_clusters(std::string ptx, const ClusterDims& dims);

}  // namespace tilescope::image

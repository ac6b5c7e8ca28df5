// What differs between the three libraries. versioned.cpp is built once for each, with TILESCOPE_CUDART 11, 12 or 13.
#pragma once

namespace tilescope::runtime {

// As cudaRuntimeGetVersion gives it: 1000 times the major release.
int runtime_version();

}  // namespace tilescope::runtime

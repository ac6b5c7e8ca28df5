// The occupancy calculator in a header: libraries include it and ask the runtime. Its own functions (cudaOcc…) are not
// there: cudaOccupancyMaxActiveBlocksPerMultiprocessor answers the same.
#pragma once

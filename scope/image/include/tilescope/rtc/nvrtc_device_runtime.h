// The toolkit's cuda_runtime.h names this header of NVRTC's own. What it declares, launches from kernels, is not
// supported.
#pragma once

// A program whose library has kernels; with ASKS it calls the runtime itself, too.
#ifdef ASKS
#include <cuda_runtime_api.h>
#endif

extern "C" int NAME();

int main() {
#ifdef ASKS
    int devices = 0;
    if (cudaGetDeviceCount(&devices) != cudaSuccess || devices != 1) return 2;
#endif
    return NAME();
}

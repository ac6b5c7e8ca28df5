#include <assert.h>
#include <cooperative_groups.h>
namespace cg = cooperative_groups;
#include <helper_cuda.h>
#include "sorting.h"
__device__ inline void Comparator(uint& keyA, uint& valA, uint& keyB, uint& valB, uint dir) {
    uint t;
    if ((keyA > keyB) == dir) {
        t = keyA;
        keyA = keyB;
        keyB = t;
        t = valA;
        valA = valB;
        valB = t;
    }
}
__global__ void bitonicSortShared(uint* key, uint* val, uint dir) {
    cg::thread_block cta = cg::this_thread_block();
    __shared__ uint s_key[SHARED_SIZE_LIMIT], s_val[SHARED_SIZE_LIMIT];
    key += blockIdx.x * SHARED_SIZE_LIMIT + threadIdx.x;
    val += blockIdx.x * SHARED_SIZE_LIMIT + threadIdx.x;
    for (uint half = 0; half < 2; half++) {
        s_key[threadIdx.x + half * SHARED_SIZE_LIMIT / 2] = key[half * SHARED_SIZE_LIMIT / 2];
        s_val[threadIdx.x + half * SHARED_SIZE_LIMIT / 2] = val[half * SHARED_SIZE_LIMIT / 2];
    }
    for (uint size = 2; size <= SHARED_SIZE_LIMIT; size <<= 1) {
        uint ddd = dir ^ ((threadIdx.x & (size / 2)) != 0 && size < SHARED_SIZE_LIMIT);
        for (uint stride = size / 2; stride > 0; stride >>= 1) {
            cg::sync(cta);
            uint pos = 2 * threadIdx.x - (threadIdx.x & (stride - 1));
            Comparator(s_key[pos], s_val[pos], s_key[pos + stride], s_val[pos + stride], ddd);
        }
    }
    cg::sync(cta);
    for (uint half = 0; half < 2; half++) {
        key[half * SHARED_SIZE_LIMIT / 2] = s_key[threadIdx.x + half * SHARED_SIZE_LIMIT / 2];
        val[half * SHARED_SIZE_LIMIT / 2] = s_val[threadIdx.x + half * SHARED_SIZE_LIMIT / 2];
    }
}
extern "C" uint bitonicSort(uint* d_key, uint* d_val, uint batch, uint dir) {
    assert(batch > 0);
    bitonicSortShared<<<batch, SHARED_SIZE_LIMIT / 2>>>(d_key, d_val, dir);
    getLastCudaError("bitonicSortShared");
    return SHARED_SIZE_LIMIT / 2;
}

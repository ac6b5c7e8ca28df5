// A bitonic sort of 512 keys by each block of 256 threads, in shared memory: with every step the lanes meet at another
// distance, so that no pattern of addresses lasts. sort.ptx is made from this file; see ../README.md.

extern "C" __global__ void sort_bitonic(const unsigned* in, unsigned* out) {
    __shared__ unsigned keys[512];
    unsigned t = threadIdx.x, base = blockIdx.x * 512;
    keys[t] = in[base + t];
    keys[t + 256] = in[base + t + 256];
    for (unsigned size = 2; size <= 512; size *= 2)
        for (unsigned distance = size / 2; distance > 0; distance /= 2) {
            __syncthreads();
            unsigned low = 2 * t - (t & (distance - 1)), high = low + distance;
            unsigned a = keys[low], b = keys[high];
            if (((low & size) == 0) == (a > b)) {
                keys[low] = b;
                keys[high] = a;
            }
        }
    __syncthreads();
    out[base + t] = keys[t];
    out[base + t + 256] = keys[t + 256];
}

// A radix sort of 256 keys by each block, bit by bit: each key is scattered to where the data send it.
extern "C" __global__ void sort_radix(const unsigned* in, unsigned* out) {
    __shared__ unsigned keys[256], ones_of_warp[8];
    unsigned t = threadIdx.x, lane = t & 31, at = blockIdx.x * 256 + t, key = in[at];
    for (unsigned bit = 0; bit < 32; ++bit) {
        unsigned mine = key >> bit & 1, votes = __ballot_sync(~0u, mine);
        if (lane == 0) ones_of_warp[t / 32] = __popc(votes);
        __syncthreads();
        unsigned before = __popc(votes & ((1u << lane) - 1)), ones = 0;
        for (unsigned w = 0; w < 8; ++w) {
            if (w == t / 32) before += ones;
            ones += ones_of_warp[w];
        }
        keys[mine ? 256 - ones + before : t - before] = key;
        __syncthreads();
        key = keys[t];
    }
    out[at] = key;
}

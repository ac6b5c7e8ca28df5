// A copy of 2^log_n elements with a stride that divides their number: thread i moves element i * stride, wrapped around
// with the next residue for each pass over the array, so that every element moves exactly once. With a stride of 8 or
// more every lane of a warp touches a sector of its own. copy.ptx is made from this file; see ../README.md.

extern "C" __global__ void copy_strided(const float* in, float* out, unsigned log_n, unsigned stride) {
    unsigned n = 1u << log_n, threads = gridDim.x * blockDim.x;
    for (unsigned i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += threads) {
        unsigned at = (i * stride & (n - 1)) + (i * stride >> log_n);
        out[at] = in[at];
    }
}

extern "C" __global__ void nothing() {}

// Inclusive sums over 512 elements by each block, in shared memory. scan.ptx is made from this file; see ../README.md.

// Hillis and Steele: with every step the lanes reach twice as far.
extern "C" __global__ void scan_hillis_steele(const unsigned* in, unsigned* out) {
    __shared__ unsigned sums[2][512];
    unsigned t = threadIdx.x, at = blockIdx.x * 512 + t, now = 0;
    sums[0][t] = in[at];
    for (unsigned reach = 1; reach < 512; reach *= 2) {
        __syncthreads();
        sums[1 - now][t] = sums[now][t] + (t >= reach ? sums[now][t - reach] : 0);
        now = 1 - now;
    }
    out[at] = sums[now][t];
}

// Blelloch: up a tree and down again, 256 threads; strides double, so that banks collide, and lanes drop out.
extern "C" __global__ void scan_blelloch(const unsigned* in, unsigned* out) {
    __shared__ unsigned sums[512];
    unsigned t = threadIdx.x, base = blockIdx.x * 512;
    sums[t] = in[base + t];
    sums[t + 256] = in[base + t + 256];
    for (unsigned stride = 1; stride < 512; stride *= 2) {
        __syncthreads();
        unsigned at = (t + 1) * stride * 2 - 1;
        if (at < 512) sums[at] += sums[at - stride];
    }
    for (unsigned stride = 128; stride > 0; stride /= 2) {
        __syncthreads();
        unsigned at = (t + 1) * stride * 2 - 1;
        if (at + stride < 512) sums[at + stride] += sums[at];
    }
    __syncthreads();
    out[base + t] = sums[t];
    out[base + t + 256] = sums[t + 256];
}

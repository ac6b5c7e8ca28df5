// Histograms of 256 bins over random bytes: lanes meet at whatever bins the data hold. histogram.ptx is made from this
// file; see ../README.md.

// Each block counts in shared memory and adds its bins to those in global memory.
extern "C" __global__ void histogram_shared(const unsigned char* in, unsigned* bins, unsigned n) {
    __shared__ unsigned own[256];
    own[threadIdx.x] = 0;
    __syncthreads();
    for (unsigned i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x)
        atomicAdd(&own[in[i]], 1);
    __syncthreads();
    atomicAdd(&bins[threadIdx.x], own[threadIdx.x]);
}

// Straight into global memory.
extern "C" __global__ void histogram_global(const unsigned char* in, unsigned* bins, unsigned n) {
    for (unsigned i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x)
        atomicAdd(&bins[in[i]], 1);
}

// One digit of a radix sort: each block counts the digit's values, with a column of bins for each block.
extern "C" __global__ void histogram_digit(const unsigned* in, unsigned* columns, unsigned n, unsigned shift) {
    __shared__ unsigned own[16];
    if (threadIdx.x < 16) own[threadIdx.x] = 0;
    __syncthreads();
    for (unsigned i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x)
        atomicAdd(&own[in[i] >> shift & 15], 1);
    __syncthreads();
    if (threadIdx.x < 16) columns[threadIdx.x * gridDim.x + blockIdx.x] = own[threadIdx.x];
}

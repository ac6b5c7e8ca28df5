__global__ void saxpy(float a, const float* x, float* y, int count) {
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < count) y[i] += a * x[i];
}

// The same, each thread with elements side by side: lanes are then far apart.
__global__ void saxpy_chunks(float a, const float* x, float* y, int count, int chunk) {
    const int first = (blockIdx.x * blockDim.x + threadIdx.x) * chunk;
    for (int i = first; i < first + chunk && i < count; ++i) y[i] += a * x[i];
}

// Every thread adds to the same place, and nothing orders them.
__global__ void total(const float* x, float* sum, int count) {
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < count) *sum += x[i];
}

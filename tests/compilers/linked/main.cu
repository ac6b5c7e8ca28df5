// Prints what the device made of it, line by line; all of it was worked out by hand.
#include "shapes.cuh"

static __device__ int calls = 1000;
static __constant__ float bias = 0.5f;

__device__ int count_up(int to) { return count_down(to) + 1; }

static __global__ void kernel(float* out, int* counted) {
    extern __shared__ double wide[];
    wide[threadIdx.x] = weighted(static_cast<float>(threadIdx.x), threadIdx.x % 4);
    __syncthreads();
    out[threadIdx.x] = static_cast<float>(wide[31 - threadIdx.x]) + bias;
    if (threadIdx.x < 2) {
        Shape* shape = make_shape(threadIdx.x, 3.0f);
        out[32 + threadIdx.x] = shape->area();
        delete shape;
    }
    if (threadIdx.x == 0) *counted = count_down(6);
    atomicAdd(&calls, 1);
    atomicAdd(&visits, 1);
}

static void check(const char* what, bool right) {
    if (!right) printf("%s is wrong\n", what);
}

int main() {
    float *out, host[64];
    int* counted;
    cudaMalloc(&out, sizeof host);
    cudaMallocManaged(&counted, sizeof(int));
    shared_by_all = 11;
    kernel<<<1, 32, 32 * sizeof(double)>>>(out, counted);
    check("the launch", cudaDeviceSynchronize() == cudaSuccess);
    cudaMemcpy(host, out, 34 * sizeof *host, cudaMemcpyDeviceToHost);
    const float scale[4] = {1, 10, 100, 1000};
    for (int i = 0; i < 32; ++i) check("weighted", host[i] == (31 - i) * scale[(31 - i) % 4] + 0.5f);
    check("a virtual function of another file", host[32] == 9.0f && host[33] == 1.5f);
    check("recursion over files", *counted == 11 + 2 * 6);

    const float twice[4] = {2, 20, 200, 2000};
    cudaMemcpyToSymbol(weights, twice, sizeof twice);
    kernel<<<1, 32, 32 * sizeof(double)>>>(out, counted);
    cudaMemcpy(host, out, 34 * sizeof *host, cudaMemcpyDeviceToHost);
    for (int i = 0; i < 32; ++i) check("a symbol of another file", host[i] == (31 - i) * twice[(31 - i) % 4] + 0.5f);

    int own = 0, all = 0;
    cudaMemcpyFromSymbol(&own, calls, sizeof own);
    cudaMemcpyFromSymbol(&all, visits, sizeof all);
    check("the static variable", own == 1064 && table_calls() == 5);
    check("the variable of another file", all == 100 + 2 * (32 + 2));

    run_tables(out);
    cudaMemcpy(host, out, sizeof host, cudaMemcpyDeviceToHost);
    for (int i = 0; i < 32; ++i) {
        const float x = static_cast<float>(31 - i), made[3] = {x * x, -x, x / 2};
        check("a table of functions", host[i] == made[(31 - i) % 3] + 0.25f);
        check("a template of two files", host[32 + i] == 3.0f);
    }
    check("the other static variable", table_calls() == 37);
    fill<<<1, 32>>>(out, 2.0f);
    cudaMemcpy(host, out, sizeof host, cudaMemcpyDeviceToHost);
    check("the host's file", plain_check(host, 32));
    cudaFree(out);
    cudaFree(counted);
    printf("checked\n");
}

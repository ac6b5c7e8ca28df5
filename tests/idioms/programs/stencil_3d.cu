// Heat in a box by a stencil of seven points, in two halves with a stream each that hand each other their edges.
#include <algorithm>
#include <cmath>
#include <utility>

#include "program.cuh"

constexpr int nx = 40, ny = 24, nz = 20, parts = 2;
constexpr int slab = nz / parts, plane = nx * ny;
constexpr float rate = 0.1f;

// One thread a column of the slab; planes below, here and above stay in registers, neighbours come from shared memory.
// A slab has a plane more at either end; planes first .. last are computed.
__global__ void stencil(const float* __restrict__ in, float* __restrict__ out, int first, int last) {
    __shared__ float here[10][34];
    const int x = blockIdx.x * 32 + threadIdx.x, y = blockIdx.y * 8 + threadIdx.y;
    const int sx = threadIdx.x + 1, sy = threadIdx.y + 1;
    const bool inside = x < nx && y < ny;
    const bool fixed = x == 0 || y == 0 || x == nx - 1 || y == ny - 1;
    const int at = y * nx + x;
    float below = inside ? in[(first - 1) * plane + at] : 0.0f;
    float middle = inside ? in[first * plane + at] : 0.0f;
    for (int z = first; z <= last; ++z) {
        const float above = inside ? in[(z + 1) * plane + at] : 0.0f;
        if (inside) {
            here[sy][sx] = middle;
            if (threadIdx.x == 0 && x > 0) here[sy][0] = in[z * plane + at - 1];
            if (threadIdx.x == 31 && x + 1 < nx) here[sy][33] = in[z * plane + at + 1];
            if (threadIdx.y == 0 && y > 0) here[0][sx] = in[z * plane + at - nx];
            if (threadIdx.y == 7 && y + 1 < ny) here[9][sx] = in[z * plane + at + nx];
        }
        __syncthreads();
        if (inside) {
            float value = middle;
            if (!fixed) {
                const float sum =
                    here[sy][sx - 1] + here[sy][sx + 1] + here[sy - 1][sx] + here[sy + 1][sx] + below + above;
                value = middle + rate * (sum - 6.0f * middle);
            }
            out[z * plane + at] = value;
        }
        __syncthreads();
        below = middle, middle = above;
    }
}

void on_host(const std::vector<float>& in, std::vector<float>& out) {
    out = in;
    for (int z = 1; z < nz - 1; ++z)
        for (int y = 1; y < ny - 1; ++y)
            for (int x = 1; x < nx - 1; ++x) {
                const int i = z * plane + y * nx + x;
                const float sum = in[i - 1] + in[i + 1] + in[i - nx] + in[i + nx] + in[i - plane] + in[i + plane];
                out[i] = in[i] + rate * (sum - 6.0f * in[i]);
            }
}

int main() {
    constexpr int steps = 6;
    constexpr std::size_t plane_bytes = plane * sizeof(float);
    std::vector<float> box(nz * plane), next;
    for (int i = 0; i < nz * plane; ++i) box[i] = static_cast<float>(i % 13) + (i / plane == 0 ? 50.0f : 0.0f);

    float *in[parts], *out[parts], *pinned;
    cudaStream_t streams[parts];
    cudaEvent_t copied[parts], started, stopped;
    CHECK(cudaEventCreate(&started));
    CHECK(cudaEventCreate(&stopped));
    CHECK(cudaMallocHost(&pinned, nz * plane_bytes));
    std::copy(box.begin(), box.end(), pinned);
    CHECK(cudaEventRecord(started));
    for (int p = 0; p < parts; ++p) {
        CHECK(cudaStreamCreateWithFlags(&streams[p], cudaStreamNonBlocking));
        CHECK(cudaEventCreateWithFlags(&copied[p], cudaEventDisableTiming));
        CHECK(cudaMalloc(&in[p], (slab + 2) * plane_bytes));
        CHECK(cudaMalloc(&out[p], (slab + 2) * plane_bytes));
        CHECK(cudaMemsetAsync(in[p], 0, (slab + 2) * plane_bytes, streams[p]));
        // With the neighbour's edge, where there is a neighbour.
        const int before = p > 0, after = p + 1 < parts;
        CHECK(cudaMemcpyAsync(in[p] + (1 - before) * plane, pinned + (p * slab - before) * plane,
                              (slab + before + after) * plane_bytes, cudaMemcpyHostToDevice, streams[p]));
        CHECK(cudaMemcpyAsync(out[p], in[p], (slab + 2) * plane_bytes, cudaMemcpyDeviceToDevice, streams[p]));
    }
    // Nobody's edge is written before both slabs are there.
    CHECK(cudaDeviceSynchronize());
    const dim3 block(32, 8), grid((nx + 31) / 32, (ny + 7) / 8);
    for (int s = 0; s < steps; ++s) {
        for (int p = 0; p < parts; ++p) {
            // The outermost planes of the box keep their heat.
            const int first = p == 0 ? 2 : 1, last = p == parts - 1 ? slab - 1 : slab;
            stencil<<<grid, block, 0, streams[p]>>>(in[p], out[p], first, last);
            CHECK(cudaGetLastError());
        }
        // Each sends its edge; the other waits for it before its next step, and so reads no old one.
        CHECK(cudaMemcpyAsync(out[1], out[0] + slab * plane, plane_bytes, cudaMemcpyDeviceToDevice, streams[0]));
        CHECK(cudaMemcpyAsync(out[0] + (slab + 1) * plane, out[1] + plane, plane_bytes, cudaMemcpyDeviceToDevice,
                              streams[1]));
        for (int p = 0; p < parts; ++p) CHECK(cudaEventRecord(copied[p], streams[p]));
        for (int p = 0; p < parts; ++p) CHECK(cudaStreamWaitEvent(streams[p], copied[1 - p], 0));
        for (int p = 0; p < parts; ++p) std::swap(in[p], out[p]);
    }
    for (int p = 0; p < parts; ++p)
        CHECK(cudaMemcpyAsync(pinned + p * slab * plane, in[p] + plane, slab * plane_bytes, cudaMemcpyDeviceToHost,
                              streams[p]));
    for (cudaStream_t stream : streams) CHECK(cudaStreamSynchronize(stream));
    CHECK(cudaEventRecord(stopped));
    CHECK(cudaEventSynchronize(stopped));
    float milliseconds = -1;
    CHECK(cudaEventElapsedTime(&milliseconds, started, stopped));

    for (int s = 0; s < steps; ++s) on_host(box, next), box.swap(next);
    float worst = 0;
    for (int i = 0; i < nz * plane; ++i) worst = std::max(worst, std::abs(pinned[i] - box[i]));
    int bad = verdict("heat in a box", worst < 1e-4f);
    bad += verdict("time between events", milliseconds >= 0);
    for (int p = 0; p < parts; ++p) {
        CHECK(cudaFree(in[p]));
        CHECK(cudaFree(out[p]));
        CHECK(cudaEventDestroy(copied[p]));
        CHECK(cudaStreamDestroy(streams[p]));
    }
    CHECK(cudaFreeHost(pinned));
    CHECK(cudaEventDestroy(started));
    CHECK(cudaEventDestroy(stopped));
    return bad;
}

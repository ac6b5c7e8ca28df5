// Reads through the read-only cache and through textures of memory that the same launch writes. An H200 returned the
// old value in 97 to 100 % of such reads, whether the thread, its block or another block wrote (28 November 2026).
//
// check: races
// case own_write: stale-read global OWN OWN_READ
// case own_write_plain: clean
// case behind_barrier: stale-read global WRITE NEXT
// case behind_flag: stale-read global FLAGGED FLAGGED_READ
// case unordered: stale-read global LOOSE LOOSE_READ; race global LOOSE LOOSE_READ
// case atomic_write: stale-read global COUNTED COUNT_READ
// case in_place: stale-read global IN_PLACE IN_PLACE mild
// case in_place_neighbours: race global SHIFT SHIFT; stale-read global SHIFT SHIFT
// case out_of_place: clean
// case other_launch: clean
// case texture_own: stale-read global TEXEL TEXEL_READ
// case texture_read_only: clean
// case array_own: stale-read global SURFACE FETCH
// case array_other_row: clean
#include <cstring>

constexpr int kBlock = 64;
__device__ int in[kBlock], out[2 * kBlock], flag;

__global__ void fill(int* to) { to[threadIdx.x] = threadIdx.x; }

template <bool kReadOnly>
__global__ void own_write() {
    in[threadIdx.x] = 3;  // @OWN
    __threadfence();
    out[threadIdx.x] = kReadOnly ? __ldg(&in[threadIdx.x]) : *(volatile int*)&in[threadIdx.x];  // @OWN_READ
}
__global__ void behind_barrier() {
    in[threadIdx.x] = 3;  // @WRITE
    __syncthreads();
    out[threadIdx.x] = __ldg(&in[kBlock - 1 - threadIdx.x]);  // @NEXT
}
__global__ void behind_flag() {
    if (blockIdx.x == 0) {
        in[threadIdx.x] = 3;  // @FLAGGED
        __threadfence();
        __syncthreads();
        if (threadIdx.x == 0) atomicExch(&flag, 1);
    } else {
        if (threadIdx.x == 0)
            while (atomicAdd(&flag, 0) == 0) {
            }
        __syncthreads();
        __threadfence();
        out[threadIdx.x] = __ldg(&in[threadIdx.x]);  // @FLAGGED_READ
    }
}
__global__ void unordered() {
    in[threadIdx.x] = threadIdx.x + 5;                        // @LOOSE
    out[threadIdx.x] = __ldg(&in[kBlock - 1 - threadIdx.x]);  // @LOOSE_READ
}
__global__ void atomic_write() {
    atomicAdd(&in[0], 1);  // @COUNTED
    __syncthreads();
    out[threadIdx.x] = __ldg(&in[0]);  // @COUNT_READ
}
// Each thread reads its element before it writes it: that works, and breaks what __restrict__ promises.
__global__ void scale(const int* __restrict__ from, int* __restrict__ to) {
    to[threadIdx.x] = 3 * from[threadIdx.x];  // @IN_PLACE
}
__global__ void shift(const int* __restrict__ from, int* __restrict__ to) {
    to[threadIdx.x] = 3 * from[(threadIdx.x + 1) % kBlock];  // @SHIFT
}
__global__ void texture_read(cudaTextureObject_t t, int* to, bool writes) {
    if (writes) to[threadIdx.x] = threadIdx.x + 5;  // @TEXEL
    __syncthreads();
    out[threadIdx.x] = tex1Dfetch<int>(t, threadIdx.x);  // @TEXEL_READ
}
__global__ void array_read(cudaTextureObject_t t, cudaSurfaceObject_t s, int row) {
    surf2Dwrite((int)threadIdx.x + 5, s, threadIdx.x * (int)sizeof(int), 1);  // @SURFACE
    __syncthreads();
    out[threadIdx.x] = tex2D<int>(t, threadIdx.x, row);  // @FETCH
}

int main(int, char** argv) {
    const auto is = [&](const char* name) { return !strcmp(argv[1], name); };
    int *a = nullptr, *b = nullptr;
    cudaMalloc(&a, kBlock * sizeof(int));
    cudaMalloc(&b, kBlock * sizeof(int));
    fill<<<1, kBlock>>>(a);
    if (is("own_write")) own_write<true><<<1, kBlock>>>();
    if (is("own_write_plain")) own_write<false><<<1, kBlock>>>();
    if (is("behind_barrier")) behind_barrier<<<1, kBlock>>>();
    if (is("behind_flag")) behind_flag<<<2, kBlock>>>();
    if (is("unordered")) unordered<<<1, kBlock>>>();
    if (is("atomic_write")) atomic_write<<<1, kBlock>>>();
    if (is("in_place")) scale<<<1, kBlock>>>(a, a);
    if (is("in_place_neighbours")) shift<<<1, kBlock>>>(a, a);
    if (is("out_of_place")) scale<<<1, kBlock>>>(a, b);
    if (is("other_launch")) scale<<<1, kBlock>>>(a, b), scale<<<1, kBlock>>>(b, a);
    cudaResourceDesc what{};
    cudaTextureDesc how{};
    how.readMode = cudaReadModeElementType;
    cudaTextureObject_t texture = 0;
    if (is("texture_own") || is("texture_read_only")) {
        what.resType = cudaResourceTypeLinear;
        what.res.linear.devPtr = a;
        what.res.linear.desc = cudaCreateChannelDesc<int>();
        what.res.linear.sizeInBytes = kBlock * sizeof(int);
        cudaCreateTextureObject(&texture, &what, &how, nullptr);
        texture_read<<<1, kBlock>>>(texture, is("texture_own") ? a : b, true);
        cudaDestroyTextureObject(texture);
    }
    if (is("array_own") || is("array_other_row")) {
        const cudaChannelFormatDesc format = cudaCreateChannelDesc<int>();
        cudaArray_t array = nullptr;
        cudaMallocArray(&array, &format, kBlock, 4, cudaArraySurfaceLoadStore);
        what.resType = cudaResourceTypeArray;
        what.res.array.array = array;
        cudaSurfaceObject_t surface = 0;
        cudaCreateTextureObject(&texture, &what, &how, nullptr);
        cudaCreateSurfaceObject(&surface, &what);
        array_read<<<1, kBlock>>>(texture, surface, is("array_own") ? 1 : 2);
        cudaDestroyTextureObject(texture);
        cudaDestroySurfaceObject(surface);
        cudaFreeArray(array);
    }
    const int status = cudaDeviceSynchronize();
    cudaFree(a);
    cudaFree(b);
    return status;
}

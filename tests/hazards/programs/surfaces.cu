// Surfaces: texels that threads hand to each other without a barrier, in one launch, and texels that nobody wrote.
//
// check: memory,races,init
// case neighbours: race global read-after-write READ WRITE
// case neighbours_barrier: clean
// case neighbours_launches: clean
// case blocks: race global write-after-write BOTH
// case own_texel: clean
// case parts_of_a_row: clean
// case reductions: clean
// case reduction_and_read: race global plain-against-atomic COUNT UPDATE
// case layers: clean
// case volume: race global read-after-write SLICE DEEP
// case never_written: uninitialized global FRESH
// case partly_written: uninitialized global FRESH
// case written_by_host: clean
// case written_by_kernel: clean
// case written_by_array: clean
// case fresh_zero_outside: clean
// case beyond_width: out-of-bounds WRITE
// case beyond_height: out-of-bounds BOTH
// case misaligned: misaligned CROOKED
#include <cuda_runtime.h>

#include <cstdlib>
#include <cstring>

constexpr int kWidth = 64, kHeight = 4;

__global__ void left_neighbour(cudaSurfaceObject_t s, int* out, bool waits, int shift) {
    const int x = threadIdx.x;
    surf2Dwrite(x, s, (x + shift) * (int)sizeof(int), 0);  // @WRITE
    if (waits) __syncthreads();
    out[x] = surf2Dread<int>(s, (x + 1) % kWidth * (int)sizeof(int), 0);  // @READ
}
__global__ void write_only(cudaSurfaceObject_t s, int y) {
    surf2Dwrite((int)threadIdx.x, s, threadIdx.x * (int)sizeof(int), y);  // @BOTH
}
__global__ void read_only(cudaSurfaceObject_t s, int* out, int y) {
    const int texel = surf2Dread<int>(s, threadIdx.x * (int)sizeof(int), y, cudaBoundaryModeZero);
    if (texel > 5) out[threadIdx.x] = texel;  // @FRESH
}
__global__ void own_texel(cudaSurfaceObject_t s, int* out) {
    const int at = threadIdx.x * (int)sizeof(int);
    surf2Dwrite((int)threadIdx.x, s, at, blockIdx.x);
    out[blockIdx.x * kWidth + threadIdx.x] = surf2Dread<int>(s, at, blockIdx.x);
}
__global__ void bytes_of_a_row(cudaSurfaceObject_t s) {
    surf2Dwrite((unsigned char)threadIdx.x, s, blockIdx.x * kWidth + threadIdx.x, 0);
}
__global__ void reduce(cudaSurfaceObject_t s, int* out, bool reads) {
    asm volatile("sured.b.add.2d.u32.trap [%0, {%1, %2}], %3;" ::"l"(s), "r"(0), "r"(0), "r"(1));  // @UPDATE
    if (reads) out[blockIdx.x * 32 + threadIdx.x] = surf2Dread<int>(s, 0, 0);                      // @COUNT
}
__global__ void layers(cudaSurfaceObject_t s) {
    surf2DLayeredwrite((int)threadIdx.x, s, threadIdx.x * (int)sizeof(int), 0, blockIdx.x);
}
__global__ void volume(cudaSurfaceObject_t s, int* out) {
    surf3Dwrite((int)threadIdx.x, s, threadIdx.x * (int)sizeof(int), 1, blockIdx.x);  // @DEEP
    out[blockIdx.x * kWidth + threadIdx.x] =
        surf3Dread<int>(s, threadIdx.x * (int)sizeof(int), 1, 1 - blockIdx.x);  // @SLICE
}
__global__ void crooked(cudaSurfaceObject_t s) { surf2Dwrite(1, s, 2, 0); }  // @CROOKED

int main(int, char** argv) {
    const auto is = [&](const char* name) { return !strcmp(argv[1], name); };
    const bool is_deep = is("layers") || is("volume");
    cudaChannelFormatDesc format = cudaCreateChannelDesc<int>();
    cudaArray_t array, other;
    if (is_deep)
        cudaMalloc3DArray(&array, &format, make_cudaExtent(kWidth, kHeight, 2),
                          cudaArraySurfaceLoadStore | (is("layers") ? cudaArrayLayered : 0));
    else
        cudaMallocArray(&array, &format, kWidth, kHeight, cudaArraySurfaceLoadStore);
    cudaMallocArray(&other, &format, kWidth, kHeight, cudaArraySurfaceLoadStore);
    cudaResourceDesc resource{};
    resource.resType = cudaResourceTypeArray;
    resource.res.array.array = array;
    cudaSurfaceObject_t s;
    cudaCreateSurfaceObject(&s, &resource);
    int* out;
    cudaMalloc(&out, 4 * kWidth * sizeof(int));
    int zeros[kWidth * kHeight] = {};
    const auto clear = [&](cudaArray_t to, int rows) {
        cudaMemcpy2DToArray(to, 0, 0, zeros, kWidth * sizeof(int), kWidth * sizeof(int), rows, cudaMemcpyHostToDevice);
    };
    if (is("neighbours")) left_neighbour<<<1, kWidth>>>(s, out, false, 0);
    if (is("neighbours_barrier")) left_neighbour<<<1, kWidth>>>(s, out, true, 0);
    if (is("neighbours_launches")) {
        write_only<<<1, kWidth>>>(s, 0);
        read_only<<<1, kWidth>>>(s, out, 0);
    }
    if (is("blocks")) write_only<<<2, kWidth>>>(s, 0);
    if (is("own_texel")) own_texel<<<kHeight, kWidth>>>(s, out);
    if (is("parts_of_a_row")) bytes_of_a_row<<<4, kWidth>>>(s);
    if (is("reductions") || is("reduction_and_read")) {
        clear(array, kHeight);
        reduce<<<2, 32>>>(s, out, is("reduction_and_read"));
    }
    if (is("layers")) layers<<<2, kWidth>>>(s);
    if (is("volume")) volume<<<2, kWidth>>>(s, out);
    if (is("never_written")) read_only<<<1, kWidth>>>(s, out, 0);
    if (is("partly_written")) {
        clear(array, 2);
        read_only<<<1, kWidth>>>(s, out, 1);
        read_only<<<1, kWidth>>>(s, out, 2);
    }
    if (is("written_by_host")) {
        clear(array, kHeight);
        read_only<<<1, kWidth>>>(s, out, 3);
    }
    if (is("written_by_kernel")) {
        write_only<<<1, kWidth>>>(s, 2);
        read_only<<<1, kWidth>>>(s, out, 2);
    }
    if (is("written_by_array")) {
        clear(other, kHeight);
        cudaMemcpy2DArrayToArray(array, 0, 0, other, 0, 0, kWidth * sizeof(int), kHeight, cudaMemcpyDeviceToDevice);
        read_only<<<1, kWidth>>>(s, out, 1);
    }
    if (is("fresh_zero_outside")) read_only<<<1, kWidth>>>(s, out, kHeight);
    if (is("beyond_width")) left_neighbour<<<1, kWidth>>>(s, out, true, 1);
    if (is("beyond_height")) write_only<<<1, kWidth>>>(s, kHeight);
    if (is("misaligned")) crooked<<<1, 1>>>(s);
    cudaDeviceSynchronize();
    cudaDestroySurfaceObject(s);
    cudaFreeArray(array);
    cudaFreeArray(other);
    cudaFree(out);
    return 0;
}

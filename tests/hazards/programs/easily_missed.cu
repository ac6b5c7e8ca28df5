// Dead stack frames, copies onto themselves, members of structures that one thread leaves out, and results of other
// blocks that are read without an acquire.
// check: memory,races,init
// notes
// case returns_array: use-after-free local DANGLING
// case keeps_array: use-after-free local KEPT
// case array_of_caller: clean
// case recursion: clean
// case overlap_forward: overlapping-copy FORWARD
// case overlap_backward: overlapping-copy BACKWARD
// case overlap_async: overlapping-copy ASYNC
// case overlap_rows: overlapping-copy ROWS
// case overlap_managed: overlapping-copy MANAGED
// case onto_itself: overlapping-copy ITSELF mild
// case side_by_side: clean
// case rows_in_turn: clean
// case one_member: uninitialized COPY_MEMBERS LEFT_OUT mild
// case first_member: uninitialized COPY_MEMBERS FIRST_OUT mild
// case all_members: clean
// case masked_members: clean
// case halo: clean
// case halo_by_fours: clean
// case triangle: clean
// case zeroed_before: clean
// case last_block_plain: race global read-after-write TOTAL PART mild
// case last_block_fence_behind: clean
// case last_block_fence_before_reads: clean
// case last_block_past_l1: clean
// case last_block_volatile: clean
// case last_block_atomic: clean
#include <cuda_runtime.h>
#include <cstdio>
#include <cstring>

// ---- Local memory of a function that has returned.

struct Kept {
    const int* array;
};
__device__ __noinline__ const int* returns_array(int by) {
    int own[8];
    for (int i = 0; i < 8; ++i) own[i] = by * i;
    asm volatile("" ::"l"(own) : "memory");
    const int* result = own;
    asm volatile("" : "+l"(result));
    return result;
}
__device__ __noinline__ void keeps_array(Kept* kept, int by) {
    int own[8];
    for (int i = 0; i < 8; ++i) own[i] = by * i;
    asm volatile("" ::"l"(own) : "memory");
    kept->array = own;
}
__device__ __noinline__ int sum_of(const int* array) {
    int sum = 0;
    for (int i = 0; i < 8; ++i) sum += array[i];
    return sum;
}
__device__ __noinline__ int depth(int left) {
    int own[4];
    for (int i = 0; i < 4; ++i) own[i] = left + i;
    asm volatile("" ::"l"(own) : "memory");
    return left == 0 ? own[1] : own[left & 3] + depth(left - 1) + own[1];
}
__global__ void use_returned(int* out, int i) {
    const int* const array = returns_array(3);
    out[threadIdx.x] = array[i];  // @DANGLING
}
__global__ void use_kept(int* out, int i) {
    Kept kept;
    keeps_array(&kept, 3);
    out[threadIdx.x] = kept.array[i];  // @KEPT
}
__global__ void use_own(int* out, int by) {
    int own[8];
    for (int i = 0; i < 8; ++i) own[i] = by * i;
    out[threadIdx.x] = sum_of(own) + own[by & 7];
}
__global__ void recurse(int* out, int n) { out[threadIdx.x] = depth(n); }

// ---- Members of structures.

struct Point {
    float x, y, z;
};
__global__ void move_all(Point* points, int n, int left_out) {
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n) return;
    points[i].x = i;
    points[i].y = 2 * i;
    if (i != left_out) points[i].z = 3 * i;  // @LEFT_OUT
}
__global__ void move_late(Point* points, int n, int left_out) {
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n) return;
    if (i != left_out) points[i].x = i;  // @FIRST_OUT
    points[i].y = 2 * i;
    points[i].z = 3 * i;
}
__global__ void move_masked(Point* points, int n) {
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n) return;
    points[i].x = i;
    points[i].y = 2 * i;
    if (i % 9 != 4) points[i].z = 3 * i;
}
__global__ void inner(float* cells, int n) {
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i > 0 && i < n - 1) cells[i] = i;
}
__global__ void inner_by_fours(float* cells, int n) {
    const int first = 4 * (blockIdx.x * blockDim.x + threadIdx.x);
    for (int i = first; i < first + 4; ++i)
        if (i > 0 && i < n - 1) cells[i] = i;
}
__global__ void lower(float* cells, int n) {
    const int row = blockIdx.x * blockDim.x + threadIdx.x;
    for (int column = 0; row < n && column <= row; ++column) cells[row * n + column] = row + column;
}

// ---- The block that comes last.

constexpr int kBlocks = 4;
__device__ int parts[kBlocks], total;
__device__ unsigned tickets;
enum Reads { kPlain, kFenceBehind, kFenceBefore, kPastL1, kVolatile, kAtomic };

__device__ int read(int* part, Reads reads) {
    if (reads == kPastL1) return __ldcg(part);
    if (reads == kVolatile) return *static_cast<volatile int*>(part);
    if (reads == kAtomic) return atomicAdd(part, 0);
    return *part;  // @TOTAL
}
template <Reads reads>
__global__ void add_up() {
    __shared__ bool is_last;
    if (threadIdx.x == 0) {
        parts[blockIdx.x] = blockIdx.x + 1;  // @PART
        __threadfence();
        is_last = atomicInc(&tickets, kBlocks - 1) == kBlocks - 1;
        if (reads == kFenceBehind) __threadfence();
    }
    __syncthreads();
    if (!is_last) return;
    if (reads == kFenceBefore) __threadfence();
    int own = threadIdx.x < kBlocks ? read(&parts[threadIdx.x], reads) : 0;
    for (int half = 16; half > 0; half /= 2) own += __shfl_down_sync(0xffffffff, own, half);
    if (threadIdx.x == 0) total = own;
}

// ---- Which case.

template <class T>
T* zeroes(int count) {
    T* memory = nullptr;
    cudaMalloc(&memory, count * sizeof(T));
    cudaMemset(memory, 0, count * sizeof(T));
    return memory;
}
constexpr int kSide = 32, kPoints = 4 * kSide, kCells = kSide * kSide;

int show(const void* memory, std::size_t bytes) {
    static char host[kCells * sizeof(float)];
    cudaMemcpy(host, memory, bytes, cudaMemcpyDeviceToHost);  // @COPY_MEMBERS
    return cudaGetLastError();
}

int run_frames(const char* name, int n) {
    int* const out = zeroes<int>(32);
    if (!strcmp(name, "returns_array")) use_returned<<<1, 32>>>(out, n);
    if (!strcmp(name, "keeps_array")) use_kept<<<1, 32>>>(out, n);
    if (!strcmp(name, "array_of_caller")) use_own<<<1, 32>>>(out, n);
    if (!strcmp(name, "recursion")) recurse<<<1, 32>>>(out, n);
    cudaDeviceSynchronize();
    cudaFree(out);
    return cudaGetLastError();
}

int run_copies(const char* name) {
    char* const bytes = zeroes<char>(4096);
    char* managed = nullptr;
    cudaMallocManaged(&managed, 256);
    const auto is = [&](const char* which) { return !strcmp(name, which); };
    if (is("overlap_forward")) cudaMemcpy(bytes + 8, bytes, 64, cudaMemcpyDeviceToDevice);             // @FORWARD
    if (is("overlap_backward")) cudaMemcpy(bytes, bytes + 63, 64, cudaMemcpyDefault);                  // @BACKWARD
    if (is("overlap_async")) cudaMemcpyAsync(bytes + 1, bytes, 2, cudaMemcpyDeviceToDevice, nullptr);  // @ASYNC
    if (is("overlap_rows")) cudaMemcpy2D(bytes + 40, 64, bytes, 64, 48, 4, cudaMemcpyDeviceToDevice);  // @ROWS
    if (is("overlap_managed")) cudaMemcpy(managed + 4, managed, 8, cudaMemcpyDefault);                 // @MANAGED
    if (is("onto_itself")) cudaMemcpy(bytes, bytes, 64, cudaMemcpyDeviceToDevice);                     // @ITSELF
    if (is("side_by_side")) cudaMemcpy(bytes + 64, bytes, 64, cudaMemcpyDeviceToDevice);
    if (is("rows_in_turn")) cudaMemcpy2D(bytes + 32, 64, bytes, 64, 32, 4, cudaMemcpyDeviceToDevice);
    cudaDeviceSynchronize();
    cudaFree(managed);
    cudaFree(bytes);
    return cudaGetLastError();
}

int run_members(const char* name) {
    Point* points = nullptr;
    float* cells = nullptr;
    cudaMalloc(&points, kPoints * sizeof(Point));
    cudaMalloc(&cells, kCells * sizeof(float));
    const auto is = [&](const char* which) { return !strcmp(name, which); };
    if (is("zeroed_before")) cudaMemset(points, 0, kPoints * sizeof(Point));
    if (is("one_member") || is("zeroed_before")) move_all<<<2, 64>>>(points, kPoints, 37);
    if (is("first_member")) move_late<<<2, 64>>>(points, kPoints, 0);
    if (is("all_members")) move_all<<<2, 64>>>(points, kPoints, -1);
    if (is("masked_members")) move_masked<<<2, 64>>>(points, kPoints);
    if (is("halo")) inner<<<8, 128>>>(cells, kCells);
    if (is("halo_by_fours")) inner_by_fours<<<2, 128>>>(cells, kCells);
    const bool is_of_cells = is("halo") || is("halo_by_fours");
    if (is("triangle")) lower<<<1, 32>>>(cells, 3);
    int status = 0;
    if (is_of_cells)
        status = show(cells, kCells * sizeof(float));
    else if (is("triangle"))
        status = show(cells, 9 * sizeof(float));
    else
        status = show(points, kPoints * sizeof(Point));
    cudaFree(points);
    cudaFree(cells);
    return status;
}

int run_last_block(const char* name) {
    const auto is = [&](const char* which) { return !strcmp(name, which); };
    if (is("last_block_plain")) add_up<kPlain><<<kBlocks, 32>>>();
    if (is("last_block_fence_behind")) add_up<kFenceBehind><<<kBlocks, 32>>>();
    if (is("last_block_fence_before_reads")) add_up<kFenceBefore><<<kBlocks, 32>>>();
    if (is("last_block_past_l1")) add_up<kPastL1><<<kBlocks, 32>>>();
    if (is("last_block_volatile")) add_up<kVolatile><<<kBlocks, 32>>>();
    if (is("last_block_atomic")) add_up<kAtomic><<<kBlocks, 32>>>();
    return cudaDeviceSynchronize();
}

int main(int argc, char** argv) {
    const char* const name = argv[1];
    if (strstr(name, "array") || !strcmp(name, "recursion")) return run_frames(name, argc);
    if (strstr(name, "overlap") || !strcmp(name, "onto_itself") || !strcmp(name, "side_by_side") ||
        !strcmp(name, "rows_in_turn"))
        return run_copies(name);
    if (strstr(name, "last_block")) return run_last_block(name);
    return run_members(name);
}

// Managed variables in every form that CUDA C++ has of them: host and kernels see one memory under one name.
#include <cstdio>
#include <cstring>

struct Point {
    int x;
    float y[3];
};

__managed__ int plain = 5, uninitialised[4];
__device__ __managed__ float both_words = 2.5f;
static __managed__ int of_this_file = 3;
__managed__ Point structure = {1, {2, 3, 4}};
__managed__ int table[2][3] = {{1, 2, 3}, {4, 5, 6}};
__managed__ double empty;
__managed__ char text[8] = "abc";
__managed__ int *to_managed, *nowhere = nullptr;
static inline __managed__ int of_many_files = 9;
#if defined(__clang__)
extern __managed__ int defined_below;
#else  // nvcc 13 takes no second declaration
__managed__ int defined_below = 8;
#endif
namespace outer {
namespace {
__managed__ long long of_a_namespace = 1LL << 40;
}
__device__ int doubled() { return (int)(of_a_namespace >> 39); }
__global__ void in_a_namespace() { of_a_namespace += doubled(); }
long long on_the_host() { return of_a_namespace; }
}  // namespace outer
template <class T>
__managed__ T of_a_template = T(4);
__device__ int of_the_device = 1;

// Written before main, by a constructor.
struct Early {
    Early() { of_this_file = plain + 1; }
} early;

__global__ void change() {
    if (threadIdx.x < 4) uninitialised[threadIdx.x] += plain + threadIdx.x;
    __syncthreads();
    if (threadIdx.x != 0) return;
    plain = 110;
    both_words += 1;
    of_this_file *= 2;
    structure.y[1] += structure.x;
    table[1][2] = table[0][1] + 40;
    empty = 0.5;
    text[1] = 'x';
    nowhere = to_managed;
    of_many_files += of_the_device;
    defined_below += 1;
    of_a_template<int> += 3;
}

__global__ void increment(int* value) { atomicAdd(value, 1); }

#if defined(__clang__)
__managed__ int defined_below = 8;
#endif

int failed = 0;
void expect(bool holds, const char* what) {
    printf("%s %s\n", holds ? "PASS" : "FAIL", what);
    failed += !holds;
}

int main() {
    expect(plain == 5 && structure.y[2] == 4 && table[1][0] == 4 && strcmp(text, "abc") == 0 && both_words == 2.5f &&
               uninitialised[3] == 0 && of_many_files == 9 && defined_below == 8 && of_a_template<int> == 4,
           "initial values before the first launch");
    expect(of_this_file == 6, "written by a constructor before main");

    plain = 7;
    to_managed = &uninitialised[2];
    uninitialised[3] = 1;
    structure.x = 10;
    change<<<1, 32>>>();
    outer::in_a_namespace<<<1, 1>>>();
    expect(cudaDeviceSynchronize() == cudaSuccess, "kernels run");
    expect(plain == 110 && uninitialised[0] == 7 && uninitialised[3] == 11, "the kernel saw the host's values");
    expect(both_words == 3.5f && of_this_file == 12 && structure.y[1] == 13 && table[1][2] == 42 && empty == 0.5 &&
               text[1] == 'x' && of_many_files == 10 && defined_below == 9 && of_a_template<int> == 7,
           "the host sees the kernel's values");
    expect(nowhere == &uninitialised[2] && *nowhere == 9, "a pointer that a kernel stored");
    expect(outer::on_the_host() == (1LL << 40) + 2, "in a namespace");

    increment<<<1, 32>>>(&plain);
    cudaDeviceSynchronize();
    expect(plain == 142, "its address as a kernel's argument");

    int value = 1000, copied = 0;
    expect(cudaMemcpyToSymbol(plain, &value, sizeof(value)) == cudaSuccess && plain == 1000, "cudaMemcpyToSymbol");
    plain = 1001;
    expect(cudaMemcpyFromSymbol(&copied, plain, sizeof(copied)) == cudaSuccess && copied == 1001,
           "cudaMemcpyFromSymbol");
    void* address = nullptr;
    size_t size = 0;
    expect(cudaGetSymbolAddress(&address, table) == cudaSuccess && address == table, "cudaGetSymbolAddress");
    expect(cudaGetSymbolSize(&size, table) == cudaSuccess && size == sizeof(table), "cudaGetSymbolSize");
    cudaPointerAttributes attributes;
    expect(cudaPointerGetAttributes(&attributes, &structure) == cudaSuccess && attributes.type == cudaMemoryTypeManaged,
           "cudaPointerGetAttributes");
    expect(cudaMemset(table, 0, sizeof(table)) == cudaSuccess && cudaDeviceSynchronize() == cudaSuccess &&
               table[1][2] == 0,
           "cudaMemset");
    return failed != 0;
}

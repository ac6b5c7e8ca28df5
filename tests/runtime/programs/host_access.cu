// Host code that touches memory it may and memory it may not, by the program's argument. A comment at the end of a line
// names the case that must end there.
#include <pthread.h>
#include <setjmp.h>
#include <signal.h>

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <iostream>
#include <string>
#include <thread>
#include <vector>

#include <cuda_runtime.h>

__device__ int on_device[4];
__constant__ int constants[4];

__global__ void add(int* p, int n) {
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) p[i] += i;
}

// Lanes load from three kinds of memory at once and store to two.
__global__ void mix(const int* device, const int* host, const int* registered, int* out_device, int* out_host) {
    const int lane = threadIdx.x;
    const int* from = lane % 3 == 0 ? device : lane % 3 == 1 ? host : registered;
    int* to = lane % 2 == 0 ? out_device : out_host;
    to[lane] = from[lane] + 1;
    atomicAdd(&to[lane], 1);
}

static int* device_ints(int n) {
    int* p = nullptr;
    cudaMalloc(&p, n * sizeof(int));  // allocate
    return p;
}

__attribute__((noinline)) static void fill(int* p, int n) {
    for (int i = 0; i < n; ++i) p[i] = i;  // fill
}

static int visible() {
    int *managed = nullptr, *pinned = nullptr, *device = device_ints(64), back[64];
    std::vector<int> own(32, 10);
    cudaMallocManaged(&managed, 64 * sizeof(int));
    cudaMallocHost(&pinned, 64 * sizeof(int));
    cudaHostRegister(own.data(), own.size() * sizeof(int), cudaHostRegisterDefault);
    for (int i = 0; i < 64; ++i) managed[i] = pinned[i] = 10;
    cudaMemcpy(device, pinned, 64 * sizeof(int), cudaMemcpyHostToDevice);
    mix<<<1, 32>>>(device, pinned, own.data(), device + 32, managed + 32);
    cudaDeviceSynchronize();
    cudaMemcpy(back, device, sizeof back, cudaMemcpyDeviceToHost);
    int wrong = 0;
    for (int i = 0; i < 32; ++i) wrong += (i % 2 == 0 ? back : managed)[32 + i] != 12;
    add<<<1, 64>>>(pinned, 64);
    add<<<1, 32>>>(own.data(), 32);
    cudaDeviceSynchronize();
    for (int i = 0; i < 64; ++i) wrong += pinned[i] != 10 + i;
    for (int i = 0; i < 32; ++i) wrong += own[i] != 10 + i;
    cudaHostUnregister(own.data());
    std::printf("%d wrong\n", wrong);
    return wrong;
}

static sigjmp_buf recovery;
static void recover(int) { siglongjmp(recovery, 1); }

// A program's own handler, installed before or after the device is first used, goes on catching what it caught.
static int own_handler(bool before) {
    if (!before) device_ints(1);
    signal(SIGSEGV, recover);
    int* p = device_ints(1);
    int caught = 0;
    for (int round = 0; round < 2; ++round) {
        if (sigsetjmp(recovery, 1) == 0)
            fill(round == 0 ? p : nullptr, 1);
        else
            ++caught;
    }
    std::printf("caught %d\n", caught);
    return 0;
}

int main(int argc, char** argv) {
    const std::string what = argc > 1 ? argv[1] : "";
    if (what == "visible") return visible();
    if (what == "handler-before") return own_handler(true);
    if (what == "handler-after") return own_handler(false);
    int* p = device_ints(1000);
    if (what == "write") fill(p, 1000);
    if (what == "read") std::printf("%d\n", p[3]);  // read
    if (what == "launched") {
        add<<<1, 32>>>(p, 32);
        std::printf("%d\n", p[3]);  // launched
    }
    if (what == "copy") {
        int all[10];
        std::memcpy(all, p, sizeof all);  // copy
        std::printf("%d\n", all[5]);
    }
    if (what == "print") std::printf("%s\n", reinterpret_cast<const char*>(p));        // print
    if (what == "stream") std::cout << reinterpret_cast<const char*>(p) << std::endl;  // stream
    if (what == "sort") std::sort(p, p + 10);                                          // sort
    if (what == "free") free(p);                                                       // free
    if (what == "freed") {
        cudaFree(p);
        p[1] = 1;  // freed
    }
    if (what == "past") p[1001] = 1;  // past
    if (what == "symbol") {
        void* address = nullptr;
        cudaGetSymbolAddress(&address, on_device);
        static_cast<int*>(address)[2] = 1;  // symbol
    }
    if (what == "constant") {
        void* address = nullptr;
        cudaGetSymbolAddress(&address, constants);
        return static_cast<int*>(address)[2];  // constant
    }
    if (what == "thread") std::thread([p] { p[0] = 1; }).join();  // thread
    if (what == "null") fill(nullptr, 1);
    return 0;
}

// CUDA calls while a program ends: from exit handlers, from destructors of static objects, and from a thread that still
// runs. The argument says which.
#include <unistd.h>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <thread>

#include <cuda_runtime.h>

__global__ void add(int* p) { atomicAdd(p, static_cast<int>(threadIdx.x)); }

static int* device = nullptr;

static void report(const char* who) {
    int value = 0;
    add<<<1, 32>>>(device);
    const cudaError_t launched = cudaGetLastError();
    const cudaError_t copied = cudaMemcpy(&value, device, sizeof value, cudaMemcpyDeviceToHost);
    void* more = nullptr;
    const cudaError_t allocated = cudaMalloc(&more, 64);
    std::printf("%s: %s %s %s %s %d\n", who, cudaGetErrorName(launched), cudaGetErrorName(copied),
                cudaGetErrorName(allocated), cudaGetErrorName(cudaFree(more)), value);
    std::fflush(stdout);
}

struct Object {
    const char* name;
    bool wanted;
    ~Object() {
        if (wanted) report(name);
    }
};

// Made before the device is first used, so its end comes after the device's.
static Object first{"object before", false};

static void early() { report("handler before"); }
static void late() { report("handler after"); }

int main(int argc, char** argv) {
    const char* what = argc > 1 ? argv[1] : "";
    const auto is = [&](const char* name) { return std::strcmp(what, name) == 0; };
    if (is("object-before")) first.wanted = true;
    if (is("handler-before")) std::atexit(early);
    cudaMalloc(&device, sizeof(int));
    cudaMemset(device, 0, sizeof(int));
    // Before the first launch: what that makes for itself and would destroy at exit would be gone when the handler
    // runs.
    if (is("handler-after")) std::atexit(late);
    if (is("object-after")) {
        static Object last{"object after", true};
        return 0;
    }
    add<<<1, 32>>>(device);
    cudaDeviceSynchronize();
    if (is("thread")) {
        std::thread([] {
            for (;;) add<<<4, 32>>>(device);
        }).detach();
        usleep(100000);
    }
    std::printf("main is done\n");
    return 0;
}

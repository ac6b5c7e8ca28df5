// Launches once and then ends in the way that its first argument names.
#include <signal.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cassert>
#include <cstdio>
#include <cstdlib>
#include <stdexcept>
#include <string>
#include <thread>

__global__ void first(int* out) { out[threadIdx.x] = 1; }

__global__ void forever(volatile int* out) {
    for (unsigned long long x = 1; x; x = x * 6364136223846793005ull + 1442695040888963407ull) *out = int(x);
}

int recurse(volatile int* above) {
    volatile int here[1024];
    here[0] = above != nullptr ? *above + 1 : 0;
    return recurse(here) + here[0];
}

int main(int count, char** arguments) {
    const std::string how = count > 1 ? arguments[1] : "";
    int* out = nullptr;
    cudaMalloc(&out, 1024);
    first<<<1, 256>>>(out);
    cudaDeviceSynchronize();
    if (how == "abort") abort();
    if (how == "segfault") *reinterpret_cast<volatile int*>(8) = 1;
    if (how == "assert") assert(count == 0);
    if (how == "exception") throw std::runtime_error("thrown");
    if (how == "_exit") _exit(7);
    if (how == "quick_exit") quick_exit(8);
    if (how == "overflow") return recurse(nullptr);
    if (how == "kill") kill(getpid(), SIGKILL);
    if (how == "interrupt") kill(getppid(), SIGINT);
    if (how == "terminate") kill(getppid(), SIGTERM);
    if (how == "interrupt" || how == "terminate") sleep(60);
    if (how == "spin") {
        std::printf("spinning\n");
        std::fflush(stdout);
        for (volatile int i = 0;; i = i + 1) {
        }
    }
    if (how == "forever") {
        std::printf("launching");  // without a line's end: still in the buffer when the kernel is stopped
        forever<<<1, 1>>>(out);
    }
    if (how == "thread") {
        std::thread other([=] { forever<<<1, 1>>>(out); });
        sleep(1);
        abort();
    }
    if (how == "exec") execl("/proc/self/exe", "again", "_exit", nullptr);
    if (how == "fork" && fork() == 0) {
        int* more = nullptr;
        _exit(cudaMalloc(&more, 16) == cudaErrorInitializationError ? 0 : 1);
    }
    if (how == "spawn" && fork() == 0) execl("/proc/self/exe", "spawned", "_exit", nullptr);
    if (how == "fork" || how == "spawn") wait(nullptr);
    return how.empty() ? 0 : atoi(how.c_str());
}

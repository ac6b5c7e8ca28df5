// How fast copies between host and device are, how long a call takes the host, and what managed memory costs that moves
// on faults, on prefetch, or not at all. Best of several, microseconds by the host's clock around work and wait.
//
// usage: host_link
#include <algorithm>
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <cstring>

#define OK(call)                                                   \
    if (cudaError_t error = (call); error != cudaSuccess) {        \
        std::printf("%s: %s\n", #call, cudaGetErrorString(error)); \
        std::exit(1);                                              \
    }

template <class F>
double best(int rounds, F f) {
    double least = 1e30;
    for (int i = 0; i < rounds; ++i) {
        const auto begin = std::chrono::steady_clock::now();
        f();
        least = std::min(least,
                         std::chrono::duration<double, std::micro>(std::chrono::steady_clock::now() - begin).count());
    }
    return least;
}

__global__ void touch(char* data, size_t bytes, size_t step) {
    const size_t i = (size_t{blockIdx.x} * blockDim.x + threadIdx.x) * step;
    if (i < bytes) data[i] += 1;
}
__global__ void nothing() {}

int main() {
    cudaDeviceProp properties;
    OK(cudaGetDeviceProperties(&properties, 0));
    std::printf("%s, engines %d\n", properties.name, properties.asyncEngineCount);
    constexpr size_t kMax = size_t{256} << 20;
    char *device, *other, *pinned, *pinned2, *pageable = static_cast<char*>(std::malloc(kMax));
    OK(cudaMalloc(&device, kMax));
    OK(cudaMalloc(&other, kMax));
    OK(cudaMallocHost(&pinned, kMax));
    OK(cudaMallocHost(&pinned2, kMax));
    std::memset(pageable, 1, kMax);
    std::memset(pinned, 1, kMax);
    std::memset(pinned2, 1, kMax);
    cudaStream_t a, b;
    OK(cudaStreamCreateWithFlags(&a, cudaStreamNonBlocking));
    OK(cudaStreamCreateWithFlags(&b, cudaStreamNonBlocking));
    std::printf("bytes, us: pinned to device, to host, pageable to device, to host, within device, set\n");
    for (size_t bytes : {size_t{4}, size_t{4} << 10, size_t{64} << 10, size_t{65} << 10, size_t{256} << 10,
                         size_t{1} << 20, size_t{4} << 20, size_t{16} << 20, size_t{64} << 20, kMax}) {
        const auto copy = [&](void* to, const void* from, cudaMemcpyKind kind) {
            return best(12, [&] { OK(cudaMemcpy(to, from, bytes, kind)); });
        };
        std::printf("%zu: %.2f %.2f %.2f %.2f", bytes, copy(device, pinned, cudaMemcpyHostToDevice),
                    copy(pinned, device, cudaMemcpyDeviceToHost), copy(device, pageable, cudaMemcpyHostToDevice),
                    copy(pageable, device, cudaMemcpyDeviceToHost));
        std::printf(" %.2f", best(12, [&] {
                        OK(cudaMemcpyAsync(other, device, bytes, cudaMemcpyDeviceToDevice, a));
                        OK(cudaStreamSynchronize(a));
                    }));
        std::printf(" %.2f\n", best(12, [&] {
                        OK(cudaMemsetAsync(device, 1, bytes, a));
                        OK(cudaStreamSynchronize(a));
                    }));
    }
    // The host's part alone, and one copy behind another: what each takes on its engine.
    const auto issue = [&](const char* what, auto f, int n) {
        OK(cudaDeviceSynchronize());
        const double host = best(8,
                                 [&] {
                                     for (int i = 0; i < n; ++i) f();
                                 }) /
                            n;
        OK(cudaDeviceSynchronize());
        const double all = best(8,
                                [&] {
                                    for (int i = 0; i < n; ++i) f();
                                    OK(cudaDeviceSynchronize());
                                }) /
                           n;
        std::printf("%s: %.2f us a call, %.2f with its work\n", what, host, all);
    };
    issue(
        "launch of nothing", [&] { nothing<<<1, 32, 0, a>>>(); }, 100);
    issue(
        "pinned 4 bytes to device", [&] { OK(cudaMemcpyAsync(device, pinned, 4, cudaMemcpyHostToDevice, a)); }, 100);
    issue(
        "pinned 4 bytes to host", [&] { OK(cudaMemcpyAsync(pinned, device, 4, cudaMemcpyDeviceToHost, a)); }, 100);
    issue(
        "pageable 4 bytes to device", [&] { OK(cudaMemcpyAsync(device, pageable, 4, cudaMemcpyHostToDevice, a)); },
        100);
    issue(
        "pageable 4 bytes to host", [&] { OK(cudaMemcpyAsync(pageable, device, 4, cudaMemcpyDeviceToHost, a)); }, 100);
    issue(
        "pageable 4 MB to device", [&] { OK(cudaMemcpyAsync(device, pageable, 4 << 20, cudaMemcpyHostToDevice, a)); },
        10);
    issue(
        "set of 4 bytes", [&] { OK(cudaMemsetAsync(device, 0, 4, a)); }, 100);
    std::printf("synchronise with nothing to wait for: %.2f us\n", best(50, [&] { OK(cudaStreamSynchronize(a)); }));
    // Both directions at once, and two in one.
    const auto pair = [&](auto f, auto g) {
        return best(8, [&] {
            f();
            g();
            OK(cudaDeviceSynchronize());
        });
    };
    constexpr size_t kPair = size_t{64} << 20;
    const auto in = [&] { OK(cudaMemcpyAsync(device, pinned, kPair, cudaMemcpyHostToDevice, a)); };
    const auto out = [&] { OK(cudaMemcpyAsync(pinned2, other, kPair, cudaMemcpyDeviceToHost, b)); };
    const auto in2 = [&] { OK(cudaMemcpyAsync(other, pinned2, kPair, cudaMemcpyHostToDevice, b)); };
    std::printf("64 MB in and out at once %.1f us, in and in %.1f, in alone %.1f, out alone %.1f\n", pair(in, out),
                pair(in, in2), pair(in, [] {}), pair(out, [] {}));
    // Managed memory: touched first by the device, moved by faults, by prefetch.
    constexpr size_t kManaged = size_t{64} << 20;
    const auto run = [&](char* data, size_t step) {
        const size_t threads = kManaged / step;
        touch<<<(threads + 255) / 256, 256>>>(data, kManaged, step);
        OK(cudaDeviceSynchronize());
    };
    for (size_t step : {size_t{1}, size_t{4096}}) {
        char* managed;
        OK(cudaMallocManaged(&managed, kManaged));
        const double fresh = best(1, [&] { run(managed, step); });
        const double there = best(5, [&] { run(managed, step); });
        const double host_takes = best(1, [&] {
            for (size_t i = 0; i < kManaged; i += 4096) managed[i] += 1;
        });
        const double faults = best(1, [&] { run(managed, step); });
        for (size_t i = 0; i < kManaged; i += 4096) managed[i] += 1;
        cudaMemLocation place{};
        place.type = cudaMemLocationTypeDevice;
        place.id = 0;
        const double prefetch = best(1, [&] {
            OK(cudaMemPrefetchAsync(managed, kManaged, place, 0, nullptr));
            OK(cudaDeviceSynchronize());
        });
        const double after = best(1, [&] { run(managed, step); });
        std::printf(
            "managed 64 MB, a touch every %zu bytes: first on the device %.0f us, there %.0f, host takes it back %.0f, "
            "by faults %.0f, "
            "prefetch %.0f and then %.0f\n",
            step, fresh, there, host_takes, faults, prefetch, after);
        OK(cudaFree(managed));
    }
}

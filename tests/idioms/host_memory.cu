// Memory as host code asks for it and copies it.
#include <cstdint>
#include <memory>
#include <utility>

#include "idioms.cuh"

__global__ void doubles(int* data, int n) {
    for (int i = thread_index(); i < n; i += gridDim.x * blockDim.x) data[i] *= 2;
}

IDIOM(explicit_copies_there_and_back) {
    std::vector<int> host(1000);
    for (int i = 0; i < 1000; ++i) host[i] = i;
    int* device = nullptr;
    cudaMalloc(&device, host.size() * sizeof(int));
    cudaMemcpy(device, host.data(), host.size() * sizeof(int), cudaMemcpyHostToDevice);
    doubles<<<4, 128>>>(device, 1000);
    cudaMemcpy(host.data(), device, host.size() * sizeof(int), cudaMemcpyDefault);
    cudaFree(device);
    report.bytes(host.data(), 4000);
    for (int i = 0; i < 1000; ++i) report.check(host[i] == 2 * i);
}

IDIOM(pinned_and_mapped_memory) {
    int *pinned = nullptr, *mapped = nullptr, *seen = nullptr, *written = nullptr;
    cudaMallocHost(&pinned, 400);
    cudaHostAlloc(&mapped, 400, cudaHostAllocMapped | cudaHostAllocPortable);
    cudaHostAlloc(&written, 64, cudaHostAllocWriteCombined);
    for (int i = 0; i < 100; ++i) pinned[i] = mapped[i] = i;
    report.check(cudaHostGetDevicePointer(&seen, mapped, 0) == cudaSuccess);
    doubles<<<1, 64>>>(seen, 100);
    doubles<<<1, 64>>>(pinned, 100);
    cudaDeviceSynchronize();
    for (int i = 0; i < 100; ++i) report.check(mapped[i] == 2 * i && pinned[i] == 2 * i);
    unsigned flags = 0;
    for (void* each : {pinned, mapped, written}) {
        cudaHostGetFlags(&flags, each);
        report.value(flags);
    }
    cudaFreeHost(pinned), cudaFreeHost(mapped), cudaFreeHost(written);
}

IDIOM(registered_host_memory) {
    std::vector<int> host(2048, 3);
    report.check(cudaHostRegister(host.data(), 8192, cudaHostRegisterDefault) == cudaSuccess);
    int* seen = nullptr;
    cudaHostGetDevicePointer(reinterpret_cast<void**>(&seen), host.data(), 0);
    doubles<<<2, 256>>>(seen, 2048);
    cudaDeviceSynchronize();
    unsigned flags = 0;
    cudaHostGetFlags(&flags, host.data());
    report.value(flags);
    cudaHostUnregister(host.data());
    report.bytes(host.data(), 8192);
    report.check(host[0] == 6 && host[2047] == 6);
}

__global__ void rows(char* data, size_t pitch, int width, int height) {
    const int x = thread_index();
    for (int y = 0; y < height && x < width; ++y) {
        float* row = reinterpret_cast<float*>(data + y * pitch);
        row[x] = row[x] * 2 + y;
    }
}
IDIOM(pitched_rows) {
    constexpr int width = 50, height = 7;
    std::vector<float> host(width * height);
    for (int i = 0; i < width * height; ++i) host[i] = i;
    char* device = nullptr;
    size_t pitch = 0;
    cudaMallocPitch(&device, &pitch, width * sizeof(float), height);
    cudaMemset2D(device, pitch, 0, width * sizeof(float), height);
    cudaMemcpy2D(device, pitch, host.data(), width * sizeof(float), width * sizeof(float), height,
                 cudaMemcpyHostToDevice);
    rows<<<1, 64>>>(device, pitch, width, height);
    cudaMemcpy2D(host.data(), width * sizeof(float), device, pitch, width * sizeof(float), height,
                 cudaMemcpyDeviceToHost);
    cudaFree(device);
    report.bytes(host.data(), host.size() * sizeof(float));
    report.value(pitch);
    for (int i = 0; i < width * height; ++i) report.check(host[i] == 2 * i + i / width);
}

__global__ void volume(cudaPitchedPtr p, cudaExtent extent) {
    const size_t slice = p.pitch * extent.height;
    for (size_t z = 0; z < extent.depth; ++z)
        for (size_t y = threadIdx.x; y < extent.height; y += blockDim.x) {
            int* row = reinterpret_cast<int*>(static_cast<char*>(p.ptr) + z * slice + y * p.pitch);
            for (size_t x = 0; x < extent.width / sizeof(int); ++x) row[x] += x + 10 * y + 100 * z;
        }
}
IDIOM(volumes_of_three_dimensions) {
    const cudaExtent extent = make_cudaExtent(6 * sizeof(int), 5, 4);
    std::vector<int> host(6 * 5 * 4, 1000);
    cudaPitchedPtr device;
    cudaMalloc3D(&device, extent);
    cudaMemset3D(device, 0, extent);
    cudaMemcpy3DParms copy = {};
    copy.srcPtr = make_cudaPitchedPtr(host.data(), 6 * sizeof(int), 6, 5);
    copy.dstPtr = device;
    copy.extent = extent;
    copy.kind = cudaMemcpyHostToDevice;
    report.check(cudaMemcpy3D(&copy) == cudaSuccess);
    volume<<<1, 32>>>(device, extent);
    std::swap(copy.srcPtr, copy.dstPtr);
    copy.kind = cudaMemcpyDeviceToHost;
    cudaMemcpy3D(&copy);
    cudaFree(device.ptr);
    report.bytes(host.data(), host.size() * sizeof(int));
    for (int i = 0; i < 120; ++i) report.check(host[i] == 1000 + i % 6 + 10 * (i / 6 % 5) + 100 * (i / 30));
}

IDIOM(memset_of_each_kind) {
    Buffer<unsigned char> out(256);
    cudaMemset(out.get(), 0xab, 100);
    cudaMemsetAsync(out.get() + 100, 0x11, 50, 0);
    cudaMemset2D(out.get() + 160, 16, 0x77, 4, 6);
    report.expect(out, [](int i) {
        return i < 100 ? 0xab : i < 150 ? 0x11 : i >= 160 && (i - 160) % 16 < 4 ? 0x77 : 0;
    });
}

IDIOM(prefetch_and_advice) {
    Buffer<int> data(4096);
    int device = 0;
    cudaGetDevice(&device);
    for (int i = 0; i < 4096; ++i) data[i] = i;
#if CUDART_VERSION >= 13000
    const cudaMemLocation here = {cudaMemLocationTypeDevice, device};
    cudaMemAdvise(data.get(), 4096 * sizeof(int), cudaMemAdviseSetPreferredLocation, here);
    cudaMemPrefetchAsync(data.get(), 4096 * sizeof(int), here, 0, 0);
#else
    cudaMemAdvise(data.get(), 4096 * sizeof(int), cudaMemAdviseSetPreferredLocation, device);
    cudaMemPrefetchAsync(data.get(), 4096 * sizeof(int), device, 0);
#endif
    doubles<<<8, 128>>>(data, 4096);
    report.expect(data, [](int i) { return 2 * i; });
}

IDIOM(allocation_in_a_stream) {
    cudaStream_t stream;
    cudaStreamCreate(&stream);
    int *a = nullptr, *b = nullptr;
    int host[64] = {};
    report.check(cudaMallocAsync(&a, sizeof host, stream) == cudaSuccess);
    cudaMemsetAsync(a, 1, sizeof host, stream);
    doubles<<<1, 64, 0, stream>>>(a, 64);
    cudaMemPool_t pool;
    cudaDeviceGetDefaultMemPool(&pool, 0);
    uint64_t threshold = UINT64_MAX, kept = 0;
    cudaMemPoolSetAttribute(pool, cudaMemPoolAttrReleaseThreshold, &threshold);
    cudaMemPoolGetAttribute(pool, cudaMemPoolAttrReleaseThreshold, &kept);
    cudaMallocFromPoolAsync(reinterpret_cast<void**>(&b), sizeof host, pool, stream);
    cudaMemcpyAsync(b, a, sizeof host, cudaMemcpyDeviceToDevice, stream);
    cudaMemcpyAsync(host, b, sizeof host, cudaMemcpyDeviceToHost, stream);
    cudaFreeAsync(a, stream), cudaFreeAsync(b, stream);
    cudaStreamSynchronize(stream);
    cudaStreamDestroy(stream);
    report.bytes(host, sizeof host);
    report.check(host[5] == 0x02020202 && kept == UINT64_MAX);
}

struct Deleter {
    void operator()(int* p) const { cudaFree(p); }
};
IDIOM(unique_pointer_with_a_deleter) {
    int* raw = nullptr;
    cudaMalloc(&raw, 40);
    std::unique_ptr<int, Deleter> owner(raw);
    std::shared_ptr<int> shared(owner.release(), [](int* p) { cudaFree(p); });
    int host[10] = {};
    cudaMemset(shared.get(), 0xff, 40);
    doubles<<<1, 32>>>(shared.get(), 10);
    cudaMemcpy(host, shared.get(), 40, cudaMemcpyDeviceToHost);
    report.bytes(host, 40);
    report.check(host[9] == -2);
}

IDIOM(kinds_of_pointers) {
    int* device = nullptr;
    int on_stack = 0;
    Buffer<int> managed(1);
    cudaMalloc(&device, 64);
    for (const void* p : {static_cast<const void*>(device), static_cast<const void*>(managed.get()),
                          static_cast<const void*>(&on_stack)}) {
        cudaPointerAttributes attributes = {};
        cudaPointerGetAttributes(&attributes, p);
        report.value(attributes.type);
        report.check((attributes.type == cudaMemoryTypeDevice) == (p == device));
    }
    size_t free_bytes = 0, total = 0;
    report.check(cudaMemGetInfo(&free_bytes, &total) == cudaSuccess && free_bytes <= total && total > 0);
    cudaFree(device);
}

class Managed {  // objects whose class puts them where both sides see them
public:
    void* operator new(size_t size) {
        void* p = nullptr;
        cudaMallocManaged(&p, size);
        return p;
    }
    void operator delete(void* p) {
        cudaDeviceSynchronize();
        cudaFree(p);
    }
};
struct Tally : Managed {
    int count = 3, values[4] = {1, 2, 3, 4};
    __host__ __device__ int total() const { return values[0] + values[1] + values[2] + values[3] + count; }
};
__global__ void tallies(Tally* t) {
    atomicAdd(&t->values[threadIdx.x % 4], 1);
    __syncthreads();
    if (threadIdx.x == 0) t->count = t->total();
}
IDIOM(class_with_managed_new) {
    std::unique_ptr<Tally> t(new Tally);
    tallies<<<1, 64>>>(t.get());
    cudaDeviceSynchronize();
    report.value(t->count);
    report.check(t->count == 10 + 64 + 3);
}

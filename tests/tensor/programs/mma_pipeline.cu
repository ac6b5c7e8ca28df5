// bf16 by mma.sync: tiles come by cp.async in two stages, swizzled, and to the registers by ldmatrix.
#include <cstdint>
#include <cstdio>
#include <vector>

#include <cuda_bf16.h>

constexpr int kM = 64, kN = 64, kK = 128, kDeep = 32, kStages = 2;

__device__ unsigned shared_address(const void* p) { return static_cast<unsigned>(__cvta_generic_to_shared(p)); }
// Four pieces of 16 bytes in a row of 64; two rows share a row of banks.
__device__ unsigned place(int row, int piece) { return static_cast<unsigned>(row * 64 + (piece ^ (row / 2 % 4)) * 16); }

__global__ void product(const __nv_bfloat16* a, const __nv_bfloat16* b, float* c) {  // b: columns one after the other
    __shared__ __align__(128) char stage_a[kStages][kM * 64];
    __shared__ __align__(128) char stage_b[kStages][kN * 64];
    const int thread = threadIdx.x, lane = thread % 32, warp = thread / 32;
    const auto fetch = [&](int step) {
        for (int i = thread; i < kM * 4; i += blockDim.x) {
            const int row = i / 4, piece = i % 4;
            asm volatile("cp.async.cg.shared.global [%0], [%1], 16;" ::"r"(shared_address(stage_a[step % kStages]) +
                                                                           place(row, piece)),
                         "l"(a + row * kK + step * kDeep + piece * 8)
                         : "memory");
            asm volatile("cp.async.cg.shared.global [%0], [%1], 16;" ::"r"(shared_address(stage_b[step % kStages]) +
                                                                           place(row, piece)),
                         "l"(b + row * kK + step * kDeep + piece * 8)
                         : "memory");
        }
        asm volatile("cp.async.commit_group;");
    };
    float sums[8][4] = {};
    fetch(0);
    for (int step = 0; step < kK / kDeep; ++step) {
        if (step + 1 < kK / kDeep) {
            fetch(step + 1);
            asm volatile("cp.async.wait_group 1;");
        } else {
            asm volatile("cp.async.wait_group 0;");
        }
        __syncthreads();
        for (int half = 0; half < 2; ++half) {
            unsigned left[4];
            const unsigned at =
                shared_address(stage_a[step % kStages]) + place(warp * 16 + lane % 16, half * 2 + lane / 16);
            asm volatile("ldmatrix.sync.aligned.m8n8.x4.shared.b16 {%0,%1,%2,%3}, [%4];"
                         : "=r"(left[0]), "=r"(left[1]), "=r"(left[2]), "=r"(left[3])
                         : "r"(at));
            for (int j = 0; j < kN / 8; ++j) {
                unsigned right[2];
                const unsigned from =
                    shared_address(stage_b[step % kStages]) + place(j * 8 + lane % 8, half * 2 + lane / 8 % 2);
                asm volatile("ldmatrix.sync.aligned.m8n8.x2.shared.b16 {%0,%1}, [%2];"
                             : "=r"(right[0]), "=r"(right[1])
                             : "r"(from));
                asm volatile(
                    "mma.sync.aligned.m16n8k16.row.col.f32.bf16.bf16.f32 {%0,%1,%2,%3}, {%4,%5,%6,%7}, {%8,%9}, "
                    "{%0,%1,%2,%3};"
                    : "+f"(sums[j][0]), "+f"(sums[j][1]), "+f"(sums[j][2]), "+f"(sums[j][3])
                    : "r"(left[0]), "r"(left[1]), "r"(left[2]), "r"(left[3]), "r"(right[0]), "r"(right[1]));
            }
        }
        __syncthreads();
    }
    for (int j = 0; j < kN / 8; ++j)
        for (int i = 0; i < 4; ++i)
            c[(warp * 16 + lane / 4 + i / 2 * 8) * kN + j * 8 + lane % 4 * 2 + i % 2] = sums[j][i];
}

int main() {
    std::vector<__nv_bfloat16> a(kM * kK), b(kN * kK);
    std::uint32_t state = 1;
    const auto next = [&] {
        return static_cast<float>((state = state * 1664525 + 1013904223) >> 8) / 16777216.0f - 0.5f;
    };
    for (auto& x : a) x = __float2bfloat16(next());
    for (auto& x : b) x = __float2bfloat16(next());
    __nv_bfloat16 *device_a, *device_b;
    float* device_c;
    cudaMalloc(&device_a, a.size() * 2);
    cudaMalloc(&device_b, b.size() * 2);
    cudaMalloc(&device_c, kM * kN * 4);
    cudaMemcpy(device_a, a.data(), a.size() * 2, cudaMemcpyHostToDevice);
    cudaMemcpy(device_b, b.data(), b.size() * 2, cudaMemcpyHostToDevice);
    product<<<1, kM / 16 * 32>>>(device_a, device_b, device_c);
    std::vector<float> c(kM * kN);
    cudaMemcpy(c.data(), device_c, c.size() * 4, cudaMemcpyDeviceToHost);
    double worst = 0;
    std::uint32_t digest = 0;
    for (int row = 0; row < kM; ++row)
        for (int column = 0; column < kN; ++column) {
            double expected = 0;
            for (int k = 0; k < kK; ++k)
                expected +=
                    static_cast<double>(__bfloat162float(a[row * kK + k])) * __bfloat162float(b[column * kK + k]);
            const double off = expected - c[row * kN + column];
            worst = off > worst ? off : -off > worst ? -off : worst;
            std::uint32_t bits;
            __builtin_memcpy(&bits, &c[row * kN + column], 4);
            digest = (digest ^ bits) * 16777619u;
        }
    std::printf("%s: %s, at most %.7f off, digest %08x\n", worst <= 1e-4 ? "PASS" : "FAIL",
                cudaGetErrorString(cudaGetLastError()), worst, digest);
    return worst > 1e-4;
}

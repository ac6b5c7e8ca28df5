// The tensor-core rungs up to wgmma fed by cp.async as one program, for `tilescope run`: each multiplies one product
// with whole tiles and one with ragged edges, and is held to a float64 reference.
//
// usage: tensor_ladder_on_cpu      prints PASS or FAIL per rung, exit status 1 if one failed
#include <cuda_runtime.h>

#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <vector>

#define TILES_ASSUME_SM90A
#include "tiles/kernels/mma_gemm.cuh"
#include "tiles/src/wgmma_copies.cuh"

namespace {

void check(cudaError_t error) {
    if (error == cudaSuccess) return;
    std::fprintf(stderr, "%s\n", cudaGetErrorString(error));
    std::exit(1);
}

template <class T>
T* on_device(const std::vector<T>& host) {
    T* device = nullptr;
    check(cudaMalloc(&device, host.size() * sizeof(T)));
    check(cudaMemcpy(device, host.data(), host.size() * sizeof(T), cudaMemcpyHostToDevice));
    return device;
}

// B as [n][k].
template <class Element>
struct Matrices {
    int64_t m, n, k;
    std::vector<Element> a, b;
    Element *device_a, *device_b;

    Matrices(int64_t rows, int64_t columns, int64_t depth) : m(rows), n(columns), k(depth) {
        for (int64_t i = 0; i < m * k; ++i)
            a.push_back(static_cast<Element>(static_cast<float>(i * 37 % 101) / 50 - 1));
        for (int64_t i = 0; i < n * k; ++i)
            b.push_back(static_cast<Element>(static_cast<float>(i * 53 % 103) / 51 - 1));
        device_a = on_device(a), device_b = on_device(b);
    }
    ~Matrices() { cudaFree(device_a), cudaFree(device_b); }

    template <class Out>
    bool right(const char* rung, const Out* device_c, double tolerance) const {
        check(cudaGetLastError());
        std::vector<Out> c(static_cast<size_t>(m * n));
        check(cudaMemcpy(c.data(), device_c, c.size() * sizeof(Out), cudaMemcpyDeviceToHost));
        double error = 0, norm = 0;
        for (int64_t i = 0; i < m; ++i)
            for (int64_t j = 0; j < n; ++j) {
                double sum = 0;
                for (int64_t p = 0; p < k; ++p)
                    sum += static_cast<double>(static_cast<float>(a[static_cast<size_t>(i * k + p)])) *
                           static_cast<float>(b[static_cast<size_t>(j * k + p)]);
                const double off = static_cast<double>(static_cast<float>(c[static_cast<size_t>(i * n + j)])) - sum;
                error += off * off, norm += sum * sum;
            }
        const bool passed = std::sqrt(error) <= tolerance * std::sqrt(norm);
        std::printf("%s %s %lldx%lldx%lld\n", passed ? "PASS" : "FAIL", rung, static_cast<long long>(m),
                    static_cast<long long>(n), static_cast<long long>(k));
        return passed;
    }
};

// `Tag`: what the kernel calls the element.
template <class Tag, class Element, bool kThree>
bool by_mma(const char* rung, int64_t m, int64_t n, int64_t k, double tolerance) {
    using Shape = tiles::mma::Shape<Tag, kThree, false, true>;
    const Matrices<Element> of(m, n, k);
    float* const c = on_device(std::vector<float>(static_cast<size_t>(m * n)));
    tiles::mma::Arguments g{};
    g.a = {of.device_a, k, 0, k * static_cast<int64_t>(sizeof(Element)) % 16 == 0};
    g.b = {of.device_b, k, 0, g.a.wide};
    g.c = c, g.ldc = n, g.m = m, g.n = n, g.k = k;
    g.k_blocks = static_cast<int>((k + Shape::kK - 1) / Shape::kK), g.parts = 1;
    g.tiles_m = static_cast<int>((m + 127) / 128), g.tiles_n = static_cast<int>((n + 127) / 128), g.raster = 12;
    g.alpha = 1;
    check(cudaFuncSetAttribute(tiles::mma::gemm<Shape>, cudaFuncAttributeMaxDynamicSharedMemorySize,
                               Shape::kSharedBytes));
    tiles::mma::gemm<Shape><<<static_cast<unsigned>(g.tiles_m * g.tiles_n), Shape::kThreads, Shape::kSharedBytes>>>(g);
    const bool passed = of.right(rung, c, tolerance);
    cudaFree(c);
    return passed;
}

// Rows of `pad` elements more than there are. kAlongM, kAlongN: the factor lies the other way.
template <class Element, class Out, bool kAlongM, bool kAlongN>
bool by_wgmma(const char* rung, int64_t m, int64_t n, int64_t k, double tolerance, int64_t pad = 0) {
    const Matrices<Element> of(m, n, k);
    const int64_t lda = (kAlongM ? m : k) + pad, ldb = (kAlongN ? n : k) + pad;
    std::vector<Element> a(static_cast<size_t>((kAlongM ? k : m) * lda)),
        b(static_cast<size_t>((kAlongN ? k : n) * ldb));
    for (int64_t i = 0; i < m; ++i)
        for (int64_t p = 0; p < k; ++p)
            a[static_cast<size_t>(kAlongM ? p * lda + i : i * lda + p)] = of.a[static_cast<size_t>(i * k + p)];
    for (int64_t j = 0; j < n; ++j)
        for (int64_t p = 0; p < k; ++p)
            b[static_cast<size_t>(kAlongN ? p * ldb + j : j * ldb + p)] = of.b[static_cast<size_t>(j * k + p)];
    Element *const device_a = on_device(a), *const device_b = on_device(b);
    Out* const c = on_device(std::vector<Out>(static_cast<size_t>(m * n)));
    const auto kernel = tiles::wgmma_copies::gemm<Element, Out, kAlongM, kAlongN>;
    check(tiles::wgmma_copies::allow_shared(kernel));
    tiles::wgmma_copies::Arguments<Element, Out> g{};
    g.a = device_a, g.b = device_b, g.c = c;
    g.m = m, g.n = n, g.k = k, g.lda = lda, g.ldb = ldb, g.ldc = n, g.alpha = 1;
    check(tiles::wgmma_copies::start(kernel, g, 1, nullptr));
    const bool passed = of.right(rung, c, tolerance);
    cudaFree(device_a), cudaFree(device_b), cudaFree(c);
    return passed;
}

}  // namespace

int main() {
    bool passed = true;
    passed = by_mma<__nv_bfloat16, __nv_bfloat16, false>("bf16_mma", 128, 128, 128, 1e-5) && passed;
    passed = by_mma<__nv_bfloat16, __nv_bfloat16, false>("bf16_mma", 100, 72, 40, 1e-5) && passed;
    passed = by_mma<__half, __half, false>("f16_mma", 128, 128, 128, 1e-5) && passed;
    passed = by_mma<tiles::mma::Tf32, float, false>("tf32_mma", 128, 128, 64, 1e-3) && passed;
    passed = by_mma<tiles::mma::Tf32, float, true>("3xtf32_mma", 128, 128, 64, 1e-5) && passed;
    passed = by_mma<tiles::mma::Tf32, float, false>("tf32_mma", 70, 90, 36, 1e-3) && passed;
    passed = by_wgmma<__nv_bfloat16, __nv_bfloat16, false, false>("bf16_wgmma_copies", 128, 256, 320, 1e-2) && passed;
    passed = by_wgmma<__nv_bfloat16, __nv_bfloat16, false, false>("bf16_wgmma_copies", 150, 200, 72, 1e-2) && passed;
    passed = by_wgmma<__half, __half, false, false>("f16_wgmma_copies", 128, 256, 128, 1e-3) && passed;
    passed = by_wgmma<__nv_bfloat16, float, false, true>("bf16_wgmma_copies NN", 128, 256, 128, 1e-5) && passed;
    passed = by_wgmma<__half, float, true, true>("f16_wgmma_copies TN", 136, 304, 72, 1e-5) && passed;
    passed = by_wgmma<__half, float, true, false>("f16_wgmma_copies TT", 136, 40, 104, 1e-5) && passed;
    passed = by_wgmma<__nv_bfloat16, float, false, true>("bf16_wgmma_copies NN", 33, 75, 51, 1e-5, 13) && passed;
    return passed ? 0 : 1;
}

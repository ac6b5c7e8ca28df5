// C = A B of 128 x 128 floats by tiles, checked against the host.
#include <cuda_runtime.h>
#include <tiles/gemm.h>

#include <cstdio>
#include <cstdlib>
#include <vector>

static void must(cudaError_t error) {
    if (error == cudaSuccess) return;
    std::fprintf(stderr, "%s\n", cudaGetErrorString(error));
    std::exit(1);
}

int main() {
    const int n = 128;
    const size_t bytes = sizeof(float) * n * n;
    std::vector<float> a(n * n), b(n * n), c(n * n);
    for (int i = 0; i < n * n; ++i) {
        a[i] = static_cast<float>(i % 7 - 3);
        b[i] = static_cast<float>(i % 5 - 2);
    }
    float *on_card_a, *on_card_b, *on_card_c;
    must(cudaMalloc(&on_card_a, bytes));
    must(cudaMalloc(&on_card_b, bytes));
    must(cudaMalloc(&on_card_c, bytes));
    must(cudaMemcpy(on_card_a, a.data(), bytes, cudaMemcpyHostToDevice));
    must(cudaMemcpy(on_card_b, b.data(), bytes, cudaMemcpyHostToDevice));

    const tiles::Status status = tiles::gemm(n, n, n, 1.0f, on_card_a, n, on_card_b, n, 0.0f, on_card_c, n, {}, false);
    if (!status.ok()) {
        std::fprintf(stderr, "%s %s\n", status.argument, status.message);
        return 1;
    }
    must(cudaMemcpy(c.data(), on_card_c, bytes, cudaMemcpyDeviceToHost));

    // Whole numbers this small have exact sums in any order.
    int wrong = 0;
    for (int i = 0; i < n; ++i)
        for (int j = 0; j < n; ++j) {
            float sum = 0;
            for (int k = 0; k < n; ++k) sum += a[i * n + k] * b[k * n + j];
            wrong += c[i * n + j] != sum;
        }
    std::printf("%s: %d of %d elements differ\n", wrong == 0 ? "PASS" : "FAIL", wrong, n * n);
    return wrong != 0;
}

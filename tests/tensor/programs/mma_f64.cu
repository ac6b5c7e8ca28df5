// Doubles by mma.sync m8n8k4: a warp for each tile of 16 x 16, with edges that the tiles do not fit.
#include "product_check.h"

constexpr int kM = 37, kN = 45, kK = 50;

__global__ void product(const double* a, const double* b, double* c) {
    const int lane = threadIdx.x, g = lane / 4, t = lane % 4, row0 = blockIdx.y * 16, column0 = blockIdx.x * 16;
    double sums[2][2][2] = {};
    for (int k = 0; k < kK; k += 4)
        for (int i = 0; i < 2; ++i)
            for (int j = 0; j < 2; ++j) {
                const int y = row0 + i * 8 + g, x = column0 + j * 8 + g, at = k + t;
                const double left = y < kM && at < kK ? a[y * kK + at] : 0,
                             right = x < kN && at < kK ? b[at * kN + x] : 0;
                asm volatile("mma.sync.aligned.m8n8k4.row.col.f64.f64.f64.f64 {%0,%1}, {%2}, {%3}, {%0,%1};"
                             : "+d"(sums[i][j][0]), "+d"(sums[i][j][1])
                             : "d"(left), "d"(right));
            }
    for (int i = 0; i < 2; ++i)
        for (int j = 0; j < 2; ++j)
            for (int e = 0; e < 2; ++e) {
                const int y = row0 + i * 8 + g, x = column0 + j * 8 + t * 2 + e;
                if (y < kM && x < kN) c[y * kN + x] = sums[i][j][e];
            }
}

int main() {
    std::vector<double> a(kM * kK), b(kK * kN);
    Random random{3};
    for (auto& x : a) x = random.between_halves();
    for (auto& x : b) x = random.between_halves();
    double* const c = to_device(std::vector<double>(kM * kN));
    product<<<dim3((kN + 15) / 16, (kM + 15) / 16), 32>>>(to_device(a), to_device(b), c);
    return judge(
        to_host(c, kM * kN),
        [&](std::size_t i) {
            double sum = 0;
            for (int k = 0; k < kK; ++k) sum += a[i / kN * kK + k] * b[k * kN + i % kN];
            return sum;
        },
        1e-13);
}

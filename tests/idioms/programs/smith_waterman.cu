// Local alignment by wavefronts: one block, a diagonal a step, three diagonals in shared memory.
#include <algorithm>
#include <string>

#include "program.cuh"

constexpr int kMatch = 3, kMismatch = -2, kGap = 2;

__global__ void align(const char* a, int rows, const char* b, int columns, int* best) {
    extern __shared__ int room[];
    int* diagonals[3] = {room, room + rows + 1, room + 2 * (rows + 1)};
    for (int i = threadIdx.x; i < 3 * (rows + 1); i += blockDim.x) room[i] = 0;
    __syncthreads();
    int most = 0;
    for (int d = 2; d <= rows + columns; ++d) {
        int *now = diagonals[d % 3], *before = diagonals[(d + 2) % 3], *earlier = diagonals[(d + 1) % 3];
        for (int i = 1 + threadIdx.x; i <= rows; i += blockDim.x) {
            const int j = d - i;
            int score = 0;
            if (j >= 1 && j <= columns) {
                score = max(0, earlier[i - 1] + (a[i - 1] == b[j - 1] ? kMatch : kMismatch));
                score = max(score, max(before[i - 1], before[i]) - kGap);
            }
            now[i] = score;
            most = max(most, score);
        }
        __syncthreads();
    }
    atomicMax(best, most);
}

int main() {
    std::string a, b;
    for (unsigned i = 0; i < 300; ++i) a += "ACGT"[(i * 7919u >> 3) % 4];
    for (unsigned i = 0; i < 260; ++i) b += "ACGT"[((i + 20) * 7919u >> 3) % 4 ^ (i % 17 == 0)];
    std::vector<std::vector<int>> h(a.size() + 1, std::vector<int>(b.size() + 1));
    int expected = 0;
    for (std::size_t i = 1; i <= a.size(); ++i)
        for (std::size_t j = 1; j <= b.size(); ++j) {
            h[i][j] = std::max({0, h[i - 1][j - 1] + (a[i - 1] == b[j - 1] ? kMatch : kMismatch), h[i - 1][j] - kGap,
                                h[i][j - 1] - kGap});
            expected = std::max(expected, h[i][j]);
        }

    char *x = to_device(std::vector<char>(a.begin(), a.end())), *y = to_device(std::vector<char>(b.begin(), b.end()));
    int* best = to_device(std::vector<int>(1, 0));
    const int rows = static_cast<int>(a.size()), columns = static_cast<int>(b.size());
    align<<<1, 128, 3 * (rows + 1) * sizeof(int)>>>(x, rows, y, columns, best);
    CHECK(cudaGetLastError());
    const int found = to_host(best, 1)[0];
    CHECK(cudaFree(x));
    CHECK(cudaFree(y));
    CHECK(cudaFree(best));
    return verdict("local alignment", found == expected && expected > 50);
}

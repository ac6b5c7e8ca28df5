// Ranks that flow along links, until they stand; pages that lead nowhere give to all.
#include "fourfold.cuh"

__global__ void spread(const int* starts, const int* links, const double* rank, double* next, double* lost, int pages) {
    const int page = blockIdx.x * blockDim.x + threadIdx.x;
    if (page >= pages) return;
    const int out = starts[page + 1] - starts[page];
    if (out == 0) atomicAdd(lost, rank[page]);
    for (int i = starts[page]; i < starts[page + 1]; ++i) atomicAdd(&next[links[i]], rank[page] / out);
}

__global__ void damp(double* next, const double* lost, int pages) {
    const int page = blockIdx.x * blockDim.x + threadIdx.x;
    if (page < pages) next[page] = 0.15 / pages + 0.85 * (next[page] + *lost / pages);
}

int main() {
    constexpr int pages = 60;
    std::vector<int> starts{0}, links;
    const std::vector<int> picks = numbers<int>(pages * 5, 0, pages - 1);
    for (int p = 0; p < pages; ++p) {
        for (int i = 0; i < p % 6; ++i) links.push_back(picks[p * 5 + i]);
        starts.push_back(static_cast<int>(links.size()));
    }
    std::vector<double> rank(pages, 1.0 / pages), next(pages);
    const Buffer<int> dstarts(starts), dlinks(links);
    const Buffer<double> a(rank), b(pages), lost(1);
    double *now = a, *then = b;
    for (int round = 0; round < 6; ++round) {
        CHECK(cudaMemset(then, 0, pages * sizeof(double)));
        CHECK(cudaMemset(lost, 0, sizeof(double)));
        spread<<<1, 64>>>(dstarts, dlinks, now, then, lost, pages);
        damp<<<1, 64>>>(then, lost, pages);
        std::swap(now, then);
        double nowhere = 0;
        std::fill(next.begin(), next.end(), 0.0);
        for (int p = 0; p < pages; ++p) {
            if (p % 6 == 0) nowhere += rank[p];
            for (int i = starts[p]; i < starts[p + 1]; ++i) next[links[i]] += rank[p] / (p % 6);
        }
        for (int p = 0; p < pages; ++p) rank[p] = 0.15 / pages + 0.85 * (next[p] + nowhere / pages);
    }
    return near("ranks", to_host(now, pages), rank, 1e-12);
}

// Triangles of a graph as bits of rows and as lists that are merged.
#include "fourfold.cuh"

constexpr int kNodes = 96, kWords = kNodes / 32;

__global__ void by_bits(const unsigned* rows, unsigned* total) {
    unsigned mine = 0;
    for (int j = threadIdx.x; j < kNodes; j += blockDim.x)
        if (rows[blockIdx.x * kWords + j / 32] >> (j % 32) & 1)
            for (int w = 0; w < kWords; ++w) mine += __popc(rows[blockIdx.x * kWords + w] & rows[j * kWords + w]);
    atomicAdd(total, mine);
}

__global__ void by_lists(const int* starts, const int* ends, unsigned* total) {
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= kNodes) return;
    for (int e = starts[i]; e < starts[i + 1]; ++e) {
        int a = starts[i], b = starts[ends[e]];
        while (a < starts[i + 1] && b < starts[ends[e] + 1]) {
            if (ends[a] == ends[b])
                atomicAdd(total, 1u), ++a, ++b;
            else if (ends[a] < ends[b])
                ++a;
            else
                ++b;
        }
    }
}

int main() {
    std::vector<unsigned> rows(kNodes * kWords);
    const std::vector<int> picks = numbers<int>(kNodes * 8, 0, kNodes - 1);
    for (int i = 0; i < kNodes * 4; ++i) {
        const int a = picks[2 * i], b = picks[2 * i + 1];
        if (a == b) continue;
        rows[a * kWords + b / 32] |= 1u << (b % 32);
        rows[b * kWords + a / 32] |= 1u << (a % 32);
    }
    const auto linked = [&](int a, int b) { return (rows[a * kWords + b / 32] >> (b % 32) & 1) != 0; };
    std::vector<int> starts{0}, ends;
    unsigned expected = 0;
    for (int a = 0; a < kNodes; ++a) {
        for (int b = 0; b < kNodes; ++b) {
            if (linked(a, b)) ends.push_back(b);
            for (int c = 0; c < kNodes; ++c) expected += linked(a, b) && linked(b, c) && linked(a, c);
        }
        starts.push_back(static_cast<int>(ends.size()));
    }
    const Buffer<unsigned> bits(rows), first(1), second(1);
    const Buffer<int> dstarts(starts), dends(ends);
    by_bits<<<kNodes, 32>>>(bits, first);
    by_lists<<<3, 32>>>(dstarts, dends, second);
    return same("bits", first.host(), {expected}) + same("lists", second.host(), {expected});
}

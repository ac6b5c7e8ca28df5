// Bytes as runs: heads found by a vote, their numbers by a scan, and back again by a search.
#include "fourfold.cuh"

constexpr int kSize = 512;

__global__ void encode(const unsigned char* in, unsigned char* values, int* starts, int* runs) {
    __shared__ int warps[kSize / 32];
    const int t = threadIdx.x, lane = t % 32;
    const bool head = t == 0 || in[t] != in[t - 1];
    const unsigned heads = __ballot_sync(~0u, head);
    if (lane == 0) warps[t / 32] = __popc(heads);
    __syncthreads();
    int before = __popc(heads & ((1u << lane) - 1));
    for (int w = 0; w < t / 32; ++w) before += warps[w];
    if (head) values[before] = in[t], starts[before] = t;
    if (t == kSize - 1) *runs = before + head, starts[before + head] = kSize;
}

__global__ void decode(const unsigned char* values, const int* starts, const int* runs, unsigned char* out) {
    int low = 0, high = *runs;
    while (high - low > 1) {
        const int middle = (low + high) / 2;
        if (starts[middle] <= int(threadIdx.x))
            low = middle;
        else
            high = middle;
    }
    out[threadIdx.x] = values[low];
}

int main() {
    std::vector<unsigned char> data;
    for (const int n : numbers<int>(kSize, 0, 5)) data.insert(data.end(), n * n / 2, static_cast<unsigned char>(n));
    data.resize(kSize);
    int runs = 1;
    for (int i = 1; i < kSize; ++i) runs += data[i] != data[i - 1];
    const Buffer<unsigned char> in(data), values(kSize), out(kSize);
    const Buffer<int> starts(kSize + 1), count(1);
    encode<<<1, kSize>>>(in, values, starts, count);
    decode<<<1, kSize>>>(values, starts, count, out);
    return same("runs", count.host(), {runs}) + same("there and back", out.host(), data);
}

// Like zjin-lcf/HeCBench src/ss-cuda (main.cu, kernels.cu, StringSearch.h); flags: -std=c++14
#include <cuda.h>
#include <algorithm>
#include <chrono>
#include <climits>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <fstream>
#include <iostream>
#include <vector>
typedef unsigned char uchar;
typedef unsigned int uint;
#define LOCAL_SIZE 64
#define TOLOWER(x) (('A' <= (x) && (x) <= 'Z') ? ((x) - 'A') + 'a' : (x))
__global__ void search(const uchar* text, uint length, const uchar* pattern, uint m, uint* found, uint* counts,
                       uint per_block) {
    extern __shared__ uchar small[];
    __shared__ uint hits;
    if (threadIdx.x == 0) hits = 0;
    for (uint i = threadIdx.x; i < m; i += blockDim.x) small[i] = TOLOWER(pattern[i]);
    __syncthreads();
    uint first = per_block * blockIdx.x, last = min(first + per_block, length - m + 1);
    for (uint at = first + threadIdx.x; at < last; at += blockDim.x) {
        uint k = 0;
        while (k < m && TOLOWER(text[at + k]) == small[k]) k++;
        if (k == m) found[first + atomicAdd(&hits, 1)] = at;
    }
    __syncthreads();
    if (threadIdx.x == 0) counts[blockIdx.x] = hits;
}
int main(int argc, char* argv[]) {
    std::string text, pattern = "abA";
    srand(4);
    for (int i = 0; i < 2000; i++) text += "aAbB"[rand() % 4];
    std::vector<uint> want, got;
    for (uint i = 0; i + 3 <= text.size(); i++)
        if (tolower(text[i]) == 'a' && tolower(text[i + 1]) == 'b' && tolower(text[i + 2]) == 'a') want.push_back(i);
    uint per_block = 8 * LOCAL_SIZE, blocks = (text.size() + per_block - 1) / per_block, *d_found, *d_counts;
    uchar *d_text, *d_pattern;
    cudaMalloc((void**)&d_text, text.size());
    cudaMalloc((void**)&d_pattern, 3);
    cudaMalloc((void**)&d_found, blocks * per_block * sizeof(uint));
    cudaMalloc((void**)&d_counts, blocks * sizeof(uint));
    cudaMemcpy(d_text, text.data(), text.size(), cudaMemcpyHostToDevice);
    cudaMemcpy(d_pattern, pattern.c_str(), 3, cudaMemcpyHostToDevice);
    search<<<dim3(blocks), dim3(LOCAL_SIZE), 3>>>(d_text, text.size(), d_pattern, 3, d_found, d_counts, per_block);
    cudaDeviceSynchronize();
    std::vector<uint> found(blocks * per_block), counts(blocks);
    cudaMemcpy(found.data(), d_found, found.size() * sizeof(uint), cudaMemcpyDeviceToHost);
    cudaMemcpy(counts.data(), d_counts, blocks * sizeof(uint), cudaMemcpyDeviceToHost);
    for (uint b = 0; b < blocks; b++)
        got.insert(got.end(), found.begin() + b * per_block, found.begin() + b * per_block + counts[b]);
    std::sort(got.begin(), got.end());
    bool pass = got.size() == want.size() && std::equal(got.begin(), got.end(), want.begin());
    std::cout << (pass ? "PASS" : "FAIL") << std::endl;
    cudaFree(d_text);
    cudaFree(d_pattern);
    cudaFree(d_found);
    cudaFree(d_counts);
    return !pass;
}

// Like NVIDIA/cuda-samples 2_Concepts_and_Techniques/segmentationTreeThrust (segmentationTree.cu, kernels.cuh,
// common.cuh); flags: -std=c++17
#include <helper_cuda.h>
#include <helper_functions.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <thrust/adjacent_difference.h>
#include <thrust/copy.h>
#include <thrust/device_free.h>
#include <thrust/device_malloc.h>
#include <thrust/device_ptr.h>
#include <thrust/fill.h>
#include <thrust/for_each.h>
#include <thrust/iterator/constant_iterator.h>
#include <thrust/iterator/counting_iterator.h>
#include <thrust/iterator/discard_iterator.h>
#include <thrust/iterator/zip_iterator.h>
#include <thrust/reduce.h>
#include <thrust/scan.h>
#include <thrust/sequence.h>
#include <thrust/sort.h>
#include <thrust/unique.h>
#include <algorithm>
#include <deque>
#include <fstream>
#include <iostream>
#include <iterator>
#include <list>
#include <vector>
__global__ void lightest(const unsigned* vertices, const unsigned* edges, const float* weights, unsigned* to,
                         unsigned n) {
    unsigned v = blockIdx.x * blockDim.x + threadIdx.x;
    if (v >= n) return;
    float best = 1e30f;
    for (unsigned e = vertices[v]; e < vertices[v + 1]; e++)
        if (weights[e] < best) best = weights[e], to[v] = edges[e];
}
int main(int argc, char** argv) {
    findCudaDevice(argc, (const char**)argv);
    const unsigned n = 24;
    std::vector<unsigned> v(n + 1), e;
    std::vector<float> w;
    for (unsigned i = 0; i < n; i++) {
        for (unsigned k : {(i + 1) % n, (i + n - 1) % n})
            e.push_back(k), w.push_back((float)((i * k * 7 + i + k) % 23));
        v[i + 1] = e.size();
    }
    thrust::device_ptr<unsigned> d_v = thrust::device_malloc<unsigned>(n + 1),
                                 d_e = thrust::device_malloc<unsigned>(e.size()),
                                 to = thrust::device_malloc<unsigned>(n), keys = thrust::device_malloc<unsigned>(n),
                                 counts = thrust::device_malloc<unsigned>(n);
    thrust::device_ptr<float> d_w = thrust::device_malloc<float>(w.size());
    checkCudaErrors(cudaMemcpy(d_v.get(), v.data(), v.size() * 4, cudaMemcpyHostToDevice));
    checkCudaErrors(cudaMemcpy(d_e.get(), e.data(), e.size() * 4, cudaMemcpyHostToDevice));
    checkCudaErrors(cudaMemcpy(d_w.get(), w.data(), w.size() * 4, cudaMemcpyHostToDevice));
    cudaEvent_t start, stop;
    cudaEventCreate(&start);
    cudaEventCreate(&stop);
    cudaEventRecord(start, 0);
    lightest<<<1, 32>>>(d_v.get(), d_e.get(), d_w.get(), to.get(), n);
    thrust::sort(to, to + n);
    auto ends = thrust::reduce_by_key(to, to + n, thrust::make_constant_iterator(1u), keys, counts);
    const unsigned different = ends.first - keys, all = thrust::reduce(counts, ends.second);
    thrust::exclusive_scan(counts, counts + different, counts);
    cudaEventRecord(stop, 0);
    cudaEventSynchronize(stop);
    std::vector<unsigned> want;
    for (unsigned i = 0; i < n; i++) want.push_back(w[v[i]] <= w[v[i] + 1] ? e[v[i]] : e[v[i] + 1]);
    std::sort(want.begin(), want.end());
    const size_t differ = std::unique(want.begin(), want.end()) - want.begin();
    size_t free_bytes, total_bytes;
    cudaMemGetInfo(&free_bytes, &total_bytes);
    const bool ok = differ == different && all == n && free_bytes < total_bytes;
    std::cout << (ok ? "PASS" : "FAIL") << std::endl;
    for (auto p : {d_v, d_e, to, keys, counts}) thrust::device_free(p);
    thrust::device_free(d_w);
    return !ok;
}

// Like AkshDesai04/CUDA Advanced_Libraries_03_C.cu
#include <thrust/copy.h>
#include <thrust/device_vector.h>
#include <thrust/host_vector.h>
#include <thrust/iterator/counting_iterator.h>
#include <iostream>
int main() {
    const std::size_t N = 10;
    thrust::device_vector<int> d(N);
    thrust::counting_iterator<int> start(3);
    thrust::copy(start, start + N, d.begin());
    thrust::host_vector<int> h = d;
    bool ok = true;
    for (std::size_t i = 0; i < N; ++i) ok = ok && h[i] == 3 + (int)i;
    std::cout << (ok ? "PASS" : "FAIL") << std::endl;
    return !ok;
}

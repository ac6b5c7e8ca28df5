// Like zjin-lcf/HeCBench src/wordcount-cuda/wc.cu; flags: -std=c++14
#include <thrust/device_vector.h>
#include <thrust/host_vector.h>
#include <thrust/inner_product.h>
#include <chrono>
#include <cstdio>
#include <iostream>
#include <string>
__host__ __device__ bool is_alpha(const char c) { return c >= 'A' && c <= 'z'; }
struct is_word_start {
    __host__ __device__ bool operator()(const char& left, const char& right) const {
        return is_alpha(right) && !is_alpha(left);
    }
};
int word_count(const thrust::device_vector<char>& input) {
    if (input.empty()) return 0;
    int wc = thrust::inner_product(input.begin(), input.end() - 1, input.begin() + 1, 0, thrust::plus<int>(),
                                   is_word_start());
    return wc + (is_alpha(input.front()) ? 1 : 0);
}
int main() {
    const std::string text = "  threads read lines, \n warps read sectors; and (now and then) a block waits.";
    int want = 0;
    for (size_t i = 0; i < text.size(); i++) want += is_alpha(text[i]) && (i == 0 || !is_alpha(text[i - 1]));
    thrust::host_vector<char> h(text.begin(), text.end());
    thrust::device_vector<char> d = h;
    const int got = word_count(d);
    std::cout << got << " words\n" << (got == want ? "PASS" : "FAIL") << std::endl;
    return got != want;
}

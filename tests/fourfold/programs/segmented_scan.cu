// A scan that begins anew at flags: values and flags together up the lanes of warps.
#include "fourfold.cuh"

template <class T>
__global__ void scan_segments(const T* in, const unsigned char* heads, T* out, int count) {
    __shared__ T values[256];
    __shared__ unsigned char flags[256];
    const int t = threadIdx.x;
    values[t] = t < count ? in[t] : T(0);
    flags[t] = t < count ? heads[t] : 1;
    __syncthreads();
    for (int reach = 1; reach < 256; reach *= 2) {
        T value = values[t];
        unsigned char flag = flags[t];
        if (t >= reach && !flag) {
            value += values[t - reach];
            flag |= flags[t - reach];
        }
        __syncthreads();
        values[t] = value;
        flags[t] = flag;
        __syncthreads();
    }
    if (t < count) out[t] = values[t];
}

template <class T>
int check(const char* what) {
    constexpr int count = 250;
    const std::vector<T> values = numbers<T>(count, 0, 16);
    std::vector<unsigned char> heads = numbers<unsigned char>(count, 0, 7, 9);
    for (auto& head : heads) head = head == 0;
    heads[0] = 1;
    std::vector<T> expected = values;
    for (int i = 1; i < count; ++i)
        if (!heads[i]) expected[i] += expected[i - 1];
    const Buffer<T> in(values), out(count);
    const Buffer<unsigned char> flags(heads);
    scan_segments<T><<<1, 256>>>(in, flags, out, count);
    return near(what, out.host(), expected, 1e-5);
}

int main() { return check<int>("int") + check<float>("float") + check<double>("double") + check<short>("short"); }

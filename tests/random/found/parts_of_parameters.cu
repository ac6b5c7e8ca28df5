// Functions that are called, not inlined, with chars and shorts, and with structures that they index: refused once.
#include "../harness.h"

struct Several {
    int members[6];
    signed char last;
};

namespace on_device {
__device__ __noinline__ int parts(signed char a, unsigned char b, short c, unsigned short d, bool e) {
    return a + 3 * b + 5 * c + 7 * d + 11 * e;
}
__device__ __noinline__ short narrow(int x) { return static_cast<short>(x * 3); }
__device__ __noinline__ int member(Several s, unsigned i) { return s.members[i % 6] + s.last; }
__device__ __noinline__ Several changed(Several s, unsigned i) {
    s.members[i % 6] += 3;
    s.last = static_cast<signed char>(i);
    return s;
}
__global__ void kernel(const int* in, int* out, Several s) {
    const int x = in[threadIdx.x];
    out[3 * threadIdx.x] = parts(static_cast<signed char>(x), static_cast<unsigned char>(x), static_cast<short>(x),
                                 static_cast<unsigned short>(x), x % 2 != 0);
    out[3 * threadIdx.x + 1] = narrow(x);
    out[3 * threadIdx.x + 2] = member(changed(s, threadIdx.x), threadIdx.x + x % 2);
}
}  // namespace on_device

bool run() {
    constexpr int kThreads = 100;
    harness::Trial trial(1);
    harness::Twin<int> in(kThreads), out(3 * kThreads);
    for (int i = 0; i < kThreads; ++i) in.host()[i] = i * 7919 - 300000;
    in.send();
    const Several s{{1, 2, 3, 4, 5, 6}, 7};
    on_device::kernel<<<1, kThreads>>>(in.device(), out.device(), s);
    trial.launched();
    for (int i = 0; i < kThreads; ++i) {
        const int x = in.host()[i];
        const auto a = static_cast<signed char>(x);
        const auto b = static_cast<unsigned char>(x);
        const auto c = static_cast<short>(x);
        const auto d = static_cast<unsigned short>(x);
        out.host()[3 * i] = a + 3 * b + 5 * c + 7 * d + 11 * (x % 2 != 0);
        out.host()[3 * i + 1] = static_cast<short>(x * 3);
        const unsigned at = static_cast<unsigned>(i + x % 2) % 6;
        out.host()[3 * i + 2] =
            s.members[at] + (at == static_cast<unsigned>(i) % 6 ? 3 : 0) + static_cast<signed char>(i);
    }
    trial.compare("out", out.fetched().data(), out.host(), 3 * kThreads);
    return trial.passed();
}

int main(int count, char** arguments) { return harness::main_over({{1, run}}, count, arguments); }

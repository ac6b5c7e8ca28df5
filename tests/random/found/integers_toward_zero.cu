// Conversions of integers to floating point toward zero: clang made conversions to the nearest of them.
#include "../harness.h"

namespace on_device {
__global__ void kernel(const long long* in, float* floats, double* doubles) {
    const long long x = in[threadIdx.x];
    floats[4 * threadIdx.x] = __int2float_rz(static_cast<int>(x));
    floats[4 * threadIdx.x + 1] = __uint2float_rz(static_cast<unsigned>(x));
    floats[4 * threadIdx.x + 2] = __ll2float_rz(x);
    floats[4 * threadIdx.x + 3] = __ull2float_rz(static_cast<unsigned long long>(x));
    doubles[2 * threadIdx.x] = __ll2double_rz(x);
    doubles[2 * threadIdx.x + 1] = __ull2double_rz(static_cast<unsigned long long>(x));
}
}  // namespace on_device

bool run() {
    constexpr int kThreads = 128;
    harness::Trial trial(1);
    harness::Twin<long long> in(kThreads);
    harness::Twin<float> floats(4 * kThreads);
    harness::Twin<double> doubles(2 * kThreads);
    in.fill(1);
    on_device::kernel<<<1, kThreads>>>(in.device(), floats.device(), doubles.device());
    trial.launched();
    for (int i = 0; i < kThreads; ++i) {
        const long long x = in.host()[i];
        const auto positive = static_cast<unsigned long long>(x);
        floats.host()[4 * i] = reference::int2float_rz(static_cast<int>(x));
        floats.host()[4 * i + 1] = reference::uint2float_rz(static_cast<unsigned>(x));
        floats.host()[4 * i + 2] = reference::ll2float_rz(x);
        floats.host()[4 * i + 3] = reference::converted<float>(FE_TOWARDZERO, positive);
        doubles.host()[2 * i] = reference::ll2double_rz(x);
        doubles.host()[2 * i + 1] = reference::converted<double>(FE_TOWARDZERO, positive);
    }
    trial.compare("floats", floats.fetched().data(), floats.host(), 4 * kThreads);
    trial.compare("doubles", doubles.fetched().data(), doubles.host(), 2 * kThreads);
    return trial.passed();
}

int main(int count, char** arguments) { return harness::main_over({{1, run}}, count, arguments); }

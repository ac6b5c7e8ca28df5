// Only three bits of each digit of __byte_perm's selector count: through clang the fourth spread the byte's sign.
#include "../harness.h"

namespace on_device {
__global__ void kernel(const unsigned* in, unsigned* out) {
    const unsigned x = in[threadIdx.x], selector = in[(threadIdx.x + 1) % blockDim.x];
    out[threadIdx.x] = __byte_perm(x, ~x, selector);
}
}  // namespace on_device

bool run() {
    constexpr int kThreads = 128;
    harness::Trial trial(1);
    harness::Twin<unsigned> in(kThreads), out(kThreads);
    in.fill(1);
    on_device::kernel<<<1, kThreads>>>(in.device(), out.device());
    trial.launched();
    for (int i = 0; i < kThreads; ++i) {
        const unsigned x = in.host()[i];
        out.host()[i] = reference::byte_perm(x, ~x, in.host()[(i + 1) % kThreads]);
    }
    trial.compare("out", out.fetched().data(), out.host(), kThreads);
    return trial.passed();
}

int main(int count, char** arguments) { return harness::main_over({{1, run}}, count, arguments); }

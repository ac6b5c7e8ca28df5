// The C++ interface: errors name the argument, an empty product is none. Needs no GPU.
#include <tiles/gemm.h>
#include <tiles/gemm_streamed.h>
#include <tiles/transpose.h>

#include <cstdio>
#include <cstring>

int main() {
    const float* factor = nullptr;
    float* result = nullptr;
    const tiles::Status wrong = tiles::gemm(2, 2, 2, 1.0f, factor, 2, factor, 2, 0.0f, result, 1);
    const tiles::Status missing = tiles::gemm(2, 2, 2, 1.0f, factor, 2, factor, 2, 0.0f, result, 2);
    const tiles::Status empty = tiles::gemm(0, 2, 2, 1.0f, factor, 2, factor, 2, 0.0f, result, 2);
    const tiles::Status negative = tiles::transpose(-1, 2, factor, 2, result, 2);
    const tiles::Status streamed = tiles::gemm_streamed(2, 2, -2, 1.0f, factor, 2, factor, 2, 0.0f, result, 2);
    const bool right = std::strcmp(missing.argument, "a") == 0 && empty.ok() && !negative.ok() &&
                       std::strcmp(streamed.argument, "k") == 0 && !wrong.ok();
    if (!right) std::printf("%s %s\n", missing.argument, missing.message);
    return right ? 0 : 1;
}

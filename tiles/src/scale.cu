#include "tiles/src/scale.h"

#include <cuda_bf16.h>
#include <cuda_fp16.h>

#include <algorithm>

namespace tiles {
namespace {

template <typename T>
__global__ void scale(T* c, int64_t rows, int64_t columns, int64_t ld, int64_t stride, int64_t batch, double beta) {
    const int64_t count = rows * columns * batch, step = static_cast<int64_t>(gridDim.x) * blockDim.x;
    for (int64_t index = blockIdx.x * static_cast<int64_t>(blockDim.x) + threadIdx.x; index < count; index += step) {
        const int64_t which = index / (rows * columns), rest = index % (rows * columns);
        T& place = c[which * stride + rest / columns * ld + rest % columns];
        if constexpr (sizeof(T) == 8) {
            place = beta == 0 ? 0.0 : beta * place;
        } else {
            const float factor = static_cast<float>(beta);
            place = static_cast<T>(factor == 0 ? 0.0f : factor * static_cast<float>(place));
        }
    }
}

template <typename T>
Status launch(const GemmProblem& p) {
    const int64_t blocks = std::min<int64_t>((p.m * p.n * p.batch + 255) / 256, 4096);
    preloaded<scale<T>>()<<<static_cast<unsigned>(blocks), 256, 0, p.stream>>>(static_cast<T*>(p.c), p.m, p.n, p.ldc,
                                                                               p.stride_c, p.batch, p.beta);
    return launched("scale");
}

}  // namespace

Status launch_scale(const GemmProblem& p) {
    switch (p.type_c) {
        case DataType::kF64: return launch<double>(p);
        case DataType::kF32: return launch<float>(p);
        case DataType::kBF16: return launch<__nv_bfloat16>(p);
        default: return launch<__half>(p);
    }
}

}  // namespace tiles

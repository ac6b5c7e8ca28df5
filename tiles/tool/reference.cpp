#include "tiles/tool/reference.h"

#ifdef TILES_HAVE_CUBLAS
#include <cublas_v2.h>
#endif

namespace tiles {

bool reference_product(const GemmArguments& g) {
#ifdef TILES_HAVE_CUBLAS
    static cublasHandle_t handle = [] {
        cublasHandle_t made = nullptr;
        return cublasCreate(&made) == CUBLAS_STATUS_SUCCESS ? made : nullptr;
    }();
    if (handle == nullptr) return false;
    const bool wide = g.compute == Compute::kF64;
    const cudaDataType_t type = wide                          ? CUDA_R_64F
                                : g.compute == Compute::kBF16 ? CUDA_R_16BF
                                : g.compute == Compute::kF16  ? CUDA_R_16F
                                                              : CUDA_R_32F;
    const cublasComputeType_t compute = wide                          ? CUBLAS_COMPUTE_64F
                                        : g.compute == Compute::kTF32 ? CUBLAS_COMPUTE_32F_FAST_TF32
                                                                      : CUBLAS_COMPUTE_32F;
    const float one = 1, zero = 0;
    const double wide_one = 1, wide_zero = 0;
    const void* alpha = wide ? static_cast<const void*>(&wide_one) : &one;
    const void* beta = wide ? static_cast<const void*>(&wide_zero) : &zero;
    // cuBLAS is column-major: the same memory is the transpose, C^T = B^T A^T.
    return cublasGemmEx(handle, CUBLAS_OP_N, CUBLAS_OP_N, static_cast<int>(g.n), static_cast<int>(g.m),
                        static_cast<int>(g.k), alpha, g.b, type, static_cast<int>(g.ldb), g.a, type,
                        static_cast<int>(g.lda), beta, g.c, type, static_cast<int>(g.ldc), compute,
                        CUBLAS_GEMM_DEFAULT) == CUBLAS_STATUS_SUCCESS;
#else
    (void)g;
    return false;
#endif
}

}  // namespace tiles

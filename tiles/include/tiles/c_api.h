// The C interface: tiles_gemm and its workspace query, with status codes. Nothing is thrown across it. A zeroed
// TilesGemm with the sizes, pointers and leading dimensions filled in, alpha 1 and batch 1 is a row-major fp32 product.
// tiles/gemm.h says what each field means and which promises hold.
#pragma once

#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

enum TilesStatus {
    TILES_OK = 0,
    TILES_INVALID_ARGUMENT = 1,
    TILES_UNSUPPORTED = 2,
    TILES_WORKSPACE_TOO_SMALL = 3,
    TILES_CUDA_ERROR = 4
};
enum TilesCompute { TILES_F32 = 0, TILES_F32_TENSOR = 1, TILES_TF32 = 2, TILES_BF16 = 3, TILES_F16 = 4, TILES_F64 = 5 };
enum TilesType { TILES_TYPE_F32 = 0, TILES_TYPE_F64 = 1, TILES_TYPE_BF16 = 2, TILES_TYPE_F16 = 3 };
enum TilesLayout { TILES_ROW_MAJOR = 0, TILES_COLUMN_MAJOR = 1 };
enum TilesOp { TILES_NONE = 0, TILES_TRANSPOSE = 1 };

typedef struct TilesGemm {
    int compute; /* TilesCompute */
    int type_c;  /* TilesType */
    int layout;  /* TilesLayout, of all three matrices */
    int op_a, op_b;
    int64_t m, n, k, batch;
    double alpha, beta;
    const void *a, *b;
    void* c;
    int64_t lda, ldb, ldc;
    int64_t stride_a, stride_b, stride_c;
    void* stream; /* a cudaStream_t */
    void* workspace;
    size_t workspace_bytes;
    const char* kernel; /* NULL: the library chooses */
} TilesGemm;

/* A TilesStatus. The other functions speak of the calling thread's last call. */
int tiles_gemm(const TilesGemm* product);
int tiles_gemm_workspace_size(const TilesGemm* product, size_t* bytes);
int tiles_prepare(void);

const char* tiles_last_argument(void); /* the argument at fault, or the CUDA call that failed; "" when all was well */
const char* tiles_last_message(void);
int tiles_last_cuda_error(void); /* a cudaError_t */

#ifdef __cplusplus
}
#endif

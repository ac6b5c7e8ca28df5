#include "tiles/c_api.h"

#include "tiles/gemm.h"

namespace {

thread_local tiles::Status last;

int keep(const tiles::Status& status) {
    last = status;
    return static_cast<int>(status.code);
}

tiles::GemmArguments arguments_of(const TilesGemm& p) {
    tiles::GemmArguments g;
    g.compute = static_cast<tiles::Compute>(p.compute), g.type_c = static_cast<tiles::DataType>(p.type_c);
    g.m = p.m, g.n = p.n, g.k = p.k, g.batch = p.batch;
    g.alpha = p.alpha, g.beta = p.beta;
    g.a = p.a, g.b = p.b, g.c = p.c;
    g.lda = p.lda, g.ldb = p.ldb, g.ldc = p.ldc;
    g.stride_a = p.stride_a, g.stride_b = p.stride_b, g.stride_c = p.stride_c;
    g.options.layout = static_cast<tiles::Layout>(p.layout);
    g.options.op_a = static_cast<tiles::Op>(p.op_a), g.options.op_b = static_cast<tiles::Op>(p.op_b);
    g.options.stream = static_cast<cudaStream_t>(p.stream);
    g.options.workspace = p.workspace, g.options.workspace_bytes = p.workspace_bytes, g.options.kernel = p.kernel;
    return g;
}

const tiles::Status kNoProduct = {tiles::StatusCode::kInvalidArgument, "product", "is null", 0};

}  // namespace

int tiles_gemm(const TilesGemm* product) {
    return keep(product == nullptr ? kNoProduct : tiles::gemm(arguments_of(*product)));
}

int tiles_gemm_workspace_size(const TilesGemm* product, size_t* bytes) {
    return keep(product == nullptr ? kNoProduct : tiles::gemm_workspace_size(arguments_of(*product), bytes));
}

int tiles_prepare(void) { return keep(tiles::prepare()); }

const char* tiles_last_argument(void) { return last.argument; }
const char* tiles_last_message(void) { return last.message; }
int tiles_last_cuda_error(void) { return last.cuda_error; }

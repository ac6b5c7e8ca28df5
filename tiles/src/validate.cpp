#include "tiles/src/validate.h"

#include <algorithm>

namespace tiles {
namespace {

Status invalid(const char* argument, const char* message) {
    return {StatusCode::kInvalidArgument, argument, message, 0};
}

bool aligned(const void* pointer, size_t bytes) { return reinterpret_cast<uintptr_t>(pointer) % bytes == 0; }

Status check_enums(const GemmArguments& g) {
    const int compute = static_cast<int>(g.compute), layout = static_cast<int>(g.options.layout);
    if (compute < 0 || compute > static_cast<int>(Compute::kF64))
        return invalid("compute", "is none of tiles::Compute");
    if (layout < 0 || layout > 1) return invalid("layout", "is neither row-major nor column-major");
    for (const Op op : {g.options.op_a, g.options.op_b}) {
        if (op != Op::kNone && op != Op::kTranspose) {
            return invalid(op == g.options.op_a ? "op_a" : "op_b", "is neither kNone nor kTranspose");
        }
    }
    const bool half = g.compute == Compute::kBF16 || g.compute == Compute::kF16;
    const DataType narrow = g.compute == Compute::kBF16 ? DataType::kBF16 : DataType::kF16;
    const DataType wide = g.compute == Compute::kF64 ? DataType::kF64 : DataType::kF32;
    if (g.type_c != wide && !(half && g.type_c == narrow)) return invalid("type_c", "does not go with compute");
    return {};
}

// One operand: rows x columns as stored, row after row (or column after column).
struct Stored {
    const char *pointer_name, *ld_name, *stride_name;
    const void* pointer;
    int64_t rows, columns, ld, stride;
    size_t bytes;
    bool written;
};

// More than any device can address, and few enough that products of it with parts and bytes do not overflow.
constexpr int64_t kMaxElements = int64_t{1} << 48;

// Whether no two matrices of a batch have an element in common: one lies behind the other, or they lie side by side.
bool apart(const Stored& s, int64_t batch) {
    return s.stride >= (s.rows - 1) * s.ld + s.columns || (s.stride >= s.columns && s.stride <= s.ld / batch);
}

Status check_operand(const Stored& s, int64_t batch, Memory memory) {
    if (s.ld < std::max<int64_t>(1, s.columns))
        return invalid(s.ld_name, "is shorter than a row (or column) of the matrix");
    if (s.rows == 0 || s.columns == 0 || batch == 0) return {};
    if (s.pointer == nullptr && memory == Memory::kThere) return invalid(s.pointer_name, "is null");
    if (!aligned(s.pointer, s.bytes)) return invalid(s.pointer_name, "is not aligned to its element");
    if (s.ld > kMaxElements / s.rows) return invalid(s.ld_name, "reaches further than any device's memory");
    if (batch == 1) return {};
    if (s.stride < 0) return invalid(s.stride_name, "is negative");
    if (s.stride > (kMaxElements - s.rows * s.ld) / (batch - 1))
        return invalid(s.stride_name, "reaches further than any device's memory");
    if (s.written && !apart(s, batch)) return invalid(s.stride_name, "lets matrices overlap");
    return {};
}

}  // namespace

size_t type_bytes(DataType type) { return type == DataType::kF64 ? 8 : type == DataType::kF32 ? 4 : 2; }

size_t input_bytes(Compute compute) {
    return compute == Compute::kF64 ? 8 : compute == Compute::kBF16 || compute == Compute::kF16 ? 2 : 4;
}

Status make_problem(const GemmArguments& g, GemmProblem* out, Memory memory) {
    if (Status status = check_enums(g); !status.ok()) return status;
    if (g.m < 0) return invalid("m", "is negative");
    if (g.n < 0) return invalid("n", "is negative");
    if (g.k < 0) return invalid("k", "is negative");
    if (g.batch < 0) return invalid("batch", "is negative");
    const bool row = g.options.layout == Layout::kRowMajor;
    const bool a_by_m = (g.options.op_a == Op::kNone) == row;  // rows of A lie one after the other
    const bool b_by_k = (g.options.op_b == Op::kNone) == row;
    const size_t input = input_bytes(g.compute);
    const int64_t read = g.alpha == 0 ? 0 : g.k;  // with alpha 0 neither A nor B is read
    const Stored a = {"a",   "lda",      "stride_a", g.a,  a_by_m ? g.m : read, a_by_m ? g.k : g.m,
                      g.lda, g.stride_a, input,      false};
    const Stored b = {"b",   "ldb",      "stride_b", g.b,  b_by_k ? read : g.n, b_by_k ? g.n : g.k,
                      g.ldb, g.stride_b, input,      false};
    const Stored c = {"c",   "ldc",      "stride_c",           g.c, row ? g.m : g.n, row ? g.n : g.m,
                      g.ldc, g.stride_c, type_bytes(g.type_c), true};
    const bool product = read > 0;
    for (const Stored* one : {&a, &b, &c}) {
        if (one != &c && (!product || g.m == 0 || g.n == 0)) continue;
        if (Status status = check_operand(*one, g.batch, memory); !status.ok()) return status;
    }
    if (g.options.workspace_bytes > 0 && g.options.workspace == nullptr) return invalid("workspace", "is null");
    if (!aligned(g.options.workspace, 256)) return invalid("workspace", "is not aligned to 256 bytes");

    GemmProblem p;
    p.compute = g.compute, p.type_c = g.type_c;
    p.m = g.m, p.n = g.n, p.k = read, p.batch = g.batch;
    p.a = g.a, p.lda = g.lda, p.stride_a = g.stride_a, p.transposed_a = !a_by_m;
    p.b = g.b, p.ldb = g.ldb, p.stride_b = g.stride_b, p.transposed_b = !b_by_k;
    p.c = g.c, p.ldc = g.ldc, p.stride_c = g.stride_c;
    p.alpha = g.alpha, p.beta = g.beta;
    if (p.batch == 1) p.stride_a = p.stride_b = p.stride_c = 0;  // whatever was in there
    p.stream = g.options.stream, p.workspace = g.options.workspace, p.workspace_bytes = g.options.workspace_bytes;
    if (!row) {
        // A column-major C is the row-major transpose: C^T = B^T A^T, the same bytes read the other way.
        std::swap(p.m, p.n);
        std::swap(p.a, p.b), std::swap(p.lda, p.ldb), std::swap(p.stride_a, p.stride_b);
        // A^T(p, i) lies row after row exactly when A's columns do.
        p.transposed_a = b_by_k, p.transposed_b = a_by_m;
    }
    *out = p;
    return {};
}

}  // namespace tiles

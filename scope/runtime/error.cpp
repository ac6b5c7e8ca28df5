// The error state of a host thread, and what errors are called.
#include "scope/runtime/guard.h"

namespace tilescope::runtime {
namespace {

thread_local cudaError last_error = cudaSuccess;

struct Row {
    cudaError code;
    const char* name;
    const char* text;
};

constexpr Row kErrors[] = {
#define TILESCOPE_ERROR(code, text) {code, #code, text},
#include "scope/runtime/error_table.inc"
#undef TILESCOPE_ERROR
};

const Row* find(cudaError error) {
    for (const Row& row : kErrors) {
        if (row.code == error) return &row;
    }
    return nullptr;
}

constexpr const char* kUnknown = "unrecognized error code";

}  // namespace

cudaError record(cudaError error) noexcept {
    if (error != cudaSuccess) last_error = error;
    return error;
}

TILESCOPE_API cudaError cudaGetLastError() {
    const cudaError error = last_error;
    last_error = cudaSuccess;
    return error;
}

TILESCOPE_API cudaError cudaPeekAtLastError() { return last_error; }

TILESCOPE_API const char* cudaGetErrorName(cudaError error) {
    const Row* row = find(error);
    return row != nullptr ? row->name : kUnknown;
}

TILESCOPE_API const char* cudaGetErrorString(cudaError error) {
    const Row* row = find(error);
    return row != nullptr ? row->text : kUnknown;
}

}  // namespace tilescope::runtime

// What every function of tiles returns. Owns: nothing; all text is static, so a Status may be copied anywhere and kept.
// Guarantees: no exception, no allocation; a failed check names the argument. Does not report what a kernel does after
// its launch: errors of the device surface at the caller's next synchronisation.
#pragma once

namespace tiles {

enum class StatusCode : int {
    kOk = 0,
    kInvalidArgument = 1,    // `argument` says which
    kUnsupported = 2,        // no kernel for this combination on this device
    kWorkspaceTooSmall = 3,  // ask gemm_workspace_size
    kCuda = 4,               // the CUDA runtime refused; `cuda_error` has its code
};

struct [[nodiscard]] Status {
    StatusCode code = StatusCode::kOk;
    const char* argument = "";  // the argument at fault, or the CUDA call that failed
    const char* message = "";   // one sentence
    int cuda_error = 0;         // a cudaError_t

    bool ok() const noexcept { return code == StatusCode::kOk; }
};

}  // namespace tiles

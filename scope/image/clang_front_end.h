// clang's first step of one half of a CUDA source: from text to LLVM code that is not optimised yet.
//
// Guarantees: what clang says of a source is what it says of it alone, with its headers read as text; a source without
// nvcc's own spellings is read as it is, and only once. May run beside the other half's, with a job of its own.
#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "scope/image/compile_steps.h"

namespace tilescope::image {

struct FrontEnd {
    std::vector<std::string> flags;       // which half, and what its text means: beside cuda_flags()
    std::vector<std::string> code_flags;  // what has no part in reading headers
    std::filesystem::path rule;           // what was read, as -MD writes it
    std::filesystem::path code;
};

// job.source to half.code; what was read is added to job.dependencies.
Status run_front_end(CompileJob& job, const FrontEnd& half);

}  // namespace tilescope::image

// From .cu and C++ files to a program for the CPU that carries its kernels as PTX, or from one to the PTX alone.
//
// Through nvcc, or through clang 14 to 19 with no CUDA toolkit: the headers in scope/image/include then stand for
// CUDA's. Either way the program is linked with a shared libcudart (nvcc: its own soname; clang: libcudart.so.12),
// which whoever runs it replaces by ours.
//
// Guarantees: no shell, nothing left behind in the temporary folder; results are kept by content (cache.h); errors of
// the compiler come back as one Diagnostic each, with the compiler's own text, and those of the linker as one.
// Does not model: device code that nvcc's linker links over files, which is machine code alone: refused by name.
// Through clang it is linked here (device_link.h), where the flags ask for it.
#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "scope/base/result.h"
#include "scope/image/toolchain.h"

namespace tilescope::image {

struct CompileOptions {
    Compiler compiler = Compiler::kAuto;
    std::filesystem::path compiler_path;    // this very compiler, with compiler not kAuto; empty: find one
    std::string arch = "sm_90";             // a compiler that does not know it yet takes the newest before it
    std::vector<std::string> extra_flags;   // the user's, as nvcc spells them; they win over ours
    std::filesystem::path headers_dir;      // our CUDA headers, for clang; empty: default_headers_dir()
    std::filesystem::path runtime_lib_dir;  // holds our libcudart.so.12, which clang's programs are linked with
    std::filesystem::path cache_dir;        // empty: as CompileCache::open chooses
    bool relocatable_ptx = false;           // of compile_to_ptx(): names of other parts are asked for
    // Without the features that only the architecture's full name gives (sm_90a for sm_90), as NVRTC has it. Else code
    // is made for one device, and may use all that it has.
    bool exact_arch = false;
};

struct CompiledProgram {
    std::filesystem::path executable;
    std::string compiler_name;  // "clang 19.1.7", "nvcc 13.0.88"
    std::string messages;       // the compiler's warnings; from the cache those alone that are about the run
    bool from_cache = false;
};

struct CompiledPtx {
    std::string ptx;
    unsigned sm = 0;                // of its .target: 90
    std::string assembler_options;  // what ptxas would have been told with it
    std::string compiler_name;
    std::string messages;
    bool from_cache = false;
};

// Kernels see the architecture asked for as __CUDA_ARCH__ and the PTX is for it, except that an nvcc which does not
// know it makes what it can. kAuto turns to clang where nvcc no longer knows an old architecture. Codes:
// "image-compile" (the compiler's errors), "image-link" (the linker's), "image-device-link" (a name of two files'
// device code, or of none), "image-cuda-include" (a folder that is none of these headers), "image-no-compiler",
// "image-unreadable", "image-unwritable", "image-bad-arch". `sources`: at least one; is_cuda_source() says which of
// them may hold kernels.
Result<CompiledProgram> compile_program(const std::vector<std::filesystem::path>& sources,
                                        const CompileOptions& options);
Result<CompiledPtx> compile_to_ptx(const std::filesystem::path& source, const CompileOptions& options);

// Whether a file is compiled, by its name: CUDA (.cu), or C++ for the host (.cpp, .cc, .cxx, .c++, .C) and C (.c).
bool is_cuda_source(const std::filesystem::path& path);
bool is_source(const std::filesystem::path& path);
// Whether a file is only linked, by its name: an object, an archive or a shared library.
bool is_object(const std::filesystem::path& path);

// In share/tilescope of the installation that this code was loaded from (base/own_place.h), else in the source tree.
std::filesystem::path default_headers_dir();

// The numbers in PTX's ".version 7.8" (78) and ".target sm_90a" (90); 0 where there is none. The letter behind the
// latter ('a' or 'f'), else NUL.
unsigned ptx_version_of(std::string_view ptx);
unsigned ptx_target_of(std::string_view ptx);
char ptx_target_suffix_of(std::string_view ptx);

}  // namespace tilescope::image

// In every process of a program that starts others: where the executable has a CUDA runtime linked into it, the library
// that takes its calls over is loaded (static_runtime.cpp) before any of its own code runs; libraries are followed
// (follow_libraries.h).
//
// `tilescope run -- PROGRAM` has the loader take this library first, for which program needs which is not known before
// it starts. Guarantees: whatever has no such runtime is left as it is. Does not model: as static_runtime.cpp.
#include <dlfcn.h>

#include <cstdlib>
#include <string>

#include "scope/image/elf_view.h"
#include "scope/image/static_runtime.h"
#include "scope/runtime/cudart/follow_libraries.h"
#include "scope/runtime/cudart/take_over.h"
#include "scope/session/options.h"

namespace tilescope::runtime {
namespace {

unsigned release_in(const char* path) {
    const MappedFile file(path);
    const auto elf = image::ElfView::open(file.bytes());
    return elf ? image::static_runtime_release(elf->symbols()) : 0;
}

__attribute__((constructor)) void follow() {
    const unsigned release = release_in("/proc/self/exe");
    if (release != 0) {
        const std::string library = "libcudart.so." + (release == 11 ? std::string("11.0") : std::to_string(release));
        setenv(kStaticRuntimeVariable, "1", 1);
        dlopen(library.c_str(), RTLD_NOW | RTLD_GLOBAL);
    }
    follow_libraries();
}

}  // namespace
}  // namespace tilescope::runtime

// In every process of a program that starts others: where the executable has a CUDA runtime linked into it, the library
// that takes its calls over is loaded (static_runtime.cpp) before any of its own code runs.
//
// `tilescope run -- PROGRAM` has the loader take this library first, for which program needs which is not known before
// it starts. Guarantees: whatever has no such runtime is left as it is. Does not model: as static_runtime.cpp.
#include <dlfcn.h>
#include <fcntl.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cstddef>
#include <cstdlib>
#include <span>
#include <string>

#include "scope/image/elf_view.h"
#include "scope/image/static_runtime.h"
#include "scope/session/options.h"

namespace tilescope::runtime {
namespace {

unsigned release_in(const char* path) {
    const int file = open(path, O_RDONLY | O_CLOEXEC);
    if (file < 0) return 0;
    struct stat about {};
    unsigned release = 0;
    if (fstat(file, &about) == 0 && about.st_size > 0) {
        const auto bytes = static_cast<std::size_t>(about.st_size);
        void* const base = mmap(nullptr, bytes, PROT_READ, MAP_PRIVATE, file, 0);
        if (base != MAP_FAILED) {
            const auto elf = image::ElfView::open({static_cast<const std::byte*>(base), bytes});
            if (elf) release = image::static_runtime_release(elf->symbols());
            munmap(base, bytes);
        }
    }
    close(file);
    return release;
}

__attribute__((constructor)) void follow() {
    const unsigned release = release_in("/proc/self/exe");
    if (release == 0) return;
    const std::string library = "libcudart.so." + (release == 11 ? std::string("11.0") : std::to_string(release));
    setenv(kStaticRuntimeVariable, "1", 1);
    dlopen(library.c_str(), RTLD_NOW | RTLD_GLOBAL);
}

}  // namespace
}  // namespace tilescope::runtime

// A CUDA runtime that was linked into the program (nvcc -cudart static, its default) hands its calls to this library.
//
// `tilescope run` loads this library before such a program and says so in a variable. Before any code of the program
// runs, its runtime's functions are led here (take_over.h). So calls arrive as those of a program with the shared
// runtime do, return address and all; nothing of the linked-in runtime runs. Does not model: programs without symbols,
// other processors than x86-64; runtimes within libraries, which follow.cpp looks after.
#include <dlfcn.h>
#include <link.h>
#include <unistd.h>

#include <cerrno>
#include <cstddef>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <vector>

#include "scope/image/elf_view.h"
#include "scope/image/static_runtime.h"
#include "scope/runtime/cudart/take_over.h"
#include "scope/runtime/cudart/versioned.h"
#include "scope/session/options.h"

namespace tilescope::runtime {
namespace {

#if defined(__x86_64__)

// Where the program lies, whose code is the first that the loader lists.
LoadedCode code_of_program() {
    LoadedCode code;
    dl_iterate_phdr(
        [](dl_phdr_info* info, std::size_t, void* out) {
            *static_cast<LoadedCode*>(out) = code_of(*info);
            return 1;
        },
        &code);
    return code;
}

// This library as one that can be asked for its functions.
void* own_library() {
    Dl_info about{};
    if (dladdr(reinterpret_cast<const void*>(&own_library), &about) == 0) return nullptr;
    return dlopen(about.dli_fname, RTLD_NOW | RTLD_NOLOAD);
}

// Else the linked-in runtime would run, and say that there is no driver.
[[noreturn]] void refuse() {
    std::fprintf(
        stderr,
        "tilescope: error: the CUDA runtime that is linked into this program cannot be led to tilescope's: the "
        "system lets nobody change its code (%s) [runtime-static]\n"
        "  hint: rebuild with nvcc -cudart shared\n",
        std::strerror(errno));
    _exit(EXIT_FAILURE);
}

__attribute__((constructor)) void take_over_static_runtime() {
    if (std::getenv(kStaticRuntimeVariable) == nullptr) return;
    const MappedFile file("/proc/self/exe");
    const auto elf = image::ElfView::open(file.bytes());
    if (!elf) return;
    const std::vector<image::ElfSymbol> symbols = elf->symbols();
    if (image::static_runtime_release(symbols) * 1000 != static_cast<unsigned>(runtime_version()) / 1000 * 1000) return;
    const LoadedCode code = code_of_program();
    void* const library = own_library();
    if (library == nullptr || code.begin == code.end) return;
    if (!lead_to_ours(symbols, code, library)) refuse();
    dlclose(library);
}

#endif

}  // namespace
}  // namespace tilescope::runtime

// A CUDA runtime that was linked into the program (nvcc -cudart static, its default) hands its calls to this library.
//
// `tilescope run` loads this library before such a program and says so in a variable. Before any code of the program
// runs, the first instructions of each of its runtime's functions become a jump to the function of the same name here.
// So calls arrive as those of a program with the shared runtime do, return address and all; nothing of the linked-in
// runtime runs. Does not model: programs without symbols, other processors than x86-64, runtimes within shared
// libraries that the program loads.
#include <dlfcn.h>
#include <fcntl.h>
#include <link.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <span>
#include <string>
#include <vector>

#include "scope/image/elf_view.h"
#include "scope/image/static_runtime.h"
#include "scope/runtime/cudart/versioned.h"
#include "scope/session/options.h"

namespace tilescope::runtime {
namespace {

#if defined(__x86_64__)

// movabs $target, %r11; jmp *%r11. The register is free between functions.
constexpr std::size_t kJumpBytes = 13;

void write_jump(unsigned char* at, const void* target) {
    const auto address = reinterpret_cast<std::uint64_t>(target);
    at[0] = 0x49;
    at[1] = 0xbb;
    std::memcpy(at + 2, &address, sizeof address);
    at[10] = 0x41;
    at[11] = 0xff;
    at[12] = 0xe3;
}

class MappedFile {
public:
    explicit MappedFile(const char* path) {
        const int file = open(path, O_RDONLY | O_CLOEXEC);
        if (file < 0) return;
        struct stat about {};
        if (fstat(file, &about) == 0 && about.st_size > 0) {
            bytes_ = static_cast<std::size_t>(about.st_size);
            base_ = mmap(nullptr, bytes_, PROT_READ, MAP_PRIVATE, file, 0);
        }
        close(file);
    }
    ~MappedFile() {
        if (base_ != MAP_FAILED) munmap(base_, bytes_);
    }
    MappedFile(const MappedFile&) = delete;
    MappedFile& operator=(const MappedFile&) = delete;
    std::span<const std::byte> bytes() const {
        if (base_ == MAP_FAILED) return {};
        return {static_cast<const std::byte*>(base_), bytes_};
    }

private:
    void* base_ = MAP_FAILED;
    std::size_t bytes_ = 0;
};

// Where the program lies, whose code is the first that the loader lists.
struct Code {
    std::uintptr_t base = 0, begin = 0, end = 0;
};

Code code_of_program() {
    Code code;
    dl_iterate_phdr(
        [](dl_phdr_info* info, std::size_t, void* out) {
            Code& found = *static_cast<Code*>(out);
            found.base = info->dlpi_addr;
            for (int i = 0; i < info->dlpi_phnum; ++i) {
                const auto& segment = info->dlpi_phdr[i];
                if (segment.p_type != PT_LOAD || (segment.p_flags & PF_X) == 0) continue;
                found.begin = info->dlpi_addr + segment.p_vaddr;
                found.end = found.begin + segment.p_memsz;
            }
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

// Their functions by address, so that the room of each is known.
std::vector<image::ElfSymbol> functions_in_order(std::vector<image::ElfSymbol> symbols) {
    std::erase_if(symbols, [](const image::ElfSymbol& symbol) { return symbol.type != STT_FUNC || symbol.value == 0; });
    std::sort(symbols.begin(), symbols.end(), [](const auto& a, const auto& b) { return a.value < b.value; });
    return symbols;
}

void lead_to_own(const std::vector<image::ElfSymbol>& functions, const Code& code, void* library) {
    for (std::size_t i = 0; i < functions.size(); ++i) {
        const image::ElfSymbol& function = functions[i];
        if (!image::is_name_of_runtime(function.name)) continue;
        const void* const target = dlsym(library, std::string(function.name).c_str());
        const std::uintptr_t at = code.base + function.value;
        std::size_t next = i + 1;
        while (next < functions.size() && functions[next].value == function.value) ++next;
        const std::uintptr_t end = next < functions.size() ? code.base + functions[next].value : code.end;
        if (target == nullptr || at < code.begin || end > code.end || end - at < kJumpBytes) continue;
        write_jump(reinterpret_cast<unsigned char*>(at), target);
    }
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
    const Code code = code_of_program();
    void* const library = own_library();
    if (library == nullptr || code.begin == code.end) return;
    const std::uintptr_t page = static_cast<std::uintptr_t>(sysconf(_SC_PAGESIZE));
    const std::uintptr_t begin = code.begin & ~(page - 1);
    void* const first = reinterpret_cast<void*>(begin);
    if (mprotect(first, code.end - begin, PROT_READ | PROT_WRITE | PROT_EXEC) != 0) refuse();
    lead_to_own(functions_in_order(symbols), code, library);
    mprotect(first, code.end - begin, PROT_READ | PROT_EXEC);
    dlclose(library);
}

#endif

}  // namespace
}  // namespace tilescope::runtime

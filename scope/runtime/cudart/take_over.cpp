#include "scope/runtime/cudart/take_over.h"

#include <dlfcn.h>
#include <fcntl.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cstring>
#include <string>

#include "scope/image/static_runtime.h"

namespace tilescope::runtime {
namespace {

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

// Their functions by address, so that the room of each is known.
std::vector<image::ElfSymbol> functions_in_order(std::vector<image::ElfSymbol> symbols) {
    std::erase_if(symbols, [](const image::ElfSymbol& symbol) { return symbol.type != STT_FUNC || symbol.value == 0; });
    std::sort(symbols.begin(), symbols.end(), [](const auto& a, const auto& b) { return a.value < b.value; });
    return symbols;
}

void lead_functions(const std::vector<image::ElfSymbol>& functions, const LoadedCode& code, void* library) {
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

}  // namespace

MappedFile::MappedFile(const char* path) {
    const int file = open(path, O_RDONLY | O_CLOEXEC);
    if (file < 0) return;
    struct stat about {};
    if (fstat(file, &about) == 0 && about.st_size > 0) {
        void* const base = mmap(nullptr, static_cast<std::size_t>(about.st_size), PROT_READ, MAP_PRIVATE, file, 0);
        if (base != MAP_FAILED) {
            base_ = base;
            bytes_ = static_cast<std::size_t>(about.st_size);
        }
    }
    close(file);
}

MappedFile::~MappedFile() {
    if (base_ != nullptr) munmap(base_, bytes_);
}

std::span<const std::byte> MappedFile::bytes() const { return {static_cast<const std::byte*>(base_), bytes_}; }

LoadedCode code_of(const dl_phdr_info& info) {
    LoadedCode found;
    found.base = info.dlpi_addr;
    for (int i = 0; i < info.dlpi_phnum; ++i) {
        const auto& segment = info.dlpi_phdr[i];
        if (segment.p_type != PT_LOAD || (segment.p_flags & PF_X) == 0) continue;
        found.begin = info.dlpi_addr + segment.p_vaddr;
        found.end = found.begin + segment.p_memsz;
    }
    return found;
}

bool lead_to_ours(const std::vector<image::ElfSymbol>& symbols, const LoadedCode& code, void* library) {
#if defined(__x86_64__)
    const std::uintptr_t page = static_cast<std::uintptr_t>(sysconf(_SC_PAGESIZE));
    const std::uintptr_t begin = code.begin & ~(page - 1);
    void* const first = reinterpret_cast<void*>(begin);
    if (mprotect(first, code.end - begin, PROT_READ | PROT_WRITE | PROT_EXEC) != 0) return false;
    lead_functions(functions_in_order(symbols), code, library);
    mprotect(first, code.end - begin, PROT_READ | PROT_EXEC);
#else
    (void)symbols, (void)code, (void)library;
#endif
    return true;
}

}  // namespace tilescope::runtime

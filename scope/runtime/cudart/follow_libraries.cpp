#include "scope/runtime/cudart/follow_libraries.h"

#include <dlfcn.h>
#include <elf.h>
#include <link.h>
#include <unistd.h>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <iterator>
#include <mutex>
#include <set>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "scope/image/elf_view.h"
#include "scope/image/static_runtime.h"
#include "scope/runtime/cudart/take_over.h"

namespace tilescope::runtime {
namespace {

using Open = void*(const char*, int);

Open* real_open() {
    static auto* const open = reinterpret_cast<Open*>(dlsym(RTLD_NEXT, "dlopen"));
    return open;
}

struct Library {
    std::string path;
    LoadedCode code;
};

std::vector<Library> loaded_libraries() {
    std::vector<Library> all;
    dl_iterate_phdr(
        [](dl_phdr_info* info, std::size_t, void* out) {
            if (info->dlpi_name != nullptr && std::strchr(info->dlpi_name, '/') != nullptr)
                static_cast<std::vector<Library>*>(out)->push_back({info->dlpi_name, code_of(*info)});
            return 0;
        },
        &all);
    return all;
}

// With its slash; empty: not known.
std::string own_folder() {
    Dl_info about{};
    if (dladdr(reinterpret_cast<const void*>(&own_folder), &about) == 0) return {};
    const std::string self = about.dli_fname;
    return self.substr(0, self.rfind('/') + 1);
}

// Ours, which lies beside this library: another one of that name may be loaded already.
void* own_runtime(unsigned release) {
    const std::string name = "libcudart.so." + (release == 11 ? std::string("11.0") : std::to_string(release));
    return real_open()((own_folder() + name).c_str(), RTLD_NOW | RTLD_GLOBAL);
}

// What tilescope has a library of that name for, beside this one; else null. Python's packages bring NVIDIA's, and open
// them by a path.
const char* own_of(const char* file) {
    constexpr std::string_view kOurs[] = {"libcuda.so", "libcudart.so", "libnvrtc.so", "libnvJitLink.so"};
    if (file == nullptr) return nullptr;
    const std::string_view whole(file), name = whole.substr(whole.rfind('/') + 1);
    if (std::none_of(std::begin(kOurs), std::end(kOurs), [&](auto own) { return name.starts_with(own); }))
        return nullptr;
    static std::mutex mutex;
    static std::set<std::string> paths;  // kept, for whoever opens one holds its name during the call
    const std::lock_guard lock(mutex);
    const std::string& path = *paths.insert(own_folder() + std::string(name)).first;
    return access(path.c_str(), R_OK) == 0 ? path.c_str() : nullptr;
}

// Whether the names of a file's symbols have that of a function of the runtime among them: most files end here.
bool may_have_runtime(const image::ElfView& elf) {
    const image::ElfSection* const names = elf.find(".strtab");
    if (names == nullptr) return false;
    const std::string_view text(reinterpret_cast<const char*>(names->contents.data()), names->contents.size());
    return text.find("__cudaRegisterFatBinary") != std::string_view::npos;
}

// What a compiler makes of each file with kernels: a function that registers them, run when the library is loaded.
bool is_registration(std::string_view name) { return name.find("__sti____cudaRegisterAll") != std::string_view::npos; }

void take_over(const Library& library) {
    if (library.path.starts_with(own_folder())) return;
    const MappedFile file(library.path.c_str());
    const auto elf = image::ElfView::open(file.bytes());
    if (!elf || !may_have_runtime(*elf)) return;
    const std::vector<image::ElfSymbol> symbols = elf->symbols();
    const bool is_linked = std::any_of(symbols.begin(), symbols.end(), [](const image::ElfSymbol& symbol) {
        return symbol.name.starts_with("__cudaRegisterLinkedBinary");
    });
    const unsigned release = image::static_runtime_release(symbols);
    if (release == 0 || is_linked) return;
    void* const own = own_runtime(release);
    if (own == nullptr || !lead_to_ours(symbols, library.code, own)) return;
    for (const image::ElfSymbol& symbol : symbols)
        if (symbol.type == STT_FUNC && symbol.value != 0 && is_registration(symbol.name))
            reinterpret_cast<void (*)()>(library.code.base + symbol.value)();
}

// How deep this thread is in dlopen: what constructors open is looked at when they are done.
thread_local int depth = 0;

// Where a library that `file` names lies hangs on who asks: a name without a folder, or with the caller's in it.
bool hangs_on_caller(const char* file) {
    return file == nullptr || std::strchr(file, '/') == nullptr || std::strchr(file, '$') != nullptr;
}

void* open_and_follow(const char* file, int mode) {
    ++depth;
    void* const opened = real_open()(file, mode);
    if (--depth == 0 && opened != nullptr) follow_libraries();
    return opened;
}

}  // namespace

void follow_libraries() {
    static std::mutex mutex;
    static std::set<std::pair<std::string, std::uintptr_t>> known;
    const std::lock_guard lock(mutex);
    std::set<std::pair<std::string, std::uintptr_t>> now;
    for (const Library& library : loaded_libraries()) {
        const std::pair<std::string, std::uintptr_t> key(library.path, library.code.base);
        now.insert(key);
        if (known.count(key) == 0) take_over(library);
    }
    known = std::move(now);  // what is closed and opened again is new
}

}  // namespace tilescope::runtime

// In the place of the C library's. A name without a slash is looked for where the caller says, which the loader knows
// by the return address: that call is made as if it had been the caller's.
#if defined(__clang__)
#define TILESCOPE_AS_THE_CALLER [[clang::musttail]]
#define TILESCOPE_KEEPS_CALLER
#else
#define TILESCOPE_AS_THE_CALLER
#define TILESCOPE_KEEPS_CALLER __attribute__((optimize("O2")))
#endif

// Under another name in C++: what <dlfcn.h> declares throws nothing, which clang guards, and a call in the caller's
// place leaves nothing to be done behind it. So has it no variables.
extern "C" __attribute__((visibility("default"))) void* open_for_caller(const char* file, int mode) __asm__("dlopen");
extern "C" TILESCOPE_KEEPS_CALLER void* open_for_caller(const char* file, int mode) {
    using namespace tilescope::runtime;
    if (own_of(file) == nullptr && hangs_on_caller(file)) TILESCOPE_AS_THE_CALLER return real_open()(file, mode);
    return open_and_follow(own_of(file) != nullptr ? own_of(file) : file, mode);
}

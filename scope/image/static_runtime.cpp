#include "scope/image/static_runtime.h"

#include <elf.h>

#include <algorithm>

namespace tilescope::image {

unsigned static_runtime_release(const std::vector<ElfSymbol>& symbols) {
    const bool is_nvidias = std::any_of(symbols.begin(), symbols.end(), [](const ElfSymbol& symbol) {
        return symbol.name.starts_with("libcudart_static_") || (symbol.is_local && symbol.name == "cudaMalloc");
    });
    if (!is_nvidias) return 0;
    const auto defines = [&](std::string_view name) {
        return std::any_of(symbols.begin(), symbols.end(), [&](const ElfSymbol& symbol) {
            return symbol.section != SHN_UNDEF && symbol.type == STT_FUNC && symbol.name == name;
        });
    };
    if (!defines("cudaMalloc") || !defines("__cudaRegisterFatBinary")) return 0;
    if (defines("cudaBindTexture")) return 11;
    return defines("cudaThreadExit") || defines("cudaLaunchCooperativeKernelMultiDevice") ? 12 : 13;
}

}  // namespace tilescope::image

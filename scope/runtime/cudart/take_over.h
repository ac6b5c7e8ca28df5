// A CUDA runtime that was linked into an executable or a library (nvcc -cudart static, its default) hands its calls to
// one of ours: the first instructions of each of its functions become a jump to the function of the same name there.
//
// Guarantees: functions that ours does not have, or that are shorter than a jump, stay as they are. Does not model:
// code without symbols, other processors than x86-64.
#pragma once

#include <link.h>

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "scope/image/elf_view.h"

namespace tilescope::runtime {

// A file as it lies on the disk; empty where it cannot be read.
class MappedFile {
public:
    explicit MappedFile(const char* path);
    ~MappedFile();
    MappedFile(const MappedFile&) = delete;
    MappedFile& operator=(const MappedFile&) = delete;
    std::span<const std::byte> bytes() const;

private:
    void* base_ = nullptr;
    std::size_t bytes_ = 0;
};

// Where something lies that is loaded, and its code.
struct LoadedCode {
    std::uintptr_t base = 0, begin = 0, end = 0;
};
LoadedCode code_of(const dl_phdr_info& info);

// `symbols`: of the file whose code that is; `library`: of ours, as dlopen gives it. False: the system lets nobody
// change the code, and errno says why.
bool lead_to_ours(const std::vector<image::ElfSymbol>& symbols, const LoadedCode& code, void* library);

}  // namespace tilescope::runtime

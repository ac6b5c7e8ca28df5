#include "tiles/src/registry.h"

#include <cstring>

namespace tiles {
namespace {

constexpr int kMostKernels = 128;

struct Registry {
    const Kernel* rows[kMostKernels];
    int count = 0;

    Registry() {
        for (const KernelList& list : {simt_kernels(), tensor_kernels()}) {
            for (int i = 0; i < list.count && count < kMostKernels; ++i) rows[count++] = list.rows[i];
        }
    }
};

const Registry& registry() {
    static const Registry made;
    return made;
}

}  // namespace

KernelList all_kernels() { return {registry().rows, registry().count}; }

const Kernel* find_kernel(const char* name) {
    const KernelList list = all_kernels();
    for (int i = 0; i < list.count; ++i) {
        if (std::strcmp(list.rows[i]->name, name) == 0) return list.rows[i];
    }
    return nullptr;
}

}  // namespace tiles

// libnvJitLink: the C interface of CUDA's linker for device code that a program makes while it runs.
//
// Every function of nvJitLink.h of CUDA 13.0 stands here, by its own name and by those of each release, which the
// header's inline functions call.
#include <algorithm>
#include <cstring>
#include <new>

#include "scope/runtime/nvrtc/jit_link.h"
#include "scope/runtime/nvrtc/releases.h"

namespace tilescope::runtime::nvrtc {
namespace {

template <class Body>
int call_link(Body&& body) noexcept {
    try {
        return static_cast<int>(body());
    } catch (...) {
        return static_cast<int>(LinkCode::kInternal);
    }
}

template <class Body>
int with_link(const void* handle, Body&& body) noexcept {
    return call_link([&] {
        const auto link = JitLinks::get().find(handle);
        return link == nullptr ? LinkCode::kNullInput : body(*link);
    });
}

LinkCode give_size(std::size_t* to, std::size_t value) {
    if (to == nullptr) return LinkCode::kNullInput;
    *to = value;
    return LinkCode::kSuccess;
}

LinkCode copy_bytes(const std::string& bytes, void* to) {
    if (to == nullptr) return LinkCode::kNullInput;
    std::memcpy(to, bytes.data(), bytes.size());
    return LinkCode::kSuccess;
}

// With its end, where there is something to say.
LinkCode copy_log(const std::string& log, char* to) {
    if (to == nullptr) return LinkCode::kNullInput;
    std::copy_n(log.c_str(), log.size() + (log.empty() ? 0 : 1), to);
    return LinkCode::kSuccess;
}

std::size_t size_of_log(const std::string& log) { return log.empty() ? 0 : log.size() + 1; }

}  // namespace
}  // namespace tilescope::runtime::nvrtc

using namespace tilescope::runtime::nvrtc;

// A function of the interface; the page docs/reference/nvrtc.md is made from these.
#define TILESCOPE_JIT_LINK(name) extern "C" __attribute__((visibility("default"))) int name
// One of which there is never anything to give.
#define TILESCOPE_JIT_LINK_EMPTY(name) TILESCOPE_JIT_LINK(name)

TILESCOPE_JIT_LINK(nvJitLinkCreate)(const void** handle, unsigned count, const char** options) {
    return call_link([&] {
        if (handle == nullptr || options == nullptr) return LinkCode::kNullInput;
        std::vector<std::string> words;
        for (unsigned i = 0; i < count; ++i) {
            if (options[i] == nullptr) return LinkCode::kNullInput;
            words.emplace_back(options[i]);
        }
        auto link = std::make_shared<JitLink>();
        const LinkCode code = link->set_options(words, kArchitectures);
        *handle = JitLinks::get().make(std::move(link));
        return code;
    });
}

TILESCOPE_JIT_LINK(nvJitLinkDestroy)(const void** handle) {
    return call_link([&] {
        if (handle == nullptr || !JitLinks::get().destroy(*handle)) return LinkCode::kNullInput;
        *handle = nullptr;
        return LinkCode::kSuccess;
    });
}

TILESCOPE_JIT_LINK(nvJitLinkAddData)
(const void* handle, int type, const void* data, std::size_t bytes, const char* name) {
    return with_link(handle, [&](JitLink& link) {
        if (data == nullptr) return LinkCode::kNullInput;
        return link.add(type, {static_cast<const char*>(data), bytes}, name == nullptr ? "" : name);
    });
}

TILESCOPE_JIT_LINK(nvJitLinkAddFile)(const void* handle, int type, const char* path) {
    return with_link(handle,
                     [&](JitLink& link) { return path == nullptr ? LinkCode::kNullInput : link.add_file(type, path); });
}

TILESCOPE_JIT_LINK(nvJitLinkComplete)(const void* handle) {
    return with_link(handle, [](JitLink& link) { return link.complete(); });
}

TILESCOPE_JIT_LINK(nvJitLinkGetLinkedCubinSize)(const void* handle, std::size_t* bytes) {
    return with_link(handle, [&](JitLink& link) {
        const auto container = link.container();
        return container ? give_size(bytes, container->size()) : LinkCode::kInternal;
    });
}

TILESCOPE_JIT_LINK(nvJitLinkGetLinkedCubin)(const void* handle, void* to) {
    return with_link(handle, [&](JitLink& link) {
        const auto container = link.container();
        return container ? copy_bytes(*container, to) : LinkCode::kInternal;
    });
}

TILESCOPE_JIT_LINK_EMPTY(nvJitLinkGetLinkedPtxSize)(const void* handle, std::size_t* bytes) {
    (void)bytes;
    return with_link(handle, [](JitLink&) { return LinkCode::kInvalidInput; });
}

TILESCOPE_JIT_LINK_EMPTY(nvJitLinkGetLinkedPtx)(const void* handle, char* to) {
    (void)to;
    return with_link(handle, [](JitLink&) { return LinkCode::kInvalidInput; });
}

TILESCOPE_JIT_LINK(nvJitLinkGetErrorLogSize)(const void* handle, std::size_t* bytes) {
    return with_link(handle, [&](JitLink& link) { return give_size(bytes, size_of_log(link.error_log())); });
}

TILESCOPE_JIT_LINK(nvJitLinkGetErrorLog)(const void* handle, char* to) {
    return with_link(handle, [&](JitLink& link) { return copy_log(link.error_log(), to); });
}

TILESCOPE_JIT_LINK(nvJitLinkGetInfoLogSize)(const void* handle, std::size_t* bytes) {
    return with_link(handle, [&](JitLink&) { return give_size(bytes, 0); });
}

TILESCOPE_JIT_LINK(nvJitLinkGetInfoLog)(const void* handle, char* to) {
    return with_link(handle, [&](JitLink&) { return copy_log({}, to); });
}

TILESCOPE_JIT_LINK(nvJitLinkVersion)(unsigned* major, unsigned* minor) {
    return call_link([&] {
        if (major == nullptr || minor == nullptr) return LinkCode::kNullInput;
        *major = kMajor;
        *minor = kMinor;
        return LinkCode::kSuccess;
    });
}

// Each function by the name of each release of this CUDA, as a jump would do: another name of the same place.
#define TILESCOPE_NAME_OF(call, cuda, minor)                                                            \
    asm(".globl __nvJitLink" #call "_" #cuda "_" #minor "\n.set __nvJitLink" #call "_" #cuda "_" #minor \
        ", nvJitLink" #call "\n");
#define TILESCOPE_NAMES_OF_CUDA(call, cuda) \
    TILESCOPE_NAME_OF(call, cuda, 0)        \
    TILESCOPE_NAME_OF(call, cuda, 1)        \
    TILESCOPE_NAME_OF(call, cuda, 2)        \
    TILESCOPE_NAME_OF(call, cuda, 3)        \
    TILESCOPE_NAME_OF(call, cuda, 4)        \
    TILESCOPE_NAME_OF(call, cuda, 5)        \
    TILESCOPE_NAME_OF(call, cuda, 6)        \
    TILESCOPE_NAME_OF(call, cuda, 7)        \
    TILESCOPE_NAME_OF(call, cuda, 8)        \
    TILESCOPE_NAME_OF(call, cuda, 9)
#if TILESCOPE_NVRTC_RELEASE == 12
#define TILESCOPE_NAMES_OF(call) TILESCOPE_NAMES_OF_CUDA(call, 12)
#else
#define TILESCOPE_NAMES_OF(call) TILESCOPE_NAMES_OF_CUDA(call, 13)
#endif
TILESCOPE_NAMES_OF(Create)
TILESCOPE_NAMES_OF(Destroy)
TILESCOPE_NAMES_OF(AddData)
TILESCOPE_NAMES_OF(AddFile)
TILESCOPE_NAMES_OF(Complete)
TILESCOPE_NAMES_OF(GetLinkedCubinSize)
TILESCOPE_NAMES_OF(GetLinkedCubin)
TILESCOPE_NAMES_OF(GetLinkedPtxSize)
TILESCOPE_NAMES_OF(GetLinkedPtx)
TILESCOPE_NAMES_OF(GetErrorLogSize)
TILESCOPE_NAMES_OF(GetErrorLog)
TILESCOPE_NAMES_OF(GetInfoLogSize)
TILESCOPE_NAMES_OF(GetInfoLog)

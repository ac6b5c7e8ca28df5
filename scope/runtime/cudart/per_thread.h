// Entry points of programs built with --default-stream per-thread (_ptsz, _ptds): each is another function's twin, in
// which the default stream is the calling thread's own.
//
// Guarantees: a twin differs from its function in what a null stream is, and in nothing else; the call counts as made
// where the program made it (service/streams/default_stream.h).
#pragma once

#include "scope/runtime/service/streams/default_stream.h"

namespace tilescope::runtime {

template <auto* kFunction>
struct PerThread;
template <class Result, class... Arguments, Result (*kFunction)(Arguments...)>
struct PerThread<kFunction> {
    static Result call(Arguments... arguments) {
        const PerThreadDefault own(__builtin_return_address(0));
        return kFunction(arguments...);
    }
};

}  // namespace tilescope::runtime

// The dynamic linker asks which function the name stands for. Its answer comes from a function with a C name, hidden
// and not static: clang gives one that is static the name of C++, and does not find it.
#define TILESCOPE_PER_THREAD(name, function)                                                 \
    extern "C" {                                                                             \
    __attribute__((visibility("hidden"))) decltype(&function) resolve_##name();              \
    decltype(&function) resolve_##name() { return &PerThread<&function>::call; }             \
    __attribute__((visibility("default"), ifunc("resolve_" #name))) decltype(function) name; \
    }                                                                                        \
    static_assert(true)

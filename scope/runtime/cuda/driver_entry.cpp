// Functions of the driver, which programs of the runtime ask for by name.
#include "scope/runtime/cuda/table.h"
#include "scope/runtime/cudart/guard.h"
#include "scope/runtime/cudart/per_thread.h"
#include "scope/runtime/cudart/versioned.h"

namespace tilescope::runtime {
namespace {

// cudaGetDriverEntryPoint's flags: 0 as the program was built, 1 legacy, 2 per thread; and the driver's.
constexpr unsigned long long kAsBuilt = 0, kLegacy = 1, kPerThread = 2;

cudaError give_entry(const char* symbol, void** out, unsigned version, unsigned long long flags, int* found,
                     const char* name = __builtin_FUNCTION()) {
    return call(
        [&]() -> Status {
            if (symbol == nullptr || out == nullptr || flags > kPerThread) return Status::kInvalidValue;
            if (flags == kAsBuilt) flags = PerThreadDefault::is_on() ? kPerThread : kLegacy;
            const void* function = nullptr;
            int state = 0;
            *out = nullptr;
            const Status status = driver::find_entry(symbol, static_cast<int>(version), flags, function, state);
            if (status != Status::kOk) return status;
            *out = const_cast<void*>(function);
            if (found != nullptr) *found = state;
            return function != nullptr || found != nullptr ? Status::kOk : Status::kNotFound;
        },
        name);
}

}  // namespace

// Of the release that the program's runtime is of.
TILESCOPE_API cudaError cudaGetDriverEntryPoint(const char* symbol, void** out, unsigned long long flags, int* found) {
    note_runtime_call();
    return give_entry(symbol, out, static_cast<unsigned>(runtime_version()), flags, found);
}

TILESCOPE_API cudaError cudaGetDriverEntryPointByVersion(const char* symbol, void** out, unsigned version,
                                                         unsigned long long flags, int* found) {
    note_runtime_call();
    return give_entry(symbol, out, version, flags, found);
}

TILESCOPE_PER_THREAD(cudaGetDriverEntryPoint_ptsz, cudaGetDriverEntryPoint);
TILESCOPE_PER_THREAD(cudaGetDriverEntryPointByVersion_ptsz, cudaGetDriverEntryPointByVersion);

}  // namespace tilescope::runtime

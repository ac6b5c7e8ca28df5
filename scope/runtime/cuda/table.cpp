// The table of all functions of the driver: there, or refused by name.
#include "scope/runtime/cuda/table.h"

#include <algorithm>
#include <map>
#include <string>
#include <string_view>

#include "scope/runtime/cuda/guard.h"

namespace tilescope::runtime::driver {
namespace {

Code refuse(const char* name) noexcept {
    return call(
        [&] {
            Runtime::get().warn_once("runtime-unsupported-call", std::string(name) + " is not supported yet");
            return Status::kNotSupported;
        },
        name);
}

// Their parameters are of no interest; the C calling convention lets them be left out.
#define TILESCOPE_DRIVER_CALL(name, base, version, per_thread) \
    Code refuse_##name() noexcept { return refuse(#name); }
#include "scope/runtime/cuda/calls.inc"
#undef TILESCOPE_DRIVER_CALL

struct Known {
    const char* base;  // as cuGetProcAddress calls it
    int version;
    bool is_per_thread;
    const void* function;
    bool is_there;
};
using Table = std::map<std::string_view, Known>;

Table make_table() {
    Table table = {
#define TILESCOPE_DRIVER_CALL(name, base, version, per_thread) \
    {#name, {#base, version, per_thread, reinterpret_cast<const void*>(&refuse_##name), false}},
#include "scope/runtime/cuda/calls.inc"
#undef TILESCOPE_DRIVER_CALL
    };
    const auto set = [&](const std::string& name, const void* function) {
        const auto found = table.find(name);
        if (found == table.end() || function == nullptr) return;
        found->second.function = function;
        found->second.is_there = true;
    };
    for (const auto calls :
         {array_calls(),   context_calls(), copy_calls(),  device_calls(), error_calls(),     function_calls(),
          graph_calls(),   launch_calls(),  link_calls(),  memory_calls(), module_calls(),    node_calls(),
          pointer_calls(), pool_calls(),    set_calls(),   stream_calls(), occupancy_calls(), tensor_calls(),
          texture_calls(), virtual_calls(), device_asks(), exec_calls(),   log_calls(),       node_asks(),
          object_asks(),   old_calls(),     range_calls(), word_calls()})
        for (const Entry& entry : calls) {
            set(entry.name, entry.function);
            set(entry.name + std::string("_ptsz"), entry.per_thread);
            set(entry.name + std::string("_ptds"), entry.per_thread);
        }
    return table;
}

const Table& driver_table() {
    static const auto* const kept = new Table(make_table());
    return *kept;
}

enum Found : int { kFound = 0, kNotFound = 1, kTooOld = 2 };

// The newest form of a function that a program of that release knows.
Found find_for(std::string_view base, int version, bool per_thread, const void*& function) {
    const Known *best = nullptr, *twin = nullptr;
    bool any = false;
    for (const auto& [name, known] : driver_table()) {
        if (known.base != base) continue;
        any = true;
        if (known.version > version) continue;
        const Known*& place = known.is_per_thread ? twin : best;
        if (place == nullptr || known.version > place->version) place = &known;
    }
    if (per_thread && twin != nullptr && (best == nullptr || twin->version >= best->version)) best = twin;
    if (best == nullptr) return any ? kTooOld : kNotFound;
    function = best->function;
    return kFound;
}

}  // namespace

const void* function_named(const char* name) {
    const auto found = driver_table().find(name);
    return found == driver_table().end() ? nullptr : found->second.function;
}

bool is_there(const char* name) {
    const auto found = driver_table().find(name);
    return found != driver_table().end() && found->second.is_there;
}

Status find_entry(const char* name, int version, unsigned long long flags, const void*& function, int& found) {
    constexpr unsigned long long kPerThread = 2, kKnown = 3;
    if (name == nullptr || *name == '\0' || (flags & ~kKnown) != 0) return Status::kInvalidValue;
    function = nullptr;
    found = find_for(name, version, (flags & kPerThread) != 0, function);
    return Status::kOk;
}

// What libcuda.so.1 asks for the functions that it exports.
extern "C" __attribute__((visibility("default"))) const void* __cudaTilescopeDriver(const char* name) noexcept {
    try {
        return name == nullptr ? nullptr : function_named(name);
    } catch (const std::exception&) {
        return nullptr;
    }
}

}  // namespace tilescope::runtime::driver

// Which functions of the driver there are, by name.
#pragma once

#include <span>

#include "scope/runtime/cudart/per_thread.h"
#include "scope/runtime/service/status.h"

namespace tilescope::runtime::driver {

struct Entry {
    const char* name;
    const void* function;
    const void* per_thread = nullptr;  // its twin, NAME_ptsz or NAME_ptds
};

// Each file of calls has a list of them.
std::span<const Entry> array_calls();
std::span<const Entry> context_calls();
std::span<const Entry> copy_calls();
std::span<const Entry> device_asks();
std::span<const Entry> device_calls();
std::span<const Entry> error_calls();
std::span<const Entry> exec_calls();
std::span<const Entry> function_calls();
std::span<const Entry> graph_calls();
std::span<const Entry> launch_calls();
std::span<const Entry> link_calls();
std::span<const Entry> log_calls();
std::span<const Entry> memory_calls();
std::span<const Entry> module_calls();
std::span<const Entry> node_asks();
std::span<const Entry> node_calls();
std::span<const Entry> object_asks();
std::span<const Entry> occupancy_calls();
std::span<const Entry> old_calls();
std::span<const Entry> pointer_calls();
std::span<const Entry> pool_calls();
std::span<const Entry> range_calls();
std::span<const Entry> set_calls();
std::span<const Entry> stream_calls();
std::span<const Entry> tensor_calls();
std::span<const Entry> texture_calls();
std::span<const Entry> virtual_calls();
std::span<const Entry> word_calls();

// Of any name that libcuda.so.1 exports: one that is not there is refused by its name when it is called. Null: the
// driver has no such function.
const void* function_named(const char* name);
// Whether it is there.
bool is_there(const char* name);

// As cuGetProcAddress finds it: the newest form that a program of release `version` (12040) knows; of flags 2 asks for
// twins with a default stream of the thread's own. found: 0 yes, 1 there is none of that name, 2 none so old; then
// function is null.
Status find_entry(const char* name, int version, unsigned long long flags, const void*& function, int& found);

}  // namespace tilescope::runtime::driver

#define TILESCOPE_THERE(name) \
    Entry { #name, reinterpret_cast < const void*>(&name) }
#define TILESCOPE_THERE_AS(alias, name) \
    Entry { #alias, reinterpret_cast < const void*>(&name) }
#define TILESCOPE_THERE_TWICE(name) \
    Entry { #name, reinterpret_cast < const void*>(&name), reinterpret_cast < const void*>(&PerThread <&name>::call) }
#define TILESCOPE_THERE_TWICE_AS(alias, name) \
    Entry { #alias, reinterpret_cast < const void*>(&name), reinterpret_cast < const void*>(&PerThread <&name>::call) }

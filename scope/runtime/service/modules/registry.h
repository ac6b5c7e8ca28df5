// What a program registered before main: its fat binaries, kernels and variables.
//
// Owns: Registry. Guarantees: a module is decoded and lowered when something in it is first used, once; records stay
// where they are until the process ends, so the pointers that programs hold as kernel handles stay valid.
// All members may be called from several host threads.
// Does not model: relocatable device code that was linked from several fat binaries (an error that says so).
#pragma once

#include <atomic>
#include <cstdint>
#include <map>
#include <memory>
#include <mutex>
#include <string>
#include <vector>

#include "scope/runtime/service/runtime.h"

namespace tilescope::runtime {

struct Module;

struct Function {
    Module* module = nullptr;
    const void* host = nullptr;  // the stub's address
    std::string entry;           // the kernel's name in the PTX
    // What cudaFuncSetAttribute chose; -1: nothing.
    std::atomic<int> max_dynamic_shared{-1}, carveout{-1};
};

struct Variable {
    Module* module = nullptr;
    const void* host = nullptr;     // the host's shadow; managed variables have none
    void** managed_slot = nullptr;  // where the host keeps a managed variable's address
    std::string name;
    std::size_t managed_size = 0;  // not 0: the shadow is the managed variable's memory, of so many bytes
};

struct Module {
    enum class State : std::uint8_t { kRegistered, kLoaded, kFailed, kRemoved };
    const void* wrapper = nullptr;  // the argument of __cudaRegisterFatBinary
    State state = State::kRegistered;
    ModuleId id = 0;
    Status status = Status::kOk;  // of kFailed
    std::vector<std::unique_ptr<Function>> functions;
    std::vector<std::unique_ptr<Variable>> variables;
};

class Registry {
public:
    Module* add_module(const void* wrapper);
    // Its kernels and variables are gone afterwards. A handle that is none is ignored, here and below.
    void remove_module(Runtime& runtime, Module* module);
    void add_function(Module* module, const void* host, const char* entry);
    void add_variable(Module* module, const void* host, void** managed_slot, const char* name,
                      std::size_t managed_size = 0);
    // Whether host code may touch a managed variable of the module at any time, without asking for its address.
    bool shares_memory(Module* module);
    // Decodes the module if nothing has yet. The reason for a failure has been told.
    Status load(Runtime& runtime, Module* module);

    // The kernel behind a stub's address or a kernel handle: cudaErrorInvalidDeviceFunction for neither, else what
    // loading its module says.
    Status find(Runtime& runtime, const void* function, Function*& record, KernelId& kernel);
    // The record alone, which needs no loading; nullptr when there is none.
    Function* record(const void* function);
    // cudaErrorInvalidSymbol when `symbol` is no variable of this program.
    Status find_variable(Runtime& runtime, const void* symbol, ModuleVariable& variable);

private:
    bool knows(const Module* module) const;
    Status load_locked(Runtime& runtime, Module& module);

    std::mutex mutex_;
    std::vector<std::unique_ptr<Module>> modules_;
    // The same kernel or variable may come from several fat binaries (templates); the first that works counts.
    std::multimap<const void*, Function*> functions_;  // by stub address and by record address
    std::multimap<const void*, Variable*> variables_;  // by shadow and, once loaded, by the managed storage's address
};

}  // namespace tilescope::runtime

// The modules that a program has: their code, kernels and variables, each by a handle of ours.
//
// Owns: Modules. Guarantees: a module is decoded and lowered when something in it is first used, once; what a handle
// stands for stays where it is until the process ends, so that a handle which a program keeps is never followed astray.
// All members may be called from several host threads. Which addresses of a program's own stand for them is the face's
// to know (cudart/registration.h).
#pragma once

#include <atomic>
#include <cstdint>
#include <map>
#include <memory>
#include <mutex>
#include <string>
#include <unordered_set>
#include <vector>

#include "scope/runtime/service/runtime.h"

namespace tilescope::runtime {

struct Module;

// A kernel.
struct Function {
    Module* module = nullptr;
    std::string entry;  // its name in the PTX
    // What programs chose; -1: nothing.
    std::atomic<int> max_dynamic_shared{-1}, carveout{-1};
};

struct Variable {
    Module* module = nullptr;
    std::string name{};
    void** managed_slot = nullptr;  // where the host keeps a managed variable's address
    void* storage = nullptr;        // the host's own, which is a managed variable's memory
    std::size_t storage_bytes = 0;
};

// What a program names as a kernel or as a variable. The same one may come from several modules (templates); the first
// that works counts.
struct FunctionName {
    std::vector<Function*> candidates{};
    bool is_null = false;  // a null pointer names it
};
struct VariableName {
    std::vector<Variable*> candidates{};
};

struct Module {
    enum class State : std::uint8_t { kRegistered, kLoaded, kFailed, kRemoved };
    const void* image = nullptr;  // as read_image() takes it
    State state = State::kRegistered;
    ModuleId id = 0;
    Status status = Status::kOk;  // of kFailed
    std::vector<std::unique_ptr<Function>> functions;
    std::vector<std::unique_ptr<Variable>> variables;
};

class Modules {
public:
    Module* add(const void* image);
    // Its kernels and variables are gone afterwards. A handle that is none is ignored, here and below.
    void remove(Runtime& runtime, Module* module);
    // Null for a module that is none.
    Function* add_function(Module* module, const char* entry);
    Variable* add_variable(Module* module, Variable variable);
    // Whether host code may touch a managed variable of the module at any time, without asking for its address.
    bool shares_memory(Module* module);
    // Decodes the module if nothing has yet. The reason for a failure has been told.
    Status load(Runtime& runtime, Module* module);

    // kStrayFunction where there is no such kernel in any module, kInvalidFunction where its module has no code for it;
    // else what loading the module says.
    Status find(Runtime& runtime, const FunctionName& name, Function*& function, KernelId& kernel);
    // The first alone, which needs no loading; nullptr when there is none.
    Function* first(const FunctionName& name);
    // kInvalidSymbol for none.
    Status find(Runtime& runtime, const VariableName& name, ModuleVariable& variable);
    // Code that a program hands over while it runs: `made` is loaded. The reason for a failure has been told.
    Status load(Runtime& runtime, const image::LoadedImage& image, const Diagnostic& nothing_runs, Module*& made);
    bool is_module(const Module* module);
    // By name within a loaded module; kNotFound: there is none. A handle that is none is kInvalidHandle.
    Status find_in(Runtime& runtime, Module* module, const char* entry, Function*& function);
    Status find_in(Runtime& runtime, Module* module, const char* name, ModuleVariable& variable);
    Status names_of_kernels(Runtime& runtime, Module* module, std::vector<std::string>& names);
    // By the handle of a function; none where it is not one.
    FunctionName by_handle(const void* function);
    // The managed variables that lie there.
    std::vector<Variable*> managed_at(const void* storage);

private:
    bool knows(const Module* module) const;
    Status load_locked(Runtime& runtime, Module& module);
    Status load_image(Runtime& runtime, Module& module, const image::LoadedImage& image, const Diagnostic& nothing_runs,
                      bool takes_newer);
    Status check_loaded(const Module* module) const;

    std::mutex mutex_;
    std::vector<std::unique_ptr<Module>> modules_;
    std::unordered_set<const void*> functions_;      // by handle
    std::multimap<const void*, Variable*> managed_;  // by address, once loaded
};

}  // namespace tilescope::runtime

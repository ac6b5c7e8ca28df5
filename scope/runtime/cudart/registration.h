// Which addresses of the host program stand for which kernels and variables: stubs and shadows, as its code registered
// them before main.
//
// Owns: Registration. All members may be called from several host threads.
#pragma once

#include <map>
#include <mutex>

#include "scope/runtime/service/modules/modules.h"

namespace tilescope::runtime {

class Registration {
public:
    // One per process, never destroyed.
    static Registration& get();

    void add_function(Function* function, const void* stub);
    // shadow: the host's variable, or where it keeps a managed variable's address.
    void add_variable(Variable* variable, const void* shadow);
    void remove(const Module* module);

    // By a stub's address or by the handle that a program was given for a kernel.
    FunctionName function(const void* stub);
    // By a shadow's address or, once its module is loaded, by a managed variable's own.
    VariableName variable(const void* symbol);
    // The stub of a kernel; null: it is not known.
    const void* stub_of(const Function* function);

private:
    std::mutex mutex_;
    std::multimap<const void*, Function*> functions_;
    std::multimap<const void*, Variable*> variables_;
    std::map<const Function*, const void*> stubs_;
};

// What the program means by an address.
inline FunctionName function_at(const void* stub) { return Registration::get().function(stub); }
inline VariableName variable_at(const void* symbol) { return Registration::get().variable(symbol); }

}  // namespace tilescope::runtime

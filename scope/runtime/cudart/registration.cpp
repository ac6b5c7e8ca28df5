#include "scope/runtime/cudart/registration.h"

namespace tilescope::runtime {

Registration& Registration::get() {
    static auto* const kept = new Registration;
    return *kept;
}

void Registration::add_function(Function* function, const void* stub) {
    const std::lock_guard lock(mutex_);
    functions_.emplace(stub, function);
    functions_.emplace(function, function);
    stubs_.emplace(function, stub);
}

void Registration::add_variable(Variable* variable, const void* shadow) {
    const std::lock_guard lock(mutex_);
    variables_.emplace(shadow, variable);
}

void Registration::remove(const Module* module) {
    const std::lock_guard lock(mutex_);
    std::erase_if(functions_, [&](const auto& entry) { return entry.second->module == module; });
    std::erase_if(variables_, [&](const auto& entry) { return entry.second->module == module; });
}

FunctionName Registration::function(const void* stub) {
    FunctionName name{.is_null = stub == nullptr};
    const std::lock_guard lock(mutex_);
    const auto [first, last] = functions_.equal_range(stub);
    for (auto entry = first; entry != last; ++entry) name.candidates.push_back(entry->second);
    // A library's kernel has no stub, and is named by its handle alone.
    return name.candidates.empty() && !name.is_null ? Runtime::get().modules().by_handle(stub) : name;
}

VariableName Registration::variable(const void* symbol) {
    VariableName name{Runtime::get().modules().managed_at(symbol)};
    const std::lock_guard lock(mutex_);
    const auto [first, last] = variables_.equal_range(symbol);
    for (auto entry = first; entry != last; ++entry) name.candidates.push_back(entry->second);
    return name;
}

const void* Registration::stub_of(const Function* function) {
    const std::lock_guard lock(mutex_);
    const auto found = stubs_.find(function);
    return found == stubs_.end() ? nullptr : found->second;
}

}  // namespace tilescope::runtime

#include "scope/runtime/service/modules/registry.h"

#include <algorithm>

#include "scope/runtime/cudart/guard.h"
#include "scope/runtime/service/modules/kernel_image.h"

namespace tilescope::runtime {

bool Registry::knows(const Module* module) const {
    return std::any_of(modules_.begin(), modules_.end(), [&](const auto& known) { return known.get() == module; });
}

Module* Registry::add_module(const void* wrapper) {
    const std::lock_guard lock(mutex_);
    modules_.push_back(std::make_unique<Module>());
    modules_.back()->wrapper = wrapper;
    return modules_.back().get();
}

void Registry::remove_module(Runtime& runtime, Module* module) {
    const std::lock_guard lock(mutex_);
    if (!knows(module) || module->state == Module::State::kRemoved) return;
    const bool loaded = module->state == Module::State::kLoaded;
    module->state = Module::State::kRemoved;
    std::erase_if(functions_, [&](const auto& entry) { return entry.second->module == module; });
    std::erase_if(variables_, [&](const auto& entry) { return entry.second->module == module; });
    if (!loaded || runtime.enter_to_ask() != Status::kOk) return;
    const auto work = runtime.work();
    runtime.session().unload_module(module->id);
}

void Registry::add_function(Module* module, const void* host, const char* entry) {
    const std::lock_guard lock(mutex_);
    if (!knows(module) || entry == nullptr) return;
    auto record = std::make_unique<Function>();
    record->module = module;
    record->host = host;
    record->entry = entry;
    functions_.emplace(host, record.get());
    functions_.emplace(record.get(), record.get());
    module->functions.push_back(std::move(record));
}

void Registry::add_variable(Module* module, const void* host, void** managed_slot, const char* name,
                            std::size_t managed_size) {
    const std::lock_guard lock(mutex_);
    if (!knows(module) || name == nullptr) return;
    auto record = std::make_unique<Variable>(Variable{module, host, managed_slot, name, managed_size});
    variables_.emplace(managed_slot != nullptr ? managed_slot : host, record.get());
    module->variables.push_back(std::move(record));
}

bool Registry::shares_memory(Module* module) {
    const std::lock_guard lock(mutex_);
    return knows(module) && std::any_of(module->variables.begin(), module->variables.end(),
                                        [](const auto& variable) { return variable->managed_size != 0; });
}

Status Registry::load(Runtime& runtime, Module* module) {
    const std::lock_guard lock(mutex_);
    if (!knows(module)) return Status::kInvalidHandle;
    return load_locked(runtime, *module);
}

Status Registry::load_locked(Runtime& runtime, Module& module) {
    if (module.state == Module::State::kLoaded) return Status::kOk;
    if (module.state == Module::State::kFailed) return module.status;
    if (module.state == Module::State::kRemoved) return Status::kUnloading;
    const auto fail = [&](Status status) {
        module.state = Module::State::kFailed;
        return module.status = status;
    };
    const models::Device& device = runtime.session().device();
    Diagnostic nothing_runs;
    const auto image = read_image(module.wrapper, device.compute_major * 10 + device.compute_minor,
                                  Runtime::program_name(), runtime.session().options().ask_ptxas, nothing_runs);
    if (!image) {
        runtime.tell(image.errors());
        runtime.session().set_outcome(Outcome::kUnsupported);
        return fail(Status::kNoImage);
    }
    std::vector<HostStorage> shared;
    for (const auto& variable : module.variables)
        if (variable->managed_size != 0)
            shared.push_back({variable->name, const_cast<void*>(variable->host), variable->managed_size});
    const auto loaded = runtime.session().load(*image, nothing_runs, shared);
    if (!loaded) {
        runtime.say(loaded.errors());
        const bool none = loaded.errors().front().code == nothing_runs.code;
        return fail(none ? Status::kNoImage : Status::kInvalidPtx);
    }
    module.id = *loaded;
    module.state = Module::State::kLoaded;
    for (const auto& variable : module.variables) {
        if (variable->managed_slot == nullptr) continue;
        const auto found = runtime.session().find_variable(module.id, variable->name);
        if (!found) continue;
        void* const storage = reinterpret_cast<void*>(found->address);
        *variable->managed_slot = storage;
        variables_.emplace(storage, variable.get());
    }
    return Status::kOk;
}

Function* Registry::record(const void* function) {
    const std::lock_guard lock(mutex_);
    const auto found = functions_.find(function);
    return found != functions_.end() ? found->second : nullptr;
}

Status Registry::find(Runtime& runtime, const void* function, Function*& record, KernelId& kernel) {
    const std::lock_guard lock(mutex_);
    Status status = Status::kInvalidFunction;
    const auto [first, last] = functions_.equal_range(function);
    for (auto candidate = first; candidate != last; ++candidate) {
        record = candidate->second;
        status = load_locked(runtime, *record->module);
        if (status != Status::kOk) continue;
        if (const auto found = runtime.session().find_kernel(record->module->id, record->entry)) {
            kernel = *found;
            return Status::kOk;
        }
        status = Status::kInvalidFunction;
    }
    return status;
}

Status Registry::find_variable(Runtime& runtime, const void* symbol, ModuleVariable& variable) {
    const std::lock_guard lock(mutex_);
    Status status = Status::kInvalidSymbol;
    // Copied, for loading adds managed variables to the map.
    std::vector<Variable*> candidates;
    const auto [first, last] = variables_.equal_range(symbol);
    for (auto entry = first; entry != last; ++entry) candidates.push_back(entry->second);
    for (const Variable* candidate : candidates) {
        status = load_locked(runtime, *candidate->module);
        if (status != Status::kOk) continue;
        if (auto found = runtime.session().find_variable(candidate->module->id, candidate->name)) {
            variable = std::move(*found);
            return Status::kOk;
        }
        status = Status::kInvalidSymbol;
    }
    if (status == Status::kInvalidSymbol) return because(status, "this is no __device__ or __constant__ variable");
    return status;
}

}  // namespace tilescope::runtime

#include "scope/runtime/service/modules/modules.h"

#include <dlfcn.h>

#include <algorithm>
#include <filesystem>
#include <string>

#include "scope/runtime/service/modules/kernel_image.h"
#include "scope/session/target_check.h"

namespace tilescope::runtime {
namespace {

// The library that code lies in, or the program.
std::string holder_of(const void* code) {
    Dl_info about{};
    if (dladdr(code, &about) != 0 && about.dli_fname != nullptr) {
        const std::string file = std::filesystem::path(about.dli_fname).filename().string();
        if (file.find(".so") != std::string::npos) return file;
    }
    return Runtime::program_name();
}

// As an H200's driver (CUDA 13.0) has it: 209 where a fat binary holds nothing for the device, and 218 where the
// assembler refuses the text that was chosen or handed over, a target newer than the device included; 222 for a later
// release. is_chosen: the runtime also chooses text for newer devices here, where a driver finds nothing.
Status status_of_load(std::string_view code, const Diagnostic& nothing_runs, bool is_chosen) {
    if (code == kNewerPtxCode) return Status::kNewerPtx;
    if (code == kNotOnDeviceCode) return is_chosen ? Status::kNoImage : Status::kInvalidPtx;
    return code == nothing_runs.code ? Status::kNoImage : Status::kInvalidPtx;
}

}  // namespace

bool Modules::knows(const Module* module) const {
    return std::any_of(modules_.begin(), modules_.end(), [&](const auto& known) { return known.get() == module; });
}

Module* Modules::add(const void* image) {
    const std::lock_guard lock(mutex_);
    modules_.push_back(std::make_unique<Module>());
    modules_.back()->image = image;
    return modules_.back().get();
}

void Modules::remove(Runtime& runtime, Module* module) {
    const std::lock_guard lock(mutex_);
    if (!knows(module) || module->state == Module::State::kRemoved) return;
    const bool loaded = module->state == Module::State::kLoaded;
    module->state = Module::State::kRemoved;
    std::erase_if(managed_, [&](const auto& entry) { return entry.second->module == module; });
    if (!loaded || runtime.enter_to_ask() != Status::kOk) return;
    const auto work = runtime.work();
    runtime.session().unload_module(module->id);
}

Function* Modules::add_function(Module* module, const char* entry) {
    const std::lock_guard lock(mutex_);
    if (!knows(module) || entry == nullptr) return nullptr;
    module->functions.push_back(std::make_unique<Function>());
    Function* const function = module->functions.back().get();
    function->module = module;
    function->entry = entry;
    functions_.insert(function);
    return function;
}

Variable* Modules::add_variable(Module* module, Variable variable) {
    const std::lock_guard lock(mutex_);
    if (!knows(module)) return nullptr;
    variable.module = module;
    module->variables.push_back(std::make_unique<Variable>(std::move(variable)));
    return module->variables.back().get();
}

bool Modules::shares_memory(Module* module) {
    const std::lock_guard lock(mutex_);
    return knows(module) && std::any_of(module->variables.begin(), module->variables.end(),
                                        [](const auto& variable) { return variable->storage_bytes != 0; });
}

Status Modules::load(Runtime& runtime, Module* module) {
    const std::lock_guard lock(mutex_);
    if (!knows(module)) return Status::kInvalidHandle;
    return load_locked(runtime, *module);
}

Status Modules::load_locked(Runtime& runtime, Module& module) {
    if (module.state == Module::State::kLoaded) return Status::kOk;
    if (module.state == Module::State::kFailed) return module.status;
    if (module.state == Module::State::kRemoved) return Status::kUnloading;
    const auto fail = [&](Status status) {
        module.state = Module::State::kFailed;
        return module.status = status;
    };
    const models::Device& device = runtime.session().device();
    Diagnostic nothing_runs;
    const auto image = read_image(module.image, device.compute_major * 10 + device.compute_minor,
                                  holder_of(module.image), runtime.session().options().ask_ptxas, nothing_runs);
    if (!image) {
        runtime.tell(image.errors());
        runtime.session().set_outcome(Outcome::kUnsupported);
        return fail(Status::kNoImage);
    }
    return load_image(runtime, module, *image, nothing_runs, /*takes_newer=*/true);
}

Status Modules::load_image(Runtime& runtime, Module& module, const image::LoadedImage& image,
                           const Diagnostic& nothing_runs, bool takes_newer) {
    const auto fail = [&](Status status, const std::string& why) {
        module.state = Module::State::kFailed;
        module.status = status;
        return because(status, why);
    };
    std::vector<HostStorage> shared;
    for (const auto& variable : module.variables)
        if (variable->storage_bytes != 0)
            shared.push_back({variable->name, variable->storage, variable->storage_bytes});
    const auto loaded = runtime.session().load(image, nothing_runs, shared, takes_newer);
    if (!loaded) {
        runtime.say(loaded.errors());
        // The session has the errors in full.
        const Diagnostic& first = loaded.errors().front();
        return fail(status_of_load(first.code, nothing_runs, takes_newer), first.message);
    }
    module.id = *loaded;
    module.state = Module::State::kLoaded;
    for (const auto& variable : module.variables) {
        if (variable->managed_slot == nullptr) continue;
        const auto found = runtime.session().find_variable(module.id, variable->name);
        if (!found) continue;
        void* const storage = reinterpret_cast<void*>(found->address);
        *variable->managed_slot = storage;
        managed_.emplace(storage, variable.get());
    }
    return Status::kOk;
}

Function* Modules::first(const FunctionName& name) {
    const std::lock_guard lock(mutex_);
    for (Function* const function : name.candidates)
        if (function->module->state != Module::State::kRemoved) return function;
    return nullptr;
}

Status Modules::find(Runtime& runtime, const FunctionName& name, Function*& function, KernelId& kernel) {
    const std::lock_guard lock(mutex_);
    Status status = name.is_null ? Status::kInvalidFunction : Status::kStrayFunction;
    for (Function* const candidate : name.candidates) {
        if (candidate->module->state == Module::State::kRemoved) continue;
        function = candidate;
        status = load_locked(runtime, *candidate->module);
        if (status != Status::kOk) continue;
        if (const auto found = runtime.session().find_kernel(candidate->module->id, candidate->entry)) {
            kernel = *found;
            return Status::kOk;
        }
        status = Status::kInvalidFunction;
    }
    if (status != Status::kInvalidFunction && status != Status::kStrayFunction) return status;
    return because(status, name.is_null ? "the kernel is a null pointer" : "this address is no kernel of the program");
}

Status Modules::find(Runtime& runtime, const VariableName& name, ModuleVariable& variable) {
    const std::lock_guard lock(mutex_);
    Status status = Status::kInvalidSymbol;
    for (const Variable* const candidate : name.candidates) {
        if (candidate->module->state == Module::State::kRemoved) continue;
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

Status Modules::load(Runtime& runtime, const image::LoadedImage& image, const Diagnostic& nothing_runs, Module*& made) {
    const std::lock_guard lock(mutex_);
    auto module = std::make_unique<Module>();
    if (const Status status = load_image(runtime, *module, image, nothing_runs, /*takes_newer=*/false);
        status != Status::kOk)
        return status;
    made = module.get();
    modules_.push_back(std::move(module));
    return Status::kOk;
}

Status Modules::check_loaded(const Module* module) const {
    if (knows(module) && module->state == Module::State::kLoaded) return Status::kOk;
    return because(Status::kInvalidHandle, "the module was never loaded, or is unloaded already");
}

bool Modules::is_module(const Module* module) {
    const std::lock_guard lock(mutex_);
    return check_loaded(module) == Status::kOk;
}

Status Modules::find_in(Runtime& runtime, Module* module, const char* entry, Function*& function) {
    {
        const std::lock_guard lock(mutex_);
        if (const Status status = check_loaded(module); status != Status::kOk) return status;
        for (const auto& known : module->functions)
            if (known->entry == entry) {
                function = known.get();
                return Status::kOk;
            }
        if (!runtime.session().find_kernel(module->id, entry))
            return because(Status::kNotFound, "the module has no kernel of that name");
    }
    function = add_function(module, entry);
    return function != nullptr ? Status::kOk : Status::kInvalidHandle;
}

Status Modules::find_in(Runtime& runtime, Module* module, const char* name, ModuleVariable& variable) {
    const std::lock_guard lock(mutex_);
    if (const Status status = check_loaded(module); status != Status::kOk) return status;
    auto found = runtime.session().find_variable(module->id, name);
    if (!found) return because(Status::kNotFound, "the module has no variable of that name");
    variable = std::move(*found);
    return Status::kOk;
}

Status Modules::names_of_kernels(Runtime& runtime, Module* module, std::vector<std::string>& names) {
    const std::lock_guard lock(mutex_);
    if (const Status status = check_loaded(module); status != Status::kOk) return status;
    for (const KernelId kernel : runtime.session().kernels(module->id))
        names.push_back(runtime.session().kernel_entry(kernel));
    return Status::kOk;
}

FunctionName Modules::by_handle(const void* function) {
    FunctionName name{.is_null = function == nullptr};
    const std::lock_guard lock(mutex_);
    if (functions_.contains(function))
        name.candidates.push_back(const_cast<Function*>(static_cast<const Function*>(function)));
    return name;
}

std::vector<Variable*> Modules::managed_at(const void* storage) {
    const std::lock_guard lock(mutex_);
    std::vector<Variable*> found;
    const auto [first, last] = managed_.equal_range(storage);
    for (auto entry = first; entry != last; ++entry) found.push_back(entry->second);
    return found;
}

}  // namespace tilescope::runtime

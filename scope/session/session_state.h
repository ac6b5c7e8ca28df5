// What a Session holds. Internal to scope/session.
#pragma once

#include <deque>
#include <memory>
#include <mutex>
#include <optional>
#include <vector>

#include "scope/isa/lower.h"
#include "scope/machine/block.h"
#include "scope/session/loaded_module.h"
#include "scope/session/session.h"

namespace tilescope {

struct Kernel {
    ModuleId module = 0;
    KernelInfo info;
    std::optional<KernelFacts> facts;
    bool complete = false;  // info has registers and memory
};

struct Session::Impl {
    SessionOptions options;
    models::Device device;
    unsigned jobs = 1;
    machine::Memory memory;  // outlives the modules, whose variables lie in it
    std::vector<std::unique_ptr<LoadedModule>> modules;
    std::deque<Kernel> kernels;  // references to their info stay valid
    machine::InstructionBudget budget;
    Profile profile;
    std::uint64_t launches = 0;
    bool trace_failed = false;  // a launch was to be traced and could not be
    mutable std::mutex mutex;
};

// Lowers the kernel if need be and fills in registers and memory.
const KernelInfo& complete_info(Session::Impl& state, Kernel& kernel);

}  // namespace tilescope

// What a Session holds. Internal to scope/session.
#pragma once

#include <deque>
#include <functional>
#include <memory>
#include <mutex>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "scope/image/source_facts.h"
#include "scope/isa/lower.h"
#include "scope/machine/block.h"
#include "scope/machine/run_observers.h"
#include "scope/session/loaded_module.h"
#include "scope/session/run_pages.h"
#include "scope/session/run_work.h"
#include "scope/session/session.h"

namespace tilescope::observers {
class CacheAddresses;
class SecondLevel;
class StreamRaces;
class UndefinedMemory;
}  // namespace tilescope::observers

namespace tilescope {

struct Kernel {
    ModuleId module = 0;
    KernelInfo info;
    std::optional<KernelFacts> facts;
    bool complete = false;                        // info has registers and memory
    std::optional<image::KernelSource> compiled;  // what the compiler said of its source, if it did
    // What is known of its source; nothing where nobody can tell. Looked for when first wanted.
    std::optional<std::optional<image::KernelSource>> source;
};

struct Session::Impl {
    SessionOptions options;
    models::Device device;
    unsigned jobs = 1;
    machine::RunObservers observers;  // outlive the memory, of which they are told
    machine::Memory memory;           // outlives the modules, whose variables lie in it
    std::vector<std::unique_ptr<LoadedModule>> modules;
    std::deque<Kernel> kernels;  // references to their info stay valid
    machine::InstructionBudget budget;
    Profile profile;
    RunWork* work = nullptr;                                 // one of the observers
    RunPages* pages = nullptr;                               // likewise
    observers::StreamRaces* stream_races = nullptr;          // one of the observers, under --check streams
    observers::UndefinedMemory* undefined_memory = nullptr;  // likewise, under --check init
    std::function<CallPlace(std::uint64_t)> place_of_call;
    std::uint64_t launches = 0;
    std::uint64_t print_bytes = kDefaultPrintBytes;
    std::function<void(const Profile&)> follower;
    std::shared_ptr<observers::SecondLevel> second_level;  // made when caches are first modelled
    std::shared_ptr<observers::CacheAddresses> cache_addresses;
    std::uint64_t grid_workspace = 0;   // address of what a cooperative launch keeps of its grid; 0: not made yet
    std::uint64_t stack_limit = 1024;   // bytes of a thread whose depth of calls is not known
    bool trace_failed = false;          // a launch was to be traced and could not be
    std::set<std::string> noted;        // what note_once() has put into the profile
    std::set<std::string> used_shapes;  // names of options.shapes that a launch had a buffer for
    mutable std::mutex mutex;

    // What may come up time and again.
    void note_once(const Diagnostics& diagnostics) {
        for (const Diagnostic& diagnostic : diagnostics)
            if (noted.insert(render(diagnostic)).second) profile.diagnostics.push_back(diagnostic);
    }
    // The first that is worse than all being well stays.
    void end_with(Outcome outcome) {
        if (profile.outcome == Outcome::kOk) profile.outcome = outcome;
    }
    // at_end: of the program, so that all work on its time line comes to its end.
    void gather_work(bool at_end = false) {
        if (work == nullptr) return;
        const auto order = observers.keep_order();
        work->tell(profile, at_end);
        pages->tell(profile, at_end);
    }
    void profile_grew() {
        if (!follower) return;
        gather_work();
        follower(profile);
    }
};

// Files that may hold the source of a program's kernels.
std::vector<std::string> program_files(const Session::Impl& state, const machine::Program& program);
// By the compiler, and by the text of the first of these files that defines the kernel.
std::optional<image::KernelSource> known_source(const Kernel& kernel, const std::vector<std::string>& files);
// The same with the files that the program names and the .cu file that was run. Null where nothing is known.
const image::KernelSource* source_of(const Session::Impl& state, Kernel& kernel, const machine::Program& program);

// Lowers the kernel if need be and fills in registers and memory.
const KernelInfo& complete_info(Session::Impl& state, Kernel& kernel);

}  // namespace tilescope

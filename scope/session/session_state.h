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
#include "scope/models/occupancy.h"
#include "scope/session/launch/check_budget.h"
#include "scope/session/loaded_module.h"
#include "scope/session/run_pages.h"
#include "scope/session/run_work.h"
#include "scope/session/session.h"

namespace tilescope::observers {
class CacheAddresses;
class KnownLaunches;
struct HierarchyRules;
struct SpillPlan;
class SecondLevel;
class OverlappingCopies;
class StreamRaces;
class UndefinedMemory;
}  // namespace tilescope::observers

namespace tilescope {

// A launch as it was measured, and what models made of it.
struct JudgedLaunch {
    models::KernelResources resources;
    LaunchProfile measured, judged;
};

// What the caches are to launches of a kernel that have one shape.
struct CacheTerms {
    struct Key {
        const machine::Program* program = nullptr;
        Dim3 block{};
        std::uint64_t shared_bytes = 0, local_bytes = 0, blocks_per_sm = 0;
        std::optional<std::uint64_t> preferred, persisting;
        bool operator==(const Key&) const = default;
    };
    Key key;
    std::shared_ptr<const observers::HierarchyRules> rules;  // null: they cannot be modelled
    std::shared_ptr<const observers::SpillPlan> spills;
};

struct Kernel {
    ModuleId module = 0;
    KernelInfo info;
    std::optional<KernelFacts> facts;
    bool complete = false;                        // info has registers and memory
    std::optional<image::KernelSource> compiled;  // what the compiler said of its source, if it did
    // What is known of its source; nothing where nobody can tell. Looked for when first wanted.
    std::optional<std::optional<image::KernelSource>> source;
    std::shared_ptr<const CacheTerms> cache_terms;  // of its last launch with caches
    std::shared_ptr<const JudgedLaunch> last;       // as it was judged; programs launch the same again and again
};

// What a run was asked for, and the device that it is for.
struct Settings {
    SessionOptions options;
    models::Device device;
    unsigned jobs = 1;
    std::uint64_t print_bytes = kDefaultPrintBytes;
    std::uint64_t stack_limit = 1024;  // bytes of a thread whose depth of calls is not known
};

// The device's code.
struct Modules {
    std::vector<std::unique_ptr<LoadedModule>> loaded;  // by ModuleId; null: closed
    std::deque<Kernel> kernels;                         // by KernelId; references to their info stay valid

    LoadedModule& of(const Kernel& kernel) { return *loaded[kernel.module]; }
    const LoadedModule& of(const Kernel& kernel) const { return *loaded[kernel.module]; }
};

// The device's memory, and what its caches keep from one launch to the next.
struct DeviceMemory {
    machine::Memory memory;
    std::shared_ptr<observers::SecondLevel> second_level;  // made when caches are first modelled
    std::shared_ptr<observers::CacheAddresses> cache_addresses;
    std::shared_ptr<observers::KnownLaunches> known_launches;
    std::uint64_t grid_workspace = 0;  // address of what a cooperative launch keeps of its grid; 0: not made yet
};

// The profile as it grows, and who adds to it.
struct Recording {
    explicit Recording(machine::RunObservers& all) : observers(all) {}

    machine::RunObservers& observers;
    Profile profile;
    RunWork* work = nullptr;                                     // one of the observers
    RunPages* pages = nullptr;                                   // likewise
    observers::StreamRaces* stream_races = nullptr;              // likewise, under --check streams
    observers::UndefinedMemory* undefined_memory = nullptr;      // likewise, under --check init
    observers::OverlappingCopies* overlapping_copies = nullptr;  // likewise, under --check memory
    std::function<CallPlace(std::uint64_t)> place_of_call;
    std::uint64_t launches = 0;                    // so far, whether or not the profile still has them
    std::uint64_t kept_bytes = 0;                  // of those that it has, in what the run may keep
    std::function<bool(const Profile&)> follower;  // (Session::follow)
    bool trace_failed = false;                     // a launch was to be traced and could not be
    CheckBudget check_budget{true};                // of --check auto
    std::set<std::string> noted;                   // what note_once() has put into the profile
    std::set<std::string> used_checks;             // of options.without_checks, those that a kernel ran without
    std::set<std::string> used_shapes;             // names of options.shapes that a launch had a buffer for

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
    // Whether who follows it has the launches now.
    bool profile_grew() {
        if (!follower) return false;
        gather_work();
        return follower(profile);
    }
};

struct Session::Impl {
    Settings settings;
    machine::InstructionBudget budget;
    machine::RunObservers observers;  // outlive the memory, of which they are told
    Recording recording{observers};
    DeviceMemory device_memory;  // outlives the modules, whose variables lie in it
    Modules modules;
    mutable std::mutex mutex;
};

// Files that may hold the source of a program's kernels.
std::vector<std::string> program_files(const Settings& settings, const machine::Program& program);
// By the compiler, and by the text of the first of these files that defines the kernel.
std::optional<image::KernelSource> known_source(const Kernel& kernel, const std::vector<std::string>& files);
// The same with the files that the program names and the .cu file that was run. Null where nothing is known.
const image::KernelSource* source_of(const Settings& settings, Kernel& kernel, const machine::Program& program);

// Lowers the kernel if need be and fills in registers and memory.
const KernelInfo& complete_info(const models::Device& device, Modules& modules, Kernel& kernel);

}  // namespace tilescope

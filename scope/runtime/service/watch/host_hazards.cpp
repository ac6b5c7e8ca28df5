#include "scope/runtime/service/watch/host_hazards.h"

#include <algorithm>
#include <map>
#include <mutex>
#include <tuple>
#include <vector>

#include "scope/runtime/service/memory/memory_book.h"

namespace tilescope::runtime {
namespace {

using machine::Allocation;
using machine::AllocationKind;

// Lines are looked up in debug information, which takes its time: once for each place.
image::HostLine line_of(const CallSite& site) {
    static std::mutex mutex;
    static auto* const known = new std::map<std::vector<void*>, image::HostLine>;
    const std::vector<void*> key(site.frames.begin(), site.frames.begin() + site.count);
    const std::lock_guard lock(mutex);
    const auto found = known->find(key);
    if (found != known->end()) return found->second;
    return known->emplace(key, own_line(site).value_or(image::HostLine{})).first->second;
}

MemoryKind memory_kind_of(AllocationKind kind) {
    switch (kind) {
        case AllocationKind::kManaged: return MemoryKind::kManaged;
        case AllocationKind::kPinned: return MemoryKind::kPinned;
        default: return MemoryKind::kDevice;
    }
}

struct Leak {
    std::uint64_t count = 0, bytes = 0, first = 0;
};

Severity severity_of_leaks(Runtime& runtime) {
    return runtime.session().options().mild_leaks ? Severity::kWarning : Severity::kError;
}

void note_heap_leaks(Runtime& runtime, const Leak& leak) {
    if (leak.count == 0) return;
    Hazard hazard;
    hazard.kind = HazardKind::kLeak;
    hazard.severity = severity_of_leaks(runtime);
    hazard.space = HazardSpace::kGlobal;
    hazard.count = leak.count;
    hazard.facts.what = HazardCase::kHeapLeak;
    hazard.facts.bytes = leak.bytes;
    hazard.facts.remedy = Remedy::kFreeInKernel;
    runtime.session().note_hazard(std::move(hazard));
}

// The calls that work was issued by, each once.
class CallSites {
public:
    std::uint64_t number_of(const CallSite& site) {
        const std::vector<void*> key(site.frames.begin(), site.frames.begin() + site.count);
        const std::lock_guard lock(mutex_);
        const auto [found, is_new] = numbers_.try_emplace(key, sites_.size());
        if (is_new) sites_.push_back(site);
        return found->second;
    }
    CallSite at(std::uint64_t number) {
        const std::lock_guard lock(mutex_);
        return number < sites_.size() ? sites_[number] : CallSite{};
    }

private:
    std::mutex mutex_;
    std::map<std::vector<void*>, std::uint64_t> numbers_;
    std::vector<CallSite> sites_;
};

CallSites& call_sites() {
    static auto* const kept = new CallSites;
    return *kept;
}

thread_local const void* launched_from = nullptr;
thread_local std::optional<std::uint64_t> called_at;

}  // namespace

std::uint64_t call_site() {
    if (called_at) return *called_at;
    if (launched_from == nullptr) return call_sites().number_of(CallSite::here());
    CallSite site;
    site.frames[0] = const_cast<void*>(launched_from);
    site.count = 1;
    return call_sites().number_of(site);
}

// A return address lies behind its call.
std::uint64_t access_site(std::span<void* const> frames, bool first_is_exact) {
    CallSite site;
    site.count = static_cast<int>(std::min(frames.size(), site.frames.size()));
    std::copy_n(frames.begin(), site.count, site.frames.begin());
    if (first_is_exact && site.count != 0) site.frames[0] = static_cast<char*>(site.frames[0]) + 1;
    return call_sites().number_of(site);
}

CallPlace place_of_call(std::uint64_t site) {
    const image::HostLine found = line_of(call_sites().at(site));
    if (found.line == 0) return {{}, found.function};
    return {{found.file, found.line}, found.function};
}

LaunchedFrom::LaunchedFrom(const void* return_address) { launched_from = return_address; }
LaunchedFrom::~LaunchedFrom() { launched_from = nullptr; }

CalledAt::CalledAt(std::optional<std::uint64_t> site) : before_(std::exchange(called_at, site)) {}
CalledAt::~CalledAt() { called_at = before_; }

bool looks_for_leaks(Runtime& runtime) {
    if (runtime.session().options().checks_are_auto) return false;
    return is_checked(runtime, Check::kMemory) || is_checked(runtime, Check::kLeaks);
}

bool is_checked(Runtime& runtime, Check check) { return (runtime.session().options().checks & bit_of(check)) != 0; }

void place(const CallSite& site, std::string& file, std::uint32_t& line) {
    const image::HostLine found = line_of(site);
    if (found.line == 0) return;
    file = found.file;
    line = found.line;
}

machine::AllocationOrigin origin(Runtime& runtime, std::uint64_t allocation) {
    const auto at = [](const std::optional<CallSite>& site) {
        const image::HostLine line = site ? line_of(*site) : image::HostLine{};
        return line.line == 0 ? SourceLocation{} : SourceLocation{line.file, line.line};
    };
    return {at(runtime.memory_book().site(allocation)), at(runtime.memory_book().freed(allocation))};
}

void note_hazard(Runtime& runtime, HazardKind kind, std::string message) {
    Hazard hazard;
    hazard.kind = kind;
    hazard.space = HazardSpace::kGlobal;
    hazard.message = std::move(message);
    place(CallSite::here(), hazard.file, hazard.line);
    runtime.session().note_hazard(std::move(hazard));
}

void note_leaks(Runtime& runtime) {
    std::map<std::tuple<std::string, std::uint32_t, AllocationKind>, Leak> leaks;
    Leak heap;
    const auto add = [](Leak& leak, const Allocation& allocation) {
        if (leak.count++ == 0) leak.first = allocation.size;
        leak.bytes += allocation.size;
    };
    for (const Allocation& allocation : runtime.session().memory().all()) {
        if (allocation.kind == AllocationKind::kHeap) add(heap, allocation);
        const auto site = runtime.memory_book().site(allocation.id);
        if (!site) continue;
        std::string file;
        std::uint32_t line = 0;
        place(*site, file, line);
        add(leaks[{file, line, allocation.kind}], allocation);
    }
    for (const auto& [at, leak] : leaks) {
        const auto& [file, line, kind] = at;
        Hazard hazard;
        hazard.kind = HazardKind::kLeak;
        hazard.severity = severity_of_leaks(runtime);
        hazard.space = HazardSpace::kGlobal;
        hazard.file = file;
        hazard.line = line;
        hazard.count = leak.count;
        hazard.facts.what = HazardCase::kLeak;
        hazard.facts.bytes = leak.bytes;
        hazard.facts.memory.kind = memory_kind_of(kind);
        hazard.facts.remedy = Remedy::kFree;
        runtime.session().note_hazard(std::move(hazard));
    }
    note_heap_leaks(runtime, heap);
}

}  // namespace tilescope::runtime

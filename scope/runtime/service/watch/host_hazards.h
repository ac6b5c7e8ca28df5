// What --check memory finds in host code: memory that is never freed, freed wrongly, or used by a copy that passes its
// end or comes after it was freed.
//
// Guarantees: a call that goes wrong a thousand times at one line is one hazard with its count. Does not model: what
// the host program itself reads and writes; leaks of a program that does not end in the ordinary way, or whose kernel
// has faulted, after which nothing can be freed any more.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>

#include "scope/report/profile.h"
#include "scope/runtime/service/runtime.h"
#include "scope/runtime/service/watch/host_fault.h"

namespace tilescope::runtime {

// Whether --check has this kind. With a session.
bool is_checked(Runtime& runtime, Check check);
// The program's own line behind a call; nothing where it is not known.
void place(const CallSite& site, std::string& file, std::uint32_t& line);
// Where the host allocated and freed it, by Allocation::id.
machine::AllocationOrigin origin(Runtime& runtime, std::uint64_t allocation);
// That the call under way on this thread is wrong.
void note_hazard(Runtime& runtime, HazardKind kind, std::string message);
// The call under way on this thread, as a number that place_of_call() knows.
std::uint64_t call_site();
CallPlace place_of_call(std::uint64_t site);
// The same of frames as backtrace() gives them; the first may be an instruction that is being executed.
std::uint64_t access_site(std::span<void* const> frames, bool first_is_exact);
// While one of these lives, the call of this thread is a launch by <<<>>> that returns there; null: it is not.
class LaunchedFrom {
public:
    explicit LaunchedFrom(const void* return_address);
    ~LaunchedFrom();
    LaunchedFrom(const LaunchedFrom&) = delete;
    LaunchedFrom& operator=(const LaunchedFrom&) = delete;
};
// Likewise: the call of this thread is another one, as call_site() had it; nothing: it is not.
class CalledAt {
public:
    explicit CalledAt(std::optional<std::uint64_t> site);
    ~CalledAt();
    CalledAt(const CalledAt&) = delete;
    CalledAt& operator=(const CalledAt&) = delete;

private:
    std::optional<std::uint64_t> before_;
};
// Of all that is still allocated.
void note_leaks(Runtime& runtime);
// Whether that is asked for, by --check memory or leaks.
bool looks_for_leaks(Runtime& runtime);

}  // namespace tilescope::runtime

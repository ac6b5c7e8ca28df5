#include "scope/runtime/service/watch/failures.h"

#include <string>
#include <utility>

#include "scope/runtime/service/watch/host_hazards.h"

namespace tilescope::runtime {
namespace {

// Whether code that does not load has ended the run: not where a driver would refuse it, too, and the program is asked
// whether it minds.
bool ended_for_code(const Profile& profile) { return profile.outcome == Outcome::kUnsupported; }

// Whether the user is told in another way: what is not supported, code that does not load and a device that cannot be
// had are reported where they are found, and a fault is the reason for all that fails behind it. That memory cannot be
// freed when the program has ended does no harm, but a kernel that an exit handler launches may be missed.
bool is_told_elsewhere(Runtime& runtime, Status status, bool is_launch) {
    switch (status) {
        case Status::kNotSupported:
        case Status::kNoImage:
        case Status::kInvalidPtx:
        case Status::kNewerPtx: return runtime.has_session() && ended_for_code(runtime.session().profile());
        case Status::kNotInitialized: return failure().reason.empty();  // a device that cannot be had
        case Status::kUnloading: return !is_launch || !runtime.is_ending_thread();
        case Status::kOutOfMemory: return runtime.has_session() && runtime.session().options().memory_limit != 0;
        default: return status == runtime.poisoned();
    }
}

std::string reason_for(Status status, const char* text) {
    if (!failure().reason.empty()) return failure().reason;
    if (status == Status::kUnloading)
        return "the program has ended: the device is gone when its exit handlers and static objects run";
    if (status == Status::kInvalidHandle) return "the stream or event was never made, or is destroyed already";
    return text;
}

void note(Status status, bool is_launch, const FailureWords& words) {
    Runtime& runtime = Runtime::get();
    if (is_told_elsewhere(runtime, status, is_launch)) return;
    if (failure().hazard && is_checked(runtime, Check::kMemory))
        note_hazard(runtime, *failure().hazard, std::string(words.call) + ": " + reason_for(status, words.text));
    FailedCall failed;
    failed.call = is_launch ? "launch" : words.call;
    failed.error = words.error;
    failed.reason = reason_for(status, words.text);
    failed.kernel = failure().kernel;
    runtime.failed_calls().add(std::move(failed), failure().launched_from != nullptr
                                                      ? HostPlace::at(failure().launched_from)
                                                      : HostPlace::caller());
}

}  // namespace

void note_failure(Status status, bool is_launch, const FailureWords& words) noexcept {
    try {
        note(status, is_launch, words);
    } catch (const std::exception&) {
        // The error itself stays; only the note of it is lost, for want of memory.
    }
}

void tell_call_hazards() noexcept {
    try {
        Runtime& runtime = Runtime::get();
        if (runtime.has_session() && !runtime.is_unloading()) runtime.session().tell_call_hazards();
    } catch (const std::exception&) {
        // For want of memory: it is told at the next call.
    }
}

}  // namespace tilescope::runtime

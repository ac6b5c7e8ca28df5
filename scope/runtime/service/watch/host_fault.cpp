#include "scope/runtime/service/watch/host_fault.h"

#include <execinfo.h>
#include <signal.h>
#include <sys/syscall.h>
#include <ucontext.h>
#include <unistd.h>

#include <algorithm>
#include <mutex>
#include <string>
#include <vector>

#include "scope/runtime/service/memory/memory_book.h"
#include "scope/runtime/service/runtime.h"
#include "scope/runtime/service/watch/host_watch.h"

namespace tilescope::runtime {
namespace {

using machine::Allocation;
using machine::AllocationKind;
using machine::Place;
using machine::PlaceKind;

constexpr int kMaxFaultFrames = 64;  // frames that are looked through

struct sigaction fault_before;

std::string plain_bytes_text(std::uint64_t count) { return std::to_string(count) + (count == 1 ? " byte" : " bytes"); }

using image::HostLine;

// The program's own line among addresses as backtrace() gives them, callee first. The first one is an instruction that
// was being executed if `first_is_exact`; the others are those after a call.
std::optional<HostLine> line_of_frames(std::span<void* const> frames, bool first_is_exact) {
    std::vector<std::uint64_t> instructions;
    for (std::size_t i = 0; i < frames.size(); ++i)
        instructions.push_back(reinterpret_cast<std::uint64_t>(frames[i]) - (i == 0 && first_is_exact ? 0 : 1));
    return image::HostCode::of_this_process(reinterpret_cast<const void*>(&line_of_frames)).own_line(instructions);
}

std::string line_text(const HostLine& line) {
    if (line.line != 0) return line.file + ":" + std::to_string(line.line);
    return line.function.empty() ? line.file : line.function;
}

// "4096 bytes of device memory (allocated at a.cu:3)", "a __device__ variable of 16 bytes".
std::string allocation_name(const Allocation& allocation) {
    if (allocation.kind == AllocationKind::kModule)
        return "a __device__ variable of " + plain_bytes_text(allocation.size);
    if (allocation.kind == AllocationKind::kHeap)
        return plain_bytes_text(allocation.size) + " of the device's heap (malloc in a kernel)";
    if (allocation.kind == AllocationKind::kConstant)
        return "a __constant__ variable of " + plain_bytes_text(allocation.size);
    const auto site = Runtime::get().memory_book().site(allocation.id);
    const auto line = site ? line_of_frames({site->frames.data(), static_cast<std::size_t>(site->count)}, false)
                           : std::optional<HostLine>();
    std::string text = plain_bytes_text(allocation.size) + " of device memory";
    return line && line->line != 0 ? text + " (allocated at " + line_text(*line) + ")" : text;
}

// "byte 8 of 4096 bytes of device memory (allocated at a.cu:3)".
std::string place_name(const Place& place, std::uint64_t address) {
    if (!place.allocation) return "device memory that was never allocated";
    const Allocation& allocation = *place.allocation;
    if (place.kind != PlaceKind::kDevice) {
        const std::string text =
            "byte " + std::to_string(address - allocation.base) + " of " + allocation_name(allocation);
        return place.kind == PlaceKind::kFreed ? text + ", which was freed" : text;
    }
    const std::uint64_t end = allocation.base + allocation.size;
    const std::string distance = address >= end ? plain_bytes_text(address - end) + " past the end"
                                                : plain_bytes_text(allocation.base - address) + " before the start";
    return "device memory " + distance + " of " + allocation_name(allocation);
}

bool is_of_device(const Place& place) {
    if (place.kind == PlaceKind::kDevice) return true;
    if (place.kind != PlaceKind::kAllocated && place.kind != PlaceKind::kFreed) return false;
    // The host may touch the others as long as they are allocated, and then there is no fault.
    return place.kind == PlaceKind::kFreed || place.allocation->shift != 0;
}

std::string thread_name() {
    const auto thread = syscall(SYS_gettid);
    return thread == getpid() ? "in the main thread" : "in thread " + std::to_string(thread);
}

// The instruction that faulted, and whether it writes.
void* faulting_instruction(const void* context) {
    const auto& machine = static_cast<const ucontext_t*>(context)->uc_mcontext;
#if defined(__x86_64__)
    return reinterpret_cast<void*>(machine.gregs[REG_RIP]);
#elif defined(__aarch64__)
    return reinterpret_cast<void*>(machine.pc);
#else
    return nullptr;
#endif
}

std::optional<bool> writes_of(const void* context) {
#if defined(__x86_64__)
    constexpr greg_t kWrite = 2;  // in the error code of a page fault
    return (static_cast<const ucontext_t*>(context)->uc_mcontext.gregs[REG_ERR] & kWrite) != 0;
#else
    return std::nullopt;
#endif
}

void explain(const siginfo_t& about, const void* context) {
    std::array<void*, kMaxFaultFrames> frames{};
    const int count = backtrace(frames.data(), kMaxFaultFrames);
    const auto end = frames.begin() + count;
    // What lies before the instruction that faulted is this handler.
    const auto fault = std::find(frames.begin(), end, faulting_instruction(context));
    HostAccess access;
    access.address = about.si_addr;
    access.writes = writes_of(context);
    access.first_is_exact = fault != end;
    const auto first = fault == end ? frames.begin() : fault;
    access.frames = {&*first, static_cast<std::size_t>(end - first)};
    const auto diagnostic = describe_host_fault(access);
    if (!diagnostic) return;
    Runtime::get().tell({*diagnostic});
}

// To whoever had the signal before. The default is restored and the instruction tried again, so that the program ends
// as it would have, core file and all.
void hand_on(int signal, siginfo_t* about, void* context) {
    if ((fault_before.sa_flags & SA_SIGINFO) != 0) return fault_before.sa_sigaction(signal, about, context);
    if (fault_before.sa_handler != SIG_DFL && fault_before.sa_handler != SIG_IGN)
        return fault_before.sa_handler(signal);
    struct sigaction fatal {};
    fatal.sa_handler = SIG_DFL;
    sigaction(signal, &fatal, nullptr);
    if (about->si_code <= 0) raise(signal);  // sent by a process: no instruction repeats it
}

void on_fault(int signal, siginfo_t* about, void* context) {
    if (HostWatch::get().takes_fault(*about, context)) return;
    static thread_local bool explaining = false;
    const bool of_access = about->si_code == SEGV_ACCERR || about->si_code == SEGV_MAPERR;
    if (of_access && !explaining && Runtime::get().has_session()) {
        explaining = true;
        explain(*about, context);
        explaining = false;
    }
    hand_on(signal, about, context);
}

}  // namespace

CallSite CallSite::here() {
    CallSite site;
    site.count = backtrace(site.frames.data(), static_cast<int>(site.frames.size()));
    return site;
}

std::optional<image::HostLine> own_line(const CallSite& site) {
    return line_of_frames({site.frames.data(), static_cast<std::size_t>(site.count)}, false);
}

std::optional<Diagnostic> describe_host_fault(const HostAccess& access) {
    Runtime& runtime = Runtime::get();
    const auto address = reinterpret_cast<std::uint64_t>(access.address);
    const Place place = runtime.session().memory().classify(address);
    if (!is_of_device(place)) return std::nullopt;
    const auto line = line_of_frames(access.frames, access.first_is_exact);
    std::string message = "host code";
    if (line && !line->function.empty()) message += " in " + line->function;
    if (line && line->line == 0) message += "+" + std::to_string(line->offset);
    message += !access.writes ? " touches " : *access.writes ? " writes to " : " reads ";
    const std::uint64_t launches = runtime.finished_launches();
    message += place_name(place, address) + ", " + thread_name() + " after " + std::to_string(launches) +
               " kernel launch" + (launches == 1 ? "" : "es") + ": this is device memory; copy it with cudaMemcpy";
    SourceLocation at;
    if (line) at = {line->file, line->line};
    return error("runtime-host-access", at, message, "cudaMallocManaged gives memory that host and kernels see alike");
}

void explain_host_faults() {
    static std::once_flag once;
    std::call_once(once, [] {
        CallSite::here();  // loads what backtrace() needs while that is safe
        struct sigaction action {};
        action.sa_sigaction = on_fault;
        action.sa_flags = SA_SIGINFO | SA_ONSTACK | SA_NODEFER;
        sigemptyset(&action.sa_mask);
        sigaction(SIGSEGV, &action, &fault_before);
    });
}

bool explains_host_faults() {
    struct sigaction now {};
    sigaction(SIGSEGV, nullptr, &now);
    return (now.sa_flags & SA_SIGINFO) != 0 && now.sa_sigaction == on_fault;
}

}  // namespace tilescope::runtime

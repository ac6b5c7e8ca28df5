#include "scope/runtime/service/watch/host_watch.h"

#include <dlfcn.h>
#include <execinfo.h>
#include <sys/mman.h>
#include <ucontext.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <optional>
#include <span>

#include "scope/runtime/service/watch/host_calls.h"
#include "scope/runtime/service/watch/host_fault.h"
#include "scope/runtime/service/watch/host_hazards.h"

namespace tilescope::runtime {
namespace {

constexpr std::uint64_t kPage = 4096;
constexpr std::size_t kMaxRanges = 4096;     // a process has 65,530 pieces of address space
constexpr std::uint64_t kMaxSteps = 200000;  // some 20 microseconds each
constexpr int kMaxWatchFrames = 32;          // frames that are looked through
constexpr std::size_t kMaxOpen = 40;         // pages that one instruction touches: 32 of a gather, and some

#if defined(__x86_64__)
constexpr bool kSteps = true;
constexpr greg_t kWriteBit = 2, kTrapFlag = 0x100;
greg_t& register_of(void* context, int number) { return static_cast<ucontext_t*>(context)->uc_mcontext.gregs[number]; }
bool is_write(void* context) { return (register_of(context, REG_ERR) & kWriteBit) != 0; }
void* instruction_of(void* context) { return reinterpret_cast<void*>(register_of(context, REG_RIP)); }
void set_stepping(void* context, bool on) {
    greg_t& flags = register_of(context, REG_EFL);
    flags = on ? flags | kTrapFlag : flags & ~kTrapFlag;
}
#else
constexpr bool kSteps = false;
bool is_write(void*) { return false; }
void* instruction_of(void*) { return nullptr; }
void set_stepping(void*, bool) {}
#endif

// Pages that are open for the instruction of this thread that is being stepped over.
struct Step {
    std::array<std::uint64_t, kMaxOpen> pages{};
    std::size_t count = 0;
};
thread_local Step step;
thread_local std::optional<std::uint32_t> function_of;  // the stream whose function this thread is in
thread_local unsigned told_calls = 0;                   // of the system, under way on this thread

struct sigaction trap_before;

void on_trap(int signal, siginfo_t* about, void* context) {
    if (HostWatch::get().takes_step(context)) return;
    if ((trap_before.sa_flags & SA_SIGINFO) != 0) return trap_before.sa_sigaction(signal, about, context);
    if (trap_before.sa_handler == SIG_IGN) return;
    if (trap_before.sa_handler != SIG_DFL) return trap_before.sa_handler(signal);
    ::signal(SIGTRAP, SIG_DFL);
    raise(SIGTRAP);
}

// What this thread executes, from that address outwards: an instruction, or one behind a call.
std::uint64_t site_of(void* from, bool is_exact) {
    std::array<void*, kMaxWatchFrames> frames{};
    const int count = backtrace(frames.data(), kMaxWatchFrames);
    const auto end = frames.begin() + count;
    const auto first = std::find(frames.begin(), end, from);
    if (first == end) return access_site({&from, 1}, is_exact);
    return access_site({&*first, static_cast<std::size_t>(end - first)}, is_exact);
}

}  // namespace

HostWatch& HostWatch::get() {
    static HostWatch* const watch = new HostWatch;
    return *watch;
}

void HostWatch::start(Session& session) {
    // Without the library a call of the system would be refused.
    auto* const calls = static_cast<HostCalls*>(dlsym(RTLD_DEFAULT, kHostCallsSymbol));
    if (!kSteps || calls == nullptr || sysconf(_SC_PAGESIZE) != static_cast<long>(kPage)) return;
    session_ = &session;
    struct sigaction action {};
    action.sa_sigaction = on_trap;
    action.sa_flags = SA_SIGINFO | SA_ONSTACK;
    sigemptyset(&action.sa_mask);
    sigaction(SIGTRAP, &action, &trap_before);
    calls->end = [] { get().end_call(); };
    calls->begin = [](const void* address, std::size_t bytes, bool writes, void* from) {
        return get().begin_call(address, bytes, writes, from);
    };
    is_on_.store(true, std::memory_order_release);
}

// Whether a fault there can be the work of close(), which another thread has undone since: then the next try succeeds.
bool HostWatch::is_stale(std::uint64_t address, const void* instruction) {
    constexpr unsigned kMaxTries = 1000;
    static thread_local std::pair<std::uint64_t, const void*> last;
    static thread_local unsigned tries = 0;
    const std::pair<std::uint64_t, const void*> now(address, instruction);
    tries = now == last ? tries + 1 : 0;
    last = now;
    const auto allocation = session_->memory().find(address);
    return tries < kMaxTries && allocation && allocation->shift == 0;
}

void HostWatch::stop() noexcept {
    if (!is_on_.exchange(false)) return;
    for (const machine::UsedPages& pages : closed_) protect(pages, false);
}

void HostWatch::protect(const machine::UsedPages& pages, bool closed) const {
    const int may = !closed ? PROT_READ | PROT_WRITE : pages.may_read ? PROT_READ : PROT_NONE;
    mprotect(reinterpret_cast<void*>(pages.first), pages.end - pages.first, may);
}

void HostWatch::open() noexcept {
    const std::lock_guard lock(mutex_);
    if (inside_++ != 0) return;
    for (const machine::UsedPages& pages : closed_) protect(pages, false);
}

// A program that has taken over the signals, or holds them back, would never come back from a fault.
bool HostWatch::may_close() const {
    struct sigaction trap {};
    sigset_t held;
    sigaction(SIGTRAP, nullptr, &trap);
    pthread_sigmask(SIG_BLOCK, nullptr, &held);
    return explains_host_faults() && trap.sa_sigaction == on_trap && sigismember(&held, SIGSEGV) == 0 &&
           sigismember(&held, SIGTRAP) == 0;
}

void HostWatch::close() noexcept {
    const std::lock_guard lock(mutex_);
    if (inside_ == 0 || --inside_ != 0 || !is_on()) return;
    try {
        const std::uint64_t version = session_->work_version();
        if (version != version_ || function_of != closed_for_) {
            version_ = version;
            closed_for_ = function_of;
            closed_ = session_->pages_in_use(function_of);
        }
    } catch (const std::bad_alloc&) {
        closed_.clear();
    }
    if (closed_.empty()) return;
    if (closed_.size() > kMaxRanges || steps_ >= kMaxSteps || !may_close()) return closed_.clear();
    for (const machine::UsedPages& pages : closed_) protect(pages, true);
}

HostWatch::Function::Function(std::uint32_t stream) : is_taken_(get().is_on()) {
    if (!is_taken_) return;
    function_of = stream;
    get().close();
}

HostWatch::Function::~Function() {
    if (!is_taken_) return;
    get().open();
    function_of.reset();
}

const machine::UsedPages* HostWatch::closed_at(std::uint64_t address) const {
    const auto after =
        std::upper_bound(closed_.begin(), closed_.end(), address,
                         [](std::uint64_t at, const machine::UsedPages& pages) { return at < pages.end; });
    return after != closed_.end() && after->first <= address ? &*after : nullptr;
}

bool HostWatch::takes_fault(const siginfo_t& about, void* context) {
    if (!is_on() || about.si_code != SEGV_ACCERR) return false;
    const auto address = reinterpret_cast<std::uint64_t>(about.si_addr);
    {
        const std::lock_guard lock(mutex_);
        if (closed_at(address) == nullptr || inside_ != 0) return is_stale(address, instruction_of(context));
    }
    session_->observers().on_host_access(
        {address, 1, is_write(context), site_of(instruction_of(context), true), function_of});
    const std::lock_guard lock(mutex_);
    const machine::UsedPages* const pages = closed_at(address);
    if (pages == nullptr || inside_ != 0 || step.count == kMaxOpen) return true;
    const std::uint64_t page = address / kPage * kPage;
    step.pages[step.count++] = page;
    protect({page, page + kPage, true}, false);
    set_stepping(context, true);
    if (++steps_ < kMaxSteps) return true;
    for (const machine::UsedPages& each : closed_) protect(each, false);
    closed_.clear();
    return true;
}

bool HostWatch::takes_step(void* context) {
    if (step.count == 0) return false;
    set_stepping(context, false);
    const std::lock_guard lock(mutex_);
    for (std::size_t i = 0; i < step.count && inside_ == 0 && is_on(); ++i)
        if (const machine::UsedPages* const pages = closed_at(step.pages[i]))
            protect({step.pages[i], step.pages[i] + kPage, pages->may_read}, true);
    step.count = 0;
    return true;
}

bool HostWatch::begin_call(const void* address, std::size_t bytes, bool writes, void* from) {
    if (!is_on()) return false;
    const auto first = reinterpret_cast<std::uint64_t>(address);
    {
        const std::lock_guard lock(mutex_);
        const bool meets = std::any_of(closed_.begin(), closed_.end(), [&](const machine::UsedPages& pages) {
            return pages.first < first + bytes && first < pages.end;
        });
        if (inside_ != told_calls || !meets) return false;
    }
    session_->observers().on_host_access({first, bytes, writes, site_of(from, false), function_of});
    open();
    ++told_calls;
    return true;
}

void HostWatch::end_call() noexcept {
    --told_calls;
    close();
}

}  // namespace tilescope::runtime

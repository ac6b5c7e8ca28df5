// HostWatch: sees what the host's own code touches of memory that it shares with kernels while work that it has not
// waited for may still use it (--check streams).
//
// Owns: the protection of these pages, and the handler of SIGTRAP. Pages that work uses are closed between the calls of
// CUDA; a touch faults, is told (machine::HostAccessEvent) with its exact address, and its one instruction runs with
// the page open. Guarantees: the program computes what it would without; a page is closed only where it holds nothing
// but one allocation. Does not model: of an access more than its first byte; what other threads touch while one is
// inside a call of CUDA, or touches the same page; what the system's calls touch, but for those in host_calls.h;
// programs that handle SIGSEGV or SIGTRAP themselves, which are left alone. Other processors than x86-64: nothing is
// seen.
#pragma once

#include <signal.h>

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <mutex>
#include <optional>
#include <vector>

#include "scope/session/session.h"

namespace tilescope::runtime {

class HostWatch {
public:
    static HostWatch& get();

    // Once, with the session that asks for it.
    void start(Session& session);
    // All pages are open from here on. Takes no lock: for a forked child, too.
    void stop() noexcept;
    bool is_on() const { return is_on_.load(std::memory_order_acquire); }

    // While one lives, this process may touch everything: during calls of CUDA, whose work runs in it.
    class Pause {
    public:
        Pause() : is_taken_(HostWatch::get().is_on()) {
            if (is_taken_) HostWatch::get().open();
        }
        ~Pause() {
            if (is_taken_) HostWatch::get().close();
        }
        Pause(const Pause&) = delete;
        Pause& operator=(const Pause&) = delete;

    private:
        bool is_taken_;
    };

    // While one lives, this thread is in a function of the host that a stream calls: within a Pause, and yet watched
    // where work is that the stream does not wait for, unless another thread is in a call of CUDA.
    class Function {
    public:
        explicit Function(std::uint32_t stream);
        ~Function();
        Function(const Function&) = delete;
        Function& operator=(const Function&) = delete;

    private:
        bool is_taken_;
    };

    // Whether the fault was a touch of a closed page; then the instruction goes on.
    bool takes_fault(const siginfo_t& about, void* context);
    // Whether it ends a step that began there.
    bool takes_step(void* context);
    // The host hands these bytes to the system in a call that returns to `from`. Whether some of them are closed; then
    // they are open until end_call().
    bool begin_call(const void* address, std::size_t bytes, bool writes, void* from);
    void end_call() noexcept;

private:
    void open() noexcept;
    void close() noexcept;
    bool may_close() const;
    bool is_stale(std::uint64_t address, const void* instruction);
    // With the lock.
    const machine::UsedPages* closed_at(std::uint64_t address) const;
    void protect(const machine::UsedPages& pages, bool closed) const;

    std::atomic<bool> is_on_{false};
    std::mutex mutex_;
    Session* session_ = nullptr;
    unsigned inside_ = 0;                      // calls under way
    std::vector<machine::UsedPages> closed_;   // between calls, by address
    std::uint64_t version_ = 0;                // of the work that these follow from
    std::optional<std::uint32_t> closed_for_;  // the stream whose function they are closed for
    std::uint64_t steps_ = 0;
};

}  // namespace tilescope::runtime

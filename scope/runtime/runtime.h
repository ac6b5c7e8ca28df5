// The one emulated device of this process, as the CUDA calls see it.
//
// Owns: Runtime: the session (made at the first call that needs it), the error that a faulted kernel leaves behind, the
// lock under which device work runs, and the profile file. Guarantees: one per process, never destroyed (a program's
// own destructors may still call in); a forked child never writes its parent's profile and gets
// cudaErrorInitializationError. Does not model: asynchrony (work runs when it is issued) or more than one device.
#pragma once

#include <atomic>
#include <memory>
#include <mutex>
#include <set>
#include <string>

#include "scope/base/diagnostic.h"
#include "scope/runtime/abi.h"
#include "scope/session/session.h"

namespace tilescope::runtime {

class Registry;
class Handles;
class MemoryBook;

class Runtime {
public:
    static Runtime& get();

    // Makes the session if there is none. An error: that of a fault, of a fork, or of a session that cannot be made.
    cudaError enter();
    // Like enter(), but a fault does not count: for calls that only ask about the device.
    cudaError enter_to_ask();
    // The session, after enter().
    Session& session() { return *session_; }
    bool has_session() const { return made_.load(std::memory_order_acquire); }

    Registry& registry() { return *registry_; }
    Handles& handles() { return *handles_; }
    MemoryBook& memory_book() { return *memory_book_; }

    // Held while anything reads or writes device memory, so that host threads cannot free what a kernel uses.
    std::unique_lock<std::timed_mutex> work() { return std::unique_lock(work_); }

    // After a fault: every later call that touches the device returns `error`. The first fault stays.
    void poison(cudaError error);
    void poison_for_good() { poison_.store(cudaErrorDevicesUnavailable, std::memory_order_release); }
    cudaError poisoned() const { return static_cast<cudaError>(poison_.load(std::memory_order_acquire)); }

    // Tells the user at once when no profile was asked for; the profile carries it in any case.
    void tell(const Diagnostics& diagnostics);
    void tell(const Hazard& hazard);
    // A warning that goes to standard error always, once.
    void warn_once(const std::string& code, const std::string& message);

    // Writes the profile if one was asked for and anything happened since it was last written.
    void write_profile() noexcept;
    void touch() { dirty_.store(true, std::memory_order_release); }
    // Registers the writing at exit; from the first launch on, so that it runs before what a launch has used is gone.
    void write_at_exit();

    static std::string program_name();

private:
    Runtime();
    cudaError make_session();

    std::mutex making_;
    std::atomic<bool> made_{false};
    cudaError making_failed_ = cudaSuccess;
    std::unique_ptr<Session> session_;
    std::unique_ptr<Registry> registry_;
    std::unique_ptr<Handles> handles_;
    std::unique_ptr<MemoryBook> memory_book_;
    std::timed_mutex work_;
    std::atomic<int> poison_{cudaSuccess};
    std::mutex telling_;
    std::set<std::string> told_;               // each line goes to standard error once
    std::string profile_path_;                 // absolute; empty: no profile wanted
    std::atomic<bool> profile_wanted_{false};  // false in a forked child
    std::atomic<bool> orphaned_{false};        // this is a child that came by fork after the session was made
    std::atomic<bool> dirty_{false};
    std::once_flag exit_once_;
};

}  // namespace tilescope::runtime

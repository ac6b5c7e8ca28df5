// The one emulated device of this process, as the CUDA calls see it.
//
// Owns: Runtime: the session (made at the first call that needs it), the status that a faulted kernel leaves behind,
// the lock under which device work runs, and the run's journal. Guarantees: one per process, never destroyed (a
// program's own destructors may still call in, and get kUnloading); a forked child is a process like others, and where
// its parent had used the device before, it gets kNotInitialized and notes so in the journal. Does not model:
// asynchrony (work runs when it is issued) or more than one device.
#pragma once

#include <atomic>
#include <memory>
#include <mutex>
#include <set>
#include <string>
#include <thread>

#include "scope/base/diagnostic.h"
#include "scope/report/journal.h"
#include "scope/runtime/service/journal_file.h"
#include "scope/runtime/service/status.h"
#include "scope/runtime/service/watch/failed_calls.h"
#include "scope/session/session.h"

namespace tilescope::runtime {

class Modules;
class Handles;
class MemoryBook;
class Captures;
class Graphs;
class Limits;
class Arrays;
class SaidObjects;

class Runtime {
public:
    static Runtime& get();

    // Makes the session if there is none. An error: that of a fault, of a fork, or of a session that cannot be made.
    Status enter();
    // Like enter(), but a fault does not count: for calls that only ask about the device.
    Status enter_to_ask();
    // The session, after enter().
    Session& session() { return *session_; }
    bool has_session() const { return made_.load(std::memory_order_acquire); }

    Modules& modules() { return *modules_; }
    Handles& handles() { return *handles_; }
    MemoryBook& memory_book() { return *memory_book_; }
    Captures& captures() { return *captures_; }
    Graphs& graphs() { return *graphs_; }
    Limits& limits() { return *limits_; }
    Arrays& arrays() { return *arrays_; }
    SaidObjects& said_objects() { return *said_objects_; }
    FailedCalls& failed_calls() { return failed_calls_; }
    JournalFile& journal() { return journal_; }

    // Held while anything reads or writes device memory, so that host threads cannot free what a kernel uses.
    std::unique_lock<std::timed_mutex> work() { return std::unique_lock(work_); }

    // After a fault: every later call that touches the device returns `error`. The first fault stays.
    void poison(Status status);
    void poison_for_good() { poison_.store(Status::kDeviceLost, std::memory_order_release); }
    Status poisoned() const { return poison_.load(std::memory_order_acquire); }

    // Tells the user at once when nobody reads the journal; the profile carries it in any case.
    void tell(const Diagnostics& diagnostics);
    // The same of what the session has put into the profile itself.
    void say(const Diagnostics& diagnostics) { tell(diagnostics, false); }
    void tell(const Hazard& hazard);
    // A warning that goes to standard error always, once.
    void warn_once(const std::string& code, const std::string& message);

    // On the way out of a program that ends in the ordinary way.
    void at_exit() noexcept;
    // The program ends: no call does anything any more. Registered when the session is made, so that handlers and
    // objects of the program that came later still find the device.
    void unload() noexcept;
    bool is_unloading() const { return unloading_.load(std::memory_order_acquire); }
    // Whether this thread is the one that ends the program, rather than one that has not noticed.
    bool is_ending_thread() const { return ending_thread_.load() == std::this_thread::get_id(); }

    void count_launch() { launches_.fetch_add(1, std::memory_order_relaxed); }
    std::uint64_t finished_launches() const { return launches_.load(std::memory_order_relaxed); }

    static std::string program_name();

private:
    Runtime();
    Status make_session();
    void follow_session();
    void note_as_guest();
    void tell(const Diagnostics& diagnostics, bool notes);

    std::mutex making_;
    std::atomic<bool> made_{false};
    Status making_failed_ = Status::kOk;
    std::unique_ptr<Session> session_;
    std::unique_ptr<Modules> modules_;
    std::unique_ptr<Handles> handles_;
    std::unique_ptr<MemoryBook> memory_book_;
    std::unique_ptr<Captures> captures_;
    std::unique_ptr<Graphs> graphs_;
    std::unique_ptr<Limits> limits_;
    std::unique_ptr<Arrays> arrays_;
    std::unique_ptr<SaidObjects> said_objects_;
    std::timed_mutex work_;
    std::atomic<Status> poison_{Status::kOk};
    std::mutex telling_;
    std::set<std::string> told_;  // each line goes to standard error once
    JournalFile journal_;
    FailedCalls failed_calls_{journal_};
    report::JournalWriter journal_writer_;
    std::atomic<bool> orphaned_{false};  // this is a child that came by fork, and its parent had a session
    std::atomic<bool> noted_{false};     // a guest has said that it is there
    std::atomic<bool> unloading_{false};
    std::atomic<std::thread::id> ending_thread_{};
    std::atomic<std::uint64_t> launches_{0};
};

}  // namespace tilescope::runtime

// A child process: started, listened to, limited, and waited for to its end.
//
// Owns: Process. Guarantees: no shell; a captured child has an empty standard input, and both its outputs are read
// together, so that it never waits for us; one with a group of its own ends with all that it started; one that forwards
// gets the signals that reach us, and does not outlive us, however we end. Does not model: limits on what several
// processes of one child use together; terminals, job control; what to say when it fails.
#pragma once

#include <sys/types.h>

#include <array>
#include <chrono>
#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "scope/base/held_signals.h"

namespace tilescope {

// Variables that replace those of our own environment; without a value: removed.
using ProcessEnvironment = std::vector<std::pair<std::string, std::optional<std::string>>>;

struct ProcessRequest {
    std::string program;                 // a path, or a name looked up in PATH; with `forwarded` a path
    std::vector<std::string> arguments;  // the first is what the program sees as its name
    ProcessEnvironment variables;
    bool captured = false;   // its output and errors are ours to read; otherwise its streams are our own
    bool own_group = false;  // what it starts ends with it
    // What it may use; zero means as much as it likes.
    std::chrono::seconds processor_time{0};
    std::uint64_t memory_bytes = 0;  // of address space; no file that it writes may be larger either
    // Signals that we hold back to forward them, so it must not. Such a child is killed when we end.
    const HeldSignals* forwarded = nullptr;
};

class Process {
public:
    using Clock = std::chrono::steady_clock;
    using Deadline = std::optional<Clock::time_point>;

    enum class State {
        kRunning,
        kEnded,
        kLost,  // somebody else in this process took its end
    };
    struct Failure {
        const char* what = "";  // "cannot start"
        int reason = 0;         // of the system; 0: nothing failed
    };

    Process() = default;
    Process(const Process&) = delete;
    Process& operator=(const Process&) = delete;
    ~Process();

    // Once for each object.
    Failure start(const ProcessRequest& request);

    // Reads what a captured child says until it closes its outputs. False when the time was up before that.
    bool read(Deadline deadline);
    // Waits until it ended. A child may close its outputs and run on. kRunning when the time was up before that.
    State wait(Deadline deadline);
    // Waits, and passes the signals on that come meanwhile. `end_all` has to end the child and what it started: it is
    // called when the time is up, and when somebody asks a second time.
    State wait(const HeldSignals& held, Deadline deadline, const std::function<void()>& end_all);

    pid_t id() const { return child_; }
    void kill(int signal) const;  // of one with a group of its own, the whole of it
    void kill_group() const;      // of a child with a group of its own

    const std::string& output() const { return texts_[0]; }
    const std::string& errors() const { return texts_[1]; }
    bool timed_out() const { return timed_out_; }  // end_all was called for it
    int status() const;                            // its exit status, when signal is 0
    int signal() const;                            // what killed it

private:
    // A pipe whose ends close when it goes, and in the child of any other start.
    struct Pipe {
        int read_end = -1, write_end = -1;

        bool open();
        void close_write();
        ~Pipe();
    };

    int spawn(const ProcessRequest& request, const std::vector<char*>& variables);
    int fork_forwarded(const ProcessRequest& request, const std::vector<char*>& variables);
    State look(bool wait);

    pid_t child_ = 0;
    bool own_group_ = false;
    int state_ = 0;
    bool timed_out_ = false;
    std::array<Pipe, 2> pipes_;
    std::array<std::string, 2> texts_;
};

}  // namespace tilescope

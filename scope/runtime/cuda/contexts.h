// Contexts: which there are, and which are current on each thread.
//
// Owns: Contexts. Guarantees: a handle that was never given out, or was destroyed, is recognised without being
// followed. Does not model: memory, modules and streams of one context alone: all contexts are of the one device and
// share what is on it, which goes when the last of them does.
#pragma once

#include <atomic>
#include <cstdint>
#include <memory>
#include <mutex>
#include <vector>

#include "scope/runtime/service/status.h"

namespace tilescope::runtime::driver {

struct Context {
    unsigned flags = 0;
    std::uint64_t id = 0;
    bool is_primary = false;
};

class Contexts {
public:
    // One per process, never destroyed.
    static Contexts& get();

    // cuInit has been called, or the runtime, which calls it.
    bool is_initialised() const;
    void initialise() { initialised_ = true; }

    Context* make(unsigned flags);
    // False: there is none. Others that are current on other threads stay so, and are told that it is gone.
    bool destroy(const void* handle);
    bool is_context(const void* handle);

    Context* primary() { return &primary_; }
    Context* retain_primary();
    // False: nobody holds it.
    bool release_primary();
    void reset_primary();
    bool is_primary_active();
    void set_primary_flags(unsigned flags) { primary_.flags = flags; }

    // Nobody holds any context, so that nothing is left on the device.
    bool are_all_gone();

    // Of the calling thread; null: none. The runtime makes the primary one current.
    Context* current();
    void push(Context* context);
    Context* pop();
    void set_current(Context* context);
    // kOk; or that there is none, or that it was destroyed.
    Status check_current();

private:
    std::mutex mutex_;
    std::vector<std::unique_ptr<Context>> contexts_;
    std::uint64_t next_id_ = 2;
    unsigned primary_holders_ = 0;
    Context primary_{.id = 1, .is_primary = true};
    std::atomic<bool> initialised_{false};
};

}  // namespace tilescope::runtime::driver

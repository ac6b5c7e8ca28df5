// A value of each host thread's own that outlives the thread's other values: a program's exit handlers and static
// destructors call CUDA when those of the main thread are gone already.
#pragma once

namespace tilescope::runtime {

// One for each T and thread. What comes after a thread's end shares one.
template <class T>
T& of_this_thread() noexcept {
    static thread_local bool gone = false;
    struct Holder {
        T value{};
        bool* gone = nullptr;
        ~Holder() { *gone = true; }
    };
    static thread_local Holder holder{{}, &gone};
    // NOLINTNEXTLINE(bugprone-unhandled-exception-at-new): without memory at the very end the program ends here
    static T* const late = new T{};
    return gone ? *late : holder.value;
}

}  // namespace tilescope::runtime

// A block of CUDA threads on the host, without any part of tilescope: each thread is a context with a stack of its own,
// and runs until it waits for others. What lanes ask of each other is answered when all lanes of the mask have come.
//
// Guarantees: one fixed order; ends the process with a message when threads wait for what never comes, or when a lane
// calls with a mask that lacks its own bit, both of which are mistakes of the program that asked.
// Does not model: the order of real threads. A program whose result depends on it has no place here.
#pragma once

#include <ucontext.h>

#include <cstdio>
#include <cstdlib>
#include <functional>
#include <vector>

namespace reference {

struct Place {
    unsigned x, y, z;
};

enum class State { kReady, kAtBarrier, kInGroup, kDone };

struct Thread {
    ucontext_t context;
    Place index;      // threadIdx
    unsigned linear;  // its number in the block
    State state;
    unsigned mask;                   // of the group it waits for
    unsigned long long value;        // what it brings to the group or the barrier
    unsigned long long members[32];  // what the group's lanes brought
    int count, live;                 // at the last barrier: threads whose value is not 0, and threads
};

struct Block {
    Place index, size, grid;
    std::vector<Thread> threads;
    Thread* running = nullptr;
    ucontext_t scheduler;
    std::function<void()> body;
};

inline Block*& block() {
    static Block* current = nullptr;
    return current;
}
inline Thread& self() { return *block()->running; }

[[noreturn]] inline void give_up(const char* why) {
    std::printf("the reference cannot go on: %s\n", why);
    std::fflush(stdout);
    std::_Exit(99);
}

inline void wait(State state) {
    Thread& thread = self();
    thread.state = state;
    swapcontext(&thread.context, &block()->scheduler);
}

// The values that the lanes of `mask` brought, by lane, once all of them have come with this mask.
inline const unsigned long long* gather(unsigned mask, unsigned long long value) {
    Thread& thread = self();
    std::vector<Thread>& threads = block()->threads;
    const unsigned first = thread.linear / 32 * 32;
    if ((mask >> (thread.linear - first) & 1) == 0) give_up("a lane is not in its own mask");
    thread.mask = mask;
    thread.value = value;
    thread.state = State::kInGroup;
    bool complete = true;
    for (unsigned lane = 0; lane < 32; ++lane) {
        if ((mask >> lane & 1) == 0) continue;
        if (first + lane >= threads.size()) give_up("a mask names a lane that is not there");
        const Thread& other = threads[first + lane];
        if (other.state == State::kDone) give_up("a mask names a lane that has ended");
        complete = complete && other.state == State::kInGroup && other.mask == mask;
    }
    if (!complete) {
        wait(State::kInGroup);
        return thread.members;
    }
    for (unsigned lane = 0; lane < 32; ++lane) {
        if ((mask >> lane & 1) == 0) continue;
        Thread& other = threads[first + lane];
        for (unsigned from = 0; from < 32; ++from)
            other.members[from] = (mask >> from & 1) != 0 ? threads[first + from].value : 0;
        other.state = State::kReady;
    }
    return thread.members;
}

inline void barrier(unsigned long long value) {
    self().value = value;
    wait(State::kAtBarrier);
}

inline void enter() {
    block()->body();
    wait(State::kDone);
}

// Lets the threads at the barrier go if all that have not ended are there.
inline bool open_barrier(std::vector<Thread>& threads) {
    int live = 0, arrived = 0, count = 0;
    for (const Thread& thread : threads) {
        live += thread.state != State::kDone;
        arrived += thread.state == State::kAtBarrier;
        count += thread.state == State::kAtBarrier && thread.value != 0;
    }
    if (arrived == 0 || arrived != live) return false;
    for (Thread& thread : threads) {
        if (thread.state != State::kAtBarrier) continue;
        thread.state = State::kReady;
        thread.count = count;
        thread.live = live;
    }
    return true;
}

inline void run_block(Place index, Place size, Place grid, const std::function<void()>& body) {
    constexpr std::size_t kStack = 256 * 1024;
    static std::vector<char> stacks;
    Block here;
    here.index = index;
    here.size = size;
    here.grid = grid;
    here.body = body;
    here.threads.resize(std::size_t{size.x} * size.y * size.z);
    if (stacks.size() < here.threads.size() * kStack) stacks.resize(here.threads.size() * kStack);
    block() = &here;
    for (unsigned i = 0; i < here.threads.size(); ++i) {
        Thread& thread = here.threads[i];
        thread.index = {i % size.x, i / size.x % size.y, i / size.x / size.y};
        thread.linear = i;
        thread.state = State::kReady;
        getcontext(&thread.context);
        thread.context.uc_stack.ss_sp = stacks.data() + i * kStack;
        thread.context.uc_stack.ss_size = kStack;
        thread.context.uc_link = nullptr;
        makecontext(&thread.context, enter, 0);
    }
    for (bool moved = true; moved;) {
        moved = false;
        for (Thread& thread : here.threads) {
            if (thread.state != State::kReady) continue;
            here.running = &thread;
            swapcontext(&here.scheduler, &thread.context);
            moved = true;
        }
        if (!moved) moved = open_barrier(here.threads);
    }
    for (const Thread& thread : here.threads)
        if (thread.state != State::kDone) give_up("threads wait for what never comes");
    block() = nullptr;
}

}  // namespace reference

// The calls that failed: which, where in the host program, why, and whether anybody read the error.
//
// Owns: FailedCalls and HostPlace. Guarantees: a place that fails a million times is one entry with its count; each
// entry is in the journal when add() returns, or, of a place that fails very often, soon after.
// Does not model: what a program does with the error that a call returns: it may have looked or not.
#pragma once

#include <cstdint>
#include <map>
#include <mutex>
#include <string>
#include <tuple>
#include <vector>

#include "scope/report/profile.h"

namespace tilescope::runtime {

class JournalFile;

// Return addresses into the host program, the innermost first. Few are enough: what lies in headers of a library is
// told at the line that called it.
class HostPlace {
public:
    // Of whoever called into this library. Slow: for calls that failed.
    static HostPlace caller();
    static HostPlace at(const void* return_address);
    const std::vector<const void*>& addresses() const { return addresses_; }

private:
    std::vector<const void*> addresses_;
};

// Where a call comes from, by the address behind it.
CodePlace code_place(const void* return_address);

class FailedCalls {
public:
    explicit FailedCalls(JournalFile& journal) : journal_(journal) {}

    // `failed` without count, unread and places. The calling thread's last error is this one now.
    void add(FailedCall failed, const HostPlace& place);
    // The calling thread has read its last error.
    void read();
    std::vector<FailedCall> all();
    // In a forked child: what its parent did is none of it.
    void forget();
    // Writes the counts of entries that fail very often.
    void write_rest();

private:
    struct Entry {
        FailedCall failed;
        std::uint32_t number = 0;
        std::uint64_t written_count = 0, written_unread = 0;
    };
    void write(Entry& entry);
    void write_if_due(Entry& entry);

    JournalFile& journal_;
    std::mutex mutex_;
    std::map<std::tuple<std::string, std::string, const void*>, Entry> entries_;  // by call, error and place
};

}  // namespace tilescope::runtime

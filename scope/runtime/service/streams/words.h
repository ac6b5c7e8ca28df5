// Streams that write a word of memory, or wait until one is as they want it.
//
// Guarantees: what a wait asks for is looked at when the call is made, for work is done when it is issued: one that is
// not met would never be, unless another thread of the host writes the word, which is given some seconds. Answers are
// those of an H200 (driver 580, November 2026). Does not model: nodes of graphs that do so, flushes of remote writes.
#pragma once

#include <cstdint>

#include "scope/runtime/service/runtime.h"

namespace tilescope::runtime {

enum class WordTest : std::uint8_t { kAtLeast, kEqual, kAnd, kNor };

struct WordAccess {
    std::uint64_t address = 0, value = 0;
    unsigned bytes = 4;
    bool writes = false;
    WordTest test = WordTest::kAtLeast;
};

// Whether the word is memory that the device reaches, and aligned.
Status check_word(Runtime& runtime, const WordAccess& word);
Status run_word(Runtime& runtime, void* stream, const WordAccess& word);

}  // namespace tilescope::runtime

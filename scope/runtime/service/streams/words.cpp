#include "scope/runtime/service/streams/words.h"

#include <chrono>
#include <cstring>
#include <thread>

#include "scope/runtime/service/memory/sets.h"
#include "scope/runtime/service/memory/spans.h"
#include "scope/runtime/service/streams/issue.h"

namespace tilescope::runtime {
namespace {

constexpr auto kPatience = std::chrono::seconds(10);

// As the device compares: differences of words count around their range.
bool is_met(const WordAccess& word, std::uint64_t found) {
    switch (word.test) {
        case WordTest::kAtLeast:
            return word.bytes == 4 ? static_cast<std::int32_t>(static_cast<std::uint32_t>(found - word.value)) >= 0
                                   : static_cast<std::int64_t>(found - word.value) >= 0;
        case WordTest::kEqual: return found == word.value;
        case WordTest::kAnd: return (found & word.value) != 0;
        case WordTest::kNor: break;
    }
    const std::uint64_t mask = word.bytes == 4 ? 0xffffffffU : ~std::uint64_t{0};
    return (~(found | word.value) & mask) != 0;
}

std::uint64_t read_word(Runtime& runtime, const WordAccess& word) {
    const auto lock = runtime.work();
    const auto* const at = runtime.session().memory().bytes(word.address);
    if (word.bytes == 4) return __atomic_load_n(reinterpret_cast<const std::uint32_t*>(at), __ATOMIC_ACQUIRE);
    return __atomic_load_n(reinterpret_cast<const std::uint64_t*>(at), __ATOMIC_ACQUIRE);
}

Status wait_for_word(Runtime& runtime, const WordAccess& word) {
    const auto end = std::chrono::steady_clock::now() + kPatience;
    while (!is_met(word, read_word(runtime, word))) {
        if (std::chrono::steady_clock::now() > end) {
            runtime.warn_once("runtime-word-never-came",
                              "a stream waits for a word of memory that nothing writes: work is done here when it is "
                              "issued, and what was to write it had not been issued");
            return because(Status::kNotSupported, "the word that the stream waits for was not written");
        }
        std::this_thread::sleep_for(std::chrono::milliseconds(1));
    }
    return Status::kOk;
}

Set set_of_word(const WordAccess& word, unsigned part) {
    Set set{.target = reinterpret_cast<void*>(word.address + 4 * part)};
    set.value = static_cast<unsigned>(word.value >> 32 * part);
    set.element_bytes = 4;
    set.width = set.height = 1;
    return set;
}

}  // namespace

Status check_word(Runtime& runtime, const WordAccess& word) {
    if (word.address % word.bytes != 0) return because(Status::kInvalidValue, "the word is misaligned");
    const machine::Memory& memory = runtime.session().memory();
    const void* const at = reinterpret_cast<const void*>(word.address);
    return device_span(memory, at, word.bytes, word.writes)
               ? Status::kOk
               : refuse_span(memory, "target", at, word.bytes, true, false);
}

Status run_word(Runtime& runtime, void* stream, const WordAccess& word) {
    if (const Status status = check_word(runtime, word); status != Status::kOk) return status;
    return on_stream_now(runtime, stream, [&](const machine::Issue& issue) {
        if (!word.writes) return wait_for_word(runtime, word);
        for (unsigned part = 0; part < word.bytes / 4; ++part)
            if (const Status status = run_set(runtime, set_of_word(word, part), issue); status != Status::kOk)
                return status;
        return Status::kOk;
    });
}

}  // namespace tilescope::runtime

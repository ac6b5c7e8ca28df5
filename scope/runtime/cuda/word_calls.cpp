// Streams that write words of memory and wait for them.
#include "scope/runtime/cuda/guard.h"
#include "scope/runtime/service/streams/handles.h"
#include "scope/runtime/service/streams/words.h"

namespace tilescope::runtime::driver {
namespace {

// CUstreamBatchMemOpType, and the flags of waits.
enum WordOperation { kWait32 = 1, kWrite32 = 2, kFlush = 3, kWait64 = 4, kWrite64 = 5, kBarrier = 6 };
constexpr unsigned kTestBits = 3, kFlushes = 1U << 30U;
constexpr unsigned kMostAtOnce = 255;

// CUstreamBatchMemOpParams, whose parts all begin alike.
struct WordSaid {
    int operation;
    Address address;
    std::uint64_t value;
    unsigned flags;
    Address alias;
    std::uint64_t rest[1];
};
static_assert(sizeof(WordSaid) == 48);

Status refuse_flush() { return because(Status::kNotSupported, "the device has no writes of others to flush"); }

Status wait_from(Address address, std::uint64_t value, unsigned flags, unsigned bytes, WordAccess& word) {
    if ((flags & ~(kTestBits | kFlushes)) != 0) return Status::kInvalidValue;
    if ((flags & kFlushes) != 0) return refuse_flush();
    word = {.address = address, .value = value, .bytes = bytes, .test = static_cast<WordTest>(flags & kTestBits)};
    return Status::kOk;
}

Status write_from(Address address, std::uint64_t value, unsigned flags, unsigned bytes, WordAccess& word) {
    if (flags != 0) return Status::kInvalidValue;
    word = {.address = address, .value = value, .bytes = bytes, .writes = true};
    return Status::kOk;
}

Code one_word(void* stream, Address address, std::uint64_t value, unsigned flags, unsigned bytes, bool writes,
              const char* name = __builtin_FUNCTION(), const void* from = __builtin_return_address(0)) {
    return on_context(
        [&](Runtime& runtime) -> Status {
            WordAccess word;
            if (!runtime.handles().is_stream(stream)) return Status::kInvalidHandle;
            const Status status =
                writes ? write_from(address, value, flags, bytes, word) : wait_from(address, value, flags, bytes, word);
            return status != Status::kOk ? status : run_word(runtime, stream, word);
        },
        name, from);
}

Status word_from(const WordSaid& said, WordAccess& word, bool& is_there) {
    is_there = true;
    switch (said.operation) {
        case kWait32: return wait_from(said.address, said.value & 0xffffffffU, said.flags, 4, word);
        case kWrite32: return write_from(said.address, said.value & 0xffffffffU, said.flags, 4, word);
        case kWait64: return wait_from(said.address, said.value, said.flags, 8, word);
        case kWrite64: return write_from(said.address, said.value, said.flags, 8, word);
        case kFlush: return refuse_flush();
        case kBarrier: is_there = false; return Status::kOk;
        default: return Status::kInvalidValue;
    }
}

}  // namespace

TILESCOPE_DRIVER Code cuStreamWaitValue32_v2(void* stream, Address address, std::uint32_t value, unsigned flags) {
    return one_word(stream, address, value, flags, 4, false);
}
TILESCOPE_DRIVER Code cuStreamWaitValue64_v2(void* stream, Address address, std::uint64_t value, unsigned flags) {
    return one_word(stream, address, value, flags, 8, false);
}
TILESCOPE_DRIVER Code cuStreamWriteValue32_v2(void* stream, Address address, std::uint32_t value, unsigned flags) {
    return one_word(stream, address, value, flags, 4, true);
}
TILESCOPE_DRIVER Code cuStreamWriteValue64_v2(void* stream, Address address, std::uint64_t value, unsigned flags) {
    return one_word(stream, address, value, flags, 8, true);
}

// All are looked at before the first is done.
TILESCOPE_DRIVER Code cuStreamBatchMemOp_v2(void* stream, unsigned count, const WordSaid* said, unsigned flags) {
    return on_context([&](Runtime& runtime) -> Status {
        if (!runtime.handles().is_stream(stream)) return Status::kInvalidHandle;
        if (flags != 0 || count > kMostAtOnce || (count != 0 && said == nullptr)) return Status::kInvalidValue;
        std::vector<WordAccess> words;
        for (unsigned i = 0; i < count; ++i) {
            WordAccess word;
            bool is_there = false;
            if (const Status status = word_from(said[i], word, is_there); status != Status::kOk) return status;
            if (is_there) words.push_back(word);
        }
        for (const WordAccess& word : words)
            if (const Status status = check_word(runtime, word); status != Status::kOk) return status;
        for (const WordAccess& word : words)
            if (const Status status = run_word(runtime, stream, word); status != Status::kOk) return status;
        return Status::kOk;
    });
}

std::span<const Entry> word_calls() {
    static const Entry kCalls[] = {
        TILESCOPE_THERE_TWICE_AS(cuStreamWaitValue32, cuStreamWaitValue32_v2),
        TILESCOPE_THERE_TWICE(cuStreamWaitValue32_v2),
        TILESCOPE_THERE_TWICE_AS(cuStreamWaitValue64, cuStreamWaitValue64_v2),
        TILESCOPE_THERE_TWICE(cuStreamWaitValue64_v2),
        TILESCOPE_THERE_TWICE_AS(cuStreamWriteValue32, cuStreamWriteValue32_v2),
        TILESCOPE_THERE_TWICE(cuStreamWriteValue32_v2),
        TILESCOPE_THERE_TWICE_AS(cuStreamWriteValue64, cuStreamWriteValue64_v2),
        TILESCOPE_THERE_TWICE(cuStreamWriteValue64_v2),
        TILESCOPE_THERE_TWICE_AS(cuStreamBatchMemOp, cuStreamBatchMemOp_v2),
        TILESCOPE_THERE_TWICE(cuStreamBatchMemOp_v2),
    };
    return kCalls;
}

}  // namespace tilescope::runtime::driver

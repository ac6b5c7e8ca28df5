// What a program's GPU did and when, from the profiler's activity records: kernels, copies, sets, and the moves and
// faults of managed memory's pages. A library to be preloaded; the program need not know of it.
//
//   g++ -shared -fPIC -O2 -std=c++17 -I CUPTI/include -DKERNEL=... -o activities.so activities.cpp -L CUPTI/lib -lcupti
//   -lcuda LD_PRELOAD=./activities.so ACTIVITIES=out.jsonl program
//
// Writes one JSON object a line, in no order; times in ns. measure.py builds it and finds the names of the records'
// types, which change with CUPTI's release.
#include <cuda.h>
#include <cupti.h>

#include <cstdint>
#include <cstdio>
#include <cstdlib>

namespace {

std::FILE* out = nullptr;

void begin_of_buffer(std::uint8_t** buffer, std::size_t* bytes, std::size_t* most_records) {
    *bytes = std::size_t{4} << 20;
    *buffer = static_cast<std::uint8_t*>(std::aligned_alloc(64, *bytes));
    *most_records = 0;
}

const char* page_event(CUpti_ActivityUnifiedMemoryCounterKind kind) {
    switch (kind) {
        case CUPTI_ACTIVITY_UNIFIED_MEMORY_COUNTER_KIND_BYTES_TRANSFER_HTOD: return "to device";
        case CUPTI_ACTIVITY_UNIFIED_MEMORY_COUNTER_KIND_BYTES_TRANSFER_DTOH: return "to host";
        case CUPTI_ACTIVITY_UNIFIED_MEMORY_COUNTER_KIND_CPU_PAGE_FAULT_COUNT: return "host fault";
        case CUPTI_ACTIVITY_UNIFIED_MEMORY_COUNTER_KIND_GPU_PAGE_FAULT: return "device faults";
        case CUPTI_ACTIVITY_UNIFIED_MEMORY_COUNTER_KIND_THRASHING: return "thrashing";
        case CUPTI_ACTIVITY_UNIFIED_MEMORY_COUNTER_KIND_THROTTLING: return "throttling";
        case CUPTI_ACTIVITY_UNIFIED_MEMORY_COUNTER_KIND_REMOTE_MAP: return "remote map";
        default: return "other";
    }
}

void write(const CUpti_Activity* record) {
    const auto span = [](unsigned long long begin, unsigned long long end) {
        std::fprintf(out, "\"start\": %llu, \"end\": %llu}\n", begin, end);
    };
    switch (record->kind) {
        case CUPTI_ACTIVITY_KIND_CONCURRENT_KERNEL: {
            const auto* kernel = reinterpret_cast<const KERNEL*>(record);
            std::fprintf(out, "{\"is\": \"kernel\", \"name\": \"%s\", \"stream\": %u, ", kernel->name,
                         kernel->streamId);
            return span(kernel->start, kernel->end);
        }
        case CUPTI_ACTIVITY_KIND_MEMCPY: {
            const auto* copy = reinterpret_cast<const MEMCPY*>(record);
            std::fprintf(out, "{\"is\": \"copy\", \"kind\": %d, \"bytes\": %llu, \"stream\": %u, ", copy->copyKind,
                         static_cast<unsigned long long>(copy->bytes), copy->streamId);
            return span(copy->start, copy->end);
        }
        case CUPTI_ACTIVITY_KIND_MEMSET: {
            const auto* set = reinterpret_cast<const MEMSET*>(record);
            std::fprintf(out, "{\"is\": \"set\", \"bytes\": %llu, \"stream\": %u, ",
                         static_cast<unsigned long long>(set->bytes), set->streamId);
            return span(set->start, set->end);
        }
        case CUPTI_ACTIVITY_KIND_UNIFIED_MEMORY_COUNTER: {
            const auto* pages = reinterpret_cast<const PAGES*>(record);
            std::fprintf(out, "{\"is\": \"pages\", \"what\": \"%s\", \"value\": %llu, \"address\": %llu, ",
                         page_event(pages->counterKind), static_cast<unsigned long long>(pages->value),
                         static_cast<unsigned long long>(pages->address));
            return span(pages->start, pages->end);
        }
        default: return;
    }
}

void end_of_buffer(CUcontext, std::uint32_t, std::uint8_t* buffer, std::size_t, std::size_t bytes) {
    CUpti_Activity* record = nullptr;
    while (cuptiActivityGetNextRecord(buffer, bytes, &record) == CUPTI_SUCCESS) write(record);
    std::free(buffer);
}

bool asked(CUptiResult result, const char* what) {
    const char* text = "?";
    if (result != CUPTI_SUCCESS) {
        cuptiGetResultString(result, &text);
        std::fprintf(stderr, "activities: %s: %s\n", what, text);
    }
    return result == CUPTI_SUCCESS;
}

void finish() {
    asked(cuptiActivityFlushAll(1), "flush");
    std::fclose(out);
}

__attribute__((constructor)) void begin() {
    const char* name = std::getenv("ACTIVITIES");
    if (name == nullptr || (out = std::fopen(name, "w")) == nullptr || cuInit(0) != CUDA_SUCCESS) return;
    asked(cuptiActivityRegisterCallbacks(begin_of_buffer, end_of_buffer), "callbacks");
    CUpti_ActivityUnifiedMemoryCounterConfig wanted[7];
    const CUpti_ActivityUnifiedMemoryCounterKind kinds[7] = {
        CUPTI_ACTIVITY_UNIFIED_MEMORY_COUNTER_KIND_BYTES_TRANSFER_HTOD,
        CUPTI_ACTIVITY_UNIFIED_MEMORY_COUNTER_KIND_BYTES_TRANSFER_DTOH,
        CUPTI_ACTIVITY_UNIFIED_MEMORY_COUNTER_KIND_CPU_PAGE_FAULT_COUNT,
        CUPTI_ACTIVITY_UNIFIED_MEMORY_COUNTER_KIND_GPU_PAGE_FAULT,
        CUPTI_ACTIVITY_UNIFIED_MEMORY_COUNTER_KIND_THRASHING,
        CUPTI_ACTIVITY_UNIFIED_MEMORY_COUNTER_KIND_THROTTLING,
        CUPTI_ACTIVITY_UNIFIED_MEMORY_COUNTER_KIND_REMOTE_MAP};
    for (int i = 0; i < 7; ++i) {
        wanted[i].scope = CUPTI_ACTIVITY_UNIFIED_MEMORY_COUNTER_SCOPE_PROCESS_SINGLE_DEVICE;
        wanted[i].kind = kinds[i];
        wanted[i].deviceId = 0;
        wanted[i].enable = 1;
    }
    if (asked(cuptiActivityConfigureUnifiedMemoryCounter(wanted, 7), "pages"))
        asked(cuptiActivityEnable(CUPTI_ACTIVITY_KIND_UNIFIED_MEMORY_COUNTER), "pages");
    asked(cuptiActivityEnable(CUPTI_ACTIVITY_KIND_CONCURRENT_KERNEL), "kernels");
    asked(cuptiActivityEnable(CUPTI_ACTIVITY_KIND_MEMCPY), "copies");
    asked(cuptiActivityEnable(CUPTI_ACTIVITY_KIND_MEMSET), "sets");
    std::atexit(finish);
}

}  // namespace

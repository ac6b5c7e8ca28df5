// Random address arithmetic, launched in a process that is full of canaries: pages of a pattern around the kernel's own
// memory, far away, in the heap and on the stack. No kernel may change one, read one, or crash the process.
#include <sys/mman.h>

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <memory>
#include <vector>

#include "fuzz/wild_program.h"
#include "scope/session/session.h"

namespace {

using namespace tilescope;

constexpr std::size_t kPage = 4096, kOwnBytes = 1024;

// Pages that hold nothing but the marker.
class Canaries {
public:
    Canaries() {
        for (unsigned i = 0; i < 16; ++i) add(map(nullptr));
        // Where addresses of 32, 40 and 44 bits lead, if the host has these pages free.
        for (std::uint64_t at : {1ULL << 28, 1ULL << 31, 1ULL << 32, 1ULL << 36, 1ULL << 40, 1ULL << 44, 1ULL << 46})
            add(map(reinterpret_cast<void*>(at)));
        for (unsigned i = 0; i < 4; ++i) add(heap_.emplace_back(new std::byte[kPage]).get());
    }
    // Beside a kernel's memory, as near as the host allows.
    void surround(const void* storage) {
        const std::uint64_t page = reinterpret_cast<std::uint64_t>(storage) / kPage * kPage;
        for (std::int64_t distance : {-2, -1, 1, 2, 3, 16, -16, 4096, -4096})
            add(map(reinterpret_cast<void*>(page + static_cast<std::uint64_t>(distance) * kPage)));
    }
    std::uint64_t address(unsigned i) const { return reinterpret_cast<std::uint64_t>(pages_[i % pages_.size()]); }
    bool all_sing() const {
        return std::all_of(pages_.begin(), pages_.end(), [](const std::uint32_t* page) {
            return std::all_of(page, page + kPage / 4, [](std::uint32_t word) { return word == fuzz::kMarker; });
        });
    }

private:
    static void* map(void* at) {
        void* page = mmap(at, kPage, PROT_READ | PROT_WRITE,
                          MAP_PRIVATE | MAP_ANONYMOUS | (at == nullptr ? 0 : MAP_FIXED_NOREPLACE), -1, 0);
        return page == MAP_FAILED ? nullptr : page;
    }
    void add(void* page) {
        if (page == nullptr) return;
        pages_.push_back(static_cast<std::uint32_t*>(page));
        std::fill_n(pages_.back(), kPage / 4, fuzz::kMarker);
    }

    std::vector<std::uint32_t*> pages_;
    std::vector<std::unique_ptr<std::byte[]>> heap_;
};

[[noreturn]] void escaped(const char* how, const std::string& text) {
    std::fprintf(stderr, "%s\n%s", how, text.c_str());
    std::abort();
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    static Canaries canaries;
    static bool surrounded = false;
    if (size == 0) return 0;
    SessionOptions options;
    options.jobs = 1;
    options.device = "b200";  // the programs are for sm_100
    options.on_after_faults = data[0] % 4 != 0;
    options.max_instructions = 50000;
    auto session = Session::create(options);
    if (!session) return 0;
    Session& run = **session;
    const std::string text = fuzz::wild_program({data + 1, size - 1});
    const auto module = run.load_module(text, "wild.ptx");
    if (!module) escaped(render(module.errors()).c_str(), text);
    void* found = run.memory().allocate(64, machine::AllocationKind::kDevice);
    void* own = run.memory().allocate(kOwnBytes, machine::AllocationKind::kDevice);
    if (!std::exchange(surrounded, true)) canaries.surround(own);
    std::uint32_t on_stack[16];
    std::fill_n(on_stack, std::size(on_stack), fuzz::kMarker);

    std::vector<std::uint64_t> parameters = {reinterpret_cast<std::uint64_t>(found),
                                             reinterpret_cast<std::uint64_t>(own)};
    for (unsigned i = 0; i + 1 < fuzz::kForeignAddresses; ++i) parameters.push_back(canaries.address(5 * i + data[0]));
    parameters.push_back(reinterpret_cast<std::uint64_t>(on_stack));
    LaunchRequest request;
    request.kernel = run.kernels(*module).front();
    request.grid = {2, 1, 1};
    request.block = {48, 1, 1};
    request.parameters = std::as_bytes(std::span(parameters));
    const LaunchResult result = run.launch(request);
    if (result.status == LaunchStatus::kUnsupported) escaped(render(result.diagnostics).c_str(), text);

    std::uint32_t flag = 0;
    std::memcpy(&flag, run.memory().bytes(found), sizeof flag);
    if (flag == fuzz::kFound) escaped("a kernel read a canary", text);
    if (!canaries.all_sing()) escaped("a kernel wrote to a canary", text);
    for (std::uint32_t word : on_stack)
        if (word != fuzz::kMarker) escaped("a kernel wrote to the host's stack", text);
    return 0;
}

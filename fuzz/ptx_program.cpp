// Any PTX text, all the way: parsed, lowered, launched. Nothing a module says may crash the tool, make it hang, or let
// a kernel touch memory outside its allocations (the address sanitizer watches).
#include <cstddef>
#include <cstdint>
#include <string_view>
#include <vector>

#include "scope/session/session.h"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    using namespace tilescope;
    constexpr std::uint64_t kInstructions = 20000;  // enough to get anywhere, too few to be slow
    constexpr std::size_t kBufferBytes = 4096;
    SessionOptions options;
    options.jobs = 1;
    options.max_instructions = kInstructions;
    options.memory_limit = 64 << 20;
    auto session = Session::create(options);
    if (!session) return 0;
    Session& run = **session;
    auto module = run.load_module(std::string_view(reinterpret_cast<const char*>(data), size), "fuzz.ptx");
    if (!module) return 0;
    void* buffer = run.memory().allocate(kBufferBytes, machine::AllocationKind::kDevice);
    for (const KernelId kernel : run.kernels(*module)) {
        const KernelInfo& info = run.kernel_info(kernel);
        if (info.parameter_bytes > kBufferBytes) continue;
        // Every 8 bytes of the parameters are a valid pointer: kernels get further than with noise.
        std::vector<std::byte> parameters(info.parameter_bytes);
        for (std::size_t at = 0; at + sizeof buffer <= parameters.size(); at += sizeof buffer)
            *reinterpret_cast<void**>(parameters.data() + at) = buffer;
        LaunchRequest request;
        request.kernel = kernel;
        request.grid = {2, 1, 1};
        request.block = {48, 1, 1};
        if (info.required_block[0] != 0) request.block = info.required_block;
        request.dynamic_shared_bytes = 256;
        request.parameters = parameters;
        (void)run.launch(request);
    }
    return 0;
}

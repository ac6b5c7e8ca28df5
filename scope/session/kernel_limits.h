// What a kernel's registers leave of the device's limits.
//
// Guarantees: of registers that are only estimated nothing follows that would refuse a launch: the assembler may get by
// with fewer, so as many count as let the block run.
#pragma once

#include <cstdint>

#include "scope/models/device.h"
#include "scope/session/session.h"

namespace tilescope {

// The most registers a thread, of at most `wanted`, with which an SM holds `blocks` blocks of so many threads; at
// least 1.
std::uint32_t registers_that_fit(const models::Device& device, std::uint32_t wanted, std::uint64_t threads,
                                 std::uint64_t blocks = 1);
// Registers a thread of a launch of so many threads a block.
std::uint32_t registers_for(const models::Device& device, const KernelInfo& info, std::uint64_t threads);
// The most threads a block that the kernel can be launched with: its launch bounds and its registers
// (cudaFuncAttributes::maxThreadsPerBlock).
std::uint32_t max_threads_of(const models::Device& device, const KernelInfo& info);
// The assembler keeps to what .maxnreg, .maxntid and .minnctapersm ask for: so does an estimate.
std::uint32_t bounded_registers(const models::Device& device, const KernelInfo& info, std::uint32_t estimate);

}  // namespace tilescope

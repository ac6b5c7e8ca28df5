// The least time that a launch's work takes on a device, part by part; what advice weighs its findings with.
//
// Owns: Work, work_of(), seconds(). Guarantees: pure functions; each part is its amount over the device's peak rate,
// and the parts overlap fully, so the longest of them is the bound:
// - memory: 32 bytes a sector of global and local memory (of local memory only if the assembler's own figures, where
//   they are known, give threads any) over the DRAM bandwidth, as if no cache caught any. That makes
//   what a saving of sectors can be worth an upper bound, whatever the caches do; it makes this no prediction of time.
// - shared memory: one wavefront a cycle and SM (128 bytes over l1_width).
// - constant memory: time_constant_pass cycles a pass and SM.
// - arithmetic: FLOP of each type over its peak rate without tensor cores, and special functions (a root, a sine, the
//   first step of a division) over theirs; these overlap.
// - issue: one warp instruction a cycle and sub-partition; those of the machine as far as they can be told
//   (LaunchProfile::work), else the PTX's.
// A figure that the device's description lacks makes its part 0.
// Does not model: latency, caches, waves of blocks, tensor cores, clocks below the peak.
#pragma once

#include "scope/models/device.h"
#include "scope/report/profile.h"

namespace tilescope::models {

inline constexpr double kSectorBytes = 32, kWavefrontBytes = 128;  // geometry: a sector, and a pass of 32 words
// numeric: what takes less is not worth advice about the launch's shape; what a launch takes is time_least_launch.
inline constexpr double kLaunchSeconds = 4e-6;

struct Work {
    double memory_bytes = 0;  // whole sectors
    double wavefronts = 0;    // of shared memory
    double constant_passes = 0;
    double fp16 = 0, fp32 = 0, fp64 = 0;  // FLOP
    double fp16_tensor = 0, tf32_tensor = 0, fp64_tensor = 0, fp8_tensor = 0,
           int8_tensor = 0;   // operations of tensor cores
    double special = 0;       // special functions of threads
    double instructions = 0;  // of warps
};

// False when a cubin or the assembler says that threads have no local memory: small arrays that PTX indexes at run time
// may still end up in registers.
bool has_local_memory(const LaunchProfile& launch);

Work work_of(const LaunchProfile& launch);
// On so many of the device's SMs; 0: on all. Memory is then bound by what these SMs can take in, too.
double seconds(const Work& work, const Device& device, std::uint64_t sms = 0);
// Of a launch that has next to nothing to do.
double least_launch_seconds(const Device& device);

}  // namespace tilescope::models

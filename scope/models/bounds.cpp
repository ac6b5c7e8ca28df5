#include "scope/models/bounds.h"

#include <algorithm>

namespace tilescope::models {
namespace {

using C = Counter;

double over(double amount, double rate) { return rate > 0 ? amount / rate : 0; }

}  // namespace

bool has_local_memory(const LaunchProfile& launch) {
    return launch.registers_from == RegistersFrom::kEstimate || launch.local_bytes_per_thread != 0;
}

Work work_of(const LaunchProfile& launch) {
    const CounterSet& c = launch.counters;
    const auto count = [&](C counter) { return static_cast<double>(c[counter]); };
    Work work;
    for (const C sectors :
         {C::kGlobalLoadSectors, C::kGlobalStoreSectors, C::kGlobalAtomicSectors, C::kGlobalReductionSectors})
        work.memory_bytes += kSectorBytes * count(sectors);
    if (has_local_memory(launch))
        work.memory_bytes += kSectorBytes * (count(C::kLocalLoadSectors) + count(C::kLocalStoreSectors));
    work.wavefronts = count(C::kSharedLoadWavefronts) + count(C::kSharedStoreWavefronts) +
                      count(C::kSharedAtomicRequests) + count(C::kSharedAtomicBankConflicts) +
                      count(C::kFactorLoadWavefronts);
    work.constant_passes = count(C::kConstantPasses);
    work.fp16 = count(C::kFp16Operations);
    work.fp32 = count(C::kFp32Add) + count(C::kFp32Mul) + 2 * count(C::kFp32Fma);
    work.fp64 = count(C::kFp64Add) + count(C::kFp64Mul) + 2 * count(C::kFp64Fma);
    work.fp16_tensor = count(C::kTensorFp16Operations) + count(C::kTensorBf16Operations);
    work.tf32_tensor = count(C::kTensorTf32Operations);
    work.fp64_tensor = count(C::kTensorFp64Operations);
    work.fp8_tensor = count(C::kTensorFp8Operations);
    work.int8_tensor = count(C::kTensorInt8Operations);
    work.special = count(C::kFp32Special) + count(C::kFp64Special);
    work.instructions = launch.work ? launch.work->instructions : count(C::kInstructions);
    return work;
}

double seconds(const Work& work, const Device& device, std::uint64_t sms) {
    const double all = device.sm_count;
    const double used = sms == 0 ? all : static_cast<double>(std::min<std::uint64_t>(sms, device.sm_count));
    const double share = all > 0 ? used / all : 1;
    const double cycles = used * 1e3 * device.clock_khz;  // of the SMs in use, a second
    return std::max(
        {over(work.memory_bytes, device.dram_bandwidth), over(work.memory_bytes, cycles * device.l1_bytes_per_cycle),
         over(work.wavefronts * kWavefrontBytes, cycles * device.l1_bytes_per_cycle),
         over(work.constant_passes * device.time.constant_pass, cycles), over(work.fp16, share * device.peak.fp16),
         over(work.fp32, share * device.peak.fp32), over(work.fp64, share * device.peak.fp64),
         over(work.special, cycles * device.per_cycle.special), over(work.fp16_tensor, share * device.peak.fp16_tensor),
         over(work.tf32_tensor, share * device.peak.tf32_tensor),
         over(work.fp64_tensor, share * device.peak.fp64_tensor), over(work.fp8_tensor, share * device.peak.fp8_tensor),
         over(work.int8_tensor, share * device.peak.int8_tensor),
         over(work.instructions, cycles * device.sub_partitions)});
}

double least_launch_seconds(const Device& device) { return device.time.least_launch * 1e-6; }

}  // namespace tilescope::models

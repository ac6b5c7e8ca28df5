#include "scope/report/profiler_names.h"

#include <algorithm>

namespace tilescope::report {
namespace {

constexpr ProfilerName kProfilerNames[] = {
    {"instructions", "smsp__inst_executed.sum", true},
    {"thread_instructions", "smsp__thread_inst_executed.sum", true},
    {"global_load_requests", "l1tex__t_requests_pipe_lsu_mem_global_op_ld.sum", true},
    {"global_load_sectors", "l1tex__t_sectors_pipe_lsu_mem_global_op_ld.sum", true},
    {"global_store_requests", "l1tex__t_requests_pipe_lsu_mem_global_op_st.sum", true},
    {"global_store_sectors", "l1tex__t_sectors_pipe_lsu_mem_global_op_st.sum", true},
    {"global_reduction_sectors", "l1tex__t_sectors_pipe_lsu_mem_global_op_red.sum", true},
    {"global_atomic_sectors", "l1tex__t_sectors_pipe_lsu_mem_global_op_atom.sum", true},
    {"global_load_l1_hit_sectors", "l1tex__t_sectors_pipe_lsu_mem_global_op_ld_lookup_hit.sum"},
    {"local_load_sectors", "l1tex__t_sectors_pipe_lsu_mem_local_op_ld.sum", true},
    {"local_store_sectors", "l1tex__t_sectors_pipe_lsu_mem_local_op_st.sum", true},
    {"shared_load_instructions", "smsp__inst_executed_op_shared_ld.sum", true},
    {"shared_store_instructions", "smsp__inst_executed_op_shared_st.sum", true},
    {"shared_load_wavefronts", "l1tex__data_pipe_lsu_wavefronts_mem_shared_op_ld.sum", true},
    {"shared_store_wavefronts", "l1tex__data_pipe_lsu_wavefronts_mem_shared_op_st.sum", true},
    {"shared_load_bank_conflicts", "l1tex__data_bank_conflicts_pipe_lsu_mem_shared_op_ld.sum", true},
    {"shared_store_bank_conflicts", "l1tex__data_bank_conflicts_pipe_lsu_mem_shared_op_st.sum", true},
    {"shared_atomic_bank_conflicts", "l1tex__data_bank_conflicts_pipe_lsu_mem_shared_op_atom.sum", true},
    {"l2_read_sectors", "lts__t_sectors_srcunit_tex_op_read.sum"},
    {"l2_read_hit_sectors", "lts__t_sectors_srcunit_tex_op_read_lookup_hit.sum"},
    {"l2_write_sectors", "lts__t_sectors_srcunit_tex_op_write.sum"},
    {"dram_read_bytes", "dram__bytes_read.sum"},
    {"dram_write_bytes", "dram__bytes_write.sum"},
    {"fp32_add", "smsp__sass_thread_inst_executed_op_fadd_pred_on.sum", true},
    {"fp32_mul", "smsp__sass_thread_inst_executed_op_fmul_pred_on.sum", true},
    {"fp32_fma", "smsp__sass_thread_inst_executed_op_ffma_pred_on.sum", true},
    {"fp64_add", "smsp__sass_thread_inst_executed_op_dadd_pred_on.sum", true},
    {"fp64_mul", "smsp__sass_thread_inst_executed_op_dmul_pred_on.sum", true},
    {"fp64_fma", "smsp__sass_thread_inst_executed_op_dfma_pred_on.sum", true},
    {"registers_per_thread", "launch__registers_per_thread", true},
    {"microseconds", "gpu__time_duration.sum", true},
    {"occupancy", "sm__maximum_warps_per_active_cycle_pct"},
    {"achieved_occupancy", "sm__warps_active.avg.pct_of_peak_sustained_active"},
    {"dram_of_peak", "dram__throughput.avg.pct_of_peak_sustained_elapsed"},
    {"issue_of_peak", "sm__inst_issued.avg.pct_of_peak_sustained_elapsed"},
    {"dram_gb_per_second", "dram__bytes.sum.per_second"},
    {"threads_per_block", "launch__block_size"},
    {"static_shared_bytes", "launch__shared_mem_per_block_static"},
    {"dynamic_shared_bytes", "launch__shared_mem_per_block_dynamic"},
    {"divergent_branches", "smsp__sass_branch_targets_threads_divergent.sum"},
};

constexpr StallRow kStallRows[] = {
    {&ReplayClock::memory, "memory", "for what memory brings", "long scoreboard"},
    {&ReplayClock::pipe, "pipe", "for a turn in the pipe of L1 and shared memory", "LG throttle or MIO throttle"},
    {&ReplayClock::arithmetic, "arithmetic", "for results of arithmetic and shared memory", "wait or short scoreboard"},
    {&ReplayClock::barriers, "barriers", "for others at barriers", "barrier"},
    {&ReplayClock::slots, "slots", "for a slot of the scheduler or its pipes", "not selected or math pipe throttle"},
};

}  // namespace

std::span<const ProfilerName> profiler_names() { return kProfilerNames; }

const ProfilerName* by_profiler_name(std::string_view theirs) {
    const auto found = std::find_if(std::begin(kProfilerNames), std::end(kProfilerNames),
                                    [&](const ProfilerName& name) { return name.theirs == theirs; });
    return found == std::end(kProfilerNames) ? nullptr : found;
}

const ProfilerName* profiler_name_of(std::string_view ours) {
    const auto found = std::find_if(std::begin(kProfilerNames), std::end(kProfilerNames),
                                    [&](const ProfilerName& name) { return name.ours == ours; });
    return found == std::end(kProfilerNames) ? nullptr : found;
}

std::span<const StallRow> stall_rows() { return kStallRows; }

}  // namespace tilescope::report

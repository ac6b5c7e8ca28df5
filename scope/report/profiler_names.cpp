#include "scope/report/profiler_names.h"

#include <algorithm>
#include <cctype>

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
    {"global_load_sectors_per_request", "l1tex__average_t_sectors_per_request_pipe_lsu_mem_global_op_ld.ratio"},
    {"global_store_sectors_per_request", "l1tex__average_t_sectors_per_request_pipe_lsu_mem_global_op_st.ratio"},
    {"occupancy", "sm__maximum_warps_per_active_cycle_pct"},
    {"achieved_occupancy", "sm__warps_active.avg.pct_of_peak_sustained_active"},
    {"occupancy_limit_warps", "launch__occupancy_limit_warps"},
    {"occupancy_limit_blocks", "launch__occupancy_limit_blocks"},
    {"occupancy_limit_registers", "launch__occupancy_limit_registers"},
    {"dram_of_peak", "dram__throughput.avg.pct_of_peak_sustained_elapsed"},
    {"issue_of_peak", "sm__inst_issued.avg.pct_of_peak_sustained_elapsed"},
    {"dram_gb_per_second", "dram__bytes.sum.per_second"},
    {"threads_per_block", "launch__block_size"},
    {"static_shared_bytes", "launch__shared_mem_per_block_static"},
    {"dynamic_shared_bytes", "launch__shared_mem_per_block_dynamic"},
    {"occupancy_limit_shared", "launch__occupancy_limit_shared_mem", false,
     "what fits the carve-out of that launch, not the largest that an SM has"},
    {"texture_requests", "l1tex__t_requests_pipe_tex_mem_texture.sum"},
    {"texture_sectors", "l1tex__t_sectors_pipe_tex_mem_texture.sum"},
    {"texture_hit_sectors", "l1tex__t_sectors_pipe_tex_mem_texture_lookup_hit.sum"},
    {"surface_load_hit_sectors", "l1tex__t_sectors_pipe_tex_mem_surface_op_ld_lookup_hit.sum"},
    {"surface_load_requests", "l1tex__t_requests_pipe_tex_mem_surface_op_ld.sum"},
    {"surface_load_sectors", "l1tex__t_sectors_pipe_tex_mem_surface_op_ld.sum"},
    {"surface_store_requests", "l1tex__t_requests_pipe_tex_mem_surface_op_st.sum"},
    {"surface_store_sectors", "l1tex__t_sectors_pipe_tex_mem_surface_op_st.sum"},
    {"constant_requests", "idc__requests.sum", false, "requests for kernel parameters and for constants of the code"},
    {"lane_efficiency", "smsp__thread_inst_executed_per_inst_executed.ratio", false, "lanes, not their share of 32"},
    {"l1_hit_rate", "l1tex__t_sector_hit_rate.pct", false, "stores, atomics and local memory"},
    {"l2_hit_rate", "lts__t_sector_hit_rate.pct", false, "writes, and requests of other units than SMs"},
    {"l1_of_peak", "l1tex__throughput.avg.pct_of_peak_sustained_active", false,
     "the busiest of several parts of L1, while SMs have work"},
    {"l2_of_peak", "lts__throughput.avg.pct_of_peak_sustained_elapsed", false, "the busiest of several parts of L2"},
    {"instructions", "smsp__inst_issued.sum", false, "instructions that are issued more than once"},
    {"achieved_occupancy", "sm__warps_active.avg.per_cycle_active", false, "warps, not their share"},
    {"microseconds", "sm__cycles_elapsed.max", false, "cycles of the SMs' clock"},
    {"microseconds", "gpc__cycles_elapsed.max", false, "cycles of the GPCs' clock"},
    {"dram_read_bytes", "dram__sectors_read.sum", false, "sectors of 32 bytes"},
    {"dram_write_bytes", "dram__sectors_write.sum", false, "sectors of 32 bytes"},
    {"divergent_branches", "smsp__sass_branch_targets_threads_divergent.sum", false, "ways of a branch, not branches"},
};

// In the profiler's words; what is no part of our replay has no counterpart.
constexpr StallReason kStallReasons[] = {
    {"long scoreboard", "long_sb", "memory", "for data of global or local memory, or of a texture"},
    {"LG throttle", "lg", "pipe", "for room in the queue of accesses to global and local memory"},
    {"MIO throttle", "mio", "pipe", "for room in the queue of shared memory, which special functions go through, too"},
    {"wait", "wait", "arithmetic", "for as many cycles as an instruction of fixed length takes"},
    {"short scoreboard", "short_sb", "arithmetic", "for data of shared memory, or a special function's result"},
    {"selected", "selected", "arithmetic", "for nothing: its instruction is issued"},
    {"barrier", "barrier", "barriers", "for the other warps of its block at a barrier"},
    {"not selected", "not_selected", "slots", "for its turn: another warp's instruction is issued"},
    {"math pipe throttle", "math", "slots", "for a pipe of arithmetic that is busy"},
    {"branch resolving", "branch_resolve", "", "for where a branch goes"},
    {"dispatch stall", "dispatch", "", "for the dispatcher, which holds it back though its instruction could go"},
    {"drain", "drain", "", "for its last stores to leave, so that it can end"},
    {"GMMA", "gmma", "", "for tensor cores that work on whole groups of warps"},
    {"IMC miss", "imc", "", "for a constant of the code, or a parameter, that its cache does not have"},
    {"membar", "membar", "", "for a memory fence"},
    {"misc", "misc", "", "for something else"},
    {"no instruction", "no_inst", "", "for its next instruction to be fetched"},
    {"sleeping", "sleeping", "", "for its threads to wake from __nanosleep or to be let go on"},
    {"tex throttle", "tex", "", "for room in the queue of textures"},
};

constexpr StallRow kStallRows[] = {
    {&ReplayClock::memory, "memory", "for what memory brings, that of constants included"},
    {&ReplayClock::pipe, "pipe", "for a turn in the pipe of L1 and shared memory"},
    {&ReplayClock::arithmetic, "arithmetic",
     "for results of arithmetic and of shared memory; the issue of its own instructions is in it"},
    {&ReplayClock::barriers, "barriers", "for others at barriers"},
    {&ReplayClock::slots, "slots", "for a slot of the scheduler, or of a pipe behind it, that other warps have"},
};

std::string_view next_word(std::string_view& rest) {
    while (!rest.empty() && (rest.front() == '_' || rest.front() == '.')) rest.remove_prefix(1);
    const std::size_t end = std::min(rest.find_first_of("_."), rest.size());
    const std::string_view word = rest.substr(0, end);
    rest.remove_prefix(end);
    return word;
}

bool has_word(std::string_view name, std::string_view wanted) {
    while (!name.empty())
        if (next_word(name) == wanted) return true;
    return false;
}

std::size_t words_in_common(std::string_view a, std::string_view b) {
    std::size_t count = 0;
    for (std::string_view rest = a; !rest.empty();)
        if (const std::string_view word = next_word(rest); !word.empty() && has_word(b, word)) ++count;
    return count;
}

// "Long scoreboard" and "LONG_SCOREBOARD" alike.
std::string underscored(std::string_view text) {
    std::string result;
    for (const char letter : text)
        result +=
            letter == ' ' || letter == '-' ? '_' : static_cast<char>(std::tolower(static_cast<unsigned char>(letter)));
    return result;
}

}  // namespace

std::span<const ProfilerName> profiler_names() { return kProfilerNames; }

const ProfilerName* by_profiler_name(std::string_view theirs) {
    for (const ProfilerName& name : kProfilerNames)
        if (name.theirs == theirs) return &name;
    // A rollup is told by its dot, and by what stands before it the metric.
    for (const ProfilerName& name : kProfilerNames)
        if (name.theirs.size() > theirs.size() && name.theirs[theirs.size()] == '.' && name.theirs.starts_with(theirs))
            return &name;
    return nullptr;
}

const ProfilerName* profiler_name_of(std::string_view ours) {
    const auto found = std::find_if(std::begin(kProfilerNames), std::end(kProfilerNames),
                                    [&](const auto& name) { return name.ours == ours && name.differs.empty(); });
    return found == std::end(kProfilerNames) ? nullptr : found;
}

const ProfilerName* nearest_profiler_name(std::string_view theirs) {
    const ProfilerName* best = nullptr;
    std::size_t most = 1;
    const auto unit = [](std::string_view metric) { return metric.substr(0, metric.find("__")); };
    for (const ProfilerName& name : kProfilerNames) {
        if (!name.differs.empty() || unit(name.theirs) != unit(theirs)) continue;
        // Its rollup says how it is summed up, not what it is.
        const std::size_t common =
            words_in_common(theirs.substr(0, theirs.find('.')), name.theirs.substr(0, name.theirs.find('.')));
        if (common <= most) continue;
        most = common;
        best = &name;
    }
    return best;
}

std::span<const StallReason> stall_reasons() { return kStallReasons; }

const StallReason* stall_reason(std::string_view theirs) {
    std::string plain = underscored(theirs);
    for (const std::string_view before : {"issue_stalled_", "stalled_", "stall_"})
        if (const std::size_t at = plain.find(before); at != std::string::npos) {
            plain.erase(0, at + before.size());
            break;
        }
    for (const std::string_view behind : {".", "_per_", "_not_issued"})
        if (const std::size_t at = plain.find(behind); at != std::string::npos) plain.erase(at);
    for (const StallReason& reason : kStallReasons)
        if (underscored(reason.name) == plain || reason.brief == plain) return &reason;
    return nullptr;
}

std::span<const StallRow> stall_rows() { return kStallRows; }

std::string reasons_of(std::string_view stall_row) {
    std::string text;
    for (const StallReason& reason : kStallReasons)
        if (reason.ours == stall_row) text += (text.empty() ? "" : ", ") + std::string(reason.name);
    return text;
}

}  // namespace tilescope::report

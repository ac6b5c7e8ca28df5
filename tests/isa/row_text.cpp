#include "tests/isa/row_text.h"

namespace tilescope::isa::test {

std::vector<Attempt> attempts() {
    std::vector<Attempt> list;
    for (bool optional : {true, false})
        for (unsigned elements : {2u, 4u, 8u})
            for (unsigned immediates : {0u, 1u, 2u, 3u, 4u})
                for (unsigned value : {4u, 16u, 32u, 0u}) list.push_back({immediates, value, elements, optional});
    list.push_back({1, 128});                            // the range of a tensor map
    list.push_back({.optional = false, .sinks = true});  // a barrier of the cluster gives nothing back
    // Matrices: alone, and as result, factors and addend.
    for (unsigned alone : {2u, 4u, 8u}) list.push_back({.registers = {alone, 1, 1, 1}});
    for (unsigned results : {2u, 4u, 8u})
        for (unsigned a : {1u, 2u, 4u, 8u})
            for (unsigned b : {1u, 2u, 4u, 8u}) {
                list.push_back({.registers = {results, a, b, results}});
                // Sparse ones name by a number which lanes hold what is stored where.
                list.push_back({.immediates = 1, .value = 0, .registers = {results, a, b, results}});
            }
    list.push_back({.registers = {8, 2, 2, 4}});  // sums of f32 from addends of f16
    // Of four warps: sums, perhaps a factor, and signs and orders that are 1.
    for (unsigned sums : {2u, 4u})
        for (unsigned immediates : {0u, 2u, 3u, 4u})
            list.push_back({.immediates = immediates, .value = 1, .registers = {sums, 4, 1, 1}});
    // The same of a sparse factor, with the choice of lanes before the predicate.
    for (unsigned sums : {2u, 4u})
        for (unsigned immediates : {2u, 4u, 5u, 6u})
            list.push_back({.immediates = immediates, .value = 1, .registers = {sums, 4, 1, 1}, .first_is_zero = true});
    return list;
}

bool is_of_hopper_alone(const std::string& instruction) {
    return instruction.starts_with("wgmma") || instruction.starts_with("setmaxnreg");
}

std::string module_text(const std::string& instruction, const std::string& readers) {
    // shfl and vote without .sync are for targets below sm_70 (and those have no .b128).
    const bool dropped =
        (instruction.find("shfl.") != std::string::npos || instruction.find("vote.") != std::string::npos) &&
        instruction.find(".sync") == std::string::npos;
    const std::string target = dropped ? "sm_60" : is_of_hopper_alone(instruction) ? "sm_90a" : "sm_100";
    std::string text = ".version 8.8\n.target " + target + R"(
.address_size 64
.const .align 32 .b8 table[64];
.func leaf() { ret; }
.visible .entry k(.param .u64 buffer, .param .align 32 .b8 number[64])
{
 .reg .pred %p<16>; .reg .b16 %h<16>; .reg .b32 %r<32>; .reg .b64 %d<32>;)" +
                       std::string(dropped ? "" : " .reg .b128 %q<16>;") + R"(
 .shared .align 32 .b8 tile[256];
 .local .align 32 .b8 stack[64];
 TARGETS: .branchtargets L1, L1, L1, L1, L1;
 ld.param.u64 %d14, [buffer];
 mov.u64 %d13, 0;
)";
    for (int i = 3; i < 12; ++i) {
        const std::string n = std::to_string(i);
        text += " mov.u32 %r" + n + ", 3; mov.u64 %d" + n + ", %d14; cvt.u16.u32 %h" + n + ", %r" + n +
                (dropped ? "" : "; mov.b128 %q" + n + ", {%d" + n + ", %d" + n + "}") + "; setp.eq.u32 %p" + n +
                ", %r" + n + ", 3;\n";
    }
    return text + " " + instruction + ";\nL1:\n" + readers + " ret;\n}\n";
}

}  // namespace tilescope::isa::test

#include "scope/session/launch/kernel_code.h"

#include <algorithm>
#include <cstddef>
#include <map>
#include <set>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "scope/base/safe_text.h"
#include "scope/report/format.h"

namespace tilescope {
namespace {

// A profile is read by people and programs that may want none of it.
constexpr std::size_t kOfKernel = 1000, kOfRun = 20'000, kOfText = 160;  // numeric: instructions; bytes of one

std::size_t instructions_of(const KernelCode& code) {
    std::size_t count = 0;
    for (const LineCode& line : code.lines) count += line.instructions.size();
    return count;
}

KernelCode code_of(const Prepared& launch, std::size_t most) {
    KernelCode code{launch.kernel.info.entry};
    std::map<std::pair<std::string_view, std::uint32_t>, std::vector<std::string>> lines;
    std::set<std::uint32_t> seen;
    for (const machine::OpFacts& facts : launch.program.facts) {
        if (facts.place.line == 0 || facts.text_line == 0 || !seen.insert(facts.text_line).second) continue;
        if (most == 0) {
            ++code.left_out;
            continue;
        }
        std::string text = launch.module.instruction_at(facts.text_line);
        if (text.empty()) continue;
        lines[{launch.program.files[facts.place.file], facts.place.line}].push_back(report::cut(text, kOfText));
        --most;
    }
    for (auto& [place, instructions] : lines)
        code.lines.push_back({std::string(place.first), place.second, std::move(instructions)});
    return code;
}

}  // namespace

void keep_code(const Prepared& launch, Recording& recording) {
    const std::string& entry = launch.kernel.info.entry;
    if (!launch.module.is_first_look(entry)) return;
    std::vector<KernelCode>& all = recording.profile.code;
    const auto known = std::find_if(all.begin(), all.end(), [&](const KernelCode& one) { return one.entry == entry; });
    if (known != all.end()) {
        known->is_one_of_several =
            known->is_one_of_several || code_of(launch, instructions_of(*known)).lines != known->lines;
        return;
    }
    std::size_t kept = 0;
    for (const KernelCode& code : all) kept += instructions_of(code);
    KernelCode code = code_of(launch, std::min(kOfKernel, kOfRun - std::min(kOfRun, kept)));
    if (!code.lines.empty() || code.left_out != 0) all.push_back(std::move(code));
}

}  // namespace tilescope

#include "tests/truth/isa/emulate.h"

#include <cstring>

#include "scope/report/json.h"
#include "scope/session/session.h"
#include "tests/truth/isa/kernels.h"

namespace tilescope::truth {
namespace {

Lanes lanes_at(const std::byte* at, std::string_view type) {
    Lanes lanes(kLanes);
    const unsigned bytes = (bits_of(type) + 7) / 8;
    for (unsigned lane = 0; lane < kLanes; ++lane) {
        std::byte value[sizeof(Bits)] = {};
        std::memcpy(value, at + lane * kOutputBytes, bytes);
        std::memcpy(&lanes[lane].low, value, 8);
        std::memcpy(&lanes[lane].high, value + 8, 8);
    }
    return lanes;
}

// "" when it ran.
std::string run(Session& session, ModuleId module, const Line& line, std::vector<Lanes>& outputs) {
    const auto kernel = session.find_kernel(module, kernel_name(line));
    if (!kernel) return "no kernel " + kernel_name(line);
    const std::size_t bytes = line.results.size() * kLanes * kOutputBytes;
    void* storage = session.memory().allocate(bytes, machine::AllocationKind::kDevice);
    std::byte* out = session.memory().bytes(storage);
    std::memset(out, 0xa5, bytes);  // what is not written cannot look like a zero
    std::byte parameters[sizeof storage];
    std::memcpy(parameters, &storage, sizeof storage);
    LaunchRequest request;
    request.kernel = *kernel;
    request.block = {kLanes, 1, 1};
    request.parameters = parameters;
    const LaunchResult result = session.launch(request);
    if (result.status != LaunchStatus::kOk)
        return "line " + std::to_string(line.number) + ", " + line.instruction + ": did not run\n" +
               render(result.diagnostics) + (result.hazard ? result.hazard->message : "");
    for (std::size_t r = 0; r < line.results.size(); ++r)
        outputs.push_back(lanes_at(out + r * kLanes * kOutputBytes, line.results[r]));
    return {};
}

}  // namespace

Answers emulate(std::span<const Line* const> lines, unsigned jobs) {
    Answers answers;
    SessionOptions options;
    options.jobs = jobs;
    auto session = Session::create(options);
    if (!session) {
        answers.problem = render(session.errors());
        return answers;
    }
    const auto module = (*session)->load_module(ptx_for(lines), "table.ptx");
    if (!module) {
        answers.problem = render(module.errors());
        return answers;
    }
    for (const Line* line : lines) {
        answers.problem = run(**session, *module, *line, answers.outputs[line->number]);
        if (!answers.problem.empty()) return answers;
    }
    Profile profile = (*session)->profile();
    profile.jobs = 1;  // the one thing that may differ
    answers.profile = report::to_json(profile);
    return answers;
}

}  // namespace tilescope::truth

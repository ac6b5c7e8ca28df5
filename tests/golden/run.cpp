#include "tests/golden/run.h"

#include <algorithm>
#include <cstring>

#include "scope/report/json.h"

namespace tilescope::golden {
namespace {

// Lays the arguments out as the kernel's parameters say. "" when they fit.
std::string place_arguments(Session& session, const KernelInfo& info, const Case& which, RunOutcome& outcome,
                            std::vector<std::byte>& parameters, std::vector<std::byte*>& buffers) {
    if (info.parameters.size() != which.arguments.size()) return "the kernel takes another number of arguments";
    parameters.resize(info.parameter_bytes);
    for (std::size_t i = 0; i < which.arguments.size(); ++i) {
        const Argument& argument = which.arguments[i];
        const KernelParameter& parameter = info.parameters[i];
        buffers.push_back(nullptr);
        std::vector<std::byte> value = argument.bytes;
        if (argument.is_buffer) {
            void* storage = session.memory().allocate(argument.bytes.size(), machine::AllocationKind::kDevice);
            buffers.back() = session.memory().bytes(storage);
            std::copy(argument.bytes.begin(), argument.bytes.end(), buffers.back());
            value.resize(sizeof storage);
            std::memcpy(value.data(), &storage, sizeof storage);
        }
        if (value.size() != parameter.size) return "argument " + std::to_string(i) + " has another size";
        std::memcpy(parameters.data() + parameter.offset, value.data(), value.size());
    }
    outcome.buffers.resize(buffers.size());
    return {};
}

}  // namespace

const char* name_of(LaunchStatus status) {
    switch (status) {
        case LaunchStatus::kOk: return "ok";
        case LaunchStatus::kInvalidConfiguration: return "invalid-configuration";
        case LaunchStatus::kTooMuchShared: return "too-much-shared";
        case LaunchStatus::kOutOfResources: return "out-of-resources";
        case LaunchStatus::kTooManyBlocks: return "too-many-blocks";
        case LaunchStatus::kFault: return "fault";
        case LaunchStatus::kUnsupported: return "unsupported";
        case LaunchStatus::kLimit: return "limit";
    }
    return "?";
}

std::string name_of(const Failure& failure) { return failure.what + " line " + std::to_string(failure.line); }

std::vector<std::string> faults_of(const RunOutcome& outcome) {
    if (!outcome.hazard) return {};
    return {name_of(Failure{{}, std::string(report::name_of(outcome.hazard->kind)), outcome.hazard->line})};
}

std::vector<std::string> hazards_of(const RunOutcome& outcome) {
    std::vector<std::string> names;
    for (const Hazard& hazard : outcome.told)
        names.push_back(name_of(Failure{{}, std::string(report::name_of(hazard.kind)), hazard.line}));
    return names;
}

std::vector<std::string> errors_of(const RunOutcome& outcome) {
    std::vector<std::string> names;
    for (const Diagnostic& error : outcome.errors)
        names.push_back(name_of(Failure{{}, error.code, error.location.line}));
    if (outcome.status == LaunchStatus::kInvalidConfiguration || outcome.status == LaunchStatus::kTooMuchShared ||
        outcome.status == LaunchStatus::kOutOfResources)
        names.push_back(name_of(Failure{{}, name_of(outcome.status), 0}));
    return names;
}

RunOutcome run_case(const GoldenFile& file, const Case& which, unsigned jobs) {
    RunOutcome outcome;
    SessionOptions options;
    options.jobs = jobs;
    options.max_instructions = which.max_instructions;
    // The device that has what the file's target has.
    if (file.text.find("\n.target sm_100") != std::string::npos) options.device = "b200";
    auto session = Session::create(options);
    if (!session) {
        outcome.problem = render(session.errors());
        return outcome;
    }
    if (which.stack_bytes != 0) (*session)->set_stack_limit(which.stack_bytes);
    const auto module = (*session)->load_module(file.text, "golden.ptx");
    if (!module) {
        outcome.status = LaunchStatus::kUnsupported;
        outcome.errors = module.errors();
        return outcome;
    }
    const auto kernel = (*session)->find_kernel(*module, which.kernel);
    if (!kernel) {
        outcome.problem = "no kernel " + which.kernel;
        return outcome;
    }
    LaunchRequest request;
    request.kernel = *kernel;
    request.grid = which.grid;
    request.block = which.block;
    request.dynamic_shared_bytes = which.shared_bytes;
    std::vector<std::byte> parameters;
    std::vector<std::byte*> buffers;
    outcome.problem = place_arguments(**session, (*session)->kernel_info(*kernel), which, outcome, parameters, buffers);
    if (!outcome.problem.empty()) return outcome;
    request.parameters = parameters;
    LaunchResult result = (*session)->launch(request);
    outcome.status = result.status;
    outcome.hazard = std::move(result.hazard);
    outcome.errors = std::move(result.diagnostics);
    for (std::size_t i = 0; i < buffers.size(); ++i)
        if (buffers[i]) outcome.buffers[i].assign(buffers[i], buffers[i] + which.arguments[i].bytes.size());
    Profile profile = (*session)->profile();
    if (!profile.launches.empty()) {
        outcome.counters = profile.launches[0].counters;
        if (!outcome.hazard) outcome.told = profile.launches[0].hazards;
    }
    profile.jobs = 1;  // the one thing that may differ
    outcome.profile = report::to_json(profile);
    return outcome;
}

}  // namespace tilescope::golden

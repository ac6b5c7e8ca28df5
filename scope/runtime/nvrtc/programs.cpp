#include "scope/runtime/nvrtc/programs.h"

#include <algorithm>

namespace tilescope::runtime::nvrtc {
namespace {

Code code_of(image::RtcOutcome outcome) {
    switch (outcome) {
        case image::RtcOutcome::kDone: return Code::kSuccess;
        case image::RtcOutcome::kInvalidOption: return Code::kInvalidOption;
        case image::RtcOutcome::kInvalidInput: return Code::kInvalidInput;
        case image::RtcOutcome::kFailed: return Code::kCompilation;
        case image::RtcOutcome::kInternal: break;
    }
    return Code::kInternalError;
}

}  // namespace

Code Program::add_expression(const std::string& expression) {
    const std::lock_guard lock(mutex_);
    if (tried_) return Code::kNoExpressionsAfter;
    auto& all = request_.expressions;
    if (std::find(all.begin(), all.end(), expression) == all.end()) all.push_back(expression);
    return Code::kSuccess;
}

Code Program::compile(std::vector<std::string> options) {
    const std::lock_guard lock(mutex_);
    tried_ = true;
    made_ = {};
    request_.options = std::move(options);
    bool cancelled = false;
    auto answer = ask_compiler(request_, flow_, made_.log, cancelled);
    if (cancelled) return Code::kCancelled;
    if (!answer) return Code::kInternalError;
    made_.log = std::move(answer->of.log);
    if (answer->of.outcome != image::RtcOutcome::kDone) return code_of(answer->of.outcome);
    made_.ptx = std::move(answer->of.ptx);
    made_.container = std::move(answer->container);
    for (std::size_t i = 0; i < std::min(answer->of.lowered.size(), request_.expressions.size()); ++i)
        if (auto& name = answer->of.lowered[i]) made_.lowered.emplace(request_.expressions[i], std::move(*name));
    made_.done = true;
    return Code::kSuccess;
}

Code Program::lowered_name(const std::string& expression, const char** name) {
    const std::lock_guard lock(mutex_);
    if (!made_.done) return Code::kNoNamesBefore;
    const auto found = made_.lowered.find(expression);
    if (found == made_.lowered.end()) return Code::kExpressionNotValid;
    *name = found->second.c_str();
    return Code::kSuccess;
}

void Program::set_flow(const Flow& flow) {
    const std::lock_guard lock(mutex_);
    flow_ = flow;
}

std::string Program::log() {
    const std::lock_guard lock(mutex_);
    return made_.log;
}

std::string Program::ptx() {
    const std::lock_guard lock(mutex_);
    return made_.ptx;
}

std::string Program::container() {
    const std::lock_guard lock(mutex_);
    return made_.container;
}

Programs& Programs::get() {
    static auto* const all = new Programs;
    return *all;
}

const void* Programs::make(image::RtcRequest request) {
    const std::lock_guard lock(mutex_);
    programs_.push_back(std::make_shared<Program>(std::move(request)));
    return programs_.back().get();
}

std::shared_ptr<Program> Programs::find(const void* handle) {
    const std::lock_guard lock(mutex_);
    const auto found =
        std::find_if(programs_.begin(), programs_.end(), [&](const auto& p) { return p.get() == handle; });
    return found == programs_.end() ? nullptr : *found;
}

bool Programs::destroy(const void* handle) {
    const std::lock_guard lock(mutex_);
    return std::erase_if(programs_, [&](const auto& p) { return p.get() == handle; }) != 0;
}

}  // namespace tilescope::runtime::nvrtc

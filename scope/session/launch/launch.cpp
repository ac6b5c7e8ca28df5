#include "scope/session/launch/launch.h"

#include "scope/session/launch/collect.h"
#include "scope/session/launch/execute.h"
#include "scope/session/launch/instrument.h"
#include "scope/session/launch/judge.h"
#include "scope/session/launch/prepare.h"
#include "scope/session/launch/record.h"

namespace tilescope {

LaunchResult run_launch(Session::Impl& state, const LaunchRequest& request) {
    LaunchResult result;
    Recording& recording = state.recording;
    auto launch = prepare(state.settings, state.modules, state.device_memory, recording.launches, request, result);
    if (launch) {
        Instruments with = instrument(*launch, state.device_memory, recording);
        announce(*launch, recording);
        Executed executed = execute(*launch, state.budget);
        Measured measured = collect(*launch, with, executed, recording, result);
        judge(*launch, executed, measured);
        record(*launch, std::move(measured), recording, result);
    }
    record_end(result, recording);
    return result;
}

}  // namespace tilescope

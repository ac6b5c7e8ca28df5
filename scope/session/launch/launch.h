// One launch, from the request to its place in the profile: prepare, instrument, execute, collect, judge, record.
#pragma once

#include "scope/session/session_state.h"

namespace tilescope {

LaunchResult run_launch(Session::Impl& state, const LaunchRequest& request);

}  // namespace tilescope

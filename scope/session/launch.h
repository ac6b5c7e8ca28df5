// One launch: checks, run, counts. Internal to scope/session.
#pragma once

#include "scope/session/session_state.h"

namespace tilescope {

LaunchResult run_launch(Session::Impl& state, const LaunchRequest& request);

}  // namespace tilescope

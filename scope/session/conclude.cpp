#include "scope/session/conclude.h"

#include "scope/models/advice.h"
#include "scope/models/roofline.h"
#include "scope/session/variables.h"

namespace tilescope {

void conclude(const models::Device& device, const machine::Program& program, const LoadedModule& module,
              LaunchProfile& launch) {
    launch.variables = list_variables(program, module, launch);
    launch.advice = models::advise(launch, device);
    launch.roofline = models::roofline(device, launch);
}

}  // namespace tilescope

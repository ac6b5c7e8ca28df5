#include "scope/session/conclude.h"

#include "scope/session/variables.h"

namespace tilescope {

void conclude(const models::Device&, const machine::Program& program, const LoadedModule& module,
              LaunchProfile& launch) {
    launch.variables = list_variables(program, module, launch);
}

}  // namespace tilescope

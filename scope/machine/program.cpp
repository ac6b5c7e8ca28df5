#include "scope/machine/program.h"

namespace tilescope::machine {

Program::~Program() {
    for (auto owned = owned_.rbegin(); owned != owned_.rend(); ++owned) owned->destroy(owned->object);
}

}  // namespace tilescope::machine

#include "scope/isa/lowering.h"

namespace tilescope::isa {

void Lowering::merge_shared_loads(FunctionCode&) {}

}  // namespace tilescope::isa

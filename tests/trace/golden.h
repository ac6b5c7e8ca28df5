// Results against files of tests/trace/golden. TILESCOPE_UPDATE_GOLDENS=1 writes the files anew.
#pragma once

#include <string>

namespace tilescope {

void expect_golden(const std::string& name, const std::string& got);

}  // namespace tilescope

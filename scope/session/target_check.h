// Whether a module may run: by its own .target and .version as an assembler has it, and by the device.
//
// Owns: the codes of the refusals. Guarantees: pure functions of their arguments.
#pragma once

#include <string_view>

#include "scope/base/diagnostic.h"
#include "scope/isa/targets.h"
#include "scope/models/device.h"
#include "scope/ptx/module.h"

namespace tilescope {

// What the text may use: what tilescope's compilers were asked for where they made it, else what its head says.
isa::TargetLimits limits_of(const ptx::Module& module, std::string_view text);

// Errors of what the module may not use; notes where it runs, though the device would not load it.
struct TargetVerdict {
    Diagnostics errors;
    Diagnostics notes;
};
TargetVerdict check_targets(const ptx::Module& module, std::string_view text, const models::Device& device);

// "session-newer-ptx": of a release that the driver does not know.
inline constexpr const char* kNewerPtxCode = "session-newer-ptx";
// "session-not-on-device": the device lacks an instruction, or runs none of another architecture's code.
inline constexpr const char* kNotOnDeviceCode = "session-not-on-device";

// Whether an error says that a driver would not load the code, either.
bool is_refused_by_drivers(std::string_view code);

}  // namespace tilescope

// Whether a module's instructions are there: in its own .target and .version, as NVIDIA's assembler asks, and on the
// device that is to run them.
//
// Guarantees: an instruction that no row describes is left to the lowering, which refuses it by name.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "scope/base/diagnostic.h"
#include "scope/isa/families/word_needs.h"
#include "scope/ptx/module.h"

namespace tilescope::isa {

inline constexpr std::uint32_t kNewestPtx = 90;  // of CUDA 13.0

// "sm_90a" is {90, 'a'}.
struct Target {
    std::uint32_t sm = 0;
    char suffix = '\0';

    bool has(const Requirement& requirement) const;
    std::string name() const;
};

Target target_named(std::string_view name);
// The module's .target; sm 0 where it names none.
Target target_of(const ptx::Module& module);
// "7.0" of 70.
std::string version_name(std::uint32_t version);

// What a text may use, where that is not what its head says: clang writes an older version and target into PTX than
// those it was asked for. 0: as the head says.
struct TargetLimits {
    Target target;
    std::uint32_t version = 0;
};

// What assemblers refuse in this text: one error for each instruction and reason, the first twenty of them.
Diagnostics check_own_target(const ptx::Module& module, const TargetLimits& limits = {});

// An instruction that the device lacks, and what it needs.
struct Missing {
    std::string what;  // in quotation marks: "'wgmma.fence.sync.aligned'"
    Requirement requirement;
    SourceLocation place;
    std::uint64_t count = 1;
};
// Instructions that a device of this capability (80 for 8.0) lacks, each spelling once.
std::vector<Missing> missing_on(const ptx::Module& module, std::uint32_t capability);

}  // namespace tilescope::isa

// What a fault says of an access that is not allowed.
#pragma once

#include <cstdint>
#include <string>

#include "scope/machine/worker.h"

namespace tilescope::isa {

// "global", "shared", ... as profiles spell it.
const char* name_of(machine::Space space);

// "4-byte write of shared memory is misaligned: 2 bytes beyond a multiple of 4"; of global memory also which element of
// which allocation.
std::string misaligned_text(const machine::Worker& worker, const machine::Op& op, machine::Space space,
                            std::uint64_t address, bool writes);

// "4-byte read of global memory is out of bounds: element 1000 of 1000, just past the end of ...". Addresses of global
// memory are the host's, other ones in every run; the words say where they lie instead, so that two runs give the same
// profile.
std::string outside_text(const machine::Worker& worker, const machine::Op& op, machine::Space space,
                         std::uint64_t address, bool writes);

}  // namespace tilescope::isa

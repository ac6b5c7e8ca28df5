// Device code in several parts as one (-rdc=true): the PTX of each file or library is parsed, linked and written out.
//
// The same for whatever compiler made the parts: a program that nvcc linked carries the PTX of each beside its linked
// machine code, clang's files are linked when they are compiled, and the driver's linker is handed them one by one.
// Guarantees: names mean what they mean to a linker (ptx/linker.h); what a compiler knew of its kernels' source goes
// along. Does not model: names that no part defines, which whoever runs the code refuses where a kernel asks for them
// (undefined_symbols() tells of all of them beforehand); parts compiled with different -fmad, which are fused alike.
#pragma once

#include <string>
#include <vector>

#include "scope/base/diagnostic.h"
#include "scope/base/result.h"
#include "scope/image/load.h"
#include "scope/ptx/module.h"

namespace tilescope::image {

// parts: at least one, of which a single one is left as it is. Codes: "image-device-link" for names that two parts
// define, or use for different things, with the place of each as far as the PTX tells it; the parser's.
Result<LoadedPtx> link_ptx(const std::vector<LoadedPtx>& parts, const std::string& name);

// Whether the part is PTX at all: the parser's errors.
Status check_ptx(const LoadedPtx& part);

// A name that some part uses and none defines, and the first part that does, with the line as far as it is known.
struct MissingName {
    std::string name, part;
    SourceLocation place;
    bool is_function = false;
};
std::vector<MissingName> missing_names(const std::vector<LoadedPtx>& parts);

// Where a part has a name: its line in the source, its line in a .ptx file, or the part alone.
SourceLocation place_in(const ptx::Module& module, const std::string& name);

// One error for each of `names` that the parts use and none defines, where it is used.
Diagnostics undefined_symbols(const std::vector<LoadedPtx>& parts, const std::vector<std::string>& names);

}  // namespace tilescope::image

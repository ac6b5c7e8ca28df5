// Everything beside the source text that decides what a compiler makes of it: flags, environment, the compiler itself.
//
// Guarantees: a variable that reaches a compiler is in the key of the cache; those that are not are taken from it.
// Does not model: response files inside response files, a linker's scripts that name other files.
#pragma once

#include <time.h>

#include <filesystem>
#include <optional>
#include <string>
#include <vector>

#include "scope/image/cache.h"
#include "scope/image/compile.h"
#include "scope/image/process.h"

namespace tilescope::image {

// What a compiler's environment has other than ours: no variables of the terminal, the session and the job, which only
// tell runs apart; temporary files in `scratch`, where they go with it.
ProcessEnvironment compiler_environment(const std::filesystem::path& scratch);

// A hash of what is known before compiling, but for the flags: folder, environment, compiler, linker and what
// configures them.
std::string hash_of_surroundings(const Toolchain& toolchain, const CompileOptions& options);

// Where the compiler and the linker look, and the files that they take by name, besides those that the compiler lists.
CacheInputs inputs_of_flags(const CompileOptions& options);

// Whether the text says what time or day it is compiled.
bool tells_the_time(const std::string& source);
// The names that it asks __has_include for.
std::vector<std::string> names_asked_for(const std::string& source);

// A time that is past every stamp files have by now, and not past any that they get later. Stamps come by the tick of
// the coarse clock, a few milliseconds, and by newer systems from the fine one, where somebody looks: a file that was
// saved in the tick in which a compilation starts would look as if it had changed while the compiler ran.
timespec next_tick();

// What is made depends on, of the files that a compiler read which started at `start`; nothing where it is outdated at
// once, for a file was touched since, or tells the time.
std::optional<CacheInputs> inputs_as_read(const CompileOptions& options, const std::vector<std::filesystem::path>& read,
                                          const timespec& start);

}  // namespace tilescope::image

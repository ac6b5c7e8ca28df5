// Everything beside the source text that decides what a compiler makes of it: flags, environment, the compiler itself.
//
// Guarantees: a variable that reaches a compiler is in the key of the cache; those that are not are taken from it.
// Does not model: response files inside response files, a linker's scripts that name other files.
#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "scope/image/cache.h"
#include "scope/image/compile.h"
#include "scope/image/process.h"

namespace tilescope::image {

// What a compiler's environment has other than ours: no variables of the terminal, the session and the job, which only
// tell runs apart; temporary files in `scratch`, where they go with it.
ProcessEnvironment compiler_environment(const std::filesystem::path& scratch);

// A hash of what is known before compiling: folder, environment, flags, compiler, linker and what configures them.
std::string hash_of_surroundings(const Toolchain& toolchain, const CompileOptions& options);

// Where the compiler and the linker look, and the files that they take by name, besides those that the compiler lists.
CacheInputs inputs_of_flags(const CompileOptions& options);

// Whether the text says what time or day it is compiled.
bool tells_the_time(const std::string& source);
// The names that it asks __has_include for.
std::vector<std::string> names_asked_for(const std::string& source);

}  // namespace tilescope::image

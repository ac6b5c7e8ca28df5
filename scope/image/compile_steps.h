// The two ways through which compile.cpp compiles; private to this room.
#pragma once

#include <filesystem>
#include <map>
#include <string>
#include <vector>

#include "scope/image/cache.h"
#include "scope/image/compile.h"
#include "scope/image/load.h"

namespace tilescope::image {

// What became of one source file.
struct CompiledUnit {
    std::filesystem::path source, object;
};

// One compilation: where it works and what it has found out.
struct CompileJob {
    std::filesystem::path source;  // absolute; of several the one at hand
    std::filesystem::path object;  // what becomes of it
    Toolchain toolchain;
    const CompileOptions* options;
    unsigned sm;                    // of options->arch
    std::filesystem::path scratch;  // for files that are not kept
    std::filesystem::path output;   // for those that are
    std::string messages;           // the compilers' warnings
    std::vector<std::filesystem::path> dependencies;
    std::vector<CompiledUnit> units;  // done
    bool links_device_code = false;   // over all sources
    bool names_atomics = false;       // those of include/tilescope/ordered_atomics.h, which are read on demand
    // Sources that nvcc takes and clang does not, by their paths, and the files that clang is to read in their place.
    std::map<std::string, std::filesystem::path> mended;
    std::vector<std::string> registering;  // what the host halves call to have their part of it registered
    const CompileCache* cache;
    std::string surroundings;                 // hash_of_surroundings()
    std::string headers;                      // a hash of our headers, for clang
    std::vector<LoadedPtx> object_code = {};  // of the objects and libraries among the sources, to be linked
    std::filesystem::path linked = {};        // the container of linked device code; empty where there is none
};

// Where the next unit's object goes.
std::filesystem::path object_of_next(const CompileJob& job);

// job.source to job.object or, if `ptx_only`, to output/kernel.ptx; then job.units to output/program.
Status compile_with_nvcc(CompileJob& job, bool ptx_only);
Status compile_with_clang(CompileJob& job, bool ptx_only);
// What objects and libraries among the sources bring along: their device code to job.object_code, and what they call to
// have it registered to job.registering.
Status gather_object_code(CompileJob& job, const std::vector<std::filesystem::path>& sources);
// All sources to job.units, with their device code and that of objects linked to job.linked.
Status compile_linked_with_clang(CompileJob& job, const std::vector<std::filesystem::path>& sources);
// The device code of objects alone.
Status link_object_code(CompileJob& job);
Status link_with_nvcc(CompileJob& job);
Status link_with_clang(CompileJob& job);

// Whether this nvcc no longer compiles for an architecture so old.
bool nvcc_is_too_new(const Toolchain& toolchain, unsigned sm);

// Runs one compiler: its messages are kept, or become the Diagnostics of a failure.
Status run_compiler(CompileJob& job, const std::vector<std::string>& arguments);

// The same for the step that links job.units: what a linker says becomes one Diagnostic, with sources for objects.
Status run_linker(CompileJob& job, const std::vector<std::string>& arguments);

// Adds what a dependency file lists, less our own headers.
void add_dependencies(CompileJob& job, const std::filesystem::path& rule_file);

// What a failed compiler wrote, one Diagnostic for each of its errors; `program` names it where it said nothing. Of
// what lies in the folder `headers`, which are ours, only the functions' heads are told.
Diagnostics compiler_errors(const std::string& text, const std::string& program, const std::string& headers);

}  // namespace tilescope::image

// Variables of a kernel's file that no other file sees, made known to the optimizer as what they are: written by other
// threads and by the host.
//
// LLVM takes a variable with internal linkage for one that only the code it sees can change. Up to release 14 it then
// takes barriers and fences for code that changes none, up to 15 functions that only hold such, and in all releases
// functions with nothing but atomics: accesses to __shared__ and static __device__ variables move over __syncthreads().
// Up to release 17 it also keeps the initial value of a __device__ or __constant__ variable in a nameless namespace,
// whatever the host copies into it. Of variables that are visible outside it assumes nothing.
#pragma once

#include <string>
#include <string_view>
#include <unordered_set>

namespace tilescope::image {

struct PublicGlobals {
    std::string llvm_ir;
    std::unordered_set<std::string> names;  // as LLVM writes them: @_ZZ1kvE1s
};

// Gives all internal variables of global, shared and constant memory external linkage. What the program itself calls
// const stays as it is, and so do functions.
PublicGlobals publish_globals(std::string_view llvm_ir);

// Gives these variables internal linkage again, wherever the optimizer has left them.
std::string hide_globals(std::string_view llvm_ir, const std::unordered_set<std::string>& names);

}  // namespace tilescope::image

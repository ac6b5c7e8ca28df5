// __managed__ variables, which clang's CUDA does not know: one piece of memory under one name on both sides.
//
// host_defines.h makes them device variables in a section of their own. In the device's half they become what nvcc
// makes of them, `.attribute(.managed)`. In the host's half the variable that clang keeps as a shadow is the memory
// itself: it is registered as such, and the runtime places the kernels' variable on it and writes its initial value.
//
// Guarantees: registration comes before every constructor of the program, so nobody sees a variable without its value.
#pragma once

#include <string>
#include <string_view>

namespace tilescope::image {

// Device code: a variable of the section that is __shared__ or __constant__, too, by LLVM's name; empty when there is
// none.
std::string misplaced_managed(std::string_view llvm_ir);

// Device code: the variables of the section, marked as managed. `typed_pointers`: as LLVM writes them before
// release 15.
std::string mark_managed(std::string_view llvm_ir, bool typed_pointers);

// Host code: a variable of the section that is const, of which kernels know the value and have no memory; empty when
// there is none.
std::string constant_managed(std::string_view llvm_ir);

// Host code that is not optimised yet: the same variables registered with __cudaTilescopeRegisterManaged in place of
// __cudaRegisterVar, and the registration of everything before the program's own constructors, as nvcc has it.
std::string register_managed(std::string_view llvm_ir);

}  // namespace tilescope::image

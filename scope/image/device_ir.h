// What we change in the LLVM code that clang makes of a kernel, before it becomes PTX.
//
// Three things, so that a program counts the same through clang as through nvcc: copies of 16-byte-aligned values are
// one 16-byte access each, where clang would make two of 8; a load is as wide as the program wrote it, where clang
// would read only the bytes that a mask leaves; and an instruction that comes from a header of CUDA, the compiler or
// the system carries the line of the program that called for it.
//
// Guarantees: a line that is not recognised stays as it is, so the worst outcome is clang's own PTX.
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace tilescope::image {

// llvm.memcpy, llvm.memmove and llvm.memset (of zero) of 16 to 128 bytes, with operands aligned to 16, as vector loads
// and stores; longer llvm.memcpy as accesses as wide as the operands' alignment, of which there are at most 256. Takes
// both spellings of pointers: i8* (LLVM 14) and ptr (from 15 on).
std::string widen_copies(std::string_view llvm_ir);

// Puts a `freeze` between a load of 16 to 64 bits and the mask, shift or truncation of it, which ends the narrowing.
std::string keep_load_widths(std::string_view llvm_ir);

// Debug locations inlined from a file under one of `header_folders` become the location they were inlined at.
std::string credit_callers(std::string_view llvm_ir, const std::vector<std::string>& header_folders);

}  // namespace tilescope::image

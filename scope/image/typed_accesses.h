// Gives clang's accesses the alignment and the width that nvcc's have.
//
// clang's front end aligns an access by the variable behind it, and copies records by memcpy, which its optimizer then
// splits into scalars. nvcc aligns an access by its type, and loads and stores vectors. So an access becomes as aligned
// as its type, and a copy between memory and a local variable becomes vectors that are taken apart into scalars: the
// variable can become registers, and memory sees one access of up to 16 bytes. The place of a copy of aligned records
// is marked (copy_places.h): what stays of it in several accesses was split by the compiler.
//
// Guarantees: a line that isn't recognized stays as it is. The result has the metadata that LLVM's passes expect.
#pragma once

#include <string>
#include <string_view>

namespace tilescope::image {

// `llvm_ir` is what clang's front end makes with -new-struct-path-tbaa, before it is optimized.
std::string type_accesses(std::string_view llvm_ir);

// How the names of what it adds begin, and those of vectors that stay whole though one lane of them is used.
inline constexpr std::string_view kVectorMark = "%tilescope.typed.";
inline constexpr std::string_view kWholeVectorMark = "%tilescope.typed.whole.";

// Behind the optimizer: the marks that kept vector loads whole are removed.
std::string unmark_vectors(std::string_view llvm_ir);

}  // namespace tilescope::image

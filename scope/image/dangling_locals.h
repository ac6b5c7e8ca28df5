// What a compiler says of functions that return the address of a local variable.
//
// Optimizers drop what goes through such a pointer, so that no check of a run can see it: only the compiler's own
// warning says so. Guarantees: any text is safe; each place is listed once, in the order of the text.
#pragma once

#include <string>
#include <string_view>

namespace tilescope::image {

// A line for each such warning in what compilers said, empty if there is none.
std::string dangling_locals(std::string_view messages);

}  // namespace tilescope::image

// Names of kernels: patterns that select them, the known name nearest to a mistyped one, the parts of a demangled one.
//
// Owns: glob_match(), kernel_matches(), nearest(), template_arguments(), parameter_types(). Guarantees: pure functions,
// linear or quadratic in the text's length. Does not model: character classes ([a-z]); `*` and `?` are all there is.
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace tilescope {

// Whether all of `text` matches `pattern`, where * is any run of characters and ? any one.
bool glob_match(std::string_view pattern, std::string_view text);

// Whether a pattern selects a kernel: it is held against the whole demangled name ("void ns::tiled<16>(float*, int)"),
// the name without its return type, without parameters, without template arguments ("ns::tiled"), without its
// namespaces ("tiled"), and the mangled entry. Whichever matches first decides. Spaces behind commas do not matter.
bool kernel_matches(std::string_view pattern, std::string_view demangled, std::string_view entry);

// "ns::tiled<16>(float*, int)" to "tiled": what a person would call the kernel.
std::string_view short_kernel_name(std::string_view demangled);

// "tiled<2, float>(float const*, int)" to {"2", "float"} and {"float const*", "int"}.
std::vector<std::string> template_arguments(std::string_view demangled);
std::vector<std::string> parameter_types(std::string_view demangled);

// The candidate with the fewest changes to `name`, or "" when none is near (more than a third of it would change).
std::string nearest(std::string_view name, const std::vector<std::string>& candidates);

}  // namespace tilescope

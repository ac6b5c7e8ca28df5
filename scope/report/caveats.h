// Diagnostics that a reader has to know before the figures: which of them lead a report, and which are printed even to
// people who want errors alone.
#pragma once

#include <string_view>

namespace tilescope::report {

// Sums on tensor cores whose rule is not known for the device.
inline constexpr std::string_view kBorrowedSums = "tensor-sums-of-hopper";
// Code for a newer device than the one it ran on.
inline constexpr std::string_view kCompiledForNewer = "compiled-for-newer";

inline bool leads_report(std::string_view code) { return code == kBorrowedSums || code == kCompiledForNewer; }
inline bool is_never_quiet(std::string_view code) { return code == kBorrowedSums; }

}  // namespace tilescope::report

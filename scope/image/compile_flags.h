// The user's own flags for the compilers: which of them say where to look, which are the linker's, and what clang calls
// what nvcc calls otherwise.
//
// Guarantees: pure functions of text. Does not model: what flags mean beyond that; the compiler itself refuses what it
// does not know.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace tilescope::image {

// As a shell splits words: at blanks, with quotes and backslashes; nothing is expanded.
std::vector<std::string> split_words(std::string_view text);

// The folder in which a flag has headers or libraries looked for (-I, -iquote, -isystem, -idirafter, -L and their long
// forms); `next` is the word behind it.
std::optional<std::string> folder_of_flag(const std::string& flag, const std::string& next);
// "m" of -lm.
std::optional<std::string> library_of_flag(const std::string& flag, const std::string& next);

// What one compiler is given of them, in two halves.
struct FlagHalves {
    std::vector<std::string> compile;
    std::vector<std::string> link;
};
FlagHalves flags_for_nvcc(const std::vector<std::string>& flags);
// clang compiles the host's and the device's half of a source one after the other.
struct ClangFlags {
    std::vector<std::string> host;
    std::vector<std::string> device;
    std::vector<std::string> link;
};
// nvcc's own spellings become clang's (-fmad=false is -ffp-contract=off); what clang's CUDA has anyway (extended
// lambdas, constexpr functions on the device) is left out. -Xcompiler and -Xarch_host are the host's only, but for what
// nvcc's preprocessor sees in both.
ClangFlags flags_for_clang(const std::vector<std::string>& flags);

// How nvcc's flags ask for floats to be computed. -use_fast_math chooses all four, unless a flag of its own, before or
// behind it, chooses one otherwise.
struct FloatArithmetic {
    bool is_fast = false;         // -use_fast_math: the special function unit's own answers for sinf, expf and others
    bool flushes = false;         // -ftz=true: subnormals are zero
    bool divides_exactly = true;  // -prec-div=true
    bool takes_roots_exactly = true;  // -prec-sqrt=true
};
FloatArithmetic float_arithmetic(const std::vector<std::string>& flags);

// The defaults of which the user's flags say nothing else: "-O3" unless there is some -O, "-std=c++17" unless there is
// some -std.
std::vector<std::string> defaults_beside(const std::vector<std::string>& flags);

// What the flags tell ptxas, as nvcc stores it beside PTX (FatEntry::options), but for sizes and registers: "--fmad
// false" and what stands behind -Xptxas. clang's -ffp-contract=off says the former, too.
std::string assembler_options(const std::vector<std::string>& flags);

// The folders that --cuda-include=FOLDER names: NVIDIA's open headers, which stand before our own. The flag is ours;
// nvcc is given -I, clang what clang_flags.h makes of it.
std::vector<std::string> cuda_folders(const std::vector<std::string>& flags);

// Whether a flag asks for device code linked over several files. No compiler is given any of these as they stand:
// clang's code is linked here, and of one file there is nothing to link.
bool asks_to_link(const std::vector<std::string>& flags);

// Whether a flag names a library (-l).
bool names_library(const std::vector<std::string>& flags);

}  // namespace tilescope::image

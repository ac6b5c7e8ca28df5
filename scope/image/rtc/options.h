// The options of a program that is compiled while another runs (nvrtcCompileProgram): what each means, and what NVRTC
// says of those that it does not take.
//
// Owns: RtcOptions. Guarantees: any text is safe; a value that names a file or a macro stays a value, and is no word of
// any command. Names, forms and messages are those of NVRTC 13.0, which was asked. Does not model: options that have no
// part in PTX (registers, stacks, time reports): they are taken where NVRTC takes them, and do nothing.
#pragma once

#include <span>
#include <string>
#include <vector>

namespace tilescope::image {

struct RtcOptions {
    unsigned sm = 0;            // 90 of compute_90 and sm_90
    std::string suffix;         // "a", "f" or nothing
    bool machine_code = false;  // sm_90: the program will ask for what a device runs
    std::string standard;       // "c++20"; empty: the default
    std::vector<std::string> folders;
    std::string macros;                   // as lines of source, in the order of the options
    std::vector<std::string> included;    // files that stand before the source
    std::vector<std::string> severities;  // "-diag-suppress=177"
    bool fuses = true;                    // multiplications and additions
    bool flushes = false;                 // denormals to zero
    bool divides_exactly = true;
    bool takes_roots_exactly = true;
    bool fast_math = false;
    bool restricts = false;
    bool warns = true;
    bool on_device_by_default = false;  // functions without a word of where they run
    bool searches_source_folder = true;
    bool relocatable = false;  // names of other programs are asked for, and its own are there for them
};

struct RtcReading {
    RtcOptions options;
    bool valid = true;
    std::string log;  // why it is not, or what NVRTC warns of
};

// known: the architectures that this release of NVRTC knows; default_sm: where no option names one.
RtcReading read_rtc_options(std::span<const std::string> words, std::span<const int> known, unsigned default_sm);

}  // namespace tilescope::image

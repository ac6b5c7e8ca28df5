// What a compiler said of a program that came as text, as NVRTC's log says it: "kernel.cu(3): error: ...".
//
// Guarantees: pure functions of text, safe on any. The words are the compiler's own; places have NVRTC's form, and
// files of the program its names. Does not model: warnings beside errors, which are left out.
#pragma once

#include <string>
#include <string_view>

#include "scope/base/diagnostic.h"

namespace tilescope::image {

struct RtcPlaces {
    std::string name;       // the program's
    std::string source;     // its text
    std::string headers;    // the folder with the headers that it brought along
    bool searches = false;  // there are other folders to look into
    // The compiler shows lines out of what it read. nvcc's preprocessor looks for a file of the program's name instead.
    bool shows_lines = true;
};

std::string rtc_errors(const Diagnostics& errors, const RtcPlaces& places);
std::string rtc_warnings(std::string_view said, const RtcPlaces& places);

}  // namespace tilescope::image

// How the library that a program loads and the program that compiles for it hand each other texts: a file each way.
//
// Guarantees: bytes of any kind come back as they were; of a damaged file nothing comes back. Safe on any bytes.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "scope/image/rtc/compile.h"

namespace tilescope::runtime::nvrtc {

inline constexpr const char* kRequestFile = "request";
inline constexpr const char* kAnswerFile = "answer";

// The answer as the library needs it: with what a program takes for machine code.
struct Answer {
    image::RtcAnswer of;
    std::string container;
};

std::string encode(const image::RtcRequest& request);
std::optional<image::RtcRequest> decode_request(std::string_view bytes);
std::string encode(const Answer& answer);
std::optional<Answer> decode_answer(std::string_view bytes);

}  // namespace tilescope::runtime::nvrtc

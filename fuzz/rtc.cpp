// Any bytes as what a program hands to NVRTC: options, source with expressions, and the answer of the compiler's
// process.
#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include "scope/base/result.h"
#include "scope/image/rtc/log.h"
#include "scope/image/rtc/options.h"
#include "scope/image/rtc/unit.h"
#include "scope/runtime/nvrtc/exchange.h"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    using namespace tilescope;
    const std::string bytes(reinterpret_cast<const char*>(data), size);
    (void)runtime::nvrtc::decode_request(bytes);
    (void)runtime::nvrtc::decode_answer(bytes);
    std::vector<std::string> words = {""};
    for (const char c : bytes)
        if (c == '\n')
            words.emplace_back();
        else
            words.back() += c;
    static constexpr int kKnown[] = {75, 80, 90, 100};
    const image::RtcReading read = image::read_rtc_options(words, kKnown, 75);
    const std::string unit = image::rtc_unit(bytes, words.front(), read.options, words, size % 2 == 0);
    std::string ptx = bytes;
    (void)image::take_lowered_names(ptx, words.size());
    (void)image::calls_unknown_functions(bytes);
    (void)image::with_source_file(bytes, words.front(), "/kept/kernel.cu");
    // No header of a program lies outside its folder, and no option is more than a line of source.
    if (const auto path = image::rtc_header_path("/folder", words.front()))
        if (!path->string().starts_with("/folder/")) __builtin_trap();
    if (image::rtc_file_name(words.front()).find('/') != std::string::npos) __builtin_trap();
    for (std::size_t at = 0; at < read.options.macros.size(); at = read.options.macros.find('\n', at) + 1)
        if (read.options.macros[at] != '#') __builtin_trap();
    const image::RtcPlaces places{words.front(), bytes, "/folder", false};
    (void)image::rtc_warnings(bytes, places);
    (void)image::rtc_errors({error("image-compile", {words.front(), 1, 0}, bytes)}, places);
    if (unit.empty()) __builtin_trap();
    return 0;
}

// A program that came as text, with its headers and options (nvrtcCompileProgram), to PTX, by the compilers that
// compile.h uses.
//
// Guarantees: no word of the program reaches a shell or a command: macros and included files are lines of its source,
// folders with other than plain letters go by links. Source and headers are kept in the cache of compiled programs, in
// a folder of this user alone named by their content, where the report finds the source's lines. Does not model: host
// functions, which NVRTC refuses and the compilers leave out; device code linked over programs.
#pragma once

#include <filesystem>
#include <optional>
#include <span>
#include <string>
#include <utility>
#include <vector>

namespace tilescope::image {

struct RtcRequest {
    std::string compiler = "auto";  // as a user calls it
    std::string name, source;
    std::vector<std::pair<std::string, std::string>> headers;  // name and text
    std::vector<std::string> options;
    std::vector<std::string> expressions;
    std::vector<int> known_architectures;
    unsigned default_sm = 0;
};

enum class RtcOutcome {
    kDone,
    kInvalidOption,
    kInvalidInput,
    kFailed,    // the log says why
    kInternal,  // no compiler, no folder to write in
};

struct RtcAnswer {
    RtcOutcome outcome = RtcOutcome::kInternal;
    std::string log;
    std::string ptx;
    unsigned sm = 0;
    bool machine_code = false;  // asked for
    std::vector<std::optional<std::string>> lowered;
};

RtcAnswer compile_rtc(const RtcRequest& request, const std::filesystem::path& headers_dir);

}  // namespace tilescope::image

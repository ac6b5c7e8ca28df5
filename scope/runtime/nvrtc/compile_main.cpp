// The program that compiles for libnvrtc: a process of its own, so that what it does to a program's source can harm no
// more than itself. It is given a folder with a request and leaves the answer there.
#include <cstdlib>
#include <filesystem>
#include <string>

#include "scope/base/files.h"
#include "scope/image/code_in_memory.h"
#include "scope/image/compile.h"
#include "scope/image/rtc/compile.h"
#include "scope/runtime/nvrtc/exchange.h"
#include "scope/session/options.h"

namespace fs = std::filesystem;
using namespace tilescope;

int main(int count, char** words) {
    if (count != 2) return EXIT_FAILURE;
    // What tells this run from another is no part of what is compiled.
    for (const char* variable : {kJournalVariable, kOptionsVariable, kStaticRuntimeVariable, kCompilerVariable})
        unsetenv(variable);
    const fs::path folder = words[1];
    const auto bytes = read_whole_file(folder / runtime::nvrtc::kRequestFile);
    const auto request = bytes ? runtime::nvrtc::decode_request(*bytes) : std::nullopt;
    if (!request) return EXIT_FAILURE;
    runtime::nvrtc::Answer answer{image::compile_rtc(*request, image::default_headers_dir()), {}};
    if (answer.of.outcome == image::RtcOutcome::kDone && answer.of.machine_code) {
        const auto container = image::container_of_ptx(answer.of.ptx, answer.of.sm);
        answer.container.assign(reinterpret_cast<const char*>(container.data()), container.size());
    }
    return write_whole_file(folder / runtime::nvrtc::kAnswerFile, {runtime::nvrtc::encode(answer)}) ? EXIT_FAILURE
                                                                                                    : EXIT_SUCCESS;
}

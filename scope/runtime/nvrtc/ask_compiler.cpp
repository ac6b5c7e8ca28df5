// The compiler's process: started beside this library, asked by a file, listened to, and gone with its folder.
#include <dlfcn.h>

#include <chrono>
#include <cstdlib>
#include <filesystem>
#include <system_error>

#include "scope/base/files.h"
#include "scope/base/process.h"
#include "scope/runtime/nvrtc/programs.h"
#include "scope/session/options.h"

namespace tilescope::runtime::nvrtc {
namespace {

namespace fs = std::filesystem;

constexpr std::chrono::milliseconds kBetweenQuestions(20);  // to the program's own callback

// A folder for this user alone, which goes with all it holds.
class RequestFolder {
public:
    RequestFolder() {
        std::error_code failed;
        const fs::path parent = fs::temp_directory_path(failed);
        std::string name = ((failed ? fs::path("/tmp") : parent) / "tilescope-rtc-XXXXXX").string();
        if (mkdtemp(name.data()) != nullptr) path_ = name;
    }
    ~RequestFolder() {
        std::error_code ignored;
        if (!path_.empty()) fs::remove_all(path_, ignored);
    }
    RequestFolder(const RequestFolder&) = delete;
    RequestFolder& operator=(const RequestFolder&) = delete;

    const fs::path& path() const { return path_; }

private:
    fs::path path_;
};

fs::path compiler_beside() {
    Dl_info about{};
    if (dladdr(reinterpret_cast<const void*>(&compiler_beside), &about) == 0 || about.dli_fname == nullptr) return {};
    return fs::path(about.dli_fname).parent_path() / "tilescope-rtc";
}

}  // namespace

std::optional<Answer> ask_compiler(const image::RtcRequest& request, const Flow& flow, std::string& log,
                                   bool& cancelled) {
    const auto failed = [&](const std::string& what) {
        log = "nvrtc: error: " + what + "\n";
        return std::nullopt;
    };
    cancelled = !flow.goes_on();
    if (cancelled) return std::nullopt;
    const RequestFolder folder;
    if (folder.path().empty()) return failed("no temporary folder can be made (TMPDIR)");
    image::RtcRequest asked = request;
    if (const char* compiler = std::getenv(kCompilerVariable); compiler != nullptr && *compiler != '\0')
        asked.compiler = compiler;
    if (write_whole_file(folder.path() / kRequestFile, {encode(asked)}))
        return failed("cannot write in " + folder.path().string());
    const fs::path program = compiler_beside();
    // What is loaded before the program (our runtime) has no part in its compilers.
    ProcessRequest start{program.string(), {program.string(), folder.path().string()}, {{"LD_PRELOAD", std::nullopt}}};
    start.captured = true;
    start.own_group = true;
    Process child;
    if (const auto failure = child.start(start); failure.reason != 0)
        return failed("cannot start " + program.string() + ": " +
                      std::error_code(failure.reason, std::generic_category()).message());
    const auto soon = [] { return Process::Clock::now() + kBetweenQuestions; };
    bool reading = true;
    for (;;) {
        if (reading && child.read(soon())) reading = false;
        if (!reading && child.wait(soon()) != Process::State::kRunning) break;
        if (flow.goes_on()) continue;
        child.kill_group();
        child.wait(std::nullopt);
        cancelled = true;
        return std::nullopt;
    }
    const auto bytes = read_whole_file(folder.path() / kAnswerFile);
    auto answer = bytes ? decode_answer(*bytes) : std::nullopt;
    if (!answer) return failed("the compiler's process gave no answer: " + child.errors());
    return answer;
}

}  // namespace tilescope::runtime::nvrtc

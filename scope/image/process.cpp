#include "scope/image/process.h"

#include <signal.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <cstdlib>
#include <cstring>
#include <fstream>
#include <sstream>

#include "scope/base/files.h"

namespace tilescope::image {
namespace {

namespace fs = std::filesystem;

Diagnostic cannot(const std::string& code, const fs::path& path, const std::string& what, int reason) {
    return error(code, {path.string(), 0, 0}, what + ": " + std::strerror(reason));
}

}  // namespace

Result<ProcessOutput> run_process(const std::vector<std::string>& arguments, const ProcessLimits& limits,
                                  const ProcessEnvironment& environment) {
    const bool timed = limits.wall_time.count() != 0;
    ProcessRequest request{arguments[0], arguments, environment};
    request.captured = true;
    request.own_group = timed || limits.processor_time.count() != 0 || limits.memory_bytes != 0;
    request.processor_time = limits.processor_time;
    request.memory_bytes = limits.memory_bytes;
    Process::Deadline deadline;
    if (timed) deadline = Process::Clock::now() + limits.wall_time;
    Process child;
    if (const auto failure = child.start(request); failure.reason != 0)
        return cannot("image-process", arguments[0], failure.what, failure.reason);
    const bool in_time = child.read(deadline) && child.wait(deadline) != Process::State::kRunning;
    if (!in_time) {
        child.kill_group();
        child.wait(std::nullopt);
    }
    const int signal = child.signal();
    const bool out_of_time = !in_time || signal == SIGXCPU;
    return ProcessOutput{out_of_time   ? ProcessEnd::kTimeLimit
                         : signal != 0 ? ProcessEnd::kSignal
                                       : ProcessEnd::kExited,
                         signal != 0 ? 128 + signal : child.status(), child.output(), child.errors()};
}

std::optional<fs::path> find_program(const std::string& name) {
    const char* path = std::getenv("PATH");
    std::istringstream folders(path == nullptr ? "" : path);
    for (std::string folder; std::getline(folders, folder, ':');) {
        const fs::path candidate = fs::path(folder.empty() ? "." : folder) / name;
        struct stat found;
        if (stat(candidate.c_str(), &found) == 0 && S_ISREG(found.st_mode) && access(candidate.c_str(), X_OK) == 0)
            return candidate;
    }
    return std::nullopt;
}

Result<TemporaryFolder> TemporaryFolder::create() {
    std::error_code failure;
    const fs::path parent = fs::temp_directory_path(failure);
    return create(failure ? "/tmp" : parent, "tilescope-");
}

Result<TemporaryFolder> TemporaryFolder::create(const fs::path& parent, const std::string& prefix) {
    std::string name = (parent / (prefix + "XXXXXX")).string();
    if (mkdtemp(name.data()) == nullptr) return cannot("image-unwritable", parent, "cannot make a folder here", errno);
    return TemporaryFolder(name);
}

TemporaryFolder::TemporaryFolder(TemporaryFolder&& other) noexcept : path_(std::move(other.path_)) {
    other.path_.clear();
}

TemporaryFolder::~TemporaryFolder() {
    if (path_.empty()) return;
    std::error_code ignored;
    fs::remove_all(path_, ignored);
}

Result<std::string> read_file(const fs::path& path) {
    std::error_code failure;
    if (fs::is_directory(path, failure)) return cannot("image-unreadable", path, "cannot read", EISDIR);
    errno = 0;
    std::ifstream file(path, std::ios::binary);
    if (!file) return cannot("image-unreadable", path, "cannot read", errno == 0 ? EIO : errno);
    std::ostringstream content;
    content << file.rdbuf();
    if (file.bad()) return cannot("image-unreadable", path, "cannot read", EIO);
    return std::move(content).str();
}

Status write_file_atomically(const fs::path& path, std::string_view content) {
    if (const auto failed = write_whole_file(path, {content}))
        return error("image-unwritable", {path.string(), 0, 0}, "cannot write: " + failed.message());
    return Success{};
}

}  // namespace tilescope::image

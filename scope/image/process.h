// Running a compiler: a child process (scope/base/process.h) with its output captured, and a folder that goes away with
// its owner.
//
// Guarantees: a child with limits ends within them, with all that it started.
#pragma once

#include <chrono>
#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "scope/base/process.h"
#include "scope/base/result.h"

namespace tilescope::image {

enum class ProcessEnd {
    kExited,
    kSignal,     // something killed it
    kTimeLimit,  // we did
};

struct ProcessOutput {
    ProcessEnd end = ProcessEnd::kExited;
    int status = 0;      // exit status, or 128 + signal
    std::string output;  // standard output
    std::string errors;  // standard error
};

// What a child may use; zero means as much as it likes.
struct ProcessLimits {
    std::chrono::seconds processor_time{0};
    std::chrono::milliseconds wall_time{0};
    std::uint64_t memory_bytes = 0;  // of address space; no file that it writes may be larger either
};

// arguments[0] is the program: a path, or a name looked up in PATH. "image-process" if it cannot be started. A child
// with a limit has a process group of its own, so that what it starts ends with it.
Result<ProcessOutput> run_process(const std::vector<std::string>& arguments, const ProcessLimits& limits = {},
                                  const ProcessEnvironment& environment = {});

// Where PATH finds an executable of this name.
std::optional<std::filesystem::path> find_program(const std::string& name);

// A fresh folder for this user alone, removed with all it holds when this object ends.
class TemporaryFolder {
public:
    static Result<TemporaryFolder> create();  // under TMPDIR
    static Result<TemporaryFolder> create(const std::filesystem::path& parent, const std::string& prefix);
    ~TemporaryFolder();
    TemporaryFolder(TemporaryFolder&& other) noexcept;
    TemporaryFolder& operator=(TemporaryFolder&&) = delete;

    const std::filesystem::path& path() const { return path_; }

private:
    explicit TemporaryFolder(std::filesystem::path path) : path_(std::move(path)) {}

    std::filesystem::path path_;
};

// The whole file; "image-unreadable" with the system's reason.
Result<std::string> read_file(const std::filesystem::path& path);

// write_whole_file() of scope/base/files.h; "image-unwritable" with the system's reason.
Status write_file_atomically(const std::filesystem::path& path, std::string_view content);

}  // namespace tilescope::image

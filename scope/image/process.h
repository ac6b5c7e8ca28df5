// Running a compiler: a child process with its output captured, and a folder that goes away with its owner.
//
// Guarantees: no shell; the child's standard input is empty. Does not model time limits.
#pragma once

#include <filesystem>
#include <optional>
#include <string>
#include <vector>

#include "scope/base/result.h"

namespace tilescope::image {

struct ProcessOutput {
    int status = 0;      // exit status, or 128 + signal
    std::string output;  // standard output
    std::string errors;  // standard error
};

// arguments[0] is the program: a path, or a name looked up in PATH. "image-process" if it cannot be started.
Result<ProcessOutput> run_process(const std::vector<std::string>& arguments);

// Where PATH finds an executable of this name.
std::optional<std::filesystem::path> find_program(const std::string& name);

// A fresh folder under TMPDIR, removed with all it holds when this object ends.
class TemporaryFolder {
public:
    static Result<TemporaryFolder> create();
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

// Written beside its name first and then renamed, so that a reader sees all of it or nothing.
Status write_file_atomically(const std::filesystem::path& path, std::string_view content);

}  // namespace tilescope::image

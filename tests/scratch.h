// Files that a test writes. Tests run side by side, several builds of them at once: each test process gets a folder of
// its own, made at the first call and removed when the process ends.
#pragma once

#include <gtest/gtest.h>
#include <stdlib.h>

#include <filesystem>
#include <stdexcept>
#include <string>

namespace tilescope {

class ScratchFolder {
public:
    ScratchFolder() : path_(::testing::TempDir() + "/tilescope-test-XXXXXX") {
        if (mkdtemp(path_.data()) == nullptr) throw std::runtime_error("cannot make " + path_);
    }
    ~ScratchFolder() {
        std::error_code ignored;
        std::filesystem::remove_all(path_, ignored);
    }
    ScratchFolder(const ScratchFolder&) = delete;
    ScratchFolder& operator=(const ScratchFolder&) = delete;

    const std::string& path() const { return path_; }

private:
    std::string path_;
};

// This process's folder.
inline const std::string& scratch_folder() {
    static const ScratchFolder folder;
    return folder.path();
}

// The path of file `name` in it; nothing is there yet.
inline std::string scratch_file(const std::string& name) { return scratch_folder() + "/" + name; }

}  // namespace tilescope

// One link of nvJitLink: what was added, and what comes of it.
//
// Owns: JitLink. Guarantees: inputs are untrusted bytes; what is not taken is named in the error log. Codes and words
// are those that the library of CUDA 13.0 gave. Everything is linked by its PTX (image/link.h). Does not model: machine
// code alone and code for NVIDIA's own linker (LTO), which are refused by name.
#pragma once

#include <cstddef>
#include <memory>
#include <mutex>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "scope/image/load.h"

namespace tilescope::runtime::nvrtc {

// nvJitLinkResult, of which these are given here.
enum class LinkCode {
    kSuccess = 0,
    kUnrecognizedOption = 1,
    kMissingArchitecture = 2,
    kInvalidInput = 3,
    kPtxCompile = 4,
    kNoIntermediateCode = 5,
    kInternal = 6,
    kUnrecognizedInput = 8,
    kNullInput = 10,
    kIncompatibleOptions = 11,
    kIncorrectInputType = 12,
    kUnrecognizedArchitecture = 16,
};

// nvJitLinkInputType.
enum class LinkType {
    kCubin = 1,
    kPtx = 2,
    kIntermediate = 3,
    kFatbin = 4,
    kObject = 5,
    kLibrary = 6,
    kIndex = 7,
    kAny = 10
};

class JitLink {
public:
    // Options are read once; what they say against is in the log.
    LinkCode set_options(std::span<const std::string> options, std::span<const int> known);
    LinkCode add(int type, std::string_view bytes, const std::string& name);
    LinkCode add_file(int type, const std::string& path);
    LinkCode complete();

    // Nothing before a link is complete.
    std::optional<std::string> container();
    std::string error_log();

private:
    LinkCode refuse(LinkCode code, const std::string& line);
    LinkCode take_architecture(std::string_view value, std::span<const int> known);
    LinkCode take_ptx(const image::LoadedPtx& part);
    LinkCode take_code(std::string_view bytes, const std::string& name);

    std::mutex mutex_;
    unsigned sm_ = 0;
    bool virtual_ = false, intermediate_ = false, wants_ptx_ = false;
    bool completed_ = false;
    std::vector<image::LoadedPtx> parts_;
    std::optional<std::string> container_;
    std::string errors_;
};

// Links by their handles.
class JitLinks {
public:
    static JitLinks& get();

    const void* make(std::shared_ptr<JitLink> link);
    std::shared_ptr<JitLink> find(const void* handle);
    bool destroy(const void* handle);

private:
    std::mutex mutex_;
    std::vector<std::shared_ptr<JitLink>> links_;
};

}  // namespace tilescope::runtime::nvrtc

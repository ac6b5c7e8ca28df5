#include "scope/runtime/service/modules/handed_code.h"

#include <algorithm>
#include <cstdio>
#include <cstring>
#include <fstream>
#include <iterator>

#include "scope/image/code_in_memory.h"
#include "scope/image/link_words.h"
#include "scope/session/target_check.h"

namespace tilescope::runtime {
namespace {

Status status_of_code(Runtime& runtime, const Diagnostics& errors) {
    const std::string& code = errors.front().code;
    if (code == "image-no-ptx") {  // refused by name
        runtime.tell(errors);
        runtime.session().set_outcome(Outcome::kUnsupported);
        return because(Status::kNoImage, render(errors));
    }
    return because(Status::kInvalidImage, render(errors));
}

// Of text whose first directive names a release that CUDA 13.0 does not have. Looks no farther than the text goes.
bool is_of_a_newer_release(const void* code, std::optional<std::size_t> bytes) {
    constexpr std::size_t kLooked = 4096;
    constexpr int kMajor = 9, kMinor = 0;
    const auto* const first = static_cast<const char*>(code);
    const std::string text(first, strnlen(first, std::min(bytes.value_or(kLooked), kLooked)));
    const std::size_t at = text.find(".version");
    int major = 0, minor = 0;
    if (at == std::string::npos || std::sscanf(text.c_str() + at, ".version %d.%d", &major, &minor) != 2) return false;
    return major > kMajor || (major == kMajor && minor > kMinor);
}

// As the driver does, in its assembler's words; the place goes to the user.
Status refuse_unresolved(Runtime& runtime, const image::LoadedImage& image) {
    for (const image::LoadedPtx& part : image.ptx) {
        const std::vector<image::MissingName> missing = image::unresolved_functions(part);
        if (missing.empty()) continue;
        Diagnostics told;
        for (const image::MissingName& one : missing)
            told.push_back(error("image-device-link", one.place,
                                 "nothing here defines the function '" + one.name + "', which is used",
                                 "link this code with what defines it (cuLinkAddData, nvJitLink) and load the result"));
        runtime.tell(told);
        return because(Status::kInvalidPtx,
                       "ptxas fatal   : Unresolved extern function '" + missing.front().name + "'");
    }
    return Status::kOk;
}

// "sm_90a" of the only text; "" where there is none.
std::string target_of(const image::LoadedImage& image) {
    if (image.ptx.empty()) return {};
    const image::LoadedPtx& text = image.ptx.front();
    return "sm_" + std::to_string(text.sm) + (text.arch_specific ? "a" : text.family_specific ? "f" : "");
}

}  // namespace

Status load_handed_code(Runtime& runtime, const void* code, std::optional<std::size_t> bytes, const std::string& name,
                        Module*& made) {
    const models::Device& device = runtime.session().device();
    const unsigned capability = device.compute_major * 10 + device.compute_minor;
    if (is_of_a_newer_release(code, bytes))
        return because(Status::kNewerPtx, "this PTX is of a release after CUDA 13.0");
    const auto image = image::load_code(code, bytes, name, capability, runtime.session().options().ask_ptxas);
    if (!image) return status_of_code(runtime, image.errors());
    if (const Status status = refuse_unresolved(runtime, *image); status != Status::kOk) return status;
    // A driver chooses from a fat binary, and assembles text.
    const bool is_text = image::is_text(code, bytes);
    const std::string sm = std::to_string(capability);
    const Diagnostic nothing_runs =
        is_text ? error(kNotOnDeviceCode, {name, 0, 0},
                        "this PTX has .target " + target_of(*image) + ", which " + device.name + " (sm_" + sm +
                            ") does not run",
                        "compile it for sm_" + sm + " or earlier")
                : error("runtime-no-ptx", {name, 0, 0},
                        "this code holds no PTX that compute capability " + std::to_string(device.compute_major) + "." +
                            std::to_string(device.compute_minor) + " can run",
                        "rebuild it with -gencode arch=compute_" + sm + ",code=compute_" + sm);
    return runtime.modules().load(runtime, *image, nothing_runs, made);
}

Status load_code_file(Runtime& runtime, const std::string& path, Module*& made) {
    std::ifstream file(path, std::ios::binary);
    if (!file) return because(Status::kFileNotFound, "there is no such file: " + path);
    const std::string bytes{std::istreambuf_iterator<char>(file), {}};
    return load_handed_code(runtime, bytes.c_str(), bytes.size(), path, made);
}

}  // namespace tilescope::runtime

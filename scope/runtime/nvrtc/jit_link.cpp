#include "scope/runtime/nvrtc/jit_link.h"

#include <algorithm>
#include <charconv>

#include "scope/base/files.h"
#include "scope/image/code_in_memory.h"
#include "scope/image/compile.h"

namespace tilescope::runtime::nvrtc {
namespace {

constexpr std::string_view kElf = "\177ELF", kFatbin = "\x50\xed\x55\xba";
constexpr std::uint64_t kLargestFile = std::uint64_t{1} << 30;

// Options whose name is followed by a value, and those that stand alone. None but -arch changes PTX that is handed on.
constexpr std::string_view kValued[] = {"-maxrregcount=",
                                        "-O",
                                        "-ftz=",
                                        "-prec-div=",
                                        "-prec-sqrt=",
                                        "-fma=",
                                        "-kernels-used=",
                                        "-variables-used=",
                                        "-Xptxas=",
                                        "-Xnvvm=",
                                        "-split-compile=",
                                        "-split-compile-extended=",
                                        "-jump-table-density="};
constexpr std::string_view kAlone[] = {"-time",
                                       "-verbose",
                                       "-g",
                                       "-lineinfo",
                                       "-optimize-unused-variables",
                                       "-no-cache",
                                       "-minimal",
                                       "-device-stack-protector"};

bool is_known(std::string_view option) {
    return std::any_of(std::begin(kValued), std::end(kValued), [&](auto name) { return option.starts_with(name); }) ||
           std::find(std::begin(kAlone), std::end(kAlone), option) != std::end(kAlone);
}

bool looks_like_ptx(std::string_view text) { return text.find(".version") != text.npos; }

}  // namespace

LinkCode JitLink::refuse(LinkCode code, const std::string& line) {
    errors_ += line + "\n";
    return code;
}

LinkCode JitLink::take_architecture(std::string_view value, std::span<const int> known) {
    const std::string whole(value);
    virtual_ = value.starts_with("compute_");
    if (!virtual_ && !value.starts_with("sm_"))
        return refuse(LinkCode::kUnrecognizedOption,
                      "ERROR NVJITLINK_ERROR_UNRECOGNIZED_OPTION: missing option value (-arch=" + whole + ")");
    std::string_view number = value.substr(value.find('_') + 1);
    int sm = 0;
    const auto [end, failure] = std::from_chars(number.data(), number.data() + number.size(), sm);
    const std::string_view suffix(end, static_cast<std::size_t>(number.data() + number.size() - end));
    const bool there = failure == std::errc() && (suffix.empty() || suffix == "a" || suffix == "f") &&
                       std::find(known.begin(), known.end(), sm) != known.end();
    if (!there)
        return refuse(
            LinkCode::kUnrecognizedArchitecture,
            "ERROR NVJITLINK_ERROR_UNRECOGNIZED_ARCH: unrecognized architecture (compute_" + std::string(number) + ")");
    sm_ = static_cast<unsigned>(sm);
    return LinkCode::kSuccess;
}

LinkCode JitLink::set_options(std::span<const std::string> options, std::span<const int> known) {
    const std::lock_guard lock(mutex_);
    constexpr std::string_view kArchitecture = "-arch=";
    for (const std::string& option : options) {
        if (option.starts_with(kArchitecture)) {
            const LinkCode code = take_architecture(std::string_view(option).substr(kArchitecture.size()), known);
            if (code != LinkCode::kSuccess) return code;
        } else if (option == "-lto") {
            intermediate_ = true;
        } else if (option == "-ptx") {
            wants_ptx_ = true;
        } else if (!is_known(option)) {
            return refuse(LinkCode::kUnrecognizedOption, "unrecognized option: " + option);
        }
    }
    if (sm_ == 0) return refuse(LinkCode::kMissingArchitecture, "ERROR NVJITLINK_ERROR_MISSING_ARCH: -arch is missing");
    if (wants_ptx_ && !intermediate_) return refuse(LinkCode::kIncompatibleOptions, "ERROR: -ptx requires -lto");
    if (virtual_ && !wants_ptx_) return refuse(LinkCode::kIncompatibleOptions, "ERROR: virtual arch requires -ptx");
    return LinkCode::kSuccess;
}

LinkCode JitLink::take(std::string ptx, const std::string& name) {
    const unsigned sm = image::ptx_target_of(ptx);
    const char suffix = image::ptx_target_suffix_of(ptx);
    parts_.push_back({name, sm, suffix == 'a', suffix == 'f', std::move(ptx)});
    return LinkCode::kSuccess;
}

// A fat binary, or what was given to the program for machine code.
LinkCode JitLink::take_code(std::string_view bytes, const std::string& name) {
    auto loaded = image::load_code(bytes.data(), bytes.size(), name, sm_, /*ask_ptxas=*/false);
    if (!loaded) return refuse(LinkCode::kInvalidInput, "ERROR: " + loaded.errors().front().message + ": " + name);
    const image::LoadedPtx* const chosen = image::select_ptx(loaded->ptx, sm_);
    if (chosen == nullptr)
        return refuse(LinkCode::kInvalidInput, "ERROR: no PTX in here runs on sm_" + std::to_string(sm_) + ": " + name);
    return take(chosen->text, name);
}

LinkCode JitLink::add(int type, std::string_view bytes, const std::string& name) {
    const std::lock_guard lock(mutex_);
    if (bytes.data() == nullptr || bytes.empty()) return LinkCode::kInvalidInput;
    const bool fatbin = bytes.starts_with(kFatbin);
    const std::string text(bytes.substr(0, bytes.find('\0')));
    switch (static_cast<LinkInput>(type)) {
        case LinkInput::kPtx:
            if (!looks_like_ptx(text))
                return refuse(LinkCode::kIncorrectInputType,
                              "ERROR 1: bad input: does not match type NVJITLINK_INPUT_PTX" + name);
            return take(text, name);
        case LinkInput::kCubin:
        case LinkInput::kFatbin:
            if (fatbin || bytes.starts_with(kElf)) return take_code(bytes, name);
            return refuse(LinkCode::kIncorrectInputType, "ERROR 1: bad input: does not match its type" + name);
        case LinkInput::kAny:
            if (fatbin || bytes.starts_with(kElf)) return take_code(bytes, name);
            if (looks_like_ptx(text)) return take(text, name);
            return refuse(LinkCode::kUnrecognizedInput, "unrecognized input type: " + name);
        case LinkInput::kIntermediate:
            return refuse(LinkCode::kIncorrectInputType,
                          "ERROR: code for NVIDIA's linker (LTO) is not supported by tilescope: " + name);
        case LinkInput::kObject:
        case LinkInput::kLibrary:
        case LinkInput::kIndex:
            return refuse(LinkCode::kIncorrectInputType,
                          "ERROR: objects, libraries and index files are not supported by tilescope: " + name);
    }
    return refuse(LinkCode::kIncorrectInputType, "unsupported input type: " + name);
}

LinkCode JitLink::add_file(int type, const std::string& path) {
    std::string why;
    const auto bytes = read_input(path, kLargestFile, why);
    if (!bytes) {
        const std::lock_guard lock(mutex_);
        return refuse(LinkCode::kInvalidInput, "no such file: " + path);
    }
    return add(type, *bytes, path);
}

LinkCode JitLink::complete() {
    const std::lock_guard lock(mutex_);
    if (intermediate_)
        return refuse(LinkCode::kNoIntermediateCode, "ERROR in nvvmCompileProgram: NVVM_ERROR_NO_MODULE_IN_PROGRAM");
    if (completed_) return LinkCode::kInternal;
    completed_ = true;
    if (parts_.size() > 1) {
        std::string names;
        for (const image::LoadedPtx& part : parts_) names += (names.empty() ? "" : ", ") + part.name;
        return refuse(LinkCode::kInternal,
                      "ERROR: several pieces of code are not supported by tilescope, which links no PTX: " + names);
    }
    // A link of nothing is something, too.
    const std::string empty = ".version 7.8\n.target sm_" + std::to_string(sm_) + "\n.address_size 64\n";
    const auto bytes = image::container_of_ptx(parts_.empty() ? empty : parts_.front().text, sm_);
    container_.emplace(reinterpret_cast<const char*>(bytes.data()), bytes.size());
    return LinkCode::kSuccess;
}

std::optional<std::string> JitLink::container() {
    const std::lock_guard lock(mutex_);
    return container_;
}

std::string JitLink::error_log() {
    const std::lock_guard lock(mutex_);
    return errors_;
}

JitLinks& JitLinks::get() {
    static auto* const all = new JitLinks;
    return *all;
}

const void* JitLinks::make(std::shared_ptr<JitLink> link) {
    const std::lock_guard lock(mutex_);
    links_.push_back(std::move(link));
    return links_.back().get();
}

std::shared_ptr<JitLink> JitLinks::find(const void* handle) {
    const std::lock_guard lock(mutex_);
    const auto found = std::find_if(links_.begin(), links_.end(), [&](const auto& l) { return l.get() == handle; });
    return found == links_.end() ? nullptr : *found;
}

bool JitLinks::destroy(const void* handle) {
    const std::lock_guard lock(mutex_);
    return std::erase_if(links_, [&](const auto& l) { return l.get() == handle; }) != 0;
}

}  // namespace tilescope::runtime::nvrtc

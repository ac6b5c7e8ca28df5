#include "scope/runtime/nvrtc/jit_link.h"

#include <algorithm>
#include <charconv>
#include <span>
#include <utility>

#include "scope/base/files.h"
#include "scope/image/code_in_memory.h"
#include "scope/image/link.h"
#include "scope/image/link_inputs.h"
#include "scope/image/link_words.h"

namespace tilescope::runtime::nvrtc {
namespace {

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

std::string in_words(const Diagnostic& error) {
    const SourceLocation& at = error.location;
    const std::string line = at.line == 0 ? std::string() : ":" + std::to_string(at.line);
    return error.message + " (" + at.file + line + ")";
}

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

LinkCode JitLink::take_ptx(const image::LoadedPtx& part) {
    const Status checked = image::check_ptx(part);
    if (checked) {
        parts_.push_back(part);
        return LinkCode::kSuccess;
    }
    for (const Diagnostic& each : checked.errors()) errors_ += "ptxas fatal   : " + in_words(each) + "\n";
    return refuse(LinkCode::kPtxCompile, "ERROR NVJITLINK_ERROR_PTX_COMPILE: JIT the PTX (" + part.name + ")");
}

// What is there in any form but text: a fat binary, or what was given to the program for machine code, an object, a
// library.
LinkCode JitLink::take_code(std::string_view bytes, const std::string& name) {
    const auto parts = image::link_inputs(std::as_bytes(std::span(bytes)), name, sm_);
    if (!parts) {
        const Diagnostic& first = parts.errors().front();
        return refuse(LinkCode::kInvalidInput, "ERROR: " + first.message + ": " + first.location.file);
    }
    for (const image::LoadedPtx& part : *parts)
        if (const LinkCode code = take_ptx(part); code != LinkCode::kSuccess) return code;
    return LinkCode::kSuccess;
}

LinkCode JitLink::add(int type, std::string_view bytes, const std::string& name) {
    const std::lock_guard lock(mutex_);
    if (bytes.data() == nullptr || bytes.empty()) return LinkCode::kInvalidInput;
    const image::LinkInput input = image::link_input_of(std::as_bytes(std::span(bytes)));
    const auto wrong_type = [&](const std::string& of) {
        return refuse(LinkCode::kIncorrectInputType, "ERROR 1: bad input: does not match type " + of + name);
    };
    using image::LinkInput;
    const bool fatbin = input == LinkInput::kContainer;
    switch (static_cast<LinkType>(type)) {
        case LinkType::kPtx:
            if (input != LinkInput::kPtx) return wrong_type("NVJITLINK_INPUT_PTX");
            break;
        case LinkType::kCubin:
            if (input == LinkInput::kObject || input == LinkInput::kCubin)
                return refuse(LinkCode::kInvalidInput,
                              "ERROR: this is machine code for GPUs, with no PTX beside it: " + name);
            if (!fatbin) return wrong_type("NVJITLINK_INPUT_CUBIN");
            break;
        case LinkType::kFatbin:
            if (!fatbin) return wrong_type("NVJITLINK_INPUT_FATBIN");
            break;
        case LinkType::kObject:
            if (!fatbin && input != LinkInput::kObject) return wrong_type("NVJITLINK_INPUT_OBJECT");
            break;
        case LinkType::kLibrary:
            if (input != LinkInput::kLibrary) return wrong_type("NVJITLINK_INPUT_LIBRARY");
            break;
        case LinkType::kAny:
            if (input == LinkInput::kUnknown)
                return refuse(LinkCode::kUnrecognizedInput, "unrecognized input type: " + name);
            break;
        case LinkType::kIntermediate:
            return refuse(LinkCode::kIncorrectInputType,
                          "ERROR: code for NVIDIA's linker (LTO) is not supported by tilescope: " + name);
        case LinkType::kIndex:
            return refuse(LinkCode::kIncorrectInputType, "ERROR: index files are not supported by tilescope: " + name);
        default: return LinkCode::kInvalidInput;
    }
    return take_code(bytes, name);
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
    // A link of nothing is something, too.
    if (parts_.empty()) parts_.push_back(image::part_of_nothing(sm_));
    image::LinkNames names;
    std::vector<std::string> wrong;
    for (const image::LoadedPtx& part : parts_)
        for (std::string& line : names.add(part)) wrong.push_back(std::move(line));
    if (wrong.empty()) wrong = image::lines_of_missing(parts_);
    if (!wrong.empty()) {
        errors_ += image::joined_lines(wrong) + "\n";
        return refuse(LinkCode::kInternal, "ERROR 9: finish");
    }
    const auto linked = image::link_ptx(parts_, "linked code");
    if (!linked) {
        for (const Diagnostic& each : linked.errors()) errors_ += "error   : " + in_words(each) + "\n";
        return refuse(LinkCode::kInternal, "ERROR 9: finish");
    }
    const auto bytes = image::container_of_ptx(linked->text, sm_, linked->assembler_options);
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

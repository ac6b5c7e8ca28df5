// The linker: PTX, fat binaries, objects and libraries in, a container out, which cuModuleLoadData takes.
//
// Everything is linked by its PTX (image/link.h). Guarantees: what a link that fails returns, and says in the error
// log, is what the driver of an H200 does (image/link_words.h). Does not model: machine code and LTO's code, which are
// refused by name; ptxas's words of PTX that it does not take, which are ours.
#include <cstdint>
#include <fstream>
#include <iterator>
#include <memory>
#include <mutex>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "scope/image/code_in_memory.h"
#include "scope/image/link.h"
#include "scope/image/link_inputs.h"
#include "scope/image/link_words.h"
#include "scope/runtime/cuda/guard.h"
#include "scope/runtime/cuda/jit_options.h"

namespace tilescope::runtime::driver {
namespace {

// CUjitInputType.
constexpr int kCubinInput = 0, kPtxInput = 1, kFatInput = 2, kObjectInput = 3, kLibraryInput = 4;

struct Link {
    JitOptions options;
    std::vector<image::LoadedPtx> parts;
    image::LinkNames names;
    std::string errors;  // lines, of which the last has no end
    bool is_in_vain = false, is_complete = false;
    std::vector<std::byte> container;

    // As much as the program has room for, and how much there was: without the zero behind it.
    void write_log() const {
        options.write(kInfoBuffer, kInfoBytes, "");
        options.write(kErrorBuffer, kErrorBytes, errors);
        void** const size = options.value(kErrorBytes);
        if (size != nullptr && *size != nullptr)
            *size = reinterpret_cast<void*>(reinterpret_cast<std::uintptr_t>(*size) - 1);
    }
    Status fail(Status status, const std::string& lines) {
        errors += (errors.empty() ? "" : "\n") + lines;
        write_log();
        return because(status, lines);
    }
};

class Links {
public:
    static Links& get() {
        static auto* const kept = new Links;
        return *kept;
    }
    Link* make() {
        const std::lock_guard lock(mutex_);
        links_.push_back(std::make_unique<Link>());
        return links_.back().get();
    }
    bool destroy(const void* handle) {
        const std::lock_guard lock(mutex_);
        return std::erase_if(links_, [&](const auto& link) { return link.get() == handle; }) != 0;
    }
    Link* find(const void* handle) {
        const std::lock_guard lock(mutex_);
        for (const auto& link : links_)
            if (link.get() == handle) return link.get();
        return nullptr;
    }

private:
    std::mutex mutex_;
    std::vector<std::unique_ptr<Link>> links_;
};

Status no_link() { return because(Status::kInvalidHandle, "the linker was never made, or is destroyed already"); }

unsigned capability_of(Runtime& runtime) {
    const models::Device& device = runtime.session().device();
    return device.compute_major * 10 + device.compute_minor;
}

Status refuse_input(Runtime& runtime, const std::string& what) {
    runtime.warn_once("runtime-unsupported-call",
                      what +
                          " for the driver's linker is not supported: hand it PTX, or a fat binary, an object or a "
                          "library that holds PTX (-gencode arch=compute_90,code=compute_90)");
    return Status::kNotSupported;
}

bool fits(int type, image::LinkInput input) {
    switch (type) {
        case kPtxInput: return input == image::LinkInput::kPtx;
        case kFatInput: return input == image::LinkInput::kContainer;
        // What NVRTC and nvJitLink of ours give for machine code is a container.
        case kCubinInput: return input == image::LinkInput::kContainer || input == image::LinkInput::kCubin;
        case kObjectInput: return input == image::LinkInput::kContainer || input == image::LinkInput::kObject;
        default: return input == image::LinkInput::kLibrary;
    }
}

// In ptxas's frame.
std::string lines_of_assembler(const Diagnostics& errors) {
    std::string text;
    for (const Diagnostic& each : errors)
        text += "ptxas application ptx input, line " + std::to_string(each.location.line) +
                "; error   : " + each.message + "\n";
    return text + "ptxas fatal   : Ptx assembly aborted due to errors";
}

Status take(Runtime& runtime, Link& link, image::LoadedPtx part) {
    if (const auto checked = image::check_ptx(part); !checked) {
        runtime.tell(checked.errors());
        return link.fail(Status::kInvalidPtx, lines_of_assembler(checked.errors()));
    }
    if (const auto lines = link.names.add(part); !lines.empty()) {
        link.is_in_vain = true;
        return link.fail(Status::kUnlinkable, image::joined_lines(lines));
    }
    link.parts.push_back(std::move(part));
    return Status::kOk;
}

Status add(Runtime& runtime, void* handle, int type, std::span<const std::byte> bytes, const std::string& name) {
    Link* const link = Links::get().find(handle);
    if (link == nullptr) return no_link();
    if (type < kCubinInput || type > kLibraryInput)
        return refuse_input(runtime, "input of type " + std::to_string(type));
    if (!fits(type, image::link_input_of(bytes)))
        return type == kPtxInput ? because(Status::kInvalidPtx, name + ": this is no PTX")
                                 : because(Status::kInvalidImage, name + ": this is not what its type says");
    auto parts = image::link_inputs(bytes, name, capability_of(runtime));
    if (!parts) {
        if (parts.errors().front().code == "image-no-ptx")
            return refuse_input(runtime, "machine code alone (" + name + ")");
        return because(Status::kInvalidImage, render(parts.errors()));
    }
    for (image::LoadedPtx& part : *parts)
        if (const Status status = take(runtime, *link, std::move(part)); status != Status::kOk) return status;
    return Status::kOk;
}

Status complete(Runtime& runtime, Link& link) {
    if (link.is_complete) return because(Status::kInvalidHandle, "this link is complete already");
    if (link.is_in_vain) return because(Status::kUnlinkable, link.errors);
    const unsigned capability = capability_of(runtime);
    // A link of nothing is something, too.
    if (link.parts.empty()) link.parts.push_back(image::part_of_nothing(capability));
    if (const auto lines = image::lines_of_missing(link.parts); !lines.empty()) {
        link.is_in_vain = true;
        return link.fail(Status::kUnlinkable, image::joined_lines(lines));
    }
    const auto linked = image::link_ptx(link.parts, "linked code of " + Runtime::program_name());
    if (!linked) return link.fail(Status::kInvalidPtx, render(linked.errors()));
    link.container = image::container_of_ptx(linked->text, capability, linked->assembler_options);
    link.is_complete = true;
    return Status::kOk;
}

}  // namespace

TILESCOPE_DRIVER Code cuLinkCreate_v2(unsigned count, const int* names, void** values, void** link) {
    return on_context([&](Runtime&) {
        const JitOptions options{count, names, values};
        if (link == nullptr || !options.is_valid()) return Status::kInvalidValue;
        Link* const made = Links::get().make();
        made->options = options;
        *link = made;
        return Status::kOk;
    });
}

TILESCOPE_DRIVER Code cuLinkAddData_v2(void* link, int type, const void* data, std::size_t bytes, const char* name,
                                       unsigned, const int*, void**) {
    return on_context([&](Runtime& runtime) {
        if (data == nullptr || bytes == 0) return Status::kInvalidValue;
        return add(runtime, link, type, {static_cast<const std::byte*>(data), bytes},
                   name != nullptr ? name : "code of " + Runtime::program_name());
    });
}

TILESCOPE_DRIVER Code cuLinkAddFile_v2(void* link, int type, const char* path, unsigned, const int*, void**) {
    return on_context([&](Runtime& runtime) -> Status {
        if (path == nullptr) return Status::kInvalidValue;
        std::ifstream file(path, std::ios::binary);
        if (!file) return because(Status::kFileNotFound, std::string("there is no such file: ") + path);
        const std::string bytes{std::istreambuf_iterator<char>(file), {}};
        return add(runtime, link, type, std::as_bytes(std::span(bytes)), path);
    });
}

TILESCOPE_DRIVER Code cuLinkComplete(void* link, void** code, std::size_t* bytes) {
    return on_context([&](Runtime& runtime) -> Status {
        Link* const known = Links::get().find(link);
        if (known == nullptr) return no_link();
        if (code == nullptr) return Status::kInvalidValue;
        if (const Status status = complete(runtime, *known); status != Status::kOk) return status;
        known->write_log();
        *code = known->container.data();
        if (bytes != nullptr) *bytes = known->container.size();
        return Status::kOk;
    });
}

TILESCOPE_DRIVER Code cuLinkDestroy(void* link) {
    return on_context([&](Runtime&) { return Links::get().destroy(link) ? Status::kOk : no_link(); });
}

std::span<const Entry> link_calls() {
    static const Entry kCalls[] = {
        TILESCOPE_THERE_AS(cuLinkCreate, cuLinkCreate_v2),
        TILESCOPE_THERE(cuLinkCreate_v2),
        TILESCOPE_THERE_AS(cuLinkAddData, cuLinkAddData_v2),
        TILESCOPE_THERE(cuLinkAddData_v2),
        TILESCOPE_THERE_AS(cuLinkAddFile, cuLinkAddFile_v2),
        TILESCOPE_THERE(cuLinkAddFile_v2),
        TILESCOPE_THERE(cuLinkComplete),
        TILESCOPE_THERE(cuLinkDestroy),
    };
    return kCalls;
}

}  // namespace tilescope::runtime::driver

// The linker: PTX, fat binaries, objects and libraries in, a container out, which cuModuleLoadData takes.
//
// Everything is linked by its PTX (image/link.h). Does not model: machine code and LTO's code, which are refused by
// name; the numbers of errors of a link that fails, which no card has told: CUDA_ERROR_INVALID_PTX.
#include <fstream>
#include <iterator>
#include <memory>
#include <span>
#include <string_view>

#include "scope/image/code_in_memory.h"
#include "scope/image/compile.h"
#include "scope/image/device_objects.h"
#include "scope/image/fatbinary.h"
#include "scope/image/link.h"
#include "scope/runtime/cuda/guard.h"
#include "scope/runtime/cuda/jit_options.h"

namespace tilescope::runtime::driver {
namespace {

// CUjitInputType.
constexpr int kCubinInput = 0, kPtxInput = 1, kFatInput = 2, kObjectInput = 3, kLibraryInput = 4;

struct Link {
    JitOptions options;
    std::vector<image::LoadedPtx> parts;
    std::vector<std::byte> container;
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

// The PTX of a container's entries, which need some where they have code at all.
Status add_entries(Runtime& runtime, const std::vector<image::FatEntry>& entries, const std::string& name, Link& link) {
    const image::FatEntry* const ptx = image::select_ptx(entries, capability_of(runtime));
    if (ptx == nullptr) return refuse_input(runtime, "machine code alone (" + name + ")");
    link.parts.push_back(
        {name, ptx->sm, ptx->arch_specific, ptx->family_specific, std::string(ptx->text()), ptx->options});
    return Status::kOk;
}

Status add_objects(Runtime& runtime, std::span<const std::byte> bytes, const std::string& name, Link& link) {
    const auto objects = image::device_objects(bytes, name);
    if (!objects) return because(Status::kInvalidImage, render(objects.errors()));
    for (const image::DeviceObject& object : *objects)
        if (const Status added = add_entries(runtime, object.entries, object.name, link); added != Status::kOk)
            return added;
    return Status::kOk;
}

Status add_ptx(std::string_view text, const std::string& name, Link& link) {
    text = text.substr(0, text.find('\0'));
    if (text.find(".version") == std::string::npos) return because(Status::kInvalidPtx, "this is no PTX");
    link.parts.push_back({name, image::ptx_target_of(text), image::ptx_target_suffix_of(text) == 'a',
                          image::ptx_target_suffix_of(text) == 'f', std::string(text)});
    return Status::kOk;
}

Status add(Runtime& runtime, void* handle, int type, std::span<const std::byte> bytes, const std::string& name) {
    Link* const link = Links::get().find(handle);
    if (link == nullptr) return no_link();
    const std::string_view text(reinterpret_cast<const char*>(bytes.data()), bytes.size());
    switch (type) {
        case kCubinInput: return refuse_input(runtime, "machine code");
        case kPtxInput: return add_ptx(text, name, *link);
        case kObjectInput:
        case kLibraryInput: return add_objects(runtime, bytes, name, *link);
        case kFatInput: break;
        default: return refuse_input(runtime, "input of type " + std::to_string(type));
    }
    const auto entries = image::parse_fatbinary(bytes, name);
    if (!entries) return because(Status::kInvalidImage, render(entries.errors()));
    return add_entries(runtime, *entries, name, *link);
}

Status complete(Runtime& runtime, Link& link) {
    if (link.parts.empty()) return because(Status::kInvalidValue, "nothing was added to the linker");
    const auto linked = image::link_ptx(link.parts, "linked code of " + Runtime::program_name());
    if (!linked) return because(Status::kInvalidPtx, render(linked.errors()));
    link.container = image::container_of_ptx(linked->text, capability_of(runtime));
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
        const Status status = complete(runtime, *known);
        known->options.write(kInfoBuffer, kInfoBytes, "");
        known->options.write(kErrorBuffer, kErrorBytes, status == Status::kOk ? std::string() : failure().reason);
        if (status != Status::kOk) return status;
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

// The linker: PTX in, a container out, which cuModuleLoadData takes.
//
// Does not model: linking. One piece of PTX is kept as it is; several are refused by name, as is machine code.
#include <cstring>
#include <fstream>
#include <iterator>
#include <memory>

#include "scope/image/code_in_memory.h"
#include "scope/runtime/cuda/guard.h"

namespace tilescope::runtime::driver {
namespace {

// CUjitInputType.
constexpr int kPtxInput = 1;

struct Link {
    std::string ptx;
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

Status refuse_input(Runtime& runtime, const std::string& what) {
    runtime.warn_once("runtime-unsupported-call", what + " for the driver's linker is not supported yet");
    return Status::kNotSupported;
}

Status add(Runtime& runtime, void* handle, int type, std::string text) {
    Link* const link = Links::get().find(handle);
    if (link == nullptr) return no_link();
    if (type != kPtxInput) return refuse_input(runtime, "input other than PTX");
    if (!link->ptx.empty()) return refuse_input(runtime, "a second piece of PTX");
    if (text.find(".version") == std::string::npos) return because(Status::kInvalidPtx, "this is no PTX");
    link->ptx = std::move(text);
    return Status::kOk;
}

}  // namespace

TILESCOPE_DRIVER Code cuLinkCreate_v2(unsigned count, const int* names, void** values, void** link) {
    return on_context([&](Runtime&) {
        if (link == nullptr || (count != 0 && (names == nullptr || values == nullptr))) return Status::kInvalidValue;
        *link = Links::get().make();
        return Status::kOk;
    });
}

TILESCOPE_DRIVER Code cuLinkAddData_v2(void* link, int type, const void* data, std::size_t bytes, const char*, unsigned,
                                       const int*, void**) {
    return on_context([&](Runtime& runtime) {
        if (data == nullptr || bytes == 0) return Status::kInvalidValue;
        const auto* const text = static_cast<const char*>(data);
        return add(runtime, link, type, std::string(text, strnlen(text, bytes)));
    });
}

TILESCOPE_DRIVER Code cuLinkAddFile_v2(void* link, int type, const char* path, unsigned, const int*, void**) {
    return on_context([&](Runtime& runtime) -> Status {
        if (path == nullptr) return Status::kInvalidValue;
        std::ifstream file(path, std::ios::binary);
        if (!file) return because(Status::kFileNotFound, std::string("there is no such file: ") + path);
        return add(runtime, link, type, std::string{std::istreambuf_iterator<char>(file), {}});
    });
}

TILESCOPE_DRIVER Code cuLinkComplete(void* link, void** code, std::size_t* bytes) {
    return on_context([&](Runtime& runtime) -> Status {
        Link* const known = Links::get().find(link);
        if (known == nullptr) return no_link();
        if (code == nullptr) return Status::kInvalidValue;
        if (known->ptx.empty()) return because(Status::kInvalidValue, "nothing was added to the linker");
        const models::Device& device = runtime.session().device();
        known->container = image::container_of_ptx(known->ptx, device.compute_major * 10 + device.compute_minor);
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

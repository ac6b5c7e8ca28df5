// Objects and libraries beside clang's sources: nvcc's and clang's own, with device code that is part of a program.
#include <algorithm>
#include <iterator>
#include <span>
#include <string_view>
#include <unordered_set>

#include "scope/image/compile_steps.h"
#include "scope/image/device_objects.h"
#include "scope/image/link_inputs.h"
#include "scope/image/process.h"

namespace tilescope::image {
namespace {

constexpr std::string_view kRegisters = "__cudaRegisterLinkedBinary";

// Functions of the runtime that have one form in CUDA 13 and another in 12, by the same name.
constexpr std::string_view kChangedIn13[] = {"cudaGetDeviceProperties",
                                             "cudaPointerGetAttributes",
                                             "cudaMemPrefetchAsync",
                                             "cudaMemPrefetchAsync_ptsz",
                                             "cudaMemAdvise",
                                             "cudaGraphAddDependencies",
                                             "cudaGraphRemoveDependencies",
                                             "cudaGraphGetEdges",
                                             "cudaGraphNodeGetDependencies",
                                             "cudaGraphNodeGetDependentNodes",
                                             "cudaGraphAddNode",
                                             "cudaStreamGetCaptureInfo",
                                             "cudaStreamGetCaptureInfo_ptsz",
                                             "cudaStreamUpdateCaptureDependencies",
                                             "cudaStreamUpdateCaptureDependencies_ptsz"};

bool is_of_cuda_13(const DeviceObject& object) {
    constexpr unsigned kPtxOf13 = 90;
    for (const ObjectCode& code : object.code)
        for (const FatEntry& entry : code.entries)
            if (entry.kind == FatKind::kPtx && ptx_version_of(entry.text()) >= kPtxOf13) return true;
    return false;
}

// The program is linked with the runtime of clang's headers, CUDA 12.
Status check_release(const DeviceObject& object) {
    if (!is_of_cuda_13(object)) return Success{};
    for (const std::string& name : object.undefined)
        if (std::find(std::begin(kChangedIn13), std::end(kChangedIn13), name) != std::end(kChangedIn13))
            return error("image-object", {object.name, 0, 0},
                         "this was compiled for CUDA 13 and calls " + name +
                             ", which has another form in CUDA 12, whose runtime clang's programs have here",
                         "name its source instead, or compile all of it with --compiler nvcc");
    return Success{};
}

Result<std::vector<DeviceObject>> objects_among(const std::vector<std::filesystem::path>& sources) {
    std::vector<DeviceObject> all;
    for (const std::filesystem::path& source : sources) {
        if (!is_object(source) || source.extension() == ".so") continue;
        const auto bytes = read_file(source);
        if (!bytes) return bytes.errors();
        auto objects = device_objects(std::as_bytes(std::span(*bytes)), source.string());
        if (!objects) {
            // What is no object is the linker's to name.
            if (objects.errors().front().code == "image-object") continue;
            return objects.errors();
        }
        std::move(objects->begin(), objects->end(), std::back_inserter(all));
    }
    return all;
}

}  // namespace

Status gather_object_code(CompileJob& job, const std::vector<std::filesystem::path>& sources) {
    const auto objects = objects_among(sources);
    if (!objects) return objects.errors();
    // What a device linker made of some of them registers these itself: they are a program already.
    std::unordered_set<std::string_view> linked;
    for (const DeviceObject& object : *objects)
        for (const std::string& name : object.defined)
            if (name.starts_with(kRegisters)) linked.insert(name);
    for (const DeviceObject& object : *objects) {
        if (const Status status = check_release(object); !status) return status;
        bool is_open = false;
        for (const std::string& name : object.undefined) {
            if (!name.starts_with(kRegisters) || linked.count(name) != 0) continue;
            job.registering.push_back(name);
            is_open = true;
        }
        if (!is_open) continue;
        for (const ObjectCode& code : object.code) {
            if (!code.is_relocatable) continue;
            auto part = link_input(code.entries, object.name, job.sm);
            if (!part) return part.errors();
            job.object_code.push_back(std::move(part).value());
        }
    }
    return Success{};
}

}  // namespace tilescope::image

// nvJitLink over what NVRTC made: PTX, what stands for machine code, and what it says of what it does not take.
#include <nvJitLink.h>

#include "compile.h"
#include "device.h"

static std::string error_log(nvJitLinkHandle link) {
    size_t bytes = 0;
    nvJitLinkGetErrorLogSize(link, &bytes);
    std::string log(bytes + 1, '\0');
    nvJitLinkGetErrorLog(link, log.data());
    return log.c_str();
}

static int create(nvJitLinkHandle* link, std::vector<const char*> options) {
    return nvJitLinkCreate(link, static_cast<unsigned>(options.size()), options.data());
}

int main() {
    const Compiled made = compile_well(
        {"extern \"C\" __global__ void fill(int* x) { x[threadIdx.x] = 6; }\n", "fill.cu", {"-arch=sm_90"}});
    Device device;
    for (const bool machine : {false, true}) {
        nvJitLinkHandle link = nullptr;
        const std::string& code = machine ? made.cubin : made.ptx;
        const auto type = machine ? NVJITLINK_INPUT_CUBIN : NVJITLINK_INPUT_PTX;
        expect(create(&link, {"-arch=sm_90", "-lineinfo", "-O3"}) == NVJITLINK_SUCCESS, "a link");
        size_t bytes = 0;
        expect(nvJitLinkGetLinkedCubinSize(link, &bytes) == NVJITLINK_ERROR_INTERNAL, "nothing is linked yet");
        expect(nvJitLinkAddData(link, type, code.data(), code.size(), "fill") == NVJITLINK_SUCCESS, "an input");
        expect(nvJitLinkComplete(link) == NVJITLINK_SUCCESS, "it is complete");
        expect(nvJitLinkGetLinkedCubinSize(link, &bytes) == NVJITLINK_SUCCESS && bytes != 0, "a size");
        std::string linked(bytes, '\0');
        expect(nvJitLinkGetLinkedCubin(link, linked.data()) == NVJITLINK_SUCCESS, "a copy");
        expect(nvJitLinkGetLinkedPtxSize(link, &bytes) == NVJITLINK_ERROR_INVALID_INPUT, "no PTX without -ptx");
        expect(error_log(link).empty(), error_log(link).c_str());
        expect(nvJitLinkDestroy(&link) == NVJITLINK_SUCCESS && link == nullptr, "it is gone");
        const Array<int> out({0, 0});
        launch(function_in(load(linked), "fill"), 1, 2, out.at());
        expect(out.values() == std::vector<int>({6, 6}), "what was linked runs");
    }

    // What is not supported is named.
    nvJitLinkHandle link = nullptr;
    create(&link, {"-arch=sm_90"});
    expect(nvJitLinkAddData(link, NVJITLINK_INPUT_PTX, "hello", 5, "x") == NVJITLINK_ERROR_INCORRECT_INPUT_TYPE,
           "text");
    expect(nvJitLinkAddData(link, NVJITLINK_INPUT_ANY, "hello", 5, "x") == NVJITLINK_ERROR_UNRECOGNIZED_INPUT, "any");
    expect(nvJitLinkAddData(link, NVJITLINK_INPUT_CUBIN, "\177ELF\2\1\1", 7, "x") == NVJITLINK_ERROR_INVALID_INPUT,
           "machine code alone");
    expect(error_log(link).find("machine code for GPUs, with no PTX beside it") != std::string::npos,
           error_log(link).c_str());
    expect(nvJitLinkAddFile(link, NVJITLINK_INPUT_PTX, "/nonexistent") == NVJITLINK_ERROR_INVALID_INPUT, "no file");
    nvJitLinkDestroy(&link);
    expect(create(&link, {"-arch=sm_90", "-frob"}) == NVJITLINK_ERROR_UNRECOGNIZED_OPTION, "an unknown option");
    expect(error_log(link) == "unrecognized option: -frob\n", error_log(link).c_str());
    nvJitLinkDestroy(&link);
    expect(create(&link, {"-arch=sm_999"}) == NVJITLINK_ERROR_UNRECOGNIZED_ARCH, "an unknown architecture");
    nvJitLinkDestroy(&link);
    expect(create(&link, {"-arch=sm_90", "-ptx"}) == NVJITLINK_ERROR_INCOMPATIBLE_OPTIONS, "-ptx without -lto");
    nvJitLinkDestroy(&link);
    expect(nvJitLinkComplete(nullptr) == NVJITLINK_ERROR_NULL_INPUT, "no link");
    return verdict();
}

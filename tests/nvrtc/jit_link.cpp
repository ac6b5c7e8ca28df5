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
    return verdict();
}

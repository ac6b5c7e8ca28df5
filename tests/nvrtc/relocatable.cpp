// Relocatable code of NVRTC in several pieces, linked by nvJitLink and by the driver; and what these say of names that
// are missing or there twice.
#include <nvJitLink.h>

#include <fstream>

#include "compile.h"
#include "device.h"

static const char* const kUser = R"(
extern "C" __device__ int twice(int);
extern __device__ int offset;
static __device__ int own(int x) { return x + 1; }
extern "C" __global__ void fill(int* x) { x[threadIdx.x] = own(twice(threadIdx.x)) + offset; }
)";
static const char* const kLibrary = R"(
__device__ int offset = 10;
static __device__ int own(int x) { return 2 * x; }
extern "C" __device__ int twice(int x) { return own(x); }
)";

static std::string error_log(nvJitLinkHandle link) {
    size_t bytes = 0;
    nvJitLinkGetErrorLogSize(link, &bytes);
    std::string log(bytes + 1, '\0');
    nvJitLinkGetErrorLog(link, log.data());
    return log.c_str();
}

static nvJitLinkHandle new_link() {
    nvJitLinkHandle link = nullptr;
    const char* options[] = {"-arch=sm_90"};
    expect(nvJitLinkCreate(&link, 1, options) == NVJITLINK_SUCCESS, "a link");
    return link;
}

static void add(nvJitLinkHandle link, nvJitLinkInputType type, const std::string& code, const char* name) {
    expect(nvJitLinkAddData(link, type, code.data(), code.size(), name) == NVJITLINK_SUCCESS, error_log(link).c_str());
}

static void expect_runs(const std::string& code, const char* what) {
    const Array<int> out({0, 0, 0});
    launch(function_in(load(code), "fill"), 1, 3, out.at());
    expect(out.values() == std::vector<int>({11, 13, 15}), what);
}

static std::string linked(nvJitLinkHandle link) {
    expect(nvJitLinkComplete(link) == NVJITLINK_SUCCESS, error_log(link).c_str());
    size_t bytes = 0;
    nvJitLinkGetLinkedCubinSize(link, &bytes);
    std::string code(bytes, '\0');
    nvJitLinkGetLinkedCubin(link, code.data());
    nvJitLinkDestroy(&link);
    return code;
}

static std::string linked_by_driver(CUjitInputType type, const std::string& user, const std::string& library) {
    CUlinkState link = nullptr;
    void* code = nullptr;
    size_t bytes = 0;
    CU(cuLinkCreate(0, nullptr, nullptr, &link));
    for (const std::string& part : {user, library})
        CU(cuLinkAddData(link, type, const_cast<char*>(part.data()), part.size(), "part", 0, nullptr, nullptr));
    CU(cuLinkComplete(link, &code, &bytes));
    const std::string copy(static_cast<const char*>(code), bytes);
    CU(cuLinkDestroy(link));
    return copy;
}

int main() {
    Device device;
    const Compiled user = compile_well({kUser, "user.cu", {"-arch=sm_90", "-rdc=true"}}),
                   library = compile_well({kLibrary, "library.cu", {"-arch=sm_90", "--relocatable-device-code=true"}}),
                   same = compile_well({kLibrary, "library.cu", {"-arch=sm_90", "-dc"}});
    nvJitLinkHandle link = new_link();
    add(link, NVJITLINK_INPUT_PTX, user.ptx, "user");
    add(link, NVJITLINK_INPUT_PTX, library.ptx, "library");
    expect_runs(linked(link), "two pieces of PTX");

    link = new_link();
    add(link, NVJITLINK_INPUT_CUBIN, user.cubin, "user");
    add(link, NVJITLINK_INPUT_ANY, same.cubin, "library");
    const std::string both = linked(link);
    expect_runs(both, "what stands for machine code");
    link = new_link();
    add(link, NVJITLINK_INPUT_CUBIN, both, "both");
    expect_runs(linked(link), "a link of what is linked");

    std::ofstream("user.ptx") << user.ptx.c_str();
    link = new_link();
    expect(nvJitLinkAddFile(link, NVJITLINK_INPUT_PTX, "user.ptx") == NVJITLINK_SUCCESS, error_log(link).c_str());
    std::remove("user.ptx");
    add(link, NVJITLINK_INPUT_PTX, library.ptx, "library");
    expect_runs(linked(link), "a file and a piece");

    expect_runs(linked_by_driver(CU_JIT_INPUT_PTX, user.ptx, library.ptx), "PTX through the driver");
    expect_runs(linked_by_driver(CU_JIT_INPUT_CUBIN, user.cubin, library.cubin), "containers through the driver");
    expect_runs(linked_by_driver(CU_JIT_INPUT_FATBINARY, user.cubin, library.cubin), "containers by their own type");

    link = new_link();
    add(link, NVJITLINK_INPUT_PTX, user.ptx, "user");
    expect(nvJitLinkComplete(link) == NVJITLINK_ERROR_INTERNAL, "names that nobody defines");
    expect(error_log(link).find("Undefined reference to 'twice' in 'user'") != std::string::npos,
           error_log(link).c_str());
    expect(error_log(link).find("Undefined reference to 'offset' in 'user'") != std::string::npos,
           error_log(link).c_str());
    nvJitLinkDestroy(&link);
    link = new_link();
    for (const char* name : {"one", "two"}) add(link, NVJITLINK_INPUT_PTX, library.ptx, name);
    expect(nvJitLinkComplete(link) == NVJITLINK_ERROR_INTERNAL, "names that two define");
    expect(error_log(link).find("Multiple definition of 'twice' in") != std::string::npos, error_log(link).c_str());
    nvJitLinkDestroy(&link);
    link = new_link();
    const std::string bad = ".version 8.0\n.target sm_90\n.address_size 64\nnonsense\n";
    expect(nvJitLinkAddData(link, NVJITLINK_INPUT_PTX, bad.data(), bad.size(), "bad") == NVJITLINK_ERROR_PTX_COMPILE,
           "PTX that is none");
    expect(nvJitLinkAddData(link, NVJITLINK_INPUT_OBJECT, bad.data(), bad.size(), "bad") ==
               NVJITLINK_ERROR_INCORRECT_INPUT_TYPE,
           "PTX as an object");
    nvJitLinkDestroy(&link);
    return verdict();
}

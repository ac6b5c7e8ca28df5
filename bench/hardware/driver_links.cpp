// What the driver's linker says of parts that are no program together: the codes of its calls and its error log.
//
// g++ -I/usr/local/cuda/include -o driver_links driver_links.cpp -lcuda; what a card said is in
// tests/truth/driver_links_h200.txt, which tests/driver compares with what tilescope's says.
#include <cuda.h>

#include <cstdio>
#include <string>
#include <utility>
#include <vector>

namespace {

const std::string kHead = ".version 8.0\n.target sm_70\n.address_size 64\n";

struct Part {
    const char* name;
    std::string text;
};

void link(const char* what, std::vector<Part> parts) {
    char log[2048] = "", info[2048] = "";
    CUjit_option names[] = {CU_JIT_ERROR_LOG_BUFFER, CU_JIT_ERROR_LOG_BUFFER_SIZE_BYTES, CU_JIT_INFO_LOG_BUFFER,
                            CU_JIT_INFO_LOG_BUFFER_SIZE_BYTES};
    void* values[] = {log, reinterpret_cast<void*>(sizeof log), info, reinterpret_cast<void*>(sizeof info)};
    CUlinkState state = nullptr;
    void* code = nullptr;
    std::printf("== %s\ncreate %d", what, cuLinkCreate(4, names, values, &state));
    for (Part& part : parts)
        std::printf(", add %d", cuLinkAddData(state, CU_JIT_INPUT_PTX, part.text.data(), part.text.size() + 1,
                                              part.name, 0, nullptr, nullptr));
    const int result = cuLinkComplete(state, &code, nullptr);
    std::printf(", complete %d, %zu and %zu bytes of log\n", result, reinterpret_cast<std::size_t>(values[1]),
                reinterpret_cast<std::size_t>(values[3]));
    if (log[0] != '\0') std::printf("%s\n", log);
    CUmodule module = nullptr;
    if (result == CUDA_SUCCESS) std::printf("load %d, ", cuModuleLoadData(&module, code));
    std::printf("complete again %d, ", cuLinkComplete(state, &code, nullptr));
    std::printf("destroy %d\n", cuLinkDestroy(state));
}

void load(const char* what, const std::string& text) {
    char log[2048] = "";
    CUjit_option names[] = {CU_JIT_ERROR_LOG_BUFFER, CU_JIT_ERROR_LOG_BUFFER_SIZE_BYTES};
    void* values[] = {log, reinterpret_cast<void*>(sizeof log)};
    CUmodule module = nullptr;
    std::printf("== load: %s\nload %d\n", what, cuModuleLoadDataEx(&module, text.c_str(), 2, names, values));
    if (log[0] != '\0') std::printf("%s\n", log);
}

std::string visible(const std::string& text) { return kHead + text; }

}  // namespace

int main() {
    CUdevice device = 0;
    CUcontext context = nullptr;
    cuInit(0);
    cuDeviceGet(&device, 0);
    cuDevicePrimaryCtxRetain(&context, device);
    cuCtxSetCurrent(context);
    const std::string use =
        kHead +
        ".extern .func (.param .b32 r) twice(.param .b32 x);\n.extern .func other();\n.extern .global .u32 step;\n"
        ".visible .entry run(.param .u64 out) {\n.reg .b64 %rd<3>;\n.reg .b32 %r<4>;\nld.param.u64 %rd1, [out];\n"
        "ld.global.u32 %r1, [step];\n{\n.param .b32 x;\n.param .b32 r;\nst.param.b32 [x], %r1;\n"
        "call (r), twice, (x);\nld.param.b32 %r2, [r];\n}\ncall other;\nst.global.u32 [%rd1], %r2;\nret;\n}\n";
    const std::string define =
        kHead +
        ".visible .global .u32 step = 21;\n.visible .func other() { ret; }\n"
        ".visible .func (.param .b32 r) twice(.param .b32 x) {\n.reg .b32 %r<3>;\nld.param.b32 %r1, [x];\n"
        "add.u32 %r2, %r1, %r1;\nst.param.b32 [r], %r2;\nret;\n}\n";
    const std::string wide = visible(".visible .global .u64 step = 21;\n");
    const std::string entry = visible(".visible .entry run() { ret; }\n");
    link("good", {{"use", use}, {"define", define}});
    link("three that nobody defines", {{"use", use}});
    link("used in two parts",
         {{"first", use}, {nullptr, visible(".extern .func other();\n.visible .func here() { call other; ret; }\n")}});
    link("one that nobody defines",
         {{"use", use}, {"rest", visible(".visible .global .u32 step;\n.visible .func other() { ret; }\n")}});
    link("declared and not used",
         {{"use", visible(".extern .func other();\n.extern .global .u32 step;\n.visible .entry run() { ret; }\n")}});
    link("in a table", {{"use", visible(".extern .func other();\n.extern .global .u32 step;\n"
                                        ".visible .global .u64 table[2] = {step, other};\n"
                                        ".visible .entry run() { ret; }\n")}});
    link("defined twice", {{"one", define}, {"two", define}});
    link("a kernel twice", {{"one", entry}, {"two", entry}});
    link("another size", {{"use", use}, {"wide", wide}});
    link("another size, both defined", {{"define", define}, {"wide", wide}});
    link("another memory", {{"use", use}, {"const", visible(".visible .const .u32 step = 1;\n")}});
    link("a function and a variable", {{"define", define}, {"x", visible(".visible .global .u32 twice = 1;\n")}});
    link("an unknown instruction", {{"bad", visible(".visible .entry run() { frob; }\n")}});
    link("nothing", {});
    link("what every device has",
         {{"p", visible(".extern .func (.param .b32 r) vprintf(.param .b64 a, .param .b64 b);\n"
                        ".visible .entry run() {\n.reg .b32 %r<2>;\n{\n.param .b64 a;\n.param .b64 b;\n"
                        ".param .b32 r;\nst.param.b64 [a], 0;\nst.param.b64 [b], 0;\ncall (r), vprintf, (a, b);\n"
                        "ld.param.b32 %r1, [r];\n}\nret;\n}\n")}});
    load("a function that nobody defines", use);
    load("a kernel and a function of one name", entry + ".visible .func run() { ret; }\n");
}

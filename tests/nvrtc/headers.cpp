// Headers that the program brings along by name: one within another, in folders, and one that stands before the source.
#include "compile.h"
#include "device.h"

int main() {
    Request request{R"(
#include "shape.h"
#include <deep/inner.h>
extern "C" __global__ void areas(const Box* boxes, int* out) { out[threadIdx.x] = area(boxes[threadIdx.x]) + INNER + BEFORE; }
)"};
    request.headers = {
        {"shape.h", "#pragma once\n#include \"box.h\"\n__device__ int area(Box b) { return b.w * b.h; }\n"},
        {"box.h", "#pragma once\nstruct Box { int w, h; };\n"},
        {"deep/inner.h", "#define INNER 100\n"},
        {"before.h", "#define BEFORE 1000\n"}};
    request.options = {"--pre-include=before.h"};
    const Compiled made = compile_well(request);
    struct Box {
        int w, h;
    };
    Device device;
    const Array<Box> boxes({{2, 3}, {4, 5}});
    const Array<int> out({0, 0});
    launch(function_in(load(made.ptx), "areas"), 1, 2, boxes.at(), out.at());
    expect(out.values() == std::vector<int>({1106, 1120}), "areas");
    request.headers.erase("box.h");
    const Compiled failed = compile(request);
    expect(failed.code == NVRTC_ERROR_COMPILATION, "without a header it does not compile");
    expect(failed.log.find("shape.h(2): catastrophic error: cannot open source file \"box.h\"") == 0,
           failed.log.c_str());
    return verdict();
}

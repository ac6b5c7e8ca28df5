// libnvrtc: the C interface of CUDA's compiler for source that a program makes while it runs.
//
// Every function of nvrtc.h of CUDA 13.0 stands here. Answers, sizes and errors are those that the library of CUDA 13.0
// gave. Where a program asks for machine code it gets a container that keeps the PTX, which modules and libraries of
// the driver and the runtime take. Does not model: precompiled headers, of which the calls are there and say that none
// was made; code for NVIDIA's linker (LTO) and for OptiX, of which there is none to copy.
#include <algorithm>
#include <cstring>
#include <new>
#include <string_view>

#include "scope/runtime/nvrtc/programs.h"
#include "scope/runtime/nvrtc/releases.h"

namespace tilescope::runtime::nvrtc {
namespace {

constexpr std::size_t kHeadersHeap = std::size_t{256} << 20;  // what NVRTC sets aside for precompiled headers
std::size_t headers_heap = kHeadersHeap;

// No exception leaves the library.
template <class Body>
int call(Body&& body) noexcept {
    try {
        return static_cast<int>(body());
    } catch (const std::bad_alloc&) {
        return static_cast<int>(Code::kOutOfMemory);
    } catch (...) {
        return static_cast<int>(Code::kInternalError);
    }
}

template <class Body>
int with_program(const void* handle, Body&& body) noexcept {
    return call([&] {
        const auto program = Programs::get().find(handle);
        return program == nullptr ? Code::kInvalidProgram : body(*program);
    });
}

template <class T>
Code give(T* to, T value) {
    if (to == nullptr) return Code::kInvalidInput;
    *to = value;
    return Code::kSuccess;
}

Code copy(std::string_view bytes, char* to) {
    if (to == nullptr) return Code::kInvalidInput;
    std::memcpy(to, bytes.data(), bytes.size());
    return Code::kSuccess;
}

// Text is copied with its end.
std::string_view with_end(const std::string& text) { return {text.c_str(), text.size() + 1}; }

}  // namespace
}  // namespace tilescope::runtime::nvrtc

using namespace tilescope::runtime::nvrtc;

// A function of the interface that is there; the page docs/reference/nvrtc.md is made from these.
#define TILESCOPE_NVRTC(name) extern "C" __attribute__((visibility("default"))) int name
// One of which there is never anything to give.
#define TILESCOPE_NVRTC_EMPTY(name) TILESCOPE_NVRTC(name)

extern "C" __attribute__((visibility("default"))) const char* nvrtcGetErrorString(int result) {
    static constexpr const char* kNames[] = {"NVRTC_SUCCESS",
                                             "NVRTC_ERROR_OUT_OF_MEMORY",
                                             "NVRTC_ERROR_PROGRAM_CREATION_FAILURE",
                                             "NVRTC_ERROR_INVALID_INPUT",
                                             "NVRTC_ERROR_INVALID_PROGRAM",
                                             "NVRTC_ERROR_INVALID_OPTION",
                                             "NVRTC_ERROR_COMPILATION",
                                             "NVRTC_ERROR_BUILTIN_OPERATION_FAILURE",
                                             "NVRTC_ERROR_NO_NAME_EXPRESSIONS_AFTER_COMPILATION",
                                             "NVRTC_ERROR_NO_LOWERED_NAMES_BEFORE_COMPILATION",
                                             "NVRTC_ERROR_NAME_EXPRESSION_NOT_VALID",
                                             "NVRTC_ERROR_INTERNAL_ERROR",
                                             "NVRTC_ERROR_TIME_FILE_WRITE_FAILED",
                                             "NVRTC_ERROR_NO_PCH_CREATE_ATTEMPTED",
                                             "NVRTC_ERROR_PCH_CREATE_HEAP_EXHAUSTED",
                                             "NVRTC_ERROR_PCH_CREATE",
                                             "NVRTC_ERROR_CANCELLED",
                                             "NVRTC_ERROR_TIME_TRACE_FILE_WRITE_FAILED"};
    const bool known = result >= 0 && static_cast<std::size_t>(result) < std::size(kNames);
    return known ? kNames[result] : "NVRTC_ERROR unknown";
}

TILESCOPE_NVRTC(nvrtcVersion)(int* major, int* minor) {
    return call([&] {
        if (major == nullptr || minor == nullptr) return Code::kInvalidInput;
        *major = kMajor;
        *minor = kMinor;
        return Code::kSuccess;
    });
}

TILESCOPE_NVRTC(nvrtcGetNumSupportedArchs)(int* count) {
    return call([&] { return give(count, static_cast<int>(kArchitectures.size())); });
}

TILESCOPE_NVRTC(nvrtcGetSupportedArchs)(int* architectures) {
    return call([&] {
        if (architectures == nullptr) return Code::kInvalidInput;
        std::copy(kArchitectures.begin(), kArchitectures.end(), architectures);
        return Code::kSuccess;
    });
}

TILESCOPE_NVRTC(nvrtcCreateProgram)
(const void** program, const char* source, const char* name, int count, const char* const* headers,
 const char* const* names) {
    return call([&] {
        if (program == nullptr) return Code::kInvalidProgram;
        if (source == nullptr || count < 0 || (count > 0 && headers == nullptr)) return Code::kInvalidInput;
        tilescope::image::RtcRequest request;
        request.source = source;
        request.name = name == nullptr || *name == '\0' ? "default_program" : name;
        for (int i = 0; i < count; ++i) {
            const char* const called = names == nullptr ? nullptr : names[i];
            if (headers[i] == nullptr) return Code::kInvalidInput;
            if (called != nullptr) request.headers.emplace_back(called, headers[i]);
        }
        request.known_architectures.assign(kArchitectures.begin(), kArchitectures.end());
        request.default_sm = kDefaultSm;
        *program = Programs::get().make(std::move(request));
        return Code::kSuccess;
    });
}

TILESCOPE_NVRTC(nvrtcDestroyProgram)(const void** program) {
    return call([&] {
        if (program == nullptr || !Programs::get().destroy(*program)) return Code::kInvalidProgram;
        *program = nullptr;
        return Code::kSuccess;
    });
}

TILESCOPE_NVRTC(nvrtcCompileProgram)(const void* handle, int count, const char* const* options) {
    return with_program(handle, [&](Program& program) {
        if (count < 0) return Code::kInvalidInput;
        if (count > 0 && options == nullptr) return Code::kInvalidOption;
        constexpr int kUsual = 64;  // a program may say any number
        std::vector<std::string> words;
        words.reserve(static_cast<std::size_t>(std::min(count, kUsual)));
        for (int i = 0; i < count; ++i) words.emplace_back(options[i] == nullptr ? "" : options[i]);
        return program.compile(std::move(words));
    });
}

TILESCOPE_NVRTC(nvrtcGetPTXSize)(const void* handle, std::size_t* bytes) {
    return with_program(handle, [&](Program& program) { return give(bytes, program.ptx().size() + 1); });
}

TILESCOPE_NVRTC(nvrtcGetPTX)(const void* handle, char* to) {
    return with_program(handle, [&](Program& program) { return copy(with_end(program.ptx()), to); });
}

TILESCOPE_NVRTC(nvrtcGetCUBINSize)(const void* handle, std::size_t* bytes) {
    return with_program(handle, [&](Program& program) { return give(bytes, program.container().size()); });
}

TILESCOPE_NVRTC(nvrtcGetCUBIN)(const void* handle, char* to) {
    return with_program(handle, [&](Program& program) { return copy(program.container(), to); });
}

TILESCOPE_NVRTC_EMPTY(nvrtcGetLTOIRSize)(const void* handle, std::size_t* bytes) {
    return with_program(handle, [&](Program&) { return give(bytes, std::size_t{0}); });
}

TILESCOPE_NVRTC_EMPTY(nvrtcGetLTOIR)(const void* handle, char* to) {
    return with_program(handle, [&](Program&) { return copy({}, to); });
}

TILESCOPE_NVRTC_EMPTY(nvrtcGetOptiXIRSize)(const void* handle, std::size_t* bytes) {
    return with_program(handle, [&](Program&) { return give(bytes, std::size_t{0}); });
}

TILESCOPE_NVRTC_EMPTY(nvrtcGetOptiXIR)(const void* handle, char* to) {
    return with_program(handle, [&](Program&) { return copy({}, to); });
}

TILESCOPE_NVRTC(nvrtcGetProgramLogSize)(const void* handle, std::size_t* bytes) {
    return with_program(handle, [&](Program& program) { return give(bytes, program.log().size() + 1); });
}

TILESCOPE_NVRTC(nvrtcGetProgramLog)(const void* handle, char* to) {
    return with_program(handle, [&](Program& program) { return copy(with_end(program.log()), to); });
}

TILESCOPE_NVRTC(nvrtcAddNameExpression)(const void* handle, const char* expression) {
    return with_program(handle, [&](Program& program) {
        return expression == nullptr ? Code::kInvalidInput : program.add_expression(expression);
    });
}

TILESCOPE_NVRTC(nvrtcGetLoweredName)(const void* handle, const char* expression, const char** name) {
    return with_program(handle, [&](Program& program) {
        if (expression == nullptr || name == nullptr) return Code::kInvalidInput;
        return program.lowered_name(expression, name);
    });
}

TILESCOPE_NVRTC_EMPTY(nvrtcGetPCHHeapSize)(std::size_t* bytes) {
    return call([&] { return give(bytes, headers_heap); });
}

TILESCOPE_NVRTC_EMPTY(nvrtcSetPCHHeapSize)(std::size_t bytes) {
    return call([&] { return give(&headers_heap, bytes); });
}

TILESCOPE_NVRTC_EMPTY(nvrtcGetPCHCreateStatus)(const void* handle) {
    return with_program(handle, [](Program&) { return Code::kNoHeadersMade; });
}

TILESCOPE_NVRTC_EMPTY(nvrtcGetPCHHeapSizeRequired)(const void* handle, std::size_t* bytes) {
    return with_program(handle, [&](Program&) { return give(bytes, headers_heap); });
}

TILESCOPE_NVRTC(nvrtcSetFlowCallback)(const void* handle, int (*callback)(void*, void*), void* payload) {
    return with_program(handle, [&](Program& program) {
        if (callback == nullptr) return Code::kInvalidInput;
        program.set_flow({callback, payload});
        return Code::kSuccess;
    });
}

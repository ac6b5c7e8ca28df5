// What the programs here share: source to PTX or to what the driver takes, by NVRTC, with its log where that fails.
#pragma once

#include <nvrtc.h>

#include <cstdio>
#include <cstdlib>
#include <map>
#include <string>
#include <vector>

#define RTC(call)                                                                      \
    do {                                                                               \
        const nvrtcResult result = call;                                               \
        if (result != NVRTC_SUCCESS) {                                                 \
            std::printf("%d: %s: %s\n", __LINE__, #call, nvrtcGetErrorString(result)); \
            std::exit(1);                                                              \
        }                                                                              \
    } while (false)

struct Request {
    std::string source;
    std::string name = "kernel.cu";
    std::vector<std::string> options{};
    std::map<std::string, std::string> headers{};  // by name
    std::vector<std::string> expressions{};
};

struct Compiled {
    nvrtcResult code = NVRTC_SUCCESS;
    std::string log, ptx, cubin;
    std::map<std::string, std::string> lowered{};  // by expression
};

inline Compiled compile(const Request& request) {
    std::vector<const char*> texts, names, options;
    for (const auto& [name, text] : request.headers) {
        names.push_back(name.c_str());
        texts.push_back(text.c_str());
    }
    for (const std::string& option : request.options) options.push_back(option.c_str());
    nvrtcProgram program = nullptr;
    RTC(nvrtcCreateProgram(&program, request.source.c_str(), request.name.c_str(), static_cast<int>(texts.size()),
                           texts.data(), names.data()));
    for (const std::string& each : request.expressions) RTC(nvrtcAddNameExpression(program, each.c_str()));
    Compiled made;
    made.code = nvrtcCompileProgram(program, static_cast<int>(options.size()), options.data());
    size_t bytes = 0;
    RTC(nvrtcGetProgramLogSize(program, &bytes));
    made.log.resize(bytes);
    RTC(nvrtcGetProgramLog(program, made.log.data()));
    made.log.resize(bytes - 1);
    if (made.code == NVRTC_SUCCESS) {
        RTC(nvrtcGetPTXSize(program, &bytes));
        made.ptx.resize(bytes);
        RTC(nvrtcGetPTX(program, made.ptx.data()));
        RTC(nvrtcGetCUBINSize(program, &bytes));
        made.cubin.resize(bytes);
        if (bytes != 0) RTC(nvrtcGetCUBIN(program, made.cubin.data()));
        for (const std::string& each : request.expressions) {
            const char* name = nullptr;
            RTC(nvrtcGetLoweredName(program, each.c_str(), &name));
            made.lowered[each] = name;
        }
    }
    RTC(nvrtcDestroyProgram(&program));
    return made;
}

// The same where nothing may fail.
inline Compiled compile_well(const Request& request) {
    Compiled made = compile(request);
    if (made.code == NVRTC_SUCCESS) return made;
    std::printf("%s: %s\n%s\n", request.name.c_str(), nvrtcGetErrorString(made.code), made.log.c_str());
    std::exit(1);
}

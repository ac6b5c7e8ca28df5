#include "scope/runtime/cuda/guard.h"

#include <cstring>
#include <iterator>
#include <string>

#include "scope/runtime/cuda/log.h"
#include "scope/runtime/cudart/error_text.h"
#include "scope/runtime/cudart/guard.h"
#include "scope/runtime/service/watch/failures.h"

namespace tilescope::runtime::driver {
namespace {

struct ErrorRow {
    Code code;
    const char* name;
};
constexpr ErrorRow kErrorNames[] = {
#define TILESCOPE_DRIVER_ERROR(name, code) {code, #name},
#include "scope/runtime/cuda/error_names.inc"
#undef TILESCOPE_DRIVER_ERROR
};

const char* name_of_error(Code code) {
    for (const ErrorRow& row : kErrorNames)
        if (row.code == code) return row.name;
    return nullptr;
}

// The phrases are those of the runtime, whose codes have the same numbers.
const char* text_of_error(Code code) { return error_text(static_cast<cudaError>(code)); }

// As programs write it: the headers give the newest form the name without a number.
std::string plain_name(const char* name) {
    std::string plain = name;
    const std::size_t at = plain.rfind("_v");
    if (at != std::string::npos && at + 3 == plain.size()) plain.resize(at);
    return plain;
}

template <class Text>
Code give_text(Code code, const char** out, Text&& text) {
    if (out == nullptr) return kInvalidValueCode;
    *out = name_of_error(code) == nullptr ? nullptr : text(code);
    return *out == nullptr ? kInvalidValueCode : kSuccess;
}

}  // namespace

// Beside these few its codes are the runtime's.
Code code_of(Status status) noexcept {
    switch (status) {
        case Status::kInvalidPitch:
        case Status::kInvalidDirection:
        case Status::kInvalidShape:
        case Status::kMissingShape:
        case Status::kInvalidChannels:
        case Status::kInvalidFilter:
        case Status::kInvalidReading: return kInvalidValueCode;
        case Status::kInvalidFunction:
        case Status::kStrayFunction: return static_cast<Code>(cudaErrorInvalidResourceHandle);
        case Status::kInvalidSymbol: return static_cast<Code>(cudaErrorSymbolNotFound);
        default: return static_cast<Code>(error_of(status));
    }
}

Code record(Status status, const char* name) noexcept {
    tell_call_hazards();
    if (status == Status::kOk) return kSuccess;
    const Code code = code_of(status);
    try {
        const char* const known = name_of_error(code);
        const std::string& reason = failure().reason;
        DriverLog::get().add(plain_name(name) + ": " + (reason.empty() ? text_of_error(code) : reason.c_str()));
        note_failure(status, false,
                     {plain_name(name).c_str(), known == nullptr ? "CUDA_ERROR_UNKNOWN" : known, text_of_error(code)});
        // The program has the code in its hands: there is no last error to ask for.
        Runtime::get().failed_calls().read();
    } catch (const std::exception&) {
        // The code itself stays; only the note of it is lost, for want of memory.
    }
    return code;
}

TILESCOPE_DRIVER Code cuGetErrorName(Code code, const char** out) { return give_text(code, out, name_of_error); }
TILESCOPE_DRIVER Code cuGetErrorString(Code code, const char** out) { return give_text(code, out, text_of_error); }

std::span<const Entry> error_calls() {
    static const Entry kCalls[] = {TILESCOPE_THERE(cuGetErrorName), TILESCOPE_THERE(cuGetErrorString)};
    return kCalls;
}

}  // namespace tilescope::runtime::driver

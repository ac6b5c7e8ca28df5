// What a service gives back, and what a thread knows of the call of the program that is under way on it.
//
// Owns: Status and Failure. Guarantees: no code of CUDA's stands in a status; each face has one table of what it says
// instead (cudart/error.cpp). because() is how a reason in words comes with one.
#pragma once

#include <cstdint>
#include <optional>
#include <string>

#include "scope/report/profile.h"

namespace tilescope::runtime {

enum class Status : std::uint8_t {
    kOk,
    // What was asked for makes no sense.
    kInvalidValue,
    kInvalidPitch,
    kInvalidDirection,  // of a copy
    kInvalidDevice,
    kInvalidHandle,    // of a stream, an event, a module
    kInvalidFunction,  // a null pointer, or what has no code
    kStrayFunction,    // an address that is no function
    kInvalidSymbol,
    kInvalidShape,  // of a launch
    kMissingShape,  // a launch whose shape was not said before
    kUnsupportedLimit,
    kInvalidChannels,      // of an array or a texture
    kInvalidFilter,        // of a texture whose texels are integers
    kInvalidReading,       // as numbers, of what is none
    kUnsupportedAffinity,  // of a context's blocks to SMs
    kNoPeer,               // the devices cannot reach each other's memory
    kNoPeerAccess,         // nor were they told to
    kAlreadyRegistered,
    kNotRegistered,
    kIllegalState,
    kNotPermitted,
    kNotSupported,  // not yet, by us; a warning has said what
    // There is not enough.
    kOutOfMemory,
    kOutOfResources,  // of an SM
    kTooManyBlocks,   // of a cooperative launch
    kOperatingSystem,
    // The device or the code cannot be had.
    kNotInitialized,
    kUnloading,  // the program has ended
    kDeviceLost,
    kNoImage,
    kInvalidPtx,
    kNewerPtx,  // of a release that is not there yet
    // How a kernel ended.
    kIllegalAddress,
    kMisalignedAddress,
    kIllegalInstruction,
    kAssert,
    kLaunchFailure,
    kTimeout,
    // Graphs and captures.
    kUpdateRefused,
    kCaptureUnsupported,
    kCaptureInvalidated,
    kCaptureMerge,
    kCaptureUnmatched,
    kCaptureUnjoined,
    kCaptureIsolation,
    kCaptureImplicit,
    kCaptureWrongThread,
    kCapturedEvent,
    // Of the driver alone.
    kNoContext,    // none is current on the thread, or what was handed over is none
    kContextGone,  // the one that is current was destroyed
    kNotFound,     // a name within a module, an address
    kFileNotFound,
    kInvalidImage,  // neither PTX nor a container of it
    kUnlinkable,    // parts that are no program together
    kUnknown,
};

// What the call under way on this thread knows of its failure beside the status.
struct Failure {
    std::string reason;                   // in words; empty: as the face has it for the status
    std::string kernel;                   // of a launch
    std::optional<HazardKind> hazard;     // what --check memory calls it
    const void* launched_from = nullptr;  // return address behind kernel<<<...>>>, whose error no caller sees
};
Failure& failure() noexcept;
// Gives `status` back, and says why.
Status because(Status status, std::string reason);

// The address behind the call under way on this thread, in whoever called; null: not known.
const void*& called_from() noexcept;

// Whether this thread is in a function of the host that a stream or a graph calls.
bool& is_in_host_function() noexcept;

// Whether the CUDA runtime has made the device's primary context current on this thread. The driver's calls may take it
// away again.
bool& runtime_made_current() noexcept;

// Whether any thread has called the CUDA runtime, which initializes the driver and holds the primary context.
bool has_called_runtime() noexcept;

// At every call of the runtime.
void note_runtime_call() noexcept;

}  // namespace tilescope::runtime

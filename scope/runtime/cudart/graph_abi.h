// The binary interface of CUDA graphs: what programs hand over about nodes, edges and executable graphs.
//
// Guarantees: sizes are asserted here; tests/runtime compares offsets with NVIDIA's headers where those are present.
// Does not model: nodes that are refused (conditional ones, external semaphores).
#pragma once

#include "scope/runtime/cudart/abi.h"

namespace tilescope::abi {

// cudaGraphNodeType.
enum class NodeType : int {
    kKernel = 0,
    kCopy = 1,
    kSet = 2,
    kHost = 3,
    kGraph = 4,
    kEmpty = 5,
    kWaitEvent = 6,
    kRecordEvent = 7,
    kSignalSemaphore = 8,
    kWaitSemaphore = 9,
    kAllocation = 10,
    kRelease = 11,
    kConditional = 13,
};

struct KernelNode {
    const void* function;
    Dim grid, block;
    unsigned dynamic_shared;
    void** parameters;
    void** extra;  // a packed buffer of parameters instead: kExtra... with its value, each
};
static_assert(sizeof(KernelNode) == 56);
inline constexpr std::uintptr_t kExtraEnd = 0, kExtraBuffer = 1, kExtraSize = 2;

struct SetNode {
    void* target;
    std::size_t pitch;
    unsigned value, element_bytes;
    std::size_t width, height;  // elements, rows
};
static_assert(sizeof(SetNode) == 40);

using HostFunction = void (*)(void*);
struct HostNode {
    HostFunction function;
    void* data;
};
static_assert(sizeof(HostNode) == 16);

struct CopyNode {
    int flags, reserved[3];
    Memcpy3D copy;
};
static_assert(sizeof(CopyNode) == 176);

// cudaGraphNodeParams.
struct AnyNode {
    NodeType type;
    int reserved[3];
    union {
        long long bytes[29];
        KernelNode kernel;
        CopyNode copy;
        SetNode set;
        HostNode host;
        void* graph;
        void* event;
    };
    long long more;
};
static_assert(sizeof(AnyNode) == 256);

// All zero: an ordinary edge.
struct EdgeData {
    unsigned char from_port, to_port, type, reserved[5];
};
static_assert(sizeof(EdgeData) == 8);

enum class InstantiateResult : int { kSuccess = 0, kError = 1, kInvalidStructure = 2, kNotSupported = 3 };
struct InstantiateParameters {
    unsigned long long flags;
    void* upload_stream;
    void* error_node;
    InstantiateResult result;
};
static_assert(sizeof(InstantiateParameters) == 32);
inline constexpr unsigned long long kAutoFree = 1, kUpload = 2, kDeviceLaunch = 4, kNodePriority = 8;

enum class UpdateResult : int {
    kSuccess = 0,
    kError = 1,
    kTopologyChanged = 2,
    kTypeChanged = 3,
    kFunctionChanged = 4,
    kParametersChanged = 5,
    kNotSupported = 6,
    kUnsupportedFunctionChange = 7,
    kAttributesChanged = 8,
};
struct UpdateInfo {
    UpdateResult result;
    void *error_node, *error_from_node;
};
static_assert(sizeof(UpdateInfo) == 24);

enum class CaptureStatus : int { kNone = 0, kActive = 1, kInvalidated = 2 };
enum class CaptureMode : int { kGlobal = 0, kThreadLocal = 1, kRelaxed = 2 };

}  // namespace tilescope::abi

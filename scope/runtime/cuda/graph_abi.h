// The binary interface of the driver's graphs, where it is not the runtime's.
#pragma once

#include "scope/runtime/cuda/abi.h"
#include "scope/runtime/cudart/graph_abi.h"

namespace tilescope::runtime::driver {

struct CopyNode {
    int flags, reserved;
    void* context;
    Memcpy3D copy;
};
static_assert(sizeof(CopyNode) == 216);

struct SetNode {
    abi::SetNode set;
    void* context;
};
static_assert(sizeof(SetNode) == 48);

// CUgraphNodeParams.
struct AnyNode {
    abi::NodeType type;
    int reserved[3];
    union {
        long long bytes[29];
        KernelNode kernel;
        CopyNode copy;
        SetNode set;
        abi::HostNode host;
        struct {
            void* graph;
            int becomes;  // how a graph becomes another's: 0 a copy of it
        } child;
        void* event;
    };
    long long more;
};
static_assert(sizeof(AnyNode) == 256);

}  // namespace tilescope::runtime::driver

// Structures of libraries and checkpoints.
#pragma once

#include "tilescope/driver/handles.h"
#include "tilescope/driver/module_enums.h"

struct CUlibraryHostUniversalFunctionAndDataTable_st {
    void* functionTable;
    size_t functionWindowSize;
    void* dataTable;
    size_t dataWindowSize;
};
typedef struct CUlibraryHostUniversalFunctionAndDataTable_st CUlibraryHostUniversalFunctionAndDataTable;
struct CUcheckpointLockArgs_st {
    unsigned int timeoutMs;
    unsigned int reserved0;
    cuuint64_t reserved1[7];
};
typedef struct CUcheckpointLockArgs_st CUcheckpointLockArgs;
struct CUcheckpointCheckpointArgs_st {
    cuuint64_t reserved[8];
};
typedef struct CUcheckpointCheckpointArgs_st CUcheckpointCheckpointArgs;
struct CUcheckpointGpuPair_st {
    CUuuid oldUuid;
    CUuuid newUuid;
};
typedef struct CUcheckpointGpuPair_st CUcheckpointGpuPair;
struct CUcheckpointRestoreArgs_st {
    CUcheckpointGpuPair* gpuPairs;
    unsigned int gpuPairsCount;
    char reserved[44];
    cuuint64_t reserved1;
};
typedef struct CUcheckpointRestoreArgs_st CUcheckpointRestoreArgs;
struct CUcheckpointUnlockArgs_st {
    cuuint64_t reserved[8];
};
typedef struct CUcheckpointUnlockArgs_st CUcheckpointUnlockArgs;

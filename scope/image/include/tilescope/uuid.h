// A device's name for good, as the runtime and the driver call it.
#pragma once

typedef struct CUuuid_st {
    char bytes[16];
} CUuuid;
typedef CUuuid cudaUUID_t;

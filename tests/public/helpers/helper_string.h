// Flags of a command line by the names that NVIDIA's samples use for theirs: "-name" and "-name=12". Ours.
#pragma once
#include <stdlib.h>
#include <string.h>

#include <string>

inline bool checkCmdLineFlag(const int argc, const char** argv, const char* name) {
    for (int i = 1; i < argc; i++)
        if (std::string(argv[i]).find(name) <= 2) return true;
    return false;
}

inline int getCmdLineArgumentInt(const int argc, const char** argv, const char* name) {
    for (int i = 1; i < argc; i++)
        if (const char* at = strstr(argv[i], name)) return atoi(at + strlen(name));
    return 0;
}

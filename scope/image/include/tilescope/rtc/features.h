// In place of the host's library's, where nvcc compiles what a program gave to NVRTC: there is no such library.
#pragma once

#define __GNUC_PREREQ(major, minor) 0
#define __GLIBC_USE_ISOC23 0

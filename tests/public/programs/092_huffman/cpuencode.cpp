#include "cpuencode.h"
extern "C" void cpu_vlc_encode(const unsigned int* indata, unsigned int n, unsigned int* outdata, unsigned int* outbits,
                               const unsigned int* words, const unsigned int* lengths) {
    unsigned int at = 0;
    for (unsigned int i = 0; i < n; i++)
        for (unsigned int b = lengths[indata[i]]; b-- > 0; at++)
            if (words[indata[i]] >> b & 1) outdata[at / 32] |= 1u << (31 - at % 32);
    *outbits = at;
}

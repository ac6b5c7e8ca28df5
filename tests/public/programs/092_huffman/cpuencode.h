// The host's way to put code words one after another.
#pragma once
extern "C" void cpu_vlc_encode(const unsigned int* indata, unsigned int n, unsigned int* outdata, unsigned int* outbits,
                               const unsigned int* words, const unsigned int* lengths);

// cudaCreateChannelDesc<T>(): the channel format of an element type.
#pragma once

#include "cuda_runtime_api.h"

#if defined(__cplusplus)
namespace tilescope_cuda {

template <class T>
struct Channels {
    static constexpr int count = 0, bits = 0;
    static constexpr cudaChannelFormatKind kind = cudaChannelFormatKindNone;
};

#define TILESCOPE_CHANNELS(type, element, n, kind_)                                 \
    template <>                                                                     \
    struct Channels<type> {                                                         \
        static constexpr int count = n, bits = 8 * sizeof(element);                 \
        static constexpr cudaChannelFormatKind kind = cudaChannelFormatKind##kind_; \
    };
#define TILESCOPE_CHANNEL_FAMILY(name, element, kind) \
    TILESCOPE_CHANNELS(element, element, 1, kind)     \
    TILESCOPE_CHANNELS(name##1, element, 1, kind)     \
    TILESCOPE_CHANNELS(name##2, element, 2, kind)     \
    TILESCOPE_CHANNELS(name##4, element, 4, kind)

TILESCOPE_CHANNELS(char, char, 1, Signed)
TILESCOPE_CHANNEL_FAMILY(char, signed char, Signed)
TILESCOPE_CHANNEL_FAMILY(uchar, unsigned char, Unsigned)
TILESCOPE_CHANNEL_FAMILY(short, short, Signed)
TILESCOPE_CHANNEL_FAMILY(ushort, unsigned short, Unsigned)
TILESCOPE_CHANNEL_FAMILY(int, int, Signed)
TILESCOPE_CHANNEL_FAMILY(uint, unsigned int, Unsigned)
TILESCOPE_CHANNEL_FAMILY(float, float, Float)

#undef TILESCOPE_CHANNEL_FAMILY
#undef TILESCOPE_CHANNELS

}  // namespace tilescope_cuda

template <class T>
inline cudaChannelFormatDesc cudaCreateChannelDesc() {
    using Of = tilescope_cuda::Channels<T>;
    return cudaCreateChannelDesc(Of::bits, Of::count >= 2 ? Of::bits : 0, Of::count >= 4 ? Of::bits : 0,
                                 Of::count >= 4 ? Of::bits : 0, Of::kind);
}

static __inline__ cudaChannelFormatDesc cudaCreateChannelDescHalf() {
    return cudaCreateChannelDesc(16, 0, 0, 0, cudaChannelFormatKindFloat);
}
static __inline__ cudaChannelFormatDesc cudaCreateChannelDescHalf1() { return cudaCreateChannelDescHalf(); }
static __inline__ cudaChannelFormatDesc cudaCreateChannelDescHalf2() {
    return cudaCreateChannelDesc(16, 16, 0, 0, cudaChannelFormatKindFloat);
}
static __inline__ cudaChannelFormatDesc cudaCreateChannelDescHalf4() {
    return cudaCreateChannelDesc(16, 16, 16, 16, cudaChannelFormatKindFloat);
}

// Of channels that are numbers from 0 or -1 to 1 by their kind.
template <cudaChannelFormatKind kKind>
static __inline__ cudaChannelFormatDesc cudaCreateChannelDesc() {
    static_assert(
        kKind >= cudaChannelFormatKindUnsignedNormalized8X1 && kKind <= cudaChannelFormatKindSignedNormalized16X4,
        "a kind that says how many bits its channels have");
    const int index = kKind - cudaChannelFormatKindUnsignedNormalized8X1;
    const int bits = index / 3 % 2 == 0 ? 8 : 16, count = index % 3;
    return cudaCreateChannelDesc(bits, count >= 1 ? bits : 0, count == 2 ? bits : 0, count == 2 ? bits : 0, kKind);
}
#endif

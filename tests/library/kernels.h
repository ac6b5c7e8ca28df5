// Small kernels of the library's tests.
#pragma once

namespace tilescope::library {

// copy(float* in, float* out, unsigned stride): out[i] = in[i * stride], a thread an element.
inline constexpr const char* kCopy = R"(
.version 7.0
.target sm_80
.address_size 64
.global .align 4 .u32 counted = 7;
.visible .entry copy(.param .u64 in, .param .u64 out, .param .u32 stride)
{
    .reg .b32 %r<6>;
    .reg .f32 %f;
    .reg .b64 %rd<6>;
    ld.param.u64 %rd0, [in];
    ld.param.u64 %rd1, [out];
    ld.param.u32 %r0, [stride];
    mov.u32 %r1, %ctaid.x;
    mov.u32 %r2, %ntid.x;
    mov.u32 %r3, %tid.x;
    mad.lo.s32 %r4, %r1, %r2, %r3;
    mul.lo.s32 %r5, %r4, %r0;
    mul.wide.u32 %rd2, %r5, 4;
    add.s64 %rd3, %rd0, %rd2;
    mul.wide.u32 %rd4, %r4, 4;
    add.s64 %rd5, %rd1, %rd4;
    ld.global.f32 %f, [%rd3];
    st.global.f32 [%rd5], %f;
    ret;
}
.visible .entry race(.param .u64 out)
{
    .reg .b32 %r<3>;
    .reg .b64 %rd<3>;
    .shared .align 4 .b8 tile[256];
    mov.u32 %r0, %tid.x;
    mov.u64 %rd1, tile;
    mul.wide.u32 %rd2, %r0, 4;
    add.s64 %rd2, %rd1, %rd2;
    st.shared.u32 [%rd2], %r0;
    ld.shared.u32 %r1, [tile + 252];
    ld.param.u64 %rd0, [out];
    st.global.u32 [%rd0], %r1;
    ret;
}
.visible .entry endless()
{
    .reg .b32 %r0;
    mov.u32 %r0, 0;
AGAIN:
    add.u32 %r0, %r0, 1;
    bra AGAIN;
}
)";

}  // namespace tilescope::library

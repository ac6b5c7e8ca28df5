// A fat binary as a compiled program registers it, made of PTX text.
#pragma once

#include <cstddef>
#include <string_view>
#include <vector>

#include "scope/image/fatbinary.h"
#include "tests/runtime/api.h"

namespace tilescope::runtime {

class ProgramImage {
public:
    explicit ProgramImage(std::string_view ptx) : bytes_(image::write_fatbinary(ptx, 80, 78, "test.cu")) {
        wrapper_.container = bytes_.data();
        handle_ = __cudaRegisterFatBinary(&wrapper_);
    }
    ~ProgramImage() { __cudaUnregisterFatBinary(handle_); }
    ProgramImage(const ProgramImage&) = delete;
    ProgramImage& operator=(const ProgramImage&) = delete;

    // `stub` is any address of the test's own that stands for the host function or variable.
    void kernel(const void* stub, const char* entry) {
        __cudaRegisterFunction(handle_, static_cast<const char*>(stub), nullptr, entry, -1, nullptr, nullptr, nullptr,
                               nullptr, nullptr);
    }
    void variable(void* shadow, const char* name, std::size_t size) {
        __cudaRegisterVar(handle_, static_cast<char*>(shadow), nullptr, name, 0, size, 0, 0);
    }
    void managed(void** slot, const char* name, std::size_t size) {
        __cudaRegisterManagedVar(handle_, slot, nullptr, name, 0, size, 0, 0);
    }
    void** handle() const { return handle_; }
    std::vector<std::byte>& bytes() { return bytes_; }
    image::FatbinWrapper& wrapper() { return wrapper_; }

private:
    std::vector<std::byte> bytes_;
    image::FatbinWrapper wrapper_{image::kFatbinWrapperMagic, 1, nullptr, nullptr};
    void** handle_ = nullptr;
};

// Kernels: set(int* p, int v) p[tid] = v; table(int* p) p[tid] = numbers[tid] + base; strange(), which nothing can run.
inline constexpr const char* kPtx = R"(
.version 7.8
.target sm_80
.address_size 64
.const .align 4 .b8 numbers[32];
.global .align 4 .u32 base = 7;

.visible .entry set(.param .u64 set_p, .param .u32 set_v)
{
    .reg .b32 %r<4>;
    .reg .b64 %rd<5>;
    ld.param.u64 %rd1, [set_p];
    ld.param.u32 %r1, [set_v];
    cvta.to.global.u64 %rd2, %rd1;
    mov.u32 %r2, %tid.x;
    mul.wide.u32 %rd3, %r2, 4;
    add.s64 %rd4, %rd2, %rd3;
    st.global.u32 [%rd4], %r1;
    ret;
}

.visible .entry table(.param .u64 table_p)
{
    .reg .b32 %r<6>;
    .reg .b64 %rd<8>;
    ld.param.u64 %rd1, [table_p];
    cvta.to.global.u64 %rd2, %rd1;
    mov.u32 %r1, %tid.x;
    mul.wide.u32 %rd3, %r1, 4;
    mov.u64 %rd4, numbers;
    add.s64 %rd5, %rd4, %rd3;
    ld.const.u32 %r2, [%rd5];
    ld.global.u32 %r3, [base];
    add.s32 %r4, %r2, %r3;
    add.s64 %rd6, %rd2, %rd3;
    st.global.u32 [%rd6], %r4;
    ret;
}

.visible .entry strange()
{
    .reg .b32 %r<2>;
    frobnicate.u32 %r1, 1;
    ret;
}
)";

}  // namespace tilescope::runtime

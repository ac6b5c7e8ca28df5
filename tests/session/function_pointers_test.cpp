// A function's address means the same to every kernel of a module.
#include <gtest/gtest.h>

#include <array>
#include <cstring>
#include "scope/session/session.h"

namespace tilescope {
namespace {

// `store` never names `first`, `call_it` names it before `second`: counted by kernel, their numbers would differ.
constexpr const char* kPointersPtx = R"(.version 7.8
.target sm_80
.address_size 64
.func (.param .u32 result) first() { st.param.u32 [result], 1; ret; }
.func (.param .u32 result) second() { st.param.u32 [result], 2; ret; }
.visible .entry store(.param .u64 p)
{
    .reg .b64 %rd<4>;
    ld.param.u64 %rd1, [p];
    mov.u64 %rd2, second;
    st.global.u64 [%rd1], %rd2;
    ret;
}
.visible .entry call_it(.param .u64 p)
{
    .reg .b64 %rd<4>;
    .reg .b32 %r<4>;
    ld.param.u64 %rd1, [p];
    mov.u64 %rd3, first;
    st.global.u64 [%rd1+8], %rd3;
    ld.global.u64 %rd2, [%rd1];
    {
        .param .u32 r;
        type: .callprototype (.param .u32 _) _ ();
        call (r), %rd2, (), type;
        ld.param.u32 %r1, [r];
    }
    st.global.u32 [%rd1+16], %r1;
    ret;
}
)";

TEST(FunctionPointers, OneKernelCallsWhatAnotherStored) {
    SessionOptions options;
    options.jobs = 1;
    const auto session = Session::create(options);
    ASSERT_TRUE(session);
    const auto module = (*session)->load_module(kPointersPtx, "pointers.ptx");
    ASSERT_TRUE(module) << render(module.errors());
    void* const storage = (*session)->memory().allocate(32, machine::AllocationKind::kDevice);
    ASSERT_NE(storage, nullptr);
    const auto address = reinterpret_cast<std::uint64_t>(storage);
    for (const char* entry : {"store", "call_it"}) {
        const auto kernel = (*session)->find_kernel(*module, entry);
        ASSERT_TRUE(kernel);
        LaunchRequest request;
        request.kernel = *kernel;
        request.parameters = std::as_bytes(std::span(&address, 1));
        const LaunchResult result = (*session)->launch(request);
        ASSERT_EQ(result.status, LaunchStatus::kOk) << render(result.diagnostics);
    }
    std::array<std::uint64_t, 4> stored{};
    std::memcpy(stored.data(), (*session)->memory().bytes(storage), sizeof stored);
    EXPECT_NE(stored[0], 0u);
    EXPECT_NE(stored[0], stored[1]);
    EXPECT_EQ(static_cast<std::uint32_t>(stored[2]), 2u);
    (*session)->memory().release(storage);
}

// An object's first word points to its table of functions, as with virtual functions.
constexpr const char* kVirtualPtx = R"(.version 7.8
.target sm_80
.address_size 64
.visible .entry call_it(.param .u64 object)
{
    .reg .b64 %rd<4>;
    .reg .b32 %r<2>;
    ld.param.u64 %rd1, [object];
    ld.global.u64 %rd2, [%rd1];
    ld.u64 %rd3, [%rd2];
    {
        .param .b64 self;
        .param .b32 r;
        st.param.b64 [self], %rd1;
        type: .callprototype (.param .b32 _) _ (.param .b64 _);
        call (r), %rd3, (self), type;
        ld.param.b32 %r1, [r];
    }
    st.global.u32 [%rd1+8], %r1;
    ret;
}
)";

TEST(FunctionPointers, VirtualCallOfAnObjectOfTheHostSaysSo) {
    const auto session = Session::create({});
    ASSERT_TRUE(session);
    const auto module = (*session)->load_module(kVirtualPtx, "virtual.ptx");
    ASSERT_TRUE(module) << render(module.errors());
    const auto kernel = (*session)->find_kernel(*module, "call_it");
    ASSERT_TRUE(kernel);
    const std::uint64_t table[2] = {0x401000, 0};
    void* const object = (*session)->memory().allocate(16, machine::AllocationKind::kDevice);
    const auto address = reinterpret_cast<std::uint64_t>(object);
    const auto launch = [&](std::uint64_t first_word) {
        std::memcpy((*session)->memory().bytes(object), &first_word, sizeof first_word);
        LaunchRequest request;
        request.kernel = *kernel;
        request.parameters = std::as_bytes(std::span(&address, 1));
        return (*session)->launch(request);
    };
    LaunchResult result = launch(reinterpret_cast<std::uint64_t>(table));
    EXPECT_EQ(result.status, LaunchStatus::kFault);
    ASSERT_TRUE(result.hazard);
    EXPECT_EQ(result.hazard->kind, HazardKind::kOutOfBounds);
    EXPECT_NE(result.hazard->message.find("an object that the host constructed"), std::string::npos)
        << result.hazard->message;
    (*session)->memory().release(object);
}

}  // namespace
}  // namespace tilescope

#include "scope/image/device_link.h"

#include <gtest/gtest.h>

namespace tilescope::image {
namespace {

TEST(DeviceLink, WhatIsStaticHasOneName) {
    const std::string code =
        "@_ZL5calls = external dso_local addrspace(1) global i32, align 4\n"
        "@_ZL5calls__static__1f = dso_local addrspace(1) externally_initialized global i32 5\n"
        "@_ZL5calls2 = internal addrspace(1) global i32 0\n"
        "  store ptr @_ZL5calls, ptr @_ZL5calls2, !dbg !7 ; @\n"
        "  call void @\"a b\"(ptr @_ZL5calls__static__1f)\n";
    EXPECT_EQ(with_static_names(code),
              "@_ZL5calls__static__1f = dso_local addrspace(1) externally_initialized global i32 5\n"
              "@_ZL5calls2 = internal addrspace(1) global i32 0\n"
              "  store ptr @_ZL5calls__static__1f, ptr @_ZL5calls2, !dbg !7 ; @\n"
              "  call void @\"a b\"(ptr @_ZL5calls__static__1f)\n");
    const std::string plain = "@x = external global i32\n@\n";
    EXPECT_EQ(with_static_names(plain), plain);
}

TEST(DeviceLink, WhatRegistersAFile) {
    EXPECT_EQ(registering_function("call void @__cudaRegisterLinkedBinary__nv_93(ptr @a, ptr @b, ptr @c, ptr @d)\n"),
              "__cudaRegisterLinkedBinary__nv_93");
    EXPECT_EQ(registering_function("call void @__cudaRegisterFatBinary(ptr @a)"), "");
    EXPECT_EQ(registering_function("@__cudaRegisterLinkedBinary"), "");
}

TEST(DeviceLink, APathOfAnyKindIsAString) {
    const std::string source = registration_source({"one", "two"}, "/tmp/a \"b\\c");
    EXPECT_NE(source.find(R"(.incbin \"/tmp/a \\\"b\\\\c\"\n)"), std::string::npos) << source;
    EXPECT_NE(source.find("void one(void (*file)(void**)"), std::string::npos);
    EXPECT_NE(source.find("void two(void (*file)(void**)"), std::string::npos);
}

}  // namespace
}  // namespace tilescope::image

// The steps between clang and its optimizer, and behind it: variables that others write, casts, managed variables.
#include <gtest/gtest.h>

#include "scope/image/global_linkage.h"
#include "scope/image/managed_variables.h"
#include "scope/image/saturating_casts.h"

namespace tilescope::image {
namespace {

TEST(GlobalLinkage, VariablesThatOthersWriteArePublicWhileTheOptimizerRuns) {
    const PublicGlobals open = publish_globals(
        "@_ZZ1kvE1s = internal addrspace(3) global float undef, align 4\n"
        "@_ZL4flag = internal unnamed_addr addrspace(1) global i32 0, align 4\n"
        "@_ZN12_GLOBAL__N_11cE = internal addrspace(4) global [4 x float] zeroinitializer, align 4\n"
        "@\"a = b\" = internal addrspace(1) externally_initialized global i32 0\n");
    EXPECT_EQ(open.llvm_ir,
              "@_ZZ1kvE1s = addrspace(3) global float undef, align 4\n"
              "@_ZL4flag = unnamed_addr addrspace(1) global i32 0, align 4\n"
              "@_ZN12_GLOBAL__N_11cE = addrspace(4) global [4 x float] zeroinitializer, align 4\n"
              "@\"a = b\" = addrspace(1) externally_initialized global i32 0\n");
    EXPECT_EQ(open.names.size(), 4u);
    EXPECT_EQ(hide_globals("@_ZZ1kvE1s = dso_local local_unnamed_addr addrspace(3) global float undef, align 4\n",
                           open.names),
              "@_ZZ1kvE1s = internal local_unnamed_addr addrspace(3) global float undef, align 4\n");
}

TEST(GlobalLinkage, WhatNobodyElseWritesStaysAsItIs) {
    const std::string text =
        "@_ZL5plain = internal addrspace(4) constant [2 x i32] [i32 4, i32 5], align 4\n"
        "@.str = private unnamed_addr constant [6 x i8] c\"= int\\00\", align 1\n"
        "@_ZL1t = internal global i32 0\n"
        "@a = dso_local addrspace(1) externally_initialized global i32 5, align 4\n"
        "define internal void @f() {\n"
        "  store i32 1, ptr addrspace(1) @a\n"
        "}\n";
    const PublicGlobals open = publish_globals(text);
    EXPECT_EQ(open.llvm_ir, text);
    EXPECT_TRUE(open.names.empty());
    EXPECT_EQ(hide_globals(text, open.names), text);
}

TEST(SaturatingCasts, BecomeOneInstructionOfTheDevice) {
    EXPECT_EQ(use_device_casts("  %5 = tail call i32 @llvm.fptosi.sat.i32.f32(float %4), !dbg !7\n"),
              "  %5 = fptosi float %4 to i32, !dbg !7\n");
    EXPECT_EQ(use_device_casts("  %x = call noundef i64 @llvm.fptoui.sat.i64.f64(double %4) #3, !dbg !7\n"),
              "  %x = fptoui double %4 to i64, !dbg !7\n");
    EXPECT_EQ(use_device_casts("  %5 = call <2 x i32> @llvm.fptosi.sat.v2i32.v2f32(<2 x float> %4) #3\n"),
              "  %5 = fptosi <2 x float> %4 to <2 x i32>\n");
}

TEST(SaturatingCasts, ToLessThan32BitsCutTheResultOf32) {
    EXPECT_EQ(use_device_casts("  %5 = tail call i8 @llvm.fptoui.sat.i8.f32(float %4), !dbg !7\n"),
              "  %tilescope.cast.5 = fptoui float %4 to i32, !dbg !7\n"
              "  %5 = trunc i32 %tilescope.cast.5 to i8, !dbg !7\n");
}

TEST(SaturatingCasts, LeaveOtherLinesAlone) {
    const std::string text =
        "declare i32 @llvm.fptosi.sat.i32.f32(float) #1\n"
        "  %5 = fptosi float %4 to i32\n"
        "  call void @f(float %4)\n";
    EXPECT_EQ(use_device_casts(text), text);
}

TEST(ManagedVariables, AreMarkedInDeviceCode) {
    const std::string variable =
        "@a = dso_local addrspace(1) externally_initialized global i32 5, section \"tilescope_managed\", align 4\n";
    EXPECT_EQ(mark_managed(variable + "!nvvm.annotations = !{!8}\n!8 = !{ptr @k, !\"kernel\", i32 1}\n", false),
              variable +
                  "!nvvm.annotations = !{!9, !8}\n!8 = !{ptr @k, !\"kernel\", i32 1}\n"
                  "!9 = !{ptr addrspace(1) @a, !\"managed\", i32 1}\n");
    EXPECT_EQ(mark_managed(variable, false),
              variable + "!nvvm.annotations = !{!0}\n!0 = !{ptr addrspace(1) @a, !\"managed\", i32 1}\n");
}

TEST(ManagedVariables, AreMarkedWithTheirTypesBeforeRelease15) {
    const auto mark_of = [](const std::string& type) {
        const std::string text = mark_managed("@a = dso_local addrspace(1) externally_initialized global " + type +
                                                  " zeroinitializer, section \"tilescope_managed\"\n",
                                              true);
        const std::size_t start = text.rfind("!{") + 2;
        return text.substr(start, text.rfind(", !\"managed\"") - start);
    };
    EXPECT_EQ(mark_of("i32"), "i32 addrspace(1)* @a");
    EXPECT_EQ(mark_of("%struct.S"), "%struct.S addrspace(1)* @a");
    EXPECT_EQ(mark_of("[2 x [3 x i32]]"), "[2 x [3 x i32]] addrspace(1)* @a");
    EXPECT_EQ(mark_of("{ i32, i8* }"), "{ i32, i8* } addrspace(1)* @a");
    EXPECT_EQ(mark_of("i32 addrspace(3)*"), "i32 addrspace(3)* addrspace(1)* @a");
    EXPECT_EQ(mark_of("i32 (i32, float)*"), "i32 (i32, float)* addrspace(1)* @a");
}

TEST(ManagedVariables, OfAnotherMemoryAreFound) {
    const std::string start = "@a = dso_local addrspace(", end = ") global i32 0, section \"tilescope_managed\"\n";
    EXPECT_EQ(misplaced_managed(start + "1" + end), "");
    EXPECT_EQ(misplaced_managed(start + "3" + end), "a");
    EXPECT_EQ(misplaced_managed(start + "4" + end), "a");
    EXPECT_EQ(misplaced_managed("@b = dso_local addrspace(3) global i32 0\n"), "");
}

TEST(ManagedVariables, ConstantOnesAreFound) {
    EXPECT_EQ(constant_managed("@_ZL1a = internal constant i32 undef, section \"tilescope_managed\"\n"), "_ZL1a");
    EXPECT_EQ(constant_managed("@a = internal global i32 undef, section \"tilescope_managed\"\n"), "");
    EXPECT_EQ(constant_managed("@a = internal constant i32 undef\n"), "");
}

TEST(ManagedVariables, AreRegisteredAsTheHostsOwnMemory) {
    EXPECT_EQ(register_managed("@a = internal global i32 undef, section \"tilescope_managed\", align 512\n"
                               "@b = internal global i32 undef, align 4\n"
                               "  tail call void @__cudaRegisterVar(ptr %1, ptr nonnull @a, ptr @2, i32 0)\n"
                               "  tail call void @__cudaRegisterVar(ptr %1, ptr nonnull @b, ptr @3, i32 0)\n"
                               "declare void @__cudaRegisterVar(ptr, ptr, ptr, i32)\n"),
              "@a = internal externally_initialized global i32 undef, section \"tilescope_managed\", align 512\n"
              "@b = internal global i32 undef, align 4\n"
              "  tail call void @__cudaTilescopeRegisterManaged(ptr %1, ptr nonnull @a, ptr @2, i32 0)\n"
              "  tail call void @__cudaRegisterVar(ptr %1, ptr nonnull @b, ptr @3, i32 0)\n"
              "declare void @__cudaRegisterVar(ptr, ptr, ptr, i32)\n"
              "declare void @__cudaTilescopeRegisterManaged(ptr, ptr, ptr, i32)\n");
}

TEST(ManagedVariables, RegistrationComesBeforeTheProgramsConstructors) {
    EXPECT_EQ(
        register_managed(
            "@llvm.global_ctors = appending global [2 x { i32, ptr, ptr }] [{ i32, ptr, ptr } { i32 65535, ptr "
            "@_GLOBAL__sub_I_a.cu, ptr null }, { i32, ptr, ptr } { i32 65535, ptr @__cuda_module_ctor, ptr null }]\n"),
        "@llvm.global_ctors = appending global [2 x { i32, ptr, ptr }] [{ i32, ptr, ptr } { i32 65535, ptr "
        "@_GLOBAL__sub_I_a.cu, ptr null }, { i32, ptr, ptr } { i32 101, ptr @__cuda_module_ctor, ptr null }]\n");
}

}  // namespace
}  // namespace tilescope::image

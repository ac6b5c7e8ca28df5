#include "scope/image/fatbinary.h"

#include <cstring>

#include "tests/image/support.h"

namespace tilescope::image {
namespace {

using test::kEmptyKernel;
using test::nvcc;

constexpr const char* kKernelToPack = "__global__ void k(float* p) { p[threadIdx.x] *= 2.0f; }\n";

class Fatbinary : public test::Scratch {
protected:
    std::vector<FatEntry> built(const std::vector<std::string>& flags) {
        std::vector<std::string> command = {nvcc().string(), "-fatbin", write("k.cu", kKernelToPack).string(), "-o",
                                            (folder() / "k.fatbin").string()};
        command.insert(command.end(), flags.begin(), flags.end());
        run(command);
        auto entries = parse_fatbinary(test::read_bytes(folder() / "k.fatbin"));
        EXPECT_TRUE(entries) << render(entries.errors());
        return entries ? *entries : std::vector<FatEntry>();
    }
};

TEST_F(Fatbinary, WhatIsWrittenIsRead) {
    const auto bytes = write_fatbinary(kEmptyKernel, 90, 78, "a.cu");
    EXPECT_EQ(container_size(bytes.data()), bytes.size());
    const auto entries = parse_fatbinary(bytes);
    ASSERT_TRUE(entries) << render(entries.errors());
    ASSERT_EQ(entries->size(), 1u);
    const FatEntry& entry = entries->front();
    EXPECT_EQ(entry.kind, FatKind::kPtx);
    EXPECT_EQ(entry.sm, 90u);
    EXPECT_FALSE(entry.arch_specific);
    EXPECT_EQ(entry.name, "a.cu");
    EXPECT_EQ(entry.text(), kEmptyKernel);
    EXPECT_EQ(entry.options, "");
    const auto told = parse_fatbinary(write_fatbinary(kEmptyKernel, 90, 78, "a.cu", " --fmad false"));
    ASSERT_TRUE(told) << render(told.errors());
    EXPECT_EQ(told->front().options, " --fmad false");
    EXPECT_EQ(told->front().name, "a.cu");
    EXPECT_EQ(told->front().text(), kEmptyKernel);
}

TEST_F(Fatbinary, ContainersThatFollowOneAnotherAreAllRead) {
    auto bytes = write_fatbinary(kEmptyKernel, 80, 78);
    const auto second = write_fatbinary(kEmptyKernel, 90, 78);
    bytes.insert(bytes.end(), second.begin(), second.end());
    bytes.resize(bytes.size() + 8);  // a section's padding
    const auto entries = parse_fatbinary(bytes);
    ASSERT_TRUE(entries) << render(entries.errors());
    ASSERT_EQ(entries->size(), 2u);
    EXPECT_EQ((*entries)[0].sm, 80u);
    EXPECT_EQ((*entries)[1].sm, 90u);
}

TEST_F(Fatbinary, EveryTruncationIsAnError) {
    const auto bytes = write_fatbinary(kEmptyKernel, 90, 78, "a.cu");
    for (std::size_t size = 0; size < bytes.size(); ++size) {
        // A copy of its own, so that a sanitizer sees a read past the end.
        const std::vector<std::byte> cut(bytes.begin(), bytes.begin() + size);
        const auto entries = parse_fatbinary(cut, "cut.fatbin");
        ASSERT_FALSE(entries) << size;
        EXPECT_EQ(entries.errors().front().code, "image-fatbin");
        EXPECT_EQ(entries.errors().front().location.file, "cut.fatbin");
    }
}

TEST_F(Fatbinary, AnotherMagicOrVersionIsAnError) {
    auto bytes = write_fatbinary(kEmptyKernel, 90, 78);
    bytes[4] = std::byte{9};
    EXPECT_FALSE(parse_fatbinary(bytes));
    EXPECT_EQ(container_size(bytes.data()), 0u);
    bytes = write_fatbinary(kEmptyKernel, 90, 78);
    bytes[0] = std::byte{0};
    EXPECT_FALSE(parse_fatbinary(bytes));
    EXPECT_EQ(container_size(bytes.data()), 0u);
}

TEST_F(Fatbinary, AHugeClaimedSizeIsAnErrorNotAnAllocation) {
    auto bytes = write_fatbinary(kEmptyKernel, 90, 78);
    const std::uint64_t flags = 0x2011, huge = std::uint64_t{1} << 29;
    const std::uint32_t compressed = 16;
    std::memcpy(bytes.data() + 16 + 16, &compressed, sizeof compressed);
    std::memcpy(bytes.data() + 16 + 40, &flags, sizeof flags);
    std::memcpy(bytes.data() + 16 + 56, &huge, sizeof huge);
    EXPECT_FALSE(parse_fatbinary(bytes));
}

TEST_F(Fatbinary, NvccsCompressionsHoldTheSamePtx) {
    TILESCOPE_NEEDS(nvcc(), "nvcc");
    const std::vector<std::string> codes = {"-lineinfo",
                                            "-gencode",
                                            "arch=compute_90,code=[compute_90,sm_90]",
                                            "-gencode",
                                            "arch=compute_80,code=compute_80",
                                            "-gencode",
                                            "arch=compute_90a,code=compute_90a"};
    std::string plain;
    for (const char* mode : {"none", "speed", "size", "balance"}) {
        std::vector<std::string> flags = codes;
        flags.push_back(std::string("--compress-mode=") + mode);
        const auto entries = built(flags);
        ASSERT_EQ(entries.size(), 4u) << mode;
        std::vector<std::string> ptx;
        unsigned cubins = 0;
        for (const FatEntry& entry : entries) {
            if (entry.kind == FatKind::kCubin) {
                ++cubins;
                EXPECT_EQ(entry.sm, 90u);
                ASSERT_GT(entry.payload.size(), 64u);
                EXPECT_EQ(std::memcmp(entry.payload.data(), "\177ELF", 4), 0) << mode;
                continue;
            }
            EXPECT_TRUE(entry.name.ends_with("k.cu")) << entry.name;
            const std::string target =
                ".target sm_" + std::to_string(entry.sm) + (entry.arch_specific ? "a" : "") + "\n";
            EXPECT_NE(entry.text().find(target), std::string_view::npos) << mode;
            if (entry.sm == 90 && !entry.arch_specific) ptx.emplace_back(entry.text());
        }
        EXPECT_EQ(cubins, 1u);
        ASSERT_EQ(ptx.size(), 1u);
        if (plain.empty()) plain = ptx[0];
        EXPECT_EQ(ptx[0], plain) << mode;
        EXPECT_NE(plain.find(".entry _Z1kPf"), std::string::npos);
    }
}

TEST_F(Fatbinary, OptionsBesidePtxAreRead) {
    TILESCOPE_NEEDS(nvcc(), "nvcc");
    const auto entries = built({"-lineinfo", "-gencode", "arch=compute_90,code=compute_90"});
    ASSERT_EQ(entries.size(), 1u);
    EXPECT_NE(entries[0].options.find("--generate-line-info"), std::string::npos);
}

TEST_F(Fatbinary, DamagedCompressedCodeIsAnError) {
    TILESCOPE_NEEDS(nvcc(), "nvcc");
    for (const char* mode : {"speed", "size"}) {
        built({std::string("--compress-mode=") + mode, "-gencode", "arch=compute_90,code=compute_90"});
        const auto bytes = test::read_bytes(folder() / "k.fatbin");
        auto longer = bytes;
        longer[16 + 56] ^= std::byte{1};  // the claimed size
        EXPECT_FALSE(parse_fatbinary(longer)) << mode;
        auto shorter = bytes;
        shorter[16 + 16] = std::byte{3};  // compressed size, low byte
        shorter[16 + 17] = std::byte{0};
        EXPECT_FALSE(parse_fatbinary(shorter)) << mode;
    }
}

}  // namespace
}  // namespace tilescope::image

#include "scope/base/npy.h"
#include "tests/scratch.h"

#include <gtest/gtest.h>

#include <cstring>
#include <filesystem>

namespace tilescope {
namespace {

std::vector<std::byte> bytes_of(std::string_view text) {
    std::vector<std::byte> bytes(text.size());
    if (!text.empty()) std::memcpy(bytes.data(), text.data(), text.size());
    return bytes;
}

// A file with this header dictionary and so many bytes of data.
Result<NpyArray> parse(const std::string& dictionary, std::size_t data, int major = 1) {
    std::string text = "\x93NUMPY";
    text += static_cast<char>(major);
    text += '\0';
    for (int i = 0; i < (major == 1 ? 2 : 4); ++i) text += static_cast<char>(dictionary.size() >> (8 * i) & 0xFF);
    return parse_npy(bytes_of(text + dictionary + std::string(data, 'x')), "test.npy");
}

std::string failure(const std::string& dictionary, std::size_t data = 0, int major = 1) {
    auto array = parse(dictionary, data, major);
    return array ? "" : array.errors()[0].message;
}

TEST(Npy, ComesBackAsItWent) {
    const std::string file = scratch_file("npy_test.npy");
    for (const std::vector<std::uint64_t>& shape : {std::vector<std::uint64_t>{2, 3}, {6}, {}, {0, 4}, {1, 1, 6}}) {
        const std::vector<std::byte> data = bytes_of(std::string(*element_count(shape) * 4, 'a'));
        ASSERT_TRUE(write_npy(file, 'i', 4, shape, data));
        auto array = read_npy(file);
        ASSERT_TRUE(array) << render(array.errors());
        EXPECT_EQ(array->shape, shape);
        EXPECT_EQ(array->kind, 'i');
        EXPECT_EQ(array->item_bytes, 4U);
        EXPECT_EQ(array->data, data);
    }
    std::filesystem::remove(file);
}

TEST(Npy, HeaderIsWhatNumpyWrites) {
    const std::uint64_t shape[] = {3};
    const std::string header = npy_header('u', 1, shape);
    EXPECT_EQ(header.size() % 64, 0U);
    EXPECT_EQ(header.substr(10, 60), "{'descr': '|u1', 'fortran_order': False, 'shape': (3,), }   ");
    EXPECT_EQ(header.back(), '\n');
}

TEST(Npy, ReadsEveryVersionAndSpelling) {
    for (int major : {1, 2, 3})
        EXPECT_TRUE(parse("{'descr': '<f8', 'fortran_order': False, 'shape': (2,), }  \n", 16, major)) << major;
    EXPECT_TRUE(parse("{\"shape\":(1,2),\"descr\":\"<u2\",\"fortran_order\":False}", 4));
    EXPECT_TRUE(parse("{'descr': '|b1', 'fortran_order': False, 'shape': (), }", 1));
}

TEST(Npy, RefusesByName) {
    EXPECT_NE(failure("{'descr': '<f4', 'fortran_order': True, 'shape': (2,), }", 8).find("Fortran"),
              std::string::npos);
    EXPECT_NE(failure("{'descr': '>f4', 'fortran_order': False, 'shape': (2,), }", 8).find("big-endian"),
              std::string::npos);
    EXPECT_NE(failure("{'descr': '<c8', 'fortran_order': False, 'shape': (2,), }", 16).find("<c8"), std::string::npos);
    EXPECT_NE(failure("{'descr': '|O', 'fortran_order': False, 'shape': (2,), }", 16).find("|O"), std::string::npos);
    EXPECT_NE(failure("{'descr': [('a', '<f4')], 'fortran_order': False, 'shape': (2,), }", 8).find("structured"),
              std::string::npos);
    EXPECT_NE(failure("{'descr': '<f4', 'fortran_order': False, 'shape': (2,), }", 7).find("8 bytes"),
              std::string::npos);
    EXPECT_NE(failure("{'descr': '<f4', 'fortran_order': False, 'shape': (2,), }", 9).find("8 bytes"),
              std::string::npos);
    EXPECT_NE(failure("{'descr': '<f4', 'fortran_order': False, 'shape': (2,), }", 8, 4).find("version 4.0"),
              std::string::npos);
    EXPECT_NE(failure("{'descr': '<f4', 'shape': (2,), }", 8).find("lacks"), std::string::npos);
}

TEST(Npy, SizesThatOverflowAreErrors) {
    EXPECT_NE(failure("{'descr': '<f8', 'fortran_order': False, 'shape': (4611686018427387904,), }").find("too large"),
              std::string::npos);
    EXPECT_NE(
        failure("{'descr': '<f8', 'fortran_order': False, 'shape': (4294967296, 4294967296), }").find("too large"),
        std::string::npos);
    EXPECT_NE(failure("{'descr': '<f8', 'fortran_order': False, 'shape': (99999999999999999999,), }").find("shape"),
              std::string::npos);
    EXPECT_EQ(element_count(std::vector<std::uint64_t>{0, ~std::uint64_t{0}, 2}), 0U);
}

TEST(Npy, EveryPrefixIsAnErrorNotACrash) {
    const std::uint64_t shape[] = {2, 2};
    const std::string whole = npy_header('f', 4, shape) + std::string(16, 'x');
    ASSERT_TRUE(parse_npy(bytes_of(whole), "whole.npy"));
    for (std::size_t size = 0; size < whole.size(); ++size)
        EXPECT_FALSE(parse_npy(bytes_of(whole.substr(0, size)), "cut.npy"));
    for (const char* dictionary :
         {"", "{", "{'descr'", "{'descr':", "{'shape': (", "{'shape': (1", "{'shape': (1 2)}", "{'x': 1}", "{}", "[]"})
        EXPECT_FALSE(parse(dictionary, 0)) << dictionary;
    EXPECT_FALSE(read_npy("/nowhere/at/all.npy"));
    EXPECT_FALSE(read_npy("/"));
}

}  // namespace
}  // namespace tilescope

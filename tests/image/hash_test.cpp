#include "scope/image/hash.h"

#include <gtest/gtest.h>

namespace tilescope::image {
namespace {

// The digests are those of `printf FIELD_WITH_LENGTH | xxh128sum`.
TEST(ContentHash, IsXxh128OfFieldsAndTheirLengths) {
    EXPECT_EQ(ContentHash().finish(), "99aa06d3014798d86001c324468d497f");
    EXPECT_EQ(ContentHash().add("abc").finish(), "e65c44bb7aba03e4df313f512e822ad8");
    EXPECT_EQ(ContentHash().add(std::string(1000, 'x')).finish(), "98eefb16e9efb29bfc99f9b9988f4ba6");
}

TEST(ContentHash, WhereAFieldEndsMatters) {
    EXPECT_NE(ContentHash().add("ab").add("c").finish(), ContentHash().add("a").add("bc").finish());
    EXPECT_NE(ContentHash().add("").finish(), ContentHash().finish());
}

}  // namespace
}  // namespace tilescope::image

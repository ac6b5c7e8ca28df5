#include "scope/image/hash.h"

#include <gtest/gtest.h>

namespace tilescope::image {
namespace {

// The digests are those of `printf FIELD_WITH_LENGTH | sha256sum`.
TEST(ContentHash, IsSha256OfFieldsAndTheirLengths) {
    EXPECT_EQ(ContentHash().finish(), "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855");
    EXPECT_EQ(ContentHash().add("abc").finish(), "aab5f9ae99b2e38fb462025c8f72f570c9c811705d2a4277dc855d7fa293fe97");
    EXPECT_EQ(ContentHash().add(std::string(1000, 'x')).finish(),
              "f6b26572a562fadb7e167a2ceac55009b3f5c639dac2066da553ef7df1a912b6");
}

TEST(ContentHash, WhereAFieldEndsMatters) {
    EXPECT_NE(ContentHash().add("ab").add("c").finish(), ContentHash().add("a").add("bc").finish());
    EXPECT_NE(ContentHash().add("").finish(), ContentHash().finish());
}

}  // namespace
}  // namespace tilescope::image

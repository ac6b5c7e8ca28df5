#include "tests/trace/golden.h"

#include <gtest/gtest.h>

#include <cstdlib>
#include <fstream>
#include <sstream>

#include "tests/places.h"

namespace tilescope {

void expect_golden(const std::string& name, const std::string& got) {
    const std::string path = source_dir() + "/tests/trace/golden/" + name;
    if (std::getenv("TILESCOPE_UPDATE_GOLDENS") != nullptr) {
        std::ofstream(path, std::ios::binary) << got;
        return;
    }
    std::ifstream file(path, std::ios::binary);
    ASSERT_TRUE(file) << path << " is missing; TILESCOPE_UPDATE_GOLDENS=1 writes it";
    std::ostringstream expected;
    expected << file.rdbuf();
    EXPECT_EQ(got, expected.str()) << "differs from " << path;
}

}  // namespace tilescope

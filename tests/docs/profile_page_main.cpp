// Prints docs/reference/profile.md.
#include <cstdio>
#include <string>

#include "tests/docs/profile_page.h"

int main() {
    const std::string text = tilescope::docs::profile_page();
    return std::fwrite(text.data(), 1, text.size(), stdout) == text.size() ? 0 : 1;
}

// Any bytes as a file of claims: claims or errors, each of which has words. What reads has runs that are commands of
// ours.
#include <cstdint>
#include <cstdlib>
#include <string_view>

#include "scope/lessons/commands.h"
#include "scope/lessons/lesson.h"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    using namespace tilescope;
    const auto claims = lessons::parse_claims({reinterpret_cast<const char*>(data), size}, "fuzz.toml");
    if (!claims) {
        if (render(claims.errors()).empty()) std::abort();
        return 0;
    }
    for (const lessons::Run& run : claims->runs)
        if (lessons::as_run(*claims, run, {"clang", 1, "folder"}).empty()) std::abort();
    return 0;
}

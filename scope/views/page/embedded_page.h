// The built page of web/, compressed: the build writes what stands behind these names (embed_page.cmake).
#pragma once

#include <cstddef>

namespace tilescope::views::page {

extern const unsigned char kEmbeddedPage[];
extern const std::size_t kEmbeddedPageBytes;  // of it, and of what it holds
extern const std::size_t kPlainPageBytes;

}  // namespace tilescope::views::page

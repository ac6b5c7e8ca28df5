#include <zstd.h>

#include <cstdlib>
#include <string>

#include "scope/views/page/embedded_page.h"
#include "scope/views/page/page.h"

namespace tilescope::views::page {

const std::string& page_template() {
    static const std::string kPage = [] {
        std::string page(kPlainPageBytes, '\0');
        const std::size_t got = ZSTD_decompress(page.data(), page.size(), kEmbeddedPage, kEmbeddedPageBytes);
        // The build made it, so that nothing but a broken program can be why.
        if (ZSTD_isError(got) != 0 || got != page.size() || page.find(kDataMarker) == std::string::npos) std::abort();
        return page;
    }();
    return kPage;
}

}  // namespace tilescope::views::page

# Writes OUTPUT, a C++ file that holds PAGE, compressed. The page has to hold its marker exactly once, and is not to pass
# MOST bytes.
file(READ ${PAGE} text)
string(REGEX MATCHALL "<!--tilescope-data-->" markers "${text}")
list(LENGTH markers count)
if(NOT count EQUAL 1)
  message(FATAL_ERROR "${PAGE}: holds <!--tilescope-data--> ${count} times instead of once")
endif()
file(SIZE ${PAGE} size)
if(size GREATER MOST)
  message(FATAL_ERROR "${PAGE}: ${size} bytes, more than ${MOST}")
endif()
file(ARCHIVE_CREATE OUTPUT ${OUTPUT}.zst PATHS ${PAGE} FORMAT raw COMPRESSION Zstd)
file(READ ${OUTPUT}.zst bytes HEX)
string(LENGTH "${bytes}" digits)
math(EXPR compressed "${digits} / 2")
string(REGEX REPLACE "([0-9a-f][0-9a-f])" "0x\\1," bytes "${bytes}")
string(REGEX REPLACE "(................................................................................)" "\\1\n" bytes "${bytes}")
file(WRITE ${OUTPUT} "// Written by scope/views/page/embed_page.cmake; do not edit.
#include \"scope/views/page/embedded_page.h\"

namespace tilescope::views::page {

const unsigned char kEmbeddedPage[] = {
${bytes}
};
const std::size_t kEmbeddedPageBytes = ${compressed};
const std::size_t kPlainPageBytes = ${size};

}  // namespace tilescope::views::page
")

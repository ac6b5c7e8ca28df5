# Writes OUTPUT, a C++ file that holds each of FILES (device descriptions below FOLDER, separated by |) as a string.
string(REPLACE "|" ";" FILES "${FILES}")
list(SORT FILES)
set(rows "")
foreach(file IN LISTS FILES)
  file(RELATIVE_PATH name ${FOLDER} ${file})
  string(REGEX REPLACE "\\.json$" "" name ${name})
  file(READ ${file} text)
  string(APPEND rows "    {\"${name}\", R\"tilescope(${text})tilescope\"},\n")
endforeach()
file(WRITE ${OUTPUT} "// Written by scope/models/embed.cmake; do not edit.
#include \"scope/models/embedded_devices.h\"

namespace tilescope::models {

static constexpr EmbeddedDevice kDevices[] = {
${rows}};

std::span<const EmbeddedDevice> embedded_devices() { return kDevices; }

}  // namespace tilescope::models
")

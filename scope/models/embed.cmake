# Writes OUTPUT, a C++ file that holds each of FILES (device descriptions, separated by |) as a string.
string(REPLACE "|" ";" FILES "${FILES}")
list(SORT FILES)
set(rows "")
foreach(file IN LISTS FILES)
  get_filename_component(name ${file} NAME_WE)
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

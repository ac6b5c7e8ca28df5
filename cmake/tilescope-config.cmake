# find_package(tilescope): the target tilescope::tilescope, by the place that this file was installed to.
get_filename_component(tilescope_prefix "${CMAKE_CURRENT_LIST_DIR}/../../.." ABSOLUTE)
if(NOT TARGET tilescope::tilescope)
  add_library(tilescope::tilescope SHARED IMPORTED)
  set_target_properties(tilescope::tilescope PROPERTIES
    IMPORTED_LOCATION "${tilescope_prefix}/lib/tilescope/libtilescope.so.0"
    IMPORTED_SONAME libtilescope.so.0
    INTERFACE_INCLUDE_DIRECTORIES "${tilescope_prefix}/include"
    INTERFACE_COMPILE_FEATURES cxx_std_17)
endif()
unset(tilescope_prefix)

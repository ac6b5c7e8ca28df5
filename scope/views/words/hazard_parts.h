// Parts of sentences about hazards: threads, deeds, memory and places.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

#include "scope/report/profile.h"

namespace tilescope::views::words {

// "thread 5 of block (1, 2)".
std::string who(const Dim3& thread, const Dim3& block);
// "thread 5 reads", "... that thread 3 wrote".
std::string_view does(Deed deed);
// "line 12" where it stands beside a place of the same file, else "a.cu:12".
std::string line_text(const std::string& file, std::uint32_t line, const std::string& beside);
// Of a hazard's own end, and of the other one.
std::string line_of(const Hazard& hazard);
std::string other_line_of(const Hazard& hazard);
// "a.cu:12", without the folder.
std::string short_place(const SourceSpot& at);
// "tile, byte 4", "byte 12 of shared memory".
std::string memory_text(const HazardMemory& memory);
// The same without the byte, where that has a name.
std::string memory_name(const HazardMemory& memory);
// "allocated at a.cu:3, freed at a.cu:9"; as much of it as is known.
std::string origin_text(const HazardMemory& memory);
// "1 byte", "1,024 bytes".
std::string bytes_text(std::uint64_t bytes);

}  // namespace tilescope::views::words

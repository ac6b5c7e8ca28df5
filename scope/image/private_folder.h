// A folder from which programs are run: whoever may write in it, or put another in its place, decides what runs.
//
// Guarantees: after make_private_folder() succeeded, no other user but root can add, change, remove or replace anything
// in the folder, by whatever component of its path; symbolic links are followed only where this user or root made them.
// Does not model: what root, this user's other programs or the members of this user's own group do to a home folder
// that the group may write.
#pragma once

#include <filesystem>

#include "scope/base/result.h"

namespace tilescope::image {

// Makes `folder` and what is missing above it, for this user alone (mode 0700); one that is there must be this user's,
// and loses the permission of others to write. "image-unwritable" with the component that is not to be trusted and why.
Status make_private_folder(const std::filesystem::path& folder);

// Whether this is a regular file or a folder, of this user, that nobody else may write; no link.
bool is_private(const std::filesystem::path& path);

}  // namespace tilescope::image

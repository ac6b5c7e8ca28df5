// The names under which compiled programs are kept: 128 bits of XXH3 (libxxhash).
//
// Guarantees: texts that differ by chance have different names. Does not model: somebody who makes two texts of one
// name. He could have a program run that this user compiled before and that is as much his own; the folder is the
// user's alone (private_folder.h), so nobody else puts anything there.
#pragma once

#include <memory>
#include <string>
#include <string_view>

struct XXH3_state_s;

namespace tilescope::image {

// Hashes a sequence of fields; each is preceded by its length, so that ("ab", "c") and ("a", "bc") differ.
class ContentHash {
public:
    ContentHash();

    ContentHash& add(std::string_view field);
    // 32 hexadecimal digits.
    std::string finish() const;

private:
    struct Free {
        void operator()(XXH3_state_s* state) const;
    };

    std::unique_ptr<XXH3_state_s, Free> state_;
};

}  // namespace tilescope::image

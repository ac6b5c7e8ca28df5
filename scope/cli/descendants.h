// The processes that a program started, found by a variable of their environment.
//
// Guarantees: finds children of children, too, whoever their parent is by now. Does not model: processes that dropped
// the variable, or belong to another user.
#pragma once

#include <string>
#include <vector>

namespace tilescope::cli {

// Ends every process but this one whose environment holds `mark` ("NAME=VALUE"), and waits until they have ended.
void kill_marked(const std::string& mark);

// Watches over the calling process from one of its own: should this one be killed, whatever carries `mark` is ended
// and the files `scratch` are removed. Nothing happens once the object is gone.
class Guardian {
public:
    Guardian(const std::string& mark, const std::vector<std::string>& scratch);
    ~Guardian();
    Guardian(const Guardian&) = delete;
    Guardian& operator=(const Guardian&) = delete;

private:
    int pipe_ = -1;
    int process_ = -1;
};

}  // namespace tilescope::cli

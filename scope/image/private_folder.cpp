#include "scope/image/private_folder.h"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <climits>
#include <cstring>
#include <deque>
#include <optional>
#include <utility>

namespace tilescope::image {
namespace {

namespace fs = std::filesystem;

constexpr mode_t kOthersWrite = S_IWGRP | S_IWOTH;
constexpr int kMaxLinks = 40;  // as the kernel follows at most

// An open file that closes with its owner.
class Descriptor {
public:
    explicit Descriptor(int number = -1) : number_(number) {}
    ~Descriptor() {
        if (number_ >= 0) ::close(number_);
    }
    Descriptor(Descriptor&& other) noexcept : number_(std::exchange(other.number_, -1)) {}
    Descriptor& operator=(Descriptor&& other) noexcept {
        std::swap(number_, other.number_);
        return *this;
    }
    int get() const { return number_; }

private:
    int number_;
};

// Goes down a path one component at a time, each opened below the one before it: nobody can exchange one that was
// looked at already.
class Walk {
public:
    explicit Walk(const fs::path& folder) : folder_(folder) { put_first(folder); }

    Status run() {
        if (Status begun = restart(); !begun) return begun;
        while (!names_.empty()) {
            const std::string name = names_.front();
            names_.pop_front();
            if (Status stepped = step(name); !stepped) return stepped;
        }
        return check_last();
    }

private:
    Diagnostic refuse(const std::string& why) const {
        const std::string which = at_ == folder_ ? "" : at_.string() + ": ";
        return error("image-unwritable", {folder_.string(), 0, 0}, which + why);
    }
    Diagnostic refuse_for(int reason) const { return refuse(std::strerror(reason)); }

    // The components of a path before those that are left.
    void put_first(const fs::path& path) {
        std::deque<std::string> names;
        for (const fs::path& name : path.relative_path())
            if (!name.empty() && name != ".") names.push_back(name.string());
        names_.insert(names_.begin(), names.begin(), names.end());
    }

    Status restart() {
        here_ = Descriptor(::open("/", O_PATH | O_DIRECTORY | O_CLOEXEC));
        at_ = "/";
        if (here_.get() < 0 || ::fstat(here_.get(), &status_) != 0) return refuse_for(errno);
        // The owner of the root folder is the system's, also where a container shows it under another number.
        system_ = status_.st_uid;
        return Success{};
    }

    bool trusted(uid_t owner) const { return owner == ::geteuid() || owner == 0 || owner == system_; }

    // Whether only this user and the system can exchange what lies in the current folder.
    Status check_above() const {
        if (!trusted(status_.st_uid)) return refuse("belongs to another user (" + std::to_string(status_.st_uid) + ")");
        const bool sticky = (status_.st_mode & S_ISVTX) != 0;
        const bool own_group = (status_.st_mode & S_IWOTH) == 0 && status_.st_gid == ::getegid();
        if ((status_.st_mode & kOthersWrite) != 0 && !sticky && !own_group)
            return refuse("other users can write in it");
        return Success{};
    }

    Status step(const std::string& name) {
        if (Status above = check_above(); !above) return above;
        Descriptor next = open_below(name);
        if (next.get() < 0 && errno == ENOENT && ::mkdirat(here_.get(), name.c_str(), S_IRWXU) != 0 &&
            errno != EEXIST) {
            at_ /= name;
            return refuse_for(errno);
        }
        if (next.get() < 0) next = open_below(name);
        at_ /= name;
        struct stat found {};
        if (next.get() < 0 || ::fstat(next.get(), &found) != 0) return refuse_for(errno);
        if (S_ISLNK(found.st_mode)) return follow(next, found.st_uid);
        if (!S_ISDIR(found.st_mode)) return refuse("is not a folder");
        above_ = std::move(here_);
        here_ = std::move(next);
        name_ = name;
        status_ = found;
        return Success{};
    }

    Descriptor open_below(const std::string& name) const {
        return Descriptor(::openat(here_.get(), name.c_str(), O_PATH | O_NOFOLLOW | O_CLOEXEC));
    }

    Status follow(const Descriptor& link, uid_t owner) {
        if (!trusted(owner)) return refuse("is a link that another user made (" + std::to_string(owner) + ")");
        std::array<char, PATH_MAX> target{};
        const ssize_t size = ::readlinkat(link.get(), "", target.data(), target.size());
        if (size < 0) return refuse_for(errno);
        if (++links_ > kMaxLinks) return refuse_for(ELOOP);
        const fs::path path(std::string(target.data(), static_cast<std::size_t>(size)));
        put_first(path);
        at_ = at_.parent_path();
        return path.is_absolute() ? restart() : Status(Success{});
    }

    Status check_last() const {
        if (status_.st_uid != ::geteuid())
            return refuse("belongs to another user (" + std::to_string(status_.st_uid) + ")");
        if ((status_.st_mode & kOthersWrite) != 0 &&
            ::fchmodat(above_.get(), name_.c_str(), status_.st_mode & 07777 & ~kOthersWrite, 0) != 0)
            return refuse_for(errno);
        // Read-only file systems and full quotas show here, not in the permissions.
        if (::faccessat(here_.get(), ".", W_OK | X_OK, AT_EACCESS) != 0) return refuse_for(errno);
        return Success{};
    }

    const fs::path folder_;
    std::deque<std::string> names_;  // still to go
    fs::path at_;                    // where we are, for messages
    Descriptor here_, above_;        // the folder reached, and the one that it is in
    std::string name_;               // its name there
    struct stat status_ {};          // of the folder reached
    uid_t system_ = 0;
    int links_ = 0;
};

}  // namespace

Status make_private_folder(const fs::path& folder) {
    std::error_code failed;
    const fs::path absolute = fs::absolute(folder, failed);
    if (failed) return error("image-unwritable", {folder.string(), 0, 0}, failed.message());
    return Walk(absolute).run();
}

bool is_private(const fs::path& path) {
    struct stat found {};
    return ::lstat(path.c_str(), &found) == 0 && (S_ISREG(found.st_mode) || S_ISDIR(found.st_mode)) &&
           found.st_uid == ::geteuid() && (found.st_mode & kOthersWrite) == 0;
}

}  // namespace tilescope::image

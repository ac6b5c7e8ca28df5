// Stands before the C library in a program that runs under --check streams: calls that read or write a program's memory
// in the system are told to whoever watches that memory, and then carried out by the library itself.
//
// Does not model: calls that the C library makes for itself (printf of a string longer than its buffer), and calls that
// are not listed here.
#include "scope/runtime/service/watch/host_calls.h"

#include <dlfcn.h>
#include <sys/socket.h>
#include <sys/types.h>
#include <sys/uio.h>

#include <cstdio>

#define TILESCOPE_CALL extern "C" __attribute__((visibility("default")))

extern "C" __attribute__((visibility("default"))) tilescope::runtime::HostCalls tilescope_host_calls;
tilescope::runtime::HostCalls tilescope_host_calls;

namespace {

class Use {
public:
    Use(const void* address, std::size_t bytes, bool writes, void* from)
        : is_told_(tilescope_host_calls.begin != nullptr && bytes != 0 &&
                   tilescope_host_calls.begin(address, bytes, writes, from)) {}
    ~Use() {
        if (is_told_) tilescope_host_calls.end();
    }
    Use(const Use&) = delete;
    Use& operator=(const Use&) = delete;

private:
    bool is_told_;
};

// Pieces of memory, used one after the other.
class Uses {
public:
    Uses(const iovec* pieces, int count, bool writes, void* from) {
        for (int i = 0; i < count && tilescope_host_calls.begin != nullptr; ++i)
            if (pieces[i].iov_len != 0 &&
                tilescope_host_calls.begin(pieces[i].iov_base, pieces[i].iov_len, writes, from))
                ++told_;
    }
    ~Uses() {
        for (; told_ != 0; --told_) tilescope_host_calls.end();
    }
    Uses(const Uses&) = delete;
    Uses& operator=(const Uses&) = delete;

private:
    unsigned told_ = 0;
};

template <class Function>
Function* own(const char* name) {
    return reinterpret_cast<Function*>(dlsym(RTLD_NEXT, name));
}

}  // namespace

// The function of this name in the C library.
#define TILESCOPE_OWN(name) static auto* const own_function = own<decltype(name)>(#name)

TILESCOPE_CALL ssize_t read(int file, void* to, size_t bytes) {
    TILESCOPE_OWN(read);
    const Use use(to, bytes, true, __builtin_return_address(0));
    return own_function(file, to, bytes);
}

TILESCOPE_CALL ssize_t __read_chk(int file, void* to, size_t bytes, size_t room) {
    TILESCOPE_OWN(__read_chk);
    const Use use(to, bytes, true, __builtin_return_address(0));
    return own_function(file, to, bytes, room);
}

TILESCOPE_CALL ssize_t write(int file, const void* from, size_t bytes) {
    TILESCOPE_OWN(write);
    const Use use(from, bytes, false, __builtin_return_address(0));
    return own_function(file, from, bytes);
}

TILESCOPE_CALL ssize_t pread(int file, void* to, size_t bytes, off_t offset) {
    TILESCOPE_OWN(pread);
    const Use use(to, bytes, true, __builtin_return_address(0));
    return own_function(file, to, bytes, offset);
}

TILESCOPE_CALL ssize_t pread64(int file, void* to, size_t bytes, off64_t offset) {
    TILESCOPE_OWN(pread64);
    const Use use(to, bytes, true, __builtin_return_address(0));
    return own_function(file, to, bytes, offset);
}

TILESCOPE_CALL ssize_t __pread_chk(int file, void* to, size_t bytes, off_t offset, size_t room) {
    TILESCOPE_OWN(__pread_chk);
    const Use use(to, bytes, true, __builtin_return_address(0));
    return own_function(file, to, bytes, offset, room);
}

TILESCOPE_CALL ssize_t __pread64_chk(int file, void* to, size_t bytes, off64_t offset, size_t room) {
    TILESCOPE_OWN(__pread64_chk);
    const Use use(to, bytes, true, __builtin_return_address(0));
    return own_function(file, to, bytes, offset, room);
}

TILESCOPE_CALL ssize_t pwrite(int file, const void* from, size_t bytes, off_t offset) {
    TILESCOPE_OWN(pwrite);
    const Use use(from, bytes, false, __builtin_return_address(0));
    return own_function(file, from, bytes, offset);
}

TILESCOPE_CALL ssize_t pwrite64(int file, const void* from, size_t bytes, off64_t offset) {
    TILESCOPE_OWN(pwrite64);
    const Use use(from, bytes, false, __builtin_return_address(0));
    return own_function(file, from, bytes, offset);
}

TILESCOPE_CALL ssize_t readv(int file, const iovec* to, int count) {
    TILESCOPE_OWN(readv);
    const Uses uses(to, count, true, __builtin_return_address(0));
    return own_function(file, to, count);
}

TILESCOPE_CALL ssize_t writev(int file, const iovec* from, int count) {
    TILESCOPE_OWN(writev);
    const Uses uses(from, count, false, __builtin_return_address(0));
    return own_function(file, from, count);
}

TILESCOPE_CALL ssize_t recv(int socket, void* to, size_t bytes, int flags) {
    TILESCOPE_OWN(recv);
    const Use use(to, bytes, true, __builtin_return_address(0));
    return own_function(socket, to, bytes, flags);
}

TILESCOPE_CALL ssize_t __recv_chk(int socket, void* to, size_t bytes, size_t room, int flags) {
    TILESCOPE_OWN(__recv_chk);
    const Use use(to, bytes, true, __builtin_return_address(0));
    return own_function(socket, to, bytes, room, flags);
}

TILESCOPE_CALL ssize_t send(int socket, const void* from, size_t bytes, int flags) {
    TILESCOPE_OWN(send);
    const Use use(from, bytes, false, __builtin_return_address(0));
    return own_function(socket, from, bytes, flags);
}

// Small pieces go through the stream's buffer, large ones straight to the system.
TILESCOPE_CALL size_t fread(void* to, size_t size, size_t count, FILE* file) {
    TILESCOPE_OWN(fread);
    const Use use(to, size * count, true, __builtin_return_address(0));
    return own_function(to, size, count, file);
}

TILESCOPE_CALL size_t __fread_chk(void* to, size_t room, size_t size, size_t count, FILE* file) {
    TILESCOPE_OWN(__fread_chk);
    const Use use(to, size * count, true, __builtin_return_address(0));
    return own_function(to, room, size, count, file);
}

TILESCOPE_CALL size_t fread_unlocked(void* to, size_t size, size_t count, FILE* file) {
    TILESCOPE_OWN(fread_unlocked);
    const Use use(to, size * count, true, __builtin_return_address(0));
    return own_function(to, size, count, file);
}

TILESCOPE_CALL size_t fwrite(const void* from, size_t size, size_t count, FILE* file) {
    TILESCOPE_OWN(fwrite);
    const Use use(from, size * count, false, __builtin_return_address(0));
    return own_function(from, size, count, file);
}

TILESCOPE_CALL size_t fwrite_unlocked(const void* from, size_t size, size_t count, FILE* file) {
    TILESCOPE_OWN(fwrite_unlocked);
    const Use use(from, size * count, false, __builtin_return_address(0));
    return own_function(from, size, count, file);
}

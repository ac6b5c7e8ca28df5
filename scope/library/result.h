// Result<T> of the C++ library: a value, or the error that says why there is none. Installed as <tilescope/result.h>.
//
// Guarantees: no exception of ours leaves the library; asking a failed Result for its value ends the program with the
// error's text. Does not model: anything.
#pragma once

#include <cstdio>
#include <cstdlib>
#include <optional>
#include <string>
#include <utility>

namespace tilescope::library {

// code: stable, "room-what"; file and line where the error has a place, line 0: none.
struct Error {
    std::string code, message, hint, file;
    unsigned line = 0;

    // For a test's output.
    std::string text() const {
        std::string place = file;
        if (line != 0) place += ":" + std::to_string(line);
        return (place.empty() ? "" : place + ": ") + message + " [" + code + "]" + (hint.empty() ? "" : "; " + hint);
    }
};

template <class T>
class [[nodiscard]] Result {
public:
    Result(T value) : value_(std::move(value)) {}      // NOLINT(google-explicit-constructor): a value is one
    Result(Error error) : error_(std::move(error)) {}  // NOLINT(google-explicit-constructor): likewise

    explicit operator bool() const noexcept { return value_.has_value(); }
    bool ok() const noexcept { return value_.has_value(); }
    // Empty when ok().
    const Error& error() const noexcept { return error_; }

    T& value() & { return checked(), *value_; }
    const T& value() const& { return checked(), *value_; }
    T&& value() && { return checked(), std::move(*value_); }
    T& operator*() & { return value(); }
    const T& operator*() const& { return value(); }
    T&& operator*() && { return std::move(*this).value(); }
    T* operator->() { return &value(); }
    const T* operator->() const { return &value(); }

private:
    void checked() const {
        if (value_) return;
        std::fprintf(stderr, "tilescope: the value of a failed Result was asked for: %s\n", error_.text().c_str());
        std::abort();
    }

    std::optional<T> value_;
    Error error_;
};

struct Success {};
using Status = Result<Success>;

}  // namespace tilescope::library

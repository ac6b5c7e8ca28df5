// Result<T>: a value, or the diagnostics that say why there is none.
//
// Guarantees: [[nodiscard]]; a failed Result holds at least one Diagnostic. Warnings that come with a value travel
// beside it in whatever the function documents, not in here.
#pragma once

#include <cassert>
#include <optional>
#include <utility>

#include "scope/base/diagnostic.h"

namespace tilescope {

template <class T>
class [[nodiscard]] Result {
public:
    Result(T value) : value_(std::move(value)) {}
    Result(Diagnostic error) { errors_.push_back(std::move(error)); }
    Result(Diagnostics errors) : errors_(std::move(errors)) { assert(!errors_.empty()); }

    explicit operator bool() const { return value_.has_value(); }
    bool ok() const { return value_.has_value(); }

    T& value() & {
        assert(value_);
        return *value_;
    }
    const T& value() const& {
        assert(value_);
        return *value_;
    }
    T&& value() && {
        assert(value_);
        return std::move(*value_);
    }
    T& operator*() & { return value(); }
    const T& operator*() const& { return value(); }
    T* operator->() { return &value(); }
    const T* operator->() const { return &value(); }

    // Empty when ok().
    const Diagnostics& errors() const { return errors_; }

private:
    std::optional<T> value_;
    Diagnostics errors_;
};

// For functions that yield nothing but success.
struct Success {};
using Status = Result<Success>;

// The one-line way to fail.
inline Diagnostic error(std::string code, SourceLocation at, std::string message, std::string hint = {}) {
    return Diagnostic{Severity::kError, std::move(code), std::move(at), std::move(message), std::move(hint)};
}

}  // namespace tilescope

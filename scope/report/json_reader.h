// Reading a profile's JSON that may hold anything.
//
// Owns: Reader. Guarantees: no exception and no crash on any JSON; every wrong type is an error that names the key's
// path, at most twenty of them. Does not model: which keys there are (json_read.cpp).
#pragma once

#include <cmath>
#include <cstdint>
#include <limits>
#include <nlohmann/json.hpp>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "scope/base/diagnostic.h"
#include "scope/base/result.h"
#include "scope/report/profile.h"

namespace tilescope::report {

// Reads fields into a struct. An absent field keeps its default unless required; a wrong type is one error, with the
// path of the key, and reading goes on.
class Reader {
public:
    using Json = nlohmann::json;

    explicit Reader(std::string file) : file_(std::move(file)) {}

    void fail(const std::string& path, const std::string& what) {
        constexpr std::size_t kEnough = 20;  // a file that is wrong throughout says so 20 times, not a million
        if (errors_.size() < kEnough) errors_.push_back(error("profile-type", {file_}, "\"" + path + "\" " + what));
    }

    template <class T>
    void integer(const Json& object, const std::string& path, const char* key, T& into) {
        if (const Json* item = find(object, key)) integer(*item, path + key, into);
    }
    template <class T>
    void integer(const Json& item, const std::string& path, T& into) {
        if (!item.is_number_unsigned() || item.get<std::uint64_t>() > std::numeric_limits<T>::max())
            return fail(path, "is not an integer of its range");
        into = static_cast<T>(item.get<std::uint64_t>());
    }
    void number(const Json& object, const std::string& path, const char* key, double& into) {
        const Json* item = find(object, key);
        if (item == nullptr) return;
        if (!item->is_number() || !std::isfinite(item->get<double>())) return fail(path + key, "is not a number");
        into = item->get<double>();
    }
    void text(const Json& object, const std::string& path, const char* key, std::string& into) {
        const Json* item = find(object, key);
        if (item == nullptr) return;
        if (!item->is_string()) return fail(path + key, "is not a text");
        into = item->get<std::string>();
    }
    void boolean(const Json& object, const std::string& path, const char* key, bool& into) {
        const Json* item = find(object, key);
        if (item == nullptr) return;
        if (!item->is_boolean()) return fail(path + key, "is not true or false");
        into = item->get<bool>();
    }
    template <class T>
    void named(const Json& object, const std::string& path, const char* key,
               std::optional<T> (*by_name)(std::string_view), T& into) {
        std::string name;
        text(object, path, key, name);
        if (name.empty()) return;
        if (const auto value = by_name(name))
            into = *value;
        else
            fail(path + key, "is not one of the known names");
    }
    void dim3(const Json& object, const std::string& path, const char* key, Dim3& into) {
        const Json* item = find(object, key);
        if (item == nullptr) return;
        if (!item->is_array() || item->size() != 3) return fail(path + key, "is not a list of three integers");
        for (std::size_t i = 0; i < 3; ++i) integer((*item)[i], path + key, into[i]);
    }
    template <class T>
    void integers(const Json& object, const std::string& path, const char* key, std::vector<T>& into) {
        const Json* items = find(object, key);
        if (items == nullptr) return;
        if (!items->is_array()) return fail(path + key, "is not a list");
        for (const Json& item : *items) integer(item, path + key, into.emplace_back());
    }
    // Calls read(item, "path[i].") for each object of a list.
    template <class Read>
    void list(const Json& object, const std::string& path, const char* key, Read read) {
        const Json* items = find(object, key);
        if (items == nullptr) return;
        if (!items->is_array()) return fail(path + key, "is not a list");
        for (std::size_t i = 0; i < items->size(); ++i) {
            const std::string where = path + key + "[" + std::to_string(i) + "]";
            if ((*items)[i].is_object())
                read((*items)[i], where + ".");
            else
                fail(where, "is not an object");
        }
    }
    const Json* find(const Json& object, const char* key) const {
        const auto it = object.find(key);
        return it == object.end() ? nullptr : &*it;
    }
    const Json* object(const Json& parent, const std::string& path, const char* key) {
        const Json* item = find(parent, key);
        if (item != nullptr && !item->is_object()) {
            fail(path + key, "is not an object");
            return nullptr;
        }
        return item;
    }
    const Diagnostics& errors() const { return errors_; }

private:
    std::string file_;
    Diagnostics errors_;
};

}  // namespace tilescope::report

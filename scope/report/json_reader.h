// Reading a profile's JSON that may hold anything.
//
// Owns: JsonReader, which fills described structs. Guarantees: no exception and no
// crash on any JSON; every wrong type is an error that names the key's path, at most twenty of them; an absent field
// keeps its default. Does not model: which keys there are (fields_*.h).
#pragma once

#include <nlohmann/json.hpp>
#include <optional>
#include <string>
#include <utility>

#include "scope/base/json_input.h"
#include "scope/report/enums.h"
#include "scope/report/fields.h"
#include "scope/report/fields_profile.h"

namespace tilescope::report {

// What is wrong at a place of a profile.
inline Diagnostic profile_error(const std::string& file, const std::string& path, const std::string& what,
                                const std::string& hint) {
    return error("profile-type", {file}, "\"" + path + "\" " + what, hint);
}

// Fills one object's members. A wrong type is one error, with the path of the key, and reading goes on.
class JsonReader {
public:
    using Json = nlohmann::json;
    static constexpr bool kReads = true;

    // `path` is that of the object, for errors: "launches[3].".
    JsonReader(JsonErrors& errors, const Json& object, std::string path)
        : errors_(errors), object_(object), path_(std::move(path)) {}

    bool times() const { return true; }

    template <class T>
    void field(const char* key, T& value, const char* = "", const char* = "", bool = true) {
        const Json* item = find(key);
        if (item == nullptr) return;
        if constexpr (kIsOptional<T>) {
            if (!kIsObject<typename T::value_type> || check_object(*item, path_ + key))
                read(*item, path_ + key, value.emplace());
        } else {
            read(*item, path_ + key, value);
        }
    }
    template <class Compute>
    void result(const char*, Compute, const char*, const char*) {}
    template <class Fields>
    void results(const char*, const char*, bool, Fields) {}
    template <class Fields>
    void group(const char* key, const char*, bool, Fields fields) {
        const Json* item = find(key);
        if (item == nullptr || !check_object(*item, path_ + key)) return;
        JsonReader inner(errors_, *item, path_ + key + ".");
        fields(inner);
    }
    template <class T>
    void inlined(std::optional<T>& value, const char* key) {
        if (key == nullptr || find(key) != nullptr) describe(*this, value.emplace());
    }
    void counters(const char* key, CounterSet& counters, const char*, bool, bool) {
        const Json* item = find(key);
        if (item == nullptr || !check_object(*item, path_ + key)) return;
        for (auto it = item->begin(); it != item->end(); ++it)
            if (const auto counter = counter_by_name(it.key())) {
                read(it.value(), path_ + key + "." + it.key(), counters[*counter]);
                counters.modelled |= is_modelled(*counter);
            }
    }
    // Objects, each behind those that are there already.
    template <class T, class Fields>
    void list(const char* key, std::vector<T>& items, const char*, Fields fields) {
        if (const Json* item = find(key)) read_objects(*item, path_ + key, items, fields);
    }
    template <class T>
    void tail(const char* key, std::vector<T>& items, const char*) {
        field(key, items);
    }
    void launches(const char* key, LaunchList& into, const char*) {
        std::vector<LaunchProfile> all;
        field(key, all);
        into = std::move(all);
    }
    template <class T>
    void lists(const char* key, std::vector<std::vector<T>>& items, const char*, std::size_t count) {
        items.resize(count);
        const Json* item = find(key);
        if (item == nullptr || !item->is_array() || item->size() != count)
            return errors_.add(path_ + key, "is not a list with one entry for each column");
        for (std::size_t i = 0; i < count; ++i) read((*item)[i], path_ + key + "[" + std::to_string(i) + "]", items[i]);
    }

private:
    const Json* find(const char* key) const {
        const auto it = object_.find(key);
        return it == object_.end() ? nullptr : &*it;
    }
    bool check_object(const Json& item, const std::string& path) {
        if (!item.is_object()) errors_.add(path, "is not an object");
        return item.is_object();
    }

    template <class T, class Fields>
    void read_objects(const Json& items, const std::string& path, std::vector<T>& into, Fields fields) {
        if (!items.is_array()) return errors_.add(path, "is not a list");
        for (std::size_t i = 0; i < items.size(); ++i) {
            const std::string where = path + "[" + std::to_string(i) + "]";
            if (!check_object(items[i], where)) continue;
            JsonReader inner(errors_, items[i], where + ".");
            T value{};
            fields(inner, value);
            into.push_back(std::move(value));
        }
    }

    template <class T>
    void read(const Json& item, const std::string& path, T& into) {
        if constexpr (kIsObject<T>) {
            if (!check_object(item, path)) return;
            JsonReader inner(errors_, item, path + ".");
            describe(inner, into);
        } else if constexpr (std::is_enum_v<T>) {
            read_name(item, path, into);
        } else {
            errors_.add_if(path, take_json(item, into));
        }
    }
    void read(const Json& item, const std::string& path, Dim3& into) {
        if (!item.is_array() || item.size() != into.size()) return errors_.add(path, "is not a list of three integers");
        for (std::size_t i = 0; i < into.size(); ++i) read(item[i], path, into[i]);
    }
    template <class T>
    void read(const Json& item, const std::string& path, std::vector<T>& into) {
        if constexpr (kIsObject<T>) {
            read_objects(item, path, into, [](auto& inner, T& value) { describe(inner, value); });
        } else if constexpr (std::is_enum_v<T>) {
            if (!item.is_array()) return errors_.add(path, "is not a list");
            for (std::size_t i = 0; i < item.size(); ++i)
                read(item[i], path + "[" + std::to_string(i) + "]", into.emplace_back());
        } else {
            if (!item.is_array()) return errors_.add(path, "is not a list");
            for (const Json& part : item) {
                if (std::is_same_v<T, std::string> && !part.is_string())
                    return errors_.add(path, "is not a list of texts");
                read(part, path, into.emplace_back());
            }
        }
    }
    template <class T>
    void read_name(const Json& item, const std::string& path, T& into) {
        constexpr std::size_t kShown = 40;
        if (!item.is_string()) return errors_.add(path, "is not a text");
        const auto name = item.get<std::string>();
        if (const auto value = by_name<T>(name))
            into = *value;
        else
            errors_.add(path, "is \"" + beginning_of(name, kShown) + "\", which is none of " + all_names<T>("\""));
    }

    JsonErrors& errors_;
    const Json& object_;
    std::string path_;
};

}  // namespace tilescope::report

// Described structs to JSON. Members come in the order of their description, and none is looked for twice.
#pragma once

#include <nlohmann/json.hpp>
#include <string>
#include <utility>

#include "scope/report/enums.h"
#include "scope/report/fields.h"
#include "scope/report/fields_profile.h"

namespace tilescope::report {

class JsonWriter {
public:
    using Json = nlohmann::ordered_json;
    static constexpr bool kReads = false;

    explicit JsonWriter(bool with_times) : with_times_(with_times) {}

    bool times() const { return with_times_; }
    Json take() { return std::move(json_); }

    template <class T>
    static Json object(const T& value, bool with_times) {
        JsonWriter writer(with_times);
        describe(writer, value);
        return writer.take();
    }

    template <class T>
    void field(const char* key, const T& value, const char*, const char*, bool shown = true) {
        if (!shown) return;
        if constexpr (kIsOptional<T>) {
            if (value) put(key, json_of(*value));
        } else {
            put(key, json_of(value));
        }
    }
    template <class Compute>
    void result(const char* key, Compute compute, const char* unit, const char* about) {
        field(key, compute(), unit, about);
    }
    template <class Fields>
    void group(const char* key, const char*, bool shown, Fields fields) {
        if (!shown) return;
        JsonWriter inner(with_times_);
        fields(inner);
        put(key, inner.take());
    }
    template <class Fields>
    void results(const char* key, const char* about, bool shown, Fields fields) {
        group(key, about, shown, fields);
    }
    template <class T>
    void inlined(const T& value, const char*) {
        if (value) describe(*this, *value);
    }
    void counters(const char* key, const CounterSet& counters, const char*, bool all, bool filled) {
        JsonWriter inner(with_times_);
        for (std::size_t i = 0; filled && i < kCounterCount; ++i)
            if ((all && (counters.modelled || !is_modelled(static_cast<Counter>(i)))) || counters.values[i] != 0)
                inner.put(std::string(info(static_cast<Counter>(i)).name), counters.values[i]);
        put(key, inner.take());
    }
    template <class T, class Fields>
    void list(const char* key, const T& items, const char*, Fields fields) {
        Json json = Json::array();
        for (const auto& item : items) {
            JsonWriter inner(with_times_);
            fields(inner, item);
            json.push_back(inner.take());
        }
        put(key, std::move(json));
    }
    template <class T>
    void tail(const char* key, const T& items, const char*) {
        if (items.size() < 2) return;
        Json json = Json::array();
        for (std::size_t i = 1; i < items.size(); ++i) json.push_back(json_of(items[i]));
        put(key, std::move(json));
    }
    // Launches are written one by one: there may be very many (launches_text()).
    void launches(const char* key, const LaunchList&, const char*) { put(key, Json::array()); }
    template <class T>
    void lists(const char* key, const T& items, const char*, std::size_t) {
        put(key, json_of(items));
    }

private:
    // Keys differ, so that a member goes to the end without a look at the others.
    void put(std::string key, Json value) {
        json_.get_ref<Json::object_t&>().Json::object_t::Container::emplace_back(std::move(key), std::move(value));
    }

    template <class T>
    Json json_of(const T& value) const {
        if constexpr (std::is_enum_v<T>) {
            return name_of(value);
        } else if constexpr (kIsObject<T>) {
            return object(value, with_times_);
        } else if constexpr (kIsList<T>) {
            Json json = Json::array();
            for (const auto& item : value) json.push_back(json_of(item));
            return json;
        } else {
            return value;
        }
    }

    bool with_times_;
    Json json_ = Json::object();
};

}  // namespace tilescope::report

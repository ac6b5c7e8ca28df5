#include "scope/report/clean.h"

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "scope/base/safe_text.h"
#include "scope/report/fields_profile.h"

namespace tilescope::report {
namespace {

// Visits described structs (fields.h), so that no text of theirs can be forgotten.
class Cleaner {
public:
    static constexpr bool kReads = false;

    bool times() const { return true; }

    template <class T>
    void field(const char* key, T& value, const char* = "", const char* = "", bool = true) {
        const std::string_view name = key;
        const bool is_sentence = name == "message" || name == "hint" || name == "reason";
        visit(value, is_sentence ? LineFeeds::kKeep : LineFeeds::kEscape);
    }
    template <class Compute>
    void result(const char*, Compute, const char*, const char*) {}
    template <class Fields>
    void results(const char*, const char*, bool, Fields) {}
    template <class Fields>
    void group(const char*, const char*, bool, Fields fields) {
        fields(*this);
    }
    template <class T>
    void inlined(T& value, const char*) {
        if (value) describe(*this, *value);
    }
    void counters(const char*, const CounterSet&, const char*, bool, bool) {}
    template <class T, class Fields>
    void list(const char*, std::vector<T>& items, const char*, Fields fields) {
        for (T& item : items) fields(*this, item);
    }
    template <class T>
    void tail(const char*, std::vector<T>& items, const char*) {
        visit(items, LineFeeds::kEscape);
    }
    void launches(const char*, LaunchList& launches, const char*) {
        for (LaunchProfile& launch : launches.distinct()) describe(*this, launch);
    }
    template <class T>
    void lists(const char*, T& items, const char*, std::size_t) {
        visit(items, LineFeeds::kEscape);
    }

private:
    template <class T>
    void visit(T& value, LineFeeds line_feeds) {
        if constexpr (std::is_same_v<T, std::string>) {
            value = safe_text(value, line_feeds);
        } else if constexpr (kIsOptional<T>) {
            if (value) visit(*value, line_feeds);
        } else if constexpr (kIsList<T>) {
            for (auto& item : value) visit(item, line_feeds);
        } else if constexpr (kIsObject<T>) {
            describe(*this, value);
        }
    }
};

}  // namespace

void clean(Profile& profile) {
    Cleaner cleaner;
    describe(cleaner, profile);
}

}  // namespace tilescope::report

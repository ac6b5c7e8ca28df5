#include "scope/report/part_of_json.h"

#include <cstddef>
#include <istream>
#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace tilescope::report {
namespace {

using Json = nlohmann::json;

// Hands on what the parser tells, but for hazards, which are put together one by one and mostly dropped. Once a list
// has its errors, those behind are not even put together.
class HazardSieve {
public:
    HazardSieve(Json& whole, const ReadLimits& limits) : whole_(whole), into_whole_(whole, false), limits_(limits) {}

    bool null() {
        return to([](Builder& builder) { return builder.null(); });
    }
    bool boolean(bool value) {
        return to([&](Builder& builder) { return builder.boolean(value); });
    }
    bool number_integer(Json::number_integer_t value) {
        return to([&](Builder& builder) { return builder.number_integer(value); });
    }
    bool number_unsigned(Json::number_unsigned_t value) {
        return to([&](Builder& builder) { return builder.number_unsigned(value); });
    }
    bool number_float(Json::number_float_t value, const std::string& text) {
        return to([&](Builder& builder) { return builder.number_float(value, text); });
    }
    bool string(std::string& value) {
        return to([&](Builder& builder) { return builder.string(value); });
    }
    bool binary(Json::binary_t& value) {
        return to([&](Builder& builder) { return builder.binary(value); });
    }
    bool key(std::string& name) {
        if (depth_ == kInProfile) is_in_launches_ = name == "launches";
        if (depth_ == (is_in_launches_ ? kInLaunch : kInProfile)) is_hazards_ = name == "hazards";
        return to([&](Builder& builder) { return builder.key(name); });
    }
    bool start_array(std::size_t size) {
        ++depth_;
        if (is_hazards_ && depth_ == list_depth()) {
            forget_earlier();
            lists_.push_back({is_in_launches_, launch_, {}, 0, 0, 0});
            is_in_list_ = true;
        }
        if (is_in_launches_ && depth_ == kInProfile + 1) launch_ = 0;
        return to([&](Builder& builder) { return builder.start_array(size); });
    }
    bool end_array() {
        if (depth_ == list_depth()) is_in_list_ = false;
        --depth_;
        return to([](Builder& builder) { return builder.end_array(); });
    }
    bool start_object(std::size_t size) {
        ++depth_;
        if (is_hazard()) {
            if (lists_.back().errors >= limits_.hazards)
                is_skipping_ = true;
            else
                into_hazard_.emplace(hazard_ = nullptr, false);
        }
        return to([&](Builder& builder) { return builder.start_object(size); });
    }
    bool end_object() {
        const bool goes_on = to([](Builder& builder) { return builder.end_object(); });
        if (is_hazard()) end_hazard();
        if (is_in_launches_ && depth_ == kInLaunch) ++launch_;
        --depth_;
        return goes_on;
    }
    bool parse_error(std::size_t, const std::string&, const nlohmann::detail::exception&) { return false; }

    // Puts the hazards where they belong; those that did not stay.
    PassedOver finish() {
        PassedOver passed_over;
        for (List& list : lists_) {
            Json* const owner = list.is_of_launch ? launch_of(list) : &whole_;
            const auto found = owner != nullptr ? owner->find("hazards") : whole_.end();
            // What is no list, or no hazard, is for the reader to refuse.
            if (owner == nullptr || found == owner->end() || !found->is_array()) continue;
            for (Json& hazard : list.kept) found->push_back(std::move(hazard));
            if (list.passed_over == 0) continue;
            if (list.is_of_launch)
                passed_over.of_launches.emplace_back(list.launch, list.passed_over);
            else
                passed_over.of_run = list.passed_over;
        }
        return passed_over;
    }

private:
    using Builder = nlohmann::detail::json_sax_dom_parser<Json>;
    // Objects and lists that are open where a profile's keys come, and a launch's.
    static constexpr int kInProfile = 1, kInLaunch = 3;
    struct List {
        bool is_of_launch;
        std::size_t launch;
        Json::array_t kept;
        std::size_t errors, others;
        std::uint64_t passed_over;
    };

    // A file may hold anything: also launches that are no list, or no objects.
    Json* launch_of(const List& list) {
        const auto all = whole_.find("launches");
        if (all == whole_.end() || !all->is_array() || list.launch >= all->size()) return nullptr;
        Json& launch = (*all)[list.launch];
        return launch.is_object() ? &launch : nullptr;
    }

    // Of a key that stands twice the later one counts, as anywhere in JSON. Lists come in the order of launches, so
    // that only then there is one to look for.
    void forget_earlier() {
        std::optional<std::size_t>& last = is_in_launches_ ? last_of_launch_ : last_of_run_;
        const std::size_t owner = is_in_launches_ ? launch_ : 0;
        if (std::exchange(last, owner).value_or(0) < owner || lists_.empty()) return;
        std::erase_if(lists_, [&](const List& list) {
            return list.is_of_launch == is_in_launches_ && (!is_in_launches_ || list.launch >= launch_);
        });
    }

    int list_depth() const { return (is_in_launches_ ? kInLaunch : kInProfile) + 1; }
    bool is_hazard() const { return is_in_list_ && depth_ == list_depth() + 1; }

    template <class Tell>
    bool to(Tell tell) {
        if (is_skipping_) return true;
        return tell(into_hazard_ ? *into_hazard_ : into_whole_);
    }

    void end_hazard() {
        List& list = lists_.back();
        into_hazard_.reset();
        const bool was_skipped = std::exchange(is_skipping_, false);
        const bool stays =
            !was_skipped && (hazard_.contains("severity") ? list.others : list.errors)++ < limits_.hazards;
        if (stays)
            list.kept.push_back(std::move(hazard_));
        else
            ++list.passed_over;
    }

    Json& whole_;
    Json hazard_;
    Builder into_whole_;
    std::optional<Builder> into_hazard_;
    const ReadLimits limits_;
    std::vector<List> lists_;
    int depth_ = 0;
    std::size_t launch_ = 0;
    std::optional<std::size_t> last_of_launch_, last_of_run_;  // whose lists came last; of a run 0
    bool is_in_launches_ = false, is_hazards_ = false, is_in_list_ = false, is_skipping_ = false;
};

}  // namespace

Json part_of_json(std::istream& text, const ReadLimits& limits, PassedOver& passed_over) {
    Json whole;
    HazardSieve sieve(whole, limits);
    if (!Json::sax_parse(text, &sieve)) return Json(Json::value_t::discarded);
    passed_over = sieve.finish();
    return whole;
}

}  // namespace tilescope::report

// LaunchList: the launches of a profile in their order, of which many may be the same one again.
//
// Owns: each launch that differs from all others once, and for those that are the same as an earlier one what tells
// them apart (LaunchMarks). Guarantees: whoever only looks (a const list) sees every launch, a repeated one as the
// launch that it repeats, with that one's index, graph and seconds; its own are marks(). Whoever may change launches
// sees each of them apart, with its own: that gives up what was shared. Does not model: launches without an index.
#pragma once

#include <algorithm>
#include <compare>
#include <cstddef>
#include <cstdint>
#include <deque>
#include <initializer_list>
#include <iterator>
#include <stdexcept>
#include <utility>
#include <vector>

namespace tilescope {

// What may differ between two launches of which all else is the same, and no conclusion goes by.
struct LaunchMarks {
    std::uint32_t index = 0, graph = 0;
    double seconds = 0;
};

template <class Launch>
class LaunchesOf {
public:
    using value_type = Launch;
    using size_type = std::size_t;
    using iterator = typename std::deque<Launch>::iterator;

    class ConstIterator {
    public:
        using iterator_category = std::random_access_iterator_tag;
        using value_type = Launch;
        using difference_type = std::ptrdiff_t;
        using pointer = const Launch*;
        using reference = const Launch&;

        ConstIterator() = default;
        ConstIterator(const LaunchesOf& list, std::size_t at) : list_(&list), at_(at) {}
        reference operator*() const { return (*list_)[at_]; }
        pointer operator->() const { return &**this; }
        reference operator[](difference_type by) const { return *(*this + by); }
        ConstIterator& operator+=(difference_type by) {
            at_ = static_cast<std::size_t>(static_cast<difference_type>(at_) + by);
            return *this;
        }
        ConstIterator& operator-=(difference_type by) { return *this += -by; }
        ConstIterator& operator++() { return *this += 1; }
        ConstIterator& operator--() { return *this -= 1; }
        ConstIterator operator++(int) { return std::exchange(*this, *this + 1); }
        ConstIterator operator--(int) { return std::exchange(*this, *this - 1); }
        friend ConstIterator operator+(ConstIterator it, difference_type by) { return it += by; }
        friend ConstIterator operator+(difference_type by, ConstIterator it) { return it += by; }
        friend ConstIterator operator-(ConstIterator it, difference_type by) { return it -= by; }
        friend difference_type operator-(const ConstIterator& a, const ConstIterator& b) {
            return static_cast<difference_type>(a.at_) - static_cast<difference_type>(b.at_);
        }
        bool operator==(const ConstIterator& other) const { return at_ == other.at_; }
        std::strong_ordering operator<=>(const ConstIterator& other) const { return at_ <=> other.at_; }

    private:
        const LaunchesOf* list_ = nullptr;
        std::size_t at_ = 0;
    };
    using const_iterator = ConstIterator;

    LaunchesOf() = default;
    LaunchesOf(std::initializer_list<Launch> launches) : distinct_(launches) {}
    LaunchesOf(std::vector<Launch> launches)  // NOLINT(google-explicit-constructor): as a list of launches, it is one
        : distinct_(std::make_move_iterator(launches.begin()), std::make_move_iterator(launches.end())) {}

    std::size_t size() const { return places_.empty() ? distinct_.size() : places_.size(); }
    bool empty() const { return size() == 0; }
    const Launch& operator[](std::size_t i) const { return distinct_[number(i)]; }
    const Launch& at(std::size_t i) const { return distinct_.at(i < size() ? number(i) : distinct_.size()); }
    const Launch& front() const { return (*this)[0]; }
    const Launch& back() const { return (*this)[size() - 1]; }
    const_iterator begin() const { return {*this, 0}; }
    const_iterator end() const { return {*this, size()}; }
    LaunchMarks marks(std::size_t i) const {
        if (!places_.empty() && places_[i].is_again) return places_[i].marks;
        const Launch& launch = (*this)[i];
        return {launch.index, launch.graph, launch.seconds};
    }
    // All of them apart, with their own marks.
    operator std::vector<Launch>() const {  // NOLINT(google-explicit-constructor): likewise
        std::vector<Launch> all(begin(), end());
        for (std::size_t i = 0; i < all.size(); ++i) put(marks(i), all[i]);
        return all;
    }

    // Those that may be changed apart from all others.
    Launch& operator[](std::size_t i) { return apart()[i]; }
    Launch& at(std::size_t i) { return apart().at(i); }
    Launch& front() { return apart().front(); }
    Launch& back() { return apart().back(); }
    iterator begin() { return apart().begin(); }
    iterator end() { return apart().end(); }
    void resize(std::size_t count) { apart().resize(count); }
    void pop_back() { apart().pop_back(); }
    template <class Is>
    void erase_if(Is is) {
        std::erase_if(apart(), is);
    }

    void push_back(Launch launch) {
        if (!places_.empty()) places_.push_back({static_cast<std::uint32_t>(distinct_.size()), false, {}});
        distinct_.push_back(std::move(launch));
    }
    Launch& emplace_back() {
        push_back({});
        return distinct_.back();
    }
    void append(const LaunchesOf& others) {
        for (std::size_t i = 0; i < others.size(); ++i) {
            push_back(others[i]);
            put(others.marks(i), distinct_.back());
        }
    }
    // The launch at this place once more.
    void push_again(std::size_t of, const LaunchMarks& marks) {
        if (places_.empty())
            for (std::uint32_t i = 0; i < distinct_.size(); ++i) places_.push_back({i, false, {}});
        places_.push_back({places_[of].number, true, marks});
    }
    void clear() {
        distinct_.clear();
        places_.clear();
    }

    void forget_seconds() {
        for (Launch& launch : distinct_) launch.seconds = 0;
        for (Place& place : places_) place.marks.seconds = 0;
    }

    // Each that differs, once: a change of one is a change of all that repeat it.
    std::deque<Launch>& distinct() { return distinct_; }
    const std::deque<Launch>& distinct() const { return distinct_; }

    bool operator==(const LaunchesOf& other) const {
        if (size() != other.size()) return false;
        for (std::size_t i = 0; i < size(); ++i) {
            Launch own = (*this)[i], its = other[i];
            put(marks(i), own);
            put(other.marks(i), its);
            if (own != its) return false;
        }
        return true;
    }

private:
    struct Place {
        std::uint32_t number = 0;  // of distinct_
        bool is_again = false;
        LaunchMarks marks;
    };

    std::size_t number(std::size_t i) const { return places_.empty() ? i : places_[i].number; }
    static void put(const LaunchMarks& marks, Launch& launch) {
        launch.index = marks.index;
        launch.graph = marks.graph;
        launch.seconds = marks.seconds;
    }
    std::deque<Launch>& apart() {
        if (places_.empty()) return distinct_;
        std::deque<Launch> all;
        for (std::size_t i = 0; i < size(); ++i) {
            all.push_back(distinct_[number(i)]);
            put(marks(i), all.back());
        }
        places_.clear();
        distinct_ = std::move(all);
        return distinct_;
    }

    std::deque<Launch> distinct_;
    std::vector<Place> places_;  // none: no launch is repeated
};

}  // namespace tilescope

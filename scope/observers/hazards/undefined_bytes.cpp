#include "scope/observers/hazards/undefined_bytes.h"

#include <algorithm>
#include <bit>
#include <new>

namespace tilescope::observers {

UndefinedBytes::Page UndefinedBytes::all_defined_{};

constexpr std::size_t kPointerBytes = sizeof(void*);

// Tables of large allocations are address space until their pages are touched.
UndefinedBytes::UndefinedBytes(std::uint64_t size)
    : size_(size), pages_(static_cast<Page**>(std::calloc(page_count() + 1, kPointerBytes))) {
    if (!pages_) throw std::bad_alloc();
    open_ = page_count();
}

UndefinedBytes::~UndefinedBytes() {
    for (std::uint64_t i = 0; i < page_count(); ++i) drop(pages_[i]);
    delete spare_;
}

void UndefinedBytes::drop(Page*& page) {
    if (page != nullptr && page != defined()) {
        --held_;
        if (spare_ == nullptr)
            spare_ = page;
        else
            delete page;
    }
    page = nullptr;
}

UndefinedBytes::Page* UndefinedBytes::make_page(bool is_defined, std::uint64_t number) {
    Page* const page = spare_ != nullptr ? spare_ : new Page;
    spare_ = nullptr;
    ++held_;
    std::fill_n(page->words, kPageBytes / 64, is_defined ? 0 : ~std::uint64_t{0});
    const std::uint64_t bytes = std::min(kPageBytes, size_ - (number << kPageBits));
    page->undefined = is_defined ? 0 : static_cast<std::uint32_t>(bytes);
    return page;
}

bool UndefinedBytes::any_of_pages(std::uint64_t from, std::uint64_t bytes) const {
    while (bytes != 0) {
        const std::uint64_t at = from & (kPageBytes - 1), here = std::min(bytes, kPageBytes - at);
        const Page* const page = pages_[from >> kPageBits];
        if (page == nullptr || (page != defined() && any_in(*page, at, here))) return true;
        from += here;
        bytes -= here;
    }
    return false;
}

bool UndefinedBytes::is_fresh(std::uint64_t from, std::uint64_t bytes) const {
    for (std::uint64_t page = from >> kPageBits; page <= (from + bytes - 1) >> kPageBits; ++page)
        if (pages_[page] != nullptr) return false;
    if (brought_.empty()) return true;
    for (std::uint64_t word = from / 4; word <= (from + bytes - 1) / 4; ++word)
        if (brought_.count(word) != 0) return false;
    return true;
}

namespace {

// Calls visit(word of the page, mask) for the words that hold these bytes.
template <class Visit>
void for_each_word(std::uint64_t at, std::uint64_t bytes, Visit visit) {
    for (std::uint64_t left = bytes; left != 0;) {
        const std::uint64_t bit = at % 64, here = std::min<std::uint64_t>(left, 64 - bit);
        visit(at / 64, (here == 64 ? ~std::uint64_t{0} : (std::uint64_t{1} << here) - 1) << bit);
        at += here;
        left -= here;
    }
}

}  // namespace

void UndefinedBytes::clear(std::uint64_t from, std::uint64_t bytes) {
    while (bytes != 0) {
        const std::uint64_t at = from & (kPageBytes - 1), here = std::min(bytes, kPageBytes - at);
        Page*& page = pages_[from >> kPageBits];
        const bool is_whole = here == kPageBytes || (at == 0 && from + here == size_);
        if (page != defined() && is_whole) {
            drop(page);
            page = defined();
            --open_;
        } else if (page != defined()) {
            if (page == nullptr) page = make_page(false, from >> kPageBits);
            for_each_word(at, here, [&](std::uint64_t word, std::uint64_t mask) {
                page->undefined -= static_cast<unsigned>(std::popcount(page->words[word] & mask));
                page->words[word] &= ~mask;
            });
            if (page->undefined == 0) {
                drop(page);
                page = defined();
                --open_;
            }
        }
        from += here;
        bytes -= here;
    }
}

void UndefinedBytes::undefine(std::uint64_t from, std::uint64_t bytes) {
    if (!partly_.empty())
        for (std::uint64_t at = from; at < from + bytes; ++at) partly_.erase(at);
    if (!brought_.empty())
        for (std::uint64_t word = from / 4; word <= (from + bytes - 1) / 4; ++word) brought_.erase(word);
    while (bytes != 0) {
        const std::uint64_t at = from & (kPageBytes - 1), here = std::min(bytes, kPageBytes - at);
        Page*& page = pages_[from >> kPageBits];
        if (page == defined()) {
            ++open_;
            if (here != kPageBytes) page = make_page(true, from >> kPageBits);
        }
        if (here == kPageBytes) {
            drop(page);
        } else if (page != nullptr) {
            for_each_word(at, here, [&](std::uint64_t word, std::uint64_t mask) {
                page->undefined += static_cast<unsigned>(std::popcount(~page->words[word] & mask));
                page->words[word] |= mask;
            });
        }
        from += here;
        bytes -= here;
    }
}

void UndefinedBytes::reset() {
    for (std::uint64_t i = 0; i < page_count(); ++i)
        if (pages_[i] != nullptr) drop(pages_[i]);
    open_ = page_count();
    partly_.clear();
    brought_.clear();
}

std::uint8_t UndefinedBytes::bits(std::uint64_t at) const {
    if (!any(at, 1)) return 0;
    const auto part = partly_.find(at);
    return part == partly_.end() ? 0xff : part->second;
}

void UndefinedBytes::set_bits(std::uint64_t at, std::uint8_t bits) {
    if (bits == 0) return define(at, 1);
    const std::uint64_t mask = std::uint64_t{1} << at % 64, word = (at & (kPageBytes - 1)) / 64;
    Page*& page = pages_[at >> kPageBits];
    if (page == defined()) {
        ++open_;
        page = make_page(true, at >> kPageBits);
    }
    if (page != nullptr && (page->words[word] & mask) == 0) {
        page->words[word] |= mask;
        ++page->undefined;
    }
    if (bits != 0xff)
        partly_[at] = bits;
    else if (!partly_.empty())
        partly_.erase(at);
}

std::uint32_t UndefinedBytes::brought_by(std::uint64_t at) const {
    if (brought_.empty()) return 0;
    const auto found = brought_.find(at / 4);
    return found == brought_.end() ? 0 : found->second;
}

void UndefinedBytes::set_brought_by(std::uint64_t at, std::uint32_t number) { brought_[at / 4] = number; }

std::uint64_t UndefinedBytes::table_bytes() const {
    constexpr std::uint64_t kEntry = 40;  // of a map
    return page_count() * kPointerBytes + held_ * sizeof(Page) + (partly_.size() + brought_.size()) * kEntry;
}

}  // namespace tilescope::observers

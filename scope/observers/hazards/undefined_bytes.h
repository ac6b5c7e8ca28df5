// UndefinedBytes: which bytes of a piece of memory nobody has defined yet, and which of their bits.
//
// Owns: a bit for each byte, in pages that are only there while some of their bytes are defined and some are not; the
// bits of bytes that are undefined in part; and for words that a value brought its number (undefined_memory.h).
// Guarantees: fresh memory is undefined; what is defined once and for all costs a look at its page.
// Does not model: who else changes it at the same time.
#pragma once

#include <cstdint>
#include <cstdlib>
#include <memory>
#include <unordered_map>

namespace tilescope::observers {

class UndefinedBytes {
public:
    static constexpr unsigned kPageBits = 12;
    static constexpr std::uint64_t kPageBytes = std::uint64_t{1} << kPageBits;

    explicit UndefinedBytes(std::uint64_t size);
    ~UndefinedBytes();
    UndefinedBytes(const UndefinedBytes&) = delete;
    UndefinedBytes& operator=(const UndefinedBytes&) = delete;

    std::uint64_t size() const { return size_; }
    // Whether any byte at all may be undefined.
    bool any() const { return open_ != 0; }
    // Whether any of these bytes is not wholly defined. They lie within the size, here and below.
    bool any(std::uint64_t from, std::uint64_t bytes) const {
        if (open_ == 0) return false;
        const Page* const page = pages_[from >> kPageBits];
        if ((from & (kPageBytes - 1)) + bytes > kPageBytes) return any_of_pages(from, bytes);
        return page != defined() && (page == nullptr || any_in(*page, from & (kPageBytes - 1), bytes));
    }
    // Whether nobody has written any of these bytes.
    bool is_fresh(std::uint64_t from, std::uint64_t bytes) const;
    void define(std::uint64_t from, std::uint64_t bytes) {
        if (any(from, bytes)) clear(from, bytes);
    }
    void undefine(std::uint64_t from, std::uint64_t bytes);
    // All bytes as at first.
    void reset();

    // The undefined bits of one byte, and the number of the value that brought them (0: nobody wrote the byte). Numbers
    // are kept by words of four bytes.
    std::uint8_t bits(std::uint64_t at) const;
    void set_bits(std::uint64_t at, std::uint8_t bits);
    std::uint32_t brought_by(std::uint64_t at) const;
    void set_brought_by(std::uint64_t at, std::uint32_t number);

    std::uint64_t table_bytes() const;

private:
    struct Page {
        std::uint64_t words[kPageBytes / 64];
        std::uint32_t undefined;  // bits that are set
    };
    struct Free {
        void operator()(Page** pages) const { std::free(pages); }
    };
    static Page* defined() { return &all_defined_; }
    static bool any_in(const Page& page, std::uint64_t from, std::uint64_t bytes) {
        const std::uint64_t first = from / 64, last = (from + bytes - 1) / 64;
        const std::uint64_t low = ~std::uint64_t{0} << from % 64;
        const std::uint64_t high = ~std::uint64_t{0} >> (63 - (from + bytes - 1) % 64);
        if (first == last) return (page.words[first] & low & high) != 0;
        std::uint64_t found = (page.words[first] & low) | (page.words[last] & high);
        for (std::uint64_t i = first + 1; i < last; ++i) found |= page.words[i];
        return found != 0;
    }
    bool any_of_pages(std::uint64_t from, std::uint64_t bytes) const;
    void clear(std::uint64_t from, std::uint64_t bytes);
    void drop(Page*& page);
    Page* make_page(bool is_defined, std::uint64_t number);
    std::uint64_t page_count() const { return (size_ + kPageBytes - 1) >> kPageBits; }

    static Page all_defined_;
    std::uint64_t size_ = 0, held_ = 0;
    std::uint64_t open_ = 0;  // pages that are not wholly defined
    // By number: null where all is undefined, defined() where nothing is.
    std::unique_ptr<Page*[], Free> pages_;
    std::unordered_map<std::uint64_t, std::uint8_t> partly_;    // bytes with defined bits as well
    std::unordered_map<std::uint64_t, std::uint32_t> brought_;  // by number of the word
    Page* spare_ = nullptr;
};

}  // namespace tilescope::observers

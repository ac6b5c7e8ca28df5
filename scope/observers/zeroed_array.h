// ZeroedArray: a fixed array of zeros that costs memory only where it is written.
//
// Owns: its storage. Guarantees: all elements are 0 to begin with; a page that nobody wrote takes no memory, so that
// the array may be as long as what it describes. Does not model: growth.
#pragma once

#include <sys/mman.h>

#include <cstddef>
#include <cstdlib>
#include <new>
#include <type_traits>
#include <utility>

namespace tilescope::observers {

template <class T>
class ZeroedArray {
    static_assert(std::is_trivial_v<T>);

public:
    ZeroedArray() = default;
    explicit ZeroedArray(std::size_t count) : count_(count) {
        if (is_mapped()) {
            void* pages =
                mmap(nullptr, bytes(), PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
            if (pages == MAP_FAILED) throw std::bad_alloc();
            data_ = static_cast<T*>(pages);
        } else if (count != 0) {
            data_ = static_cast<T*>(std::calloc(count, sizeof(T)));
            if (data_ == nullptr) throw std::bad_alloc();
        }
    }
    ZeroedArray(ZeroedArray&& other) noexcept
        : data_(std::exchange(other.data_, nullptr)), count_(std::exchange(other.count_, 0)) {}
    ZeroedArray& operator=(ZeroedArray&& other) noexcept {
        std::swap(data_, other.data_);
        std::swap(count_, other.count_);
        return *this;
    }
    ~ZeroedArray() {
        if (is_mapped())
            munmap(data_, bytes());
        else
            std::free(data_);
    }

    T* data() { return data_; }
    const T* data() const { return data_; }
    std::size_t size() const { return count_; }
    bool empty() const { return count_ == 0; }
    T& operator[](std::size_t i) { return data_[i]; }
    const T& operator[](std::size_t i) const { return data_[i]; }

private:
    static constexpr std::size_t kMappedFrom = 64 * 1024;  // bytes; below, a page more or less does not matter
    std::size_t bytes() const { return count_ * sizeof(T); }
    bool is_mapped() const { return bytes() >= kMappedFrom; }

    T* data_ = nullptr;
    std::size_t count_ = 0;
};

}  // namespace tilescope::observers

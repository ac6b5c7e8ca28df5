// What a launch prints, within the buffer that cudaLimitPrintfFifoSize sets.
//
// Owns: PrintBuffer. Guarantees: what fits is printed at once; of what does not, the last that fits comes when the
// buffer is flushed, as a card overwrites the oldest, and the rest is counted. A call of one thread takes 256 bytes (an
// H100, driver 580: 2,048 of a launch's calls are left of the 512 KiB that are the least, 33,792 of the default). Does
// not model: when the host empties a card's buffer while the kernel runs, so that a few lines more or less come; calls
// with arguments of more than 256 bytes.
#pragma once

#include <cstddef>
#include <cstdint>
#include <deque>
#include <string>

namespace tilescope {

class PrintBuffer {
public:
    explicit PrintBuffer(std::uint64_t bytes) : room_(bytes / kBytesOfCall) {}
    PrintBuffer(const PrintBuffer&) = delete;
    PrintBuffer& operator=(const PrintBuffer&) = delete;
    ~PrintBuffer() { flush(); }

    // What one call of one thread prints.
    void add(const char* text, std::size_t size);
    // Prints what waits. Returns the calls that were lost.
    std::uint64_t flush();

private:
    static constexpr std::uint64_t kBytesOfCall = 256;
    std::uint64_t room_ = 0, printed_ = 0, lost_ = 0;
    std::deque<std::string> waiting_;
};

}  // namespace tilescope

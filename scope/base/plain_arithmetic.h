// The host's floating point as the C++ standard has it when a program begins.
//
// Owns: PlainArithmetic, for as long as it lives on a thread and on those it starts. A program may round upwards, count
// denormal numbers as zero (so does whatever is linked with -ffast-math) or be stopped where one is divided by zero;
// kernels, models and the reading of numbers are none of its business. Guarantees: afterwards all is as before, what
// was raised in between included.
#pragma once

#if !defined(__SSE2__)
#include <cfenv>
#else
#include <cstdint>
#endif

namespace tilescope {

class PlainArithmetic {
public:
    PlainArithmetic(const PlainArithmetic&) = delete;
    PlainArithmetic& operator=(const PlainArithmetic&) = delete;

#if defined(__SSE2__)
    PlainArithmetic() : vectors_(__builtin_ia32_stmxcsr()) {
        asm volatile("fnstcw %0" : "=m"(stack_));
        if ((vectors_ & kControl) != kPlain) __builtin_ia32_ldmxcsr(kPlain);
        if (stack_ != kPlainStack) set_stack(kPlainStack);
    }
    ~PlainArithmetic() {
        __builtin_ia32_ldmxcsr(vectors_);
        if (stack_ != kPlainStack) set_stack(stack_);
    }

private:
    // To the nearest, nothing flushed, nothing trapped: of the vectors' control word, whose lowest six bits are what
    // was raised, and of the older unit's, by which the C library learns how to round what it reads.
    static constexpr unsigned kPlain = 0x1f80, kControl = ~0x3fu;
    static constexpr std::uint16_t kPlainStack = 0x037f;

    static void set_stack(std::uint16_t word) { asm volatile("fldcw %0" : : "m"(word)); }

    unsigned vectors_;
    std::uint16_t stack_;
#else
    PlainArithmetic() {
        std::fegetenv(&before_);
        std::fesetenv(FE_DFL_ENV);
    }
    ~PlainArithmetic() { std::fesetenv(&before_); }

private:
    std::fenv_t before_;
#endif
};

}  // namespace tilescope

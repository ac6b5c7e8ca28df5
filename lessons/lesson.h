// What the lessons' programs share: what the examples have (calls that may fail, buffers there and back, the check of
// the result), launches, and figures.
#pragma once

#include "../examples/check.h"

#include <cstring>

inline bool is(const char* argument, const char* name) { return std::strcmp(argument, name) == 0; }

// A number that a claim can look at.
inline void figure(const char* name, double value) { std::printf("%s: %.9g\n", name, value); }

// Runs what starts a kernel, once, and waits for it. With LESSON_REPEATS=N in the environment, as on a GPU whose times
// are wanted, N times more, and prints how long the first launch took and how long the others took on average: the
// first one also pays for what the driver does only once.
template <class Start>
void launch(const char* name, Start start) {
    const char* wanted = std::getenv("LESSON_REPEATS");
    const int repeats = wanted == nullptr ? 0 : std::atoi(wanted);
    if (repeats <= 0) {
        start();
        finish_launch();
        return;
    }
    cudaEvent_t begin, first, end;
    CHECK(cudaEventCreate(&begin));
    CHECK(cudaEventCreate(&first));
    CHECK(cudaEventCreate(&end));
    CHECK(cudaEventRecord(begin));
    start();
    CHECK(cudaEventRecord(first));
    for (int i = 0; i < repeats; ++i) start();
    CHECK(cudaEventRecord(end));
    CHECK(cudaGetLastError());
    CHECK(cudaEventSynchronize(end));
    float once = 0, others = 0;
    CHECK(cudaEventElapsedTime(&once, begin, first));
    CHECK(cudaEventElapsedTime(&others, first, end));
    std::printf("%s first launch microseconds: %.3f\n", name, once * 1000.0);
    std::printf("%s microseconds: %.3f\n", name, others * 1000.0 / repeats);
}

// What the programs have in common that tell what tensor cores give as digests: their arguments, the names of kinds,
// results on the card and the lines made of them.
//
// Owns: Asked, Results. Guarantees: lines and digests as tests/truth keeps them.
#pragma once

#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <string>
#include <vector>

#include <cuda_runtime.h>

#include "tensor_elements.h"

using Word = std::uint32_t;

constexpr const char* kNames[kKinds] = {"alike", "wide", "anything", "cancelling", "sparse", "tiny", "whole", "powers"};

inline void check(cudaError_t error) {
    if (error == cudaSuccess) return;
    std::fprintf(stderr, "%s\n", cudaGetErrorString(error));
    std::exit(1);
}

template <class Number>
unsigned long long digest_of(const Number* numbers, std::size_t count) {
    std::uint64_t digest = 0;
    for (std::size_t i = 0; i < count; ++i) digest = mixed(digest ^ numbers[i]);
    return digest;
}

struct Asked {
    unsigned cases = 0;
    std::string form, folder;  // the only one, and where all results go; empty: all, nowhere

    bool wants(const char* name) const { return form.empty() || form == name; }
};

inline Asked asked_of(int argc, char** argv, const char* program) {
    if (argc < 2) {
        std::fprintf(stderr, "usage: %s CASES [--form NAME] [--dump FOLDER]\n", program);
        std::exit(2);
    }
    Asked asked;
    asked.cases = static_cast<unsigned>(std::atoi(argv[1]));
    for (int i = 2; i + 1 < argc; i += 2)
        (std::strcmp(argv[i], "--form") == 0 ? asked.form : asked.folder) = argv[i + 1];
    return asked;
}

// A form's results: as many numbers of each case.
template <class Number>
class Results {
public:
    Results(const Asked& asked, std::size_t of_case) : asked_(asked), host_(asked.cases * of_case) {
        check(cudaMalloc(&on_card_, host_.size() * sizeof(Number)));
    }
    Results(const Results&) = delete;
    Results& operator=(const Results&) = delete;
    ~Results() { cudaFree(on_card_); }

    Number* on_card() { return on_card_; }

    // Of the launch before: a line, and a file where the numbers are asked for, of which so many bytes count. Names are
    // those of the form, the kind and the places that are kept, if there are such.
    void tell(const std::vector<std::string>& names, std::size_t bytes = sizeof(Number)) {
        check(cudaGetLastError());
        check(cudaMemcpy(host_.data(), on_card_, host_.size() * sizeof(Number), cudaMemcpyDeviceToHost));
        std::string file_name = asked_.folder + "/";
        for (const std::string& name : names) {
            std::printf("%s ", name.c_str());
            file_name += (&name == &names.front() ? "" : ".") + name;
        }
        std::printf("%u %016llx\n", asked_.cases, digest_of(host_.data(), host_.size()));
        if (asked_.folder.empty()) return;
        std::FILE* file = std::fopen(file_name.c_str(), "wb");
        for (const Number& number : host_) std::fwrite(&number, bytes, 1, file);
        std::fclose(file);
    }

private:
    const Asked& asked_;
    std::vector<Number> host_;
    Number* on_card_ = nullptr;
};

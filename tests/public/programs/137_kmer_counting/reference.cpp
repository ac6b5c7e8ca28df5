#include <map>
#include <string>
#include "kmer.h"
std::map<uint64_t, unsigned> count_cpu(const std::string& bases, int k) {
    std::map<uint64_t, unsigned> counts;
    uint64_t word;
    for (std::size_t i = 0; i + k <= bases.size(); i++)
        if (encode_at(bases.data(), i, k, &word)) counts[word]++;
    return counts;
}

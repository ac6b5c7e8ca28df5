// What was found under --check, in words: places of the source, names of variables, and what to do.
//
// Guarantees: hazards whose lines are the same are one, with the sum of their counts; no address of the host shows.
#pragma once

#include <string>
#include <vector>

#include "scope/observers/hazards/hazards.h"
#include "scope/observers/hazards/undefined_memory.h"
#include "scope/report/profile.h"
#include "scope/session/launch/prepare.h"

namespace tilescope {

// Of a value that a shuffle brought from nowhere.
inline constexpr const char* kAskThoseThere =
    "let all lanes of the mask take part, or use no value of a lane that does not: a smaller width, or a check of the "
    "lane's number";

class HazardWords {
public:
    explicit HazardWords(const Prepared& launch) : launch_(launch), kernel_(launch.kernel), program_(launch.program) {}

    std::vector<Hazard> in_words(const std::vector<observers::FoundHazard>& found);
    // Gives undefined values that this program read or stored their lines.
    void name_values(observers::UndefinedValues& values);

private:
    Hazard hazard_of(const observers::FoundHazard& found);
    std::string out_of_bounds(const observers::FoundHazard& found);
    std::string message(const observers::FoundHazard& found, const Hazard& hazard);
    // Lines of one file between which a barrier mends a race, wherever it stands; 0 and 0: there are none such.
    struct Lines {
        std::uint32_t low = 0, high = 0;
    };
    using Groups = std::vector<std::pair<Hazard, observers::FoundHazard>>;
    Lines free_lines(const observers::FoundHazard& found, const Hazard& hazard) const;
    std::vector<Lines> join_lines(Groups& groups) const;
    std::string hint(const observers::FoundHazard& found, const Hazard& hazard, Lines lines) const;
    std::string variable(HazardSpace space, std::uint64_t address);
    std::string undefined_use(const observers::FoundHazard& found, const Hazard& hazard);
    void name(observers::CodePlace& place) const;
    std::string part_of_array(const std::string& symbol) const;
    std::string shared_variable(std::uint64_t offset) const;
    std::string global_variable(std::uint64_t address);
    // is_whole: the name says the byte as well.
    struct GlobalName {
        std::string name;
        std::uint64_t begin = 0;
        bool is_whole = false;
    };
    GlobalName global_name(std::uint64_t address);
    std::string who(const observers::HazardEnd& end) const;
    Dim3 block_of(std::uint64_t number) const;
    Dim3 thread_of(std::uint32_t number) const;

    const Prepared& launch_;
    Kernel& kernel_;
    const machine::Program& program_;
};

}  // namespace tilescope

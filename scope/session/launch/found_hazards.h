// What was found under --check as hazards: places of the source, names of variables, and what mends it.
//
// Guarantees: hazards whose lines are the same are one, with the sum of their counts; no address of the host shows.
// Does not model: words, which are the views' (scope/views/words).
#pragma once

#include <optional>
#include <utility>
#include <vector>

#include "scope/observers/hazards/hazards.h"
#include "scope/observers/hazards/undefined_memory.h"
#include "scope/report/profile.h"
#include "scope/session/launch/memory_names.h"
#include "scope/session/launch/prepare.h"

namespace tilescope {

class FoundHazards {
public:
    explicit FoundHazards(const Prepared& launch) : launch_(launch), program_(launch.program), names_(launch) {}

    std::vector<Hazard> list(const std::vector<observers::FoundHazard>& found);
    // Gives undefined values that this program read or stored their lines.
    void name_values(observers::UndefinedValues& values);

    // Gives fields that this program left out their lines. Those of buffers of plain numbers are no fields: they go.
    void name_skipped(std::vector<observers::SkippedField>& skipped);

private:
    observers::FoundHazard in_order(observers::FoundHazard found) const;
    Hazard hazard_of(const observers::FoundHazard& found);
    HazardFacts facts_of(const observers::FoundHazard& found);
    void leave_variable(const observers::FoundHazard& found, HazardFacts& facts);
    // Lines of one file between which a barrier mends a race, wherever it stands; 0 and 0: there are none such.
    struct Lines {
        std::uint32_t low = 0, high = 0;
    };
    using Groups = std::vector<std::pair<Hazard, observers::FoundHazard>>;
    Lines free_lines(const observers::FoundHazard& found, const Hazard& hazard) const;
    std::vector<Lines> join_lines(Groups& groups) const;
    void mend(const observers::FoundHazard& found, const Hazard& hazard, Lines lines, HazardFacts& facts) const;
    std::optional<SourceSpot> parting(std::uint32_t op) const;
    void place_barrier(const observers::FoundHazard& found, const Hazard& hazard, Lines lines,
                       HazardFacts& facts) const;
    void name(observers::CodePlace& place) const;
    Dim3 block_of(std::uint64_t number) const;
    Dim3 thread_of(std::uint32_t number) const;

    const Prepared& launch_;
    const machine::Program& program_;
    MemoryNames names_;
};

}  // namespace tilescope

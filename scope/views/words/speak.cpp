#include "scope/views/words/speak.h"

#include "scope/views/words/advice.h"
#include "scope/views/words/hazards.h"
#include "scope/views/words/pages.h"
#include "scope/views/words/phases.h"
#include "scope/views/words/verdicts.h"

namespace tilescope::views {
namespace {

void speak_of(std::vector<Hazard>& hazards) {
    for (Hazard& hazard : hazards) {
        if (hazard.facts.what != HazardCase::kNone) hazard.message = words::hazard_message(hazard);
        if (hazard.facts.remedy != Remedy::kNone) hazard.hint = words::hazard_hint(hazard);
    }
}

void speak_of(PhaseTable& table) {
    for (Phase& phase : table.phases)
        for (PhaseRow& row : phase.rows)
            for (PhaseCell& cell : row.cells)
                for (PhaseStatement& statement : cell) statement.text = statement_text(statement, kAllTerms);
}

}  // namespace

void speak(Profile& profile) {
    for (LaunchProfile& launch : profile.launches.distinct()) {
        speak_of(launch.hazards);
        speak_advice(launch, profile.device);
        speak_verdicts(launch);
    }
    for (Advice& advice : profile.advice)
        if (advice.message.empty()) advice.message = advice_message(advice, profile.device);
    speak_of(profile.hazards);
    if (profile.pages && profile.pages->trouble != PageTrouble::kNone)
        profile.pages->message = words::pages_message(*profile.pages);
    if (profile.trace) speak_of(*profile.trace);
}

}  // namespace tilescope::views

#include "scope/views/words/speak.h"

#include "scope/views/words/advice.h"
#include "scope/views/words/verdicts.h"

namespace tilescope::views {

void speak(Profile& profile) {
    for (LaunchProfile& launch : profile.launches) {
        speak_advice(launch, profile.device);
        speak_verdicts(launch);
    }
}

}  // namespace tilescope::views

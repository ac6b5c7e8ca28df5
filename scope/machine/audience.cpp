#include "scope/machine/audience.h"

#include "scope/machine/program.h"

namespace tilescope::machine {

void Audience::add(Observer& observer) {
    observers_.push_back(&observer);
    const std::uint32_t wanted = observer.events();
    events_ |= wanted;
    for (unsigned event = 0; event < kEvents; ++event)
        if (wanted >> event & 1) by_event_[event].push_back(&observer);
}

const Listeners& Audience::listeners(const Site& site, View view) {
    std::vector<std::uint32_t> wanted;
    for (const Observer* observer : observers_) wanted.push_back(observer->view() == view ? observer->wants(site) : 0);
    std::unique_ptr<Listeners>& found = listeners_[wanted];
    if (found) return *found;
    found = std::make_unique<Listeners>();
    for (std::size_t i = 0; i < wanted.size(); ++i)
        for (unsigned space = 0; space < kSpaces; ++space)
            if (wanted[i] >> space & 1) {
                found->by_space[space].push_back(observers_[i]);
                found->spaces |= 1u << space;
            }
    return *found;
}

}  // namespace tilescope::machine

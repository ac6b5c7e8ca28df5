#include "scope/machine/audience.h"

#include "scope/machine/program.h"

namespace tilescope::machine {

void Audience::add(Observer& observer) {
    observers_.push_back(&observer);
    viewers_[static_cast<unsigned>(observer.view())].observers.push_back(&observer);
    const std::uint32_t wanted = observer.events();
    events_ |= wanted;
    for (unsigned event = 0; event < kEvents; ++event)
        if (wanted >> event & 1) by_event_[event].push_back(&observer);
}

// Asked of every site before every launch, and neighbours are nearly always alike.
const Listeners& Audience::listeners(const Site& site, View view) {
    Viewers& viewers = viewers_[static_cast<unsigned>(view)];
    const std::size_t count = viewers.observers.size();
    bool is_same = viewers.last != nullptr;
    viewers.wanted.resize(count);
    for (std::size_t i = 0; i < count; ++i) {
        const std::uint32_t wanted = viewers.observers[i]->wants(site);
        is_same = is_same && viewers.wanted[i] == wanted;
        viewers.wanted[i] = wanted;
    }
    if (is_same) return *viewers.last;
    const auto [found, is_new] = viewers.listeners.try_emplace(viewers.wanted);
    Listeners& listeners = found->second;
    viewers.last = &listeners;
    if (!is_new) return listeners;
    for (std::size_t i = 0; i < count; ++i)
        for (unsigned space = 0; space < kSpaces; ++space)
            if (viewers.wanted[i] >> space & 1) {
                listeners.by_space[space].push_back(viewers.observers[i]);
                listeners.spaces |= 1u << space;
            }
    return listeners;
}

}  // namespace tilescope::machine

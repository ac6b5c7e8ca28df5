#include "scope/observers/counting.h"

namespace tilescope::observers {

const std::vector<ObserverRow>& counting_observers() {
    static const std::vector<ObserverRow> kRows = {
        {"coalescing", "how many 32-byte sectors does each global request touch?", &make_coalescing},
        {"local", "how many sectors do local arrays and spills touch?", &make_local_coalescing},
        {"banks", "how many passes does each shared request take through the banks?", &make_banks},
        {"constants", "how many distinct constant addresses does each warp read at once?", &make_constants},
    };
    return kRows;
}

}  // namespace tilescope::observers

#include "scope/texture/filter.h"

namespace tilescope::texture {

float blend(const Term* terms, unsigned count) {
    double sum = 0;
    for (unsigned i = 0; i < count; ++i)
        if (terms[i].weight != 0) sum += static_cast<double>(terms[i].value) * terms[i].weight;
    return static_cast<float>(sum / kWholeWeight);
}

}  // namespace tilescope::texture

// What the words of a spelling say of an access to memory: its space, its order and the threads that this is for, and
// what it asks of the caches.
#pragma once

#include <string_view>

#include "scope/isa/table/form.h"
#include "scope/isa/table/row.h"
#include "scope/machine/access.h"
#include "scope/machine/cache_hints.h"
#include "scope/machine/order.h"

namespace tilescope::isa {

// Generic when none is named. Without clusters a block's shared memory is all that its cluster has.
machine::Space space_of(const Form& form);
inline bool is_shared(const Form& form) { return space_of(form) == machine::Space::kShared; }

// As spelled, else the row's own.
machine::Order order_of(const Row& row, const Form& form);
machine::Scope scope_of(const Row& row, const Form& form);

machine::CacheHints cache_hints_of(const Form& form);
// The priority that a word of the second-level cache names; kNone for any other.
machine::Eviction second_level_eviction_of(std::string_view word);

}  // namespace tilescope::isa

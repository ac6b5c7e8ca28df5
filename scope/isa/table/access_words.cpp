#include "scope/isa/table/access_words.h"

namespace tilescope::isa {
namespace {

using machine::CacheOperator;
using machine::Eviction;
using machine::Order;
using machine::Scope;
using machine::Space;

struct SpaceWord {
    std::string_view word;
    Space space;
};
constexpr SpaceWord kSpaces[] = {
    {"global", Space::kGlobal},      {"shared", Space::kShared},
    {"shared::cta", Space::kShared}, {"shared::cluster", Space::kShared},
    {"local", Space::kLocal},        {"const", Space::kConstant},
    {"param", Space::kParam},        {"param::entry", Space::kParam},
    {"param::func", Space::kParam},  {"mma_async", Space::kShared},  // whose descriptors speak of shared memory alone
};

struct OrderWord {
    std::string_view word;
    Order order;
};
constexpr OrderWord kOrders[] = {
    {"weak", Order::kWeak},       {"volatile", Order::kVolatile}, {"relaxed", Order::kRelaxed},
    {"acquire", Order::kAcquire}, {"release", Order::kRelease},   {"acq_rel", Order::kAcquireRelease},
    {"sc", Order::kSequential},
};

struct ScopeWord {
    std::string_view word;
    Scope scope;
};
constexpr ScopeWord kScopes[] = {
    {"cta", Scope::kBlock}, {"cluster", Scope::kCluster}, {"gpu", Scope::kGpu},
    {"gl", Scope::kGpu},    {"sys", Scope::kSystem},      {"volatile", Scope::kSystem},
};

struct OperatorWord {
    std::string_view word;
    CacheOperator operation;
};
constexpr OperatorWord kOperators[] = {
    {"ca", CacheOperator::kAllLevels},    {"cg", CacheOperator::kSecondLevel}, {"cs", CacheOperator::kStreaming},
    {"lu", CacheOperator::kLastUse},      {"cv", CacheOperator::kAnew},        {"wb", CacheOperator::kWriteBack},
    {"wt", CacheOperator::kWriteThrough},
};

struct EvictionWord {
    std::string_view first_level, second_level;
    Eviction eviction;
};
constexpr EvictionWord kEvictions[] = {
    {"L1::evict_normal", "L2::evict_normal", Eviction::kNormal},
    {"L1::evict_unchanged", "L2::evict_unchanged", Eviction::kUnchanged},
    {"L1::evict_first", "L2::evict_first", Eviction::kFirst},
    {"L1::evict_last", "L2::evict_last", Eviction::kLast},
    {"L1::no_allocate", "", Eviction::kNoAllocate},
};

struct PrefetchWord {
    std::string_view word;
    std::uint16_t bytes;
};
constexpr PrefetchWord kPrefetches[] = {{"L2::64B", 64}, {"L2::128B", 128}, {"L2::256B", 256}};

}  // namespace

Space space_of(const Form& form) {
    for (const SpaceWord& known : kSpaces)
        if (form.has(known.word)) return known.space;
    return Space::kGeneric;
}

Order order_of(const Row& row, const Form& form) {
    for (const OrderWord& known : kOrders)
        if (form.has(known.word)) return known.order;
    return row.order;
}

Scope scope_of(const Row& row, const Form& form) {
    for (const ScopeWord& known : kScopes)
        if (form.has(known.word)) return known.scope;
    return row.scope;
}

Eviction second_level_eviction_of(std::string_view word) {
    for (const EvictionWord& known : kEvictions)
        if (!known.second_level.empty() && known.second_level == word) return known.eviction;
    return Eviction::kNone;
}

machine::CacheHints cache_hints_of(const Form& form) {
    machine::CacheHints hints;
    for (const OperatorWord& known : kOperators)
        if (form.has(known.word)) hints.operation = known.operation;
    for (const EvictionWord& known : kEvictions) {
        if (form.has(known.first_level)) hints.first_level = known.eviction;
        if (!known.second_level.empty() && form.has(known.second_level)) hints.second_level = known.eviction;
    }
    for (const PrefetchWord& known : kPrefetches)
        if (form.has(known.word)) hints.prefetch_bytes = known.bytes;
    hints.is_read_only = form.has("nc");
    hints.has_policy = form.has("L2::cache_hint");
    return hints;
}

}  // namespace tilescope::isa

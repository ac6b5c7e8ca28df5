#include "scope/isa/table/access_words.h"

namespace tilescope::isa {
namespace {

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
    {"param::func", Space::kParam},
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

}  // namespace tilescope::isa

// From a lane body to an OpFn: the shapes that most instructions have.
//
// A body is a struct with `static D apply(A a, ...)`, total over all bit patterns. The helpers below wrap it in the
// lane loop; pick_*() choose the instance for a type. Everything here lies in the target's namespace (simd/target.h).
#pragma once

#include "scope/isa/table/binding.h"
#include "scope/isa/table/types.h"
#include "scope/machine/simd/lanes.h"
#include "scope/machine/warp.h"

namespace tilescope::isa::TILESCOPE_TARGET {

using machine::Op;
using machine::OpFn;
using machine::Warp;
using machine::TILESCOPE_TARGET::lanes_where;
using machine::TILESCOPE_TARGET::write_lanes;

template <class D, class A, class Body>
void unary(Warp& warp, const Op& op) {
    const A* a = warp.source<A>(op.a);
    write_lanes(warp.exec, warp.target<D>(op.dst), [&](unsigned i) -> D { return Body::apply(a[i]); });
}

template <class D, class A, class B, class Body>
void binary(Warp& warp, const Op& op) {
    const A* a = warp.source<A>(op.a);
    const B* b = warp.source<B>(op.b);
    write_lanes(warp.exec, warp.target<D>(op.dst), [&](unsigned i) -> D { return Body::apply(a[i], b[i]); });
}

template <class D, class A, class B, class C, class Body>
void ternary(Warp& warp, const Op& op) {
    const A* a = warp.source<A>(op.a);
    const B* b = warp.source<B>(op.b);
    const C* c = warp.source<C>(op.c);
    write_lanes(warp.exec, warp.target<D>(op.dst), [&](unsigned i) -> D { return Body::apply(a[i], b[i], c[i]); });
}

// Of what the machine itself carries out, or what has no effect here.
inline void nothing(Warp&, const Op&) {}
inline OpFn bind_nothing(Binding&) { return &nothing; }

}  // namespace tilescope::isa::TILESCOPE_TARGET

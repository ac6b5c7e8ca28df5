#include "scope/runtime/cuda/contexts.h"

#include <algorithm>

#include "scope/runtime/service/thread_own.h"

namespace tilescope::runtime::driver {
namespace {

struct ContextStack {
    std::vector<Context*> contexts;
};

std::vector<Context*>& own_stack() { return of_this_thread<ContextStack>().contexts; }

}  // namespace

Contexts& Contexts::get() {
    static auto* const kept = new Contexts;
    return *kept;
}

bool Contexts::is_initialised() const { return initialised_ || has_called_runtime(); }

Context* Contexts::make(unsigned flags) {
    const std::lock_guard lock(mutex_);
    contexts_.push_back(std::make_unique<Context>(Context{.flags = flags, .id = next_id_++}));
    return contexts_.back().get();
}

bool Contexts::destroy(const void* handle) {
    {
        const std::lock_guard lock(mutex_);
        const auto found = std::find_if(contexts_.begin(), contexts_.end(),
                                        [&](const auto& context) { return context.get() == handle; });
        if (found == contexts_.end()) return false;
        contexts_.erase(found);
    }
    std::vector<Context*>& stack = own_stack();
    if (!stack.empty() && stack.back() == handle) stack.pop_back();
    return true;
}

bool Contexts::is_context(const void* handle) {
    if (handle == &primary_) return true;
    const std::lock_guard lock(mutex_);
    return std::any_of(contexts_.begin(), contexts_.end(),
                       [&](const auto& context) { return context.get() == handle; });
}

Context* Contexts::retain_primary() {
    const std::lock_guard lock(mutex_);
    ++primary_holders_;
    return &primary_;
}

bool Contexts::release_primary() {
    const std::lock_guard lock(mutex_);
    if (primary_holders_ == 0) return false;
    --primary_holders_;
    return true;
}

void Contexts::reset_primary() {
    const std::lock_guard lock(mutex_);
    primary_holders_ = 0;
    primary_.flags = 0;
}

bool Contexts::is_primary_active() {
    const std::lock_guard lock(mutex_);
    return primary_holders_ != 0 || has_called_runtime();
}

bool Contexts::are_all_gone() {
    const std::lock_guard lock(mutex_);
    return contexts_.empty() && primary_holders_ == 0 && !has_called_runtime();
}

Context* Contexts::current() {
    const std::vector<Context*>& stack = own_stack();
    if (!stack.empty()) return stack.back();
    return runtime_made_current() ? &primary_ : nullptr;
}

void Contexts::push(Context* context) { own_stack().push_back(context); }

Context* Contexts::pop() {
    std::vector<Context*>& stack = own_stack();
    Context* const top = current();
    if (stack.empty())
        runtime_made_current() = false;
    else
        stack.pop_back();
    return top;
}

void Contexts::set_current(Context* context) {
    std::vector<Context*>& stack = own_stack();
    if (!stack.empty()) stack.pop_back();
    if (stack.empty()) runtime_made_current() = false;  // until the runtime's next call
    if (context != nullptr) stack.push_back(context);
}

Status Contexts::check_current() {
    const Context* const top = current();
    if (top == nullptr) return because(Status::kNoContext, "no context is current on this thread");
    if (!is_context(top)) return because(Status::kContextGone, "the context that is current was destroyed");
    if (top->is_primary && !is_primary_active())
        return because(Status::kContextGone, "nobody holds the primary context, which is current");
    return Status::kOk;
}

}  // namespace tilescope::runtime::driver

#include "scope/runtime/runtime.h"

#include <pthread.h>

#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <fstream>

#include "scope/report/json.h"
#include "scope/runtime/handles.h"
#include "scope/runtime/memory_book.h"
#include "scope/runtime/registry.h"

namespace tilescope::runtime {
namespace {

// A launch of another host thread may run while the program exits; the profile waits for it this long.
constexpr auto kExitPatience = std::chrono::seconds(2);

std::string absolute_or_empty(const char* path) {
    if (path == nullptr || *path == '\0') return {};
    std::error_code ignored;
    const auto whole = std::filesystem::absolute(path, ignored);
    return ignored ? std::string(path) : whole.string();
}

void print(const std::string& text) {
    std::fflush(stdout);
    std::fputs(text.c_str(), stderr);
}

// Before main, so that the path is resolved where the program started and a fork is noticed from the start.
__attribute__((constructor)) void start() { Runtime::get(); }

// Also on the way out through quick_exit and at dlclose. In a program that exits the ordinary way the handler of
// write_at_exit() came before and this finds nothing to do.
__attribute__((destructor)) void write_last() { Runtime::get().write_profile(); }

}  // namespace

Runtime& Runtime::get() {
    static Runtime* const runtime = new Runtime;
    return *runtime;
}

Runtime::Runtime()
    : registry_(std::make_unique<Registry>()),
      handles_(std::make_unique<Handles>()),
      memory_book_(std::make_unique<MemoryBook>()),
      profile_path_(absolute_or_empty(std::getenv(kProfileVariable))),
      profile_wanted_(!profile_path_.empty()) {
    pthread_atfork(nullptr, nullptr, [] {
        Runtime& runtime = get();
        runtime.profile_wanted_ = false;
        runtime.orphaned_ = runtime.has_session();
    });
}

std::string Runtime::program_name() {
    std::error_code failed;
    const auto path = std::filesystem::read_symlink("/proc/self/exe", failed);
    return failed ? std::string("the program") : path.filename().string();
}

cudaError Runtime::make_session() {
    const std::lock_guard lock(making_);
    if (made_.load(std::memory_order_relaxed)) return cudaSuccess;
    if (making_failed_ != cudaSuccess) return making_failed_;
    const auto fail = [&](const Diagnostics& errors) {
        print("tilescope: " + render(errors));
        return making_failed_ = cudaErrorInitializationError;
    };
    SessionOptions options;
    if (const char* text = std::getenv(kOptionsVariable)) {
        auto decoded = decode(text);
        if (!decoded) return fail(decoded.errors());
        options = std::move(decoded).value();
    }
    if (options.program.empty()) options.program = program_name();
    auto made = Session::create(options);
    if (!made) return fail(made.errors());
    session_ = std::move(made).value();
    made_.store(true, std::memory_order_release);
    touch();
    return cudaSuccess;
}

cudaError Runtime::enter_to_ask() {
    if (!has_session()) return make_session();
    return orphaned_ ? cudaErrorInitializationError : cudaSuccess;
}

cudaError Runtime::enter() {
    if (const cudaError error = enter_to_ask(); error != cudaSuccess) return error;
    return poisoned();
}

void Runtime::poison(cudaError error) {
    int expected = cudaSuccess;
    poison_.compare_exchange_strong(expected, error, std::memory_order_acq_rel);
}

// Where a profile is wanted, whoever reads it tells what it holds; else it is told here and now.
void Runtime::tell(const Diagnostics& diagnostics) {
    std::string text;
    {
        const std::lock_guard lock(telling_);
        for (const Diagnostic& diagnostic : diagnostics) {
            // A kernel that cannot run may be launched a thousand times.
            std::string rendered = "tilescope: " + render(diagnostic) + "\n";
            if (!told_.insert(rendered).second) continue;
            text += rendered;
            if (has_session() && !orphaned_) session().note(diagnostic);
        }
    }
    if (!profile_wanted_) print(text);
}

void Runtime::tell(const Hazard& hazard) {
    if (profile_wanted_) return;
    const auto triple = [](const Dim3& at) {
        return "(" + std::to_string(at[0]) + "," + std::to_string(at[1]) + "," + std::to_string(at[2]) + ")";
    };
    std::string text = "tilescope: ";
    if (!hazard.file.empty()) text += hazard.file + ":" + std::to_string(hazard.line) + ": ";
    text += hazard.kind + ": " + hazard.message;
    if (!hazard.kernel.empty()) text += " in " + hazard.kernel;
    text += ", block " + triple(hazard.block) + ", thread " + triple(hazard.thread) + "\n";
    print(text);
}

void Runtime::warn_once(const std::string& code, const std::string& message) {
    const std::string line = "tilescope: " + message + "\n";
    {
        const std::lock_guard lock(telling_);
        if (!told_.insert(line).second) return;
    }
    print(line);
    if (has_session() && !orphaned_) {
        session().note(Diagnostic{Severity::kWarning, code, {}, message, {}});
        touch();
    }
}

void Runtime::write_profile() noexcept {
    if (!profile_wanted_ || !has_session()) return;
    std::unique_lock lock(work_, std::defer_lock);
    if (!lock.try_lock_for(kExitPatience)) {
        print("tilescope: a kernel still runs, so no profile is written\n");
        return;
    }
    if (!dirty_.exchange(false)) return;
    try {
        const std::string part = profile_path_ + ".part";
        {
            std::ofstream file(part, std::ios::binary | std::ios::trunc);
            file << report::to_json(session().profile(), true);
            if (!file.flush())
                throw std::filesystem::filesystem_error("cannot write", part,
                                                        std::make_error_code(std::errc::io_error));
        }
        std::filesystem::rename(part, profile_path_);
    } catch (...) {
        print("tilescope: the profile could not be written to " + profile_path_ + "\n");
    }
}

void Runtime::write_at_exit() {
    std::call_once(exit_once_, [] {
        std::atexit([] { Runtime::get().write_profile(); });
        std::at_quick_exit([] { Runtime::get().write_profile(); });
    });
}

}  // namespace tilescope::runtime

#include "scope/runtime/service/runtime.h"

#include <pthread.h>

#include <cstdio>
#include <cstdlib>
#include <filesystem>

#include "scope/base/plain_arithmetic.h"
#include "scope/base/safe_text.h"
#include "scope/runtime/service/arrays/arrays.h"
#include "scope/runtime/service/arrays/objects.h"
#include "scope/runtime/service/capture/capture.h"
#include "scope/runtime/service/graphs/graphs.h"
#include "scope/runtime/service/limits.h"
#include "scope/runtime/service/memory/memory_book.h"
#include "scope/runtime/service/modules/modules.h"
#include "scope/runtime/service/streams/handles.h"
#include "scope/runtime/service/watch/host_fault.h"
#include "scope/runtime/service/watch/host_hazards.h"
#include "scope/runtime/service/watch/host_watch.h"

namespace tilescope::runtime {
namespace {

void print(const std::string& text) {
    std::fflush(stdout);
    std::fputs(safe_text(text, LineFeeds::kKeep).c_str(), stderr);
}

void warn_of_lost_journal(bool is_full) {
    static std::once_flag once;
    std::call_once(once, [is_full] {
        print(is_full ? "tilescope: no room for what this run counts: it is incomplete from here on; set TMPDIR to a "
                        "folder with more\n"
                      : "tilescope: the file of what this run counts is out of the program's reach (it has closed it "
                        "and has another root, say, or no descriptor left): it is incomplete from here on\n");
    });
}

// Before main, so that the journal is found where the program started and a fork is noticed from the start.
__attribute__((constructor)) void start() { Runtime::get(); }

// Behind the program's own exit handlers and destructors, which may call in; also on the way out through dlclose.
__attribute__((destructor)) void end() { Runtime::get().at_exit(); }

}  // namespace

Runtime& Runtime::get() {
    static Runtime* const runtime = new Runtime;
    return *runtime;
}

Runtime::Runtime()
    : modules_(std::make_unique<Modules>()),
      handles_(std::make_unique<Handles>()),
      memory_book_(std::make_unique<MemoryBook>()),
      captures_(std::make_unique<Captures>()),
      graphs_(std::make_unique<Graphs>()),
      limits_(std::make_unique<Limits>()),
      arrays_(std::make_unique<Arrays>()),
      said_objects_(std::make_unique<SaidObjects>()),
      journal_(std::getenv(kJournalVariable)) {
    pthread_atfork(nullptr, nullptr, [] {
        Runtime& runtime = get();
        runtime.orphaned_ = runtime.has_session();
        if (runtime.orphaned_)
            runtime.journal_.become_guest();
        else
            runtime.journal_.forked();
        runtime.failed_calls_.forget();
        runtime.noted_ = false;
        HostWatch::get().stop();
    });
}

std::string Runtime::program_name() {
    std::error_code failed;
    const auto path = std::filesystem::read_symlink("/proc/self/exe", failed);
    return failed ? std::string("the program") : path.filename().string();
}

Status Runtime::make_session() {
    const std::lock_guard lock(making_);
    if (made_.load(std::memory_order_relaxed)) return Status::kOk;
    if (making_failed_ != Status::kOk) return making_failed_;
    const auto fail = [&](const Diagnostics& errors) {
        print("tilescope: " + render(errors));
        return making_failed_ = Status::kNotInitialized;
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
    follow_session();
    session_->memory().set_origin([this](std::uint64_t id) { return origin(*this, id); });
    session_->name_copies([] { return reinterpret_cast<std::uint64_t>(called_from()); },
                          [](std::uint64_t site) { return code_place(reinterpret_cast<const void*>(site)); });
    if (is_checked(*this, Check::kStreams) || is_checked(*this, Check::kInit))
        session_->name_calls(call_site, place_of_call);
    explain_host_faults();
    // Watched pages can make a system call fail (docs/reference/hazards.md), which nobody who did not name the check
    // expects.
    const bool is_named = !session_->options().checks_are_auto;
    if (is_checked(*this, Check::kStreams) && is_named) HostWatch::get().start(*session_);
    std::atexit([] { Runtime::get().unload(); });
    std::at_quick_exit([] { Runtime::get().unload(); });
    made_.store(true, std::memory_order_release);
    return Status::kOk;
}

// The journal grows with the profile.
void Runtime::follow_session() {
    if (!journal_.is_owned()) return;
    if (journal_.role() == JournalFile::Role::kSuccessor)
        session_->note({Severity::kWarning,
                        "runtime-exec",
                        {},
                        "the program replaced itself by " + program_name() + " (exec), whose launches follow its own",
                        {}});
    session_->follow([this](const Profile& profile) {
        // A forked child still has the session of its parent.
        if (!journal_.is_owned()) return false;
        if (!journal_.append(journal_writer_.news(profile))) warn_of_lost_journal(journal_.is_full());
        journal_writer_.launches_were_dropped();
        return true;
    });
}

// Of a forked process that can do nothing, so that nobody wonders where its launches are.
void Runtime::note_as_guest() {
    if (journal_.role() != JournalFile::Role::kGuest || noted_.exchange(true)) return;
    Diagnostic note{Severity::kWarning, "runtime-other-process", {}, {}, {}};
    note.message =
        "a process that the program forked called CUDA, which answers cudaErrorInitializationError there: "
        "what its parent had on the device does not outlive a fork";
    note.hint = "let the child make the first call of CUDA, or start another program in it (exec)";
    journal_.append(report::diagnostic_line(note));
}

Status Runtime::enter_to_ask() {
    if (!has_session()) return make_session();
    if (!orphaned_) return Status::kOk;
    note_as_guest();
    return Status::kNotInitialized;
}

Status Runtime::enter() {
    if (const Status status = enter_to_ask(); status != Status::kOk) return status;
    return poisoned();
}

void Runtime::poison(Status status) {
    Status expected = Status::kOk;
    poison_.compare_exchange_strong(expected, status, std::memory_order_acq_rel);
}

// Whoever reads the journal tells what it holds; without a reader it is told here and now.
void Runtime::tell(const Diagnostics& diagnostics) { tell(diagnostics, true); }

void Runtime::tell(const Diagnostics& diagnostics, bool notes) {
    std::string text;
    {
        const std::lock_guard lock(telling_);
        for (const Diagnostic& diagnostic : diagnostics) {
            // A kernel that cannot run may be launched a thousand times.
            std::string rendered = "tilescope: " + render(diagnostic) + "\n";
            if (!told_.insert(rendered).second) continue;
            text += rendered;
            if (notes && has_session() && !orphaned_) session().note(diagnostic);
        }
    }
    if (!journal_.is_owned()) print(text);
}

void Runtime::tell(const Hazard& hazard) {
    if (journal_.is_owned()) return;
    const auto triple = [](const Dim3& at) {
        return "(" + std::to_string(at[0]) + "," + std::to_string(at[1]) + "," + std::to_string(at[2]) + ")";
    };
    std::string text = "tilescope: ";
    if (!hazard.file.empty()) text += hazard.file + ":" + std::to_string(hazard.line) + ": ";
    text += std::string(report::name_of(hazard.kind)) + ": " + hazard.message;
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
    }
}

void Runtime::at_exit() noexcept {
    if (orphaned_) return;
    const PlainArithmetic plain;
    try {
        // Without a journal nobody has asked for them.
        if (has_session() && journal_.is_owned() && poisoned() == Status::kOk) {
            if (looks_for_leaks(*this)) note_leaks(*this);
            session().tell_call_hazards();
            session().tell_all();
        }
        if (journal_.is_owned()) return failed_calls_.write_rest();
        // Nobody else will say it.
        for (const FailedCall& failed : failed_calls_.all())
            if (failed.is_launch() && failed.unread != 0)
                print("tilescope: the launch of " + failed.kernel +
                      " failed and nobody looked at the error: " + failed.reason + " (" + failed.error + ")\n");
    } catch (const std::exception&) {
        // For want of memory at the very end: the entries themselves are in the journal already.
    }
}

void Runtime::unload() noexcept {
    ending_thread_ = std::this_thread::get_id();
    HostWatch::get().stop();
    unloading_.store(true, std::memory_order_release);
}

}  // namespace tilescope::runtime

// `tilescope claims`: the engine of the lessons for anybody's notes.
#include <unistd.h>

#include <CLI/CLI.hpp>
#include <iostream>
#include <memory>

#include "scope/cli/command.h"
#include "scope/cli/exit_status.h"
#include "scope/cli/finish.h"
#include "scope/cli/help.h"
#include "scope/cli/lesson_session.h"
#include "scope/cli/run_options.h"
#include "scope/views/render/lesson_view.h"

namespace tilescope::cli {
namespace {

struct ClaimsCommand {
    std::string file, compiler, json, color = "auto";
    unsigned jobs = 0;
    bool answers = false, verbose = false, quiet = false;
};

int run_claims(const ClaimsCommand& command) {
    if (command.verbose && command.quiet)
        return complain(error("cli-usage", {}, "-v and -q do not go together")), kUsage;
    auto claims = lessons::read_claims(command.file);
    if (!claims) return complain(claims.errors()), kUsage;
    auto session = LessonSession::create(std::move(*claims), {command.compiler, command.jobs, {}});
    if (!session) return complain(session.errors()), kUsage;
    const LessonOutcome outcome = session->run();
    if (!command.json.empty())
        if (const Status written = write_text(command.json, views::lessons_json({outcome})); !written)
            return complain(written.errors()), kUsage;
    views::LessonOptions options;
    options.view.color = wants_color(command.color, STDOUT_FILENO);
    options.view.verbose = command.verbose;
    options.answers = command.answers;
    if (!command.quiet && command.json != "-") std::cout << views::lesson_text(outcome, options) << std::flush;
    return outcome.met() ? kRan : kClaimFailed;
}

}  // namespace

Action add_claims(CLI::App& app) {
    auto command = std::make_shared<ClaimsCommand>();
    app.add_option("FILE", command->file, "TOML file with claims, runs and programs")->required()->check(not_empty());
    app.add_option("--compiler", command->compiler,
                   "compiler for .cu files; auto takes nvcc when it is there, else the newest clang")
        ->check(not_empty())
        ->type_name("auto|clang|nvcc|clang-16|PATH");
    app.add_option("--jobs", command->jobs, "worker threads of each run (one per core)")
        ->check(CLI::Range(1U, 4096U).description(""))
        ->type_name("N");
    app.add_flag("--answers", command->answers, "show [[exercises]] with their answers");
    app.add_option("--json", command->json, "write claims and verdicts as JSON to FILE; - for standard output")
        ->check(not_empty())
        ->type_name("FILE");
    app.add_flag("-v,--verbose", command->verbose, "show each command, and each claim's expression and source");
    app.add_flag("-q,--quiet", command->quiet, "print no table; only set the exit status");
    add_color_option(app, command->color);
    app.footer(
        "A file of claims:\n"
        "  program = \"matmul.cu\"                       # beside this file; a run may name its own\n"
        "  [runs.naive]\n"
        "  kernel = \"naive*\"\n"
        "  [runs.stride]\n"
        "  command = [\"pattern\", \"tid*17\"]\n"
        "  [[claims]]\n"
        "  says = \"The naive product does a quarter of an operation for each byte.\"\n"
        "  run = \"naive\"\n"
        "  value = \"intensity.requested\"\n"
        "  expected = 0.25\n"
        "  within = \"1%\"\n"
        "The keys are those of lesson.json (lessons/README.md). The programs run as under `tilescope run`.\n"
        "Exit status: 0 all claims hold; 1 one does not; 2 wrong usage or an unreadable file.");
    return [command](const Invocation&) { return run_claims(*command); };
}

}  // namespace tilescope::cli

#include "scope/cli/lesson_pictures.h"

#include <algorithm>
#include <set>

#include "scope/base/files.h"
#include "scope/cli/finish.h"
#include "scope/lessons/commands.h"
#include "scope/lessons/pictures.h"
#include "scope/report/json.h"
#include "scope/views/render/chart.h"
#include "scope/views/render/lesson_view.h"
#include "scope/views/render/phase_view.h"
#include "scope/views/render/picture_view.h"

namespace tilescope::cli {
namespace {

namespace fs = std::filesystem;
using lessons::Picture;
using lessons::PictureKind;
using lessons::Run;

Diagnostic cannot(const Picture& picture, const std::string& what) {
    return error("cli-picture", {}, "pictures." + picture.name + ": " + what);
}

// What a command of ours prints with these words.
Result<std::string> printed(const std::vector<std::string>& words) {
    const auto ended = run_ourselves(words);
    if (!ended) return ended.errors();
    if (ended->status != 0)
        return error("cli-picture", {},
                     "tilescope " + lessons::shell_line(words) + " ended with status " + std::to_string(ended->status) +
                         ": " + ended->errors);
    return ended->output;
}

// A picture, and what it was drawn from where a page can draw that better.
struct Drawn {
    std::string svg, data;
};

class Pictures {
public:
    explicit Pictures(const LessonSession& session) : session_(session), house_{{}, 0, session.folder()} {}

    Result<Drawn> draw(const Picture& picture) const {
        switch (picture.kind) {
            case PictureKind::kRoofline: return roofline(picture);
            case PictureKind::kOccupancy: return by_command(picture, "occupancy");
            case PictureKind::kPhases: return phases(picture);
            case PictureKind::kCurve: {
                const auto chart = lessons::curve(picture, session_.answers());
                if (!chart) return chart.errors();
                return Drawn{views::chart_svg(*chart), views::chart_data(*chart)};
            }
            case PictureKind::kRequest:
            case PictureKind::kBanks: break;
        }
        return request(picture);
    }
    // What the run says to a person.
    Result<std::string> output(const Run& run) const {
        const auto answer = session_.answers().of.find(run.name);
        if (answer == session_.answers().of.end()) return std::string();  // the claims tell why
        const auto& profile = answer->second->profile;
        if (!profile) return printed(lessons::as_read(session_.lesson(), run, house_));
        if (profile->trace) return answer->second->output + views::phase_text_view(*profile->trace, {});
        const auto report = printed({"report", lessons::answer_file(session_.lesson(), run, house_), "--text"});
        if (!report) return report.errors();
        return answer->second->output + *report;
    }

private:
    const lessons::Answer* answer(const std::string& run) const {
        const auto found = session_.answers().of.find(run);
        return found == session_.answers().of.end() ? nullptr : found->second;
    }
    // The picture that the run's own command draws.
    Result<Drawn> by_command(const Picture& picture, const std::string& verb) const {
        const Run* run = session_.lesson().run(picture.runs.front());
        if (run->command.empty() || run->command.front() != verb)
            return cannot(picture, "run \"" + run->name + "\" is no " + verb + " command");
        return drawn(picture, lessons::as_read(session_.lesson(), *run, house_));
    }
    Result<Drawn> drawn(const Picture& picture, std::vector<std::string> words) const {
        const fs::path file = session_.folder() / (picture.name + ".svg");
        const fs::path data = session_.folder() / (picture.name + ".data.json");
        words.insert(words.end(), {"--svg", file.string()});
        const bool has_data = picture.kind == PictureKind::kRoofline || picture.kind == PictureKind::kOccupancy;
        if (has_data) words.insert(words.end(), {"--json", data.string()});
        if (const auto done = printed(words); !done) return done.errors();
        return Drawn{read_whole_file(file).value_or(std::string()),
                     has_data ? read_whole_file(data).value_or(std::string()) : std::string()};
    }
    // Kernels of several runs under one device's roofs.
    Result<Drawn> roofline(const Picture& picture) const {
        const Run* first = session_.lesson().run(picture.runs.front());
        if (!lessons::makes_profile(*first)) return by_command(picture, "roofline");
        Profile all;
        std::set<const lessons::Answer*> drawn_already;  // runs with one command line have one answer
        for (const std::string& run : picture.runs) {
            const lessons::Answer* found = answer(run);
            if (found == nullptr || !found->profile) return cannot(picture, "run \"" + run + "\" left no profile");
            if (!drawn_already.insert(found).second) continue;
            const auto& launches = found->profile->launches;
            if (all.launches.empty())
                all = *found->profile;
            else
                all.launches.append(launches);
        }
        for (std::size_t i = 0; i < all.launches.size(); ++i) all.launches[i].index = static_cast<std::uint32_t>(i);
        const fs::path file = session_.folder() / (picture.name + ".profile.json");
        if (const Status written = write_text(file, report::to_json(all)); !written) return written.errors();
        std::vector<std::string> words = {"roofline", file.string()};
        if (!picture.device.empty()) words.insert(words.end(), {"--device", picture.device});
        return drawn(picture, words);
    }
    Result<Drawn> request(const Picture& picture) const {
        lessons::Answers answers = session_.answers();
        const std::string& run = picture.runs.front();
        const lessons::Answer* known = answer(run);
        if (known == nullptr) return cannot(picture, "run \"" + run + "\" gave no answer");
        lessons::Answer traced;
        if (known->profile && !known->profile->trace) {
            auto made = trace_of(picture, *known);
            if (!made) return made.errors();
            traced = std::move(*made);
            answers.of[run] = &traced;
        }
        const auto drawn = lessons::access(picture, answers);
        if (!drawn) return drawn.errors();
        return Drawn{views::access_svg(*drawn), views::access_data(*drawn)};
    }
    // The first warp of the launch that the run is about, traced.
    Result<lessons::Answer> trace_of(const Picture& picture, const lessons::Answer& known) const {
        const Run& run = *session_.lesson().run(picture.runs.front());
        const auto index = lessons::chosen_launch(known, lessons::subject_of(session_.lesson(), run.name));
        if (!index) return index.errors();
        const fs::path file = session_.folder() / (picture.name + ".trace.json");
        std::vector<std::string> words = lessons::as_read(session_.lesson(), run, house_);
        if (words.front() != "run") return cannot(picture, "run \"" + run.name + "\" is no run of the program");
        words.front() = "trace";
        // Hazards would end it with a status of their own.
        const auto check = std::find(words.begin(), std::find(words.begin(), words.end(), "--"), "--check");
        if (check != words.end() && *check == "--check" && check + 1 != words.end()) words.erase(check, check + 2);
        const std::string launch = std::to_string(known.profile->launches[*index].index);
        std::vector<std::string> added = {"--threads", "0..31",  "--launches", launch + ".." + launch,
                                          "-q",        "--json", file.string()};
        if (!session_.compiler().empty()) added.insert(added.end(), {"--compiler", session_.compiler()});
        words.insert(std::find(words.begin(), words.end(), "--"), added.begin(), added.end());
        const auto ended = run_ourselves(words);
        if (!ended) return ended.errors();
        auto made =
            lessons::make_answer(run, ended->status, ended->output, read_whole_file(file).value_or(std::string()));
        if (!made) return cannot(picture, "the trace of run \"" + run.name + "\" failed: " + ended->errors);
        return made;
    }
    Result<Drawn> phases(const Picture& picture) const {
        const lessons::Answer* found = answer(picture.runs.front());
        if (found == nullptr || !found->profile || !found->profile->trace)
            return cannot(picture, "run \"" + picture.runs.front() + "\" traced nothing");
        Profile only;  // the trace, and nothing of the run
        only.trace = found->profile->trace;
        return Drawn{views::phase_svg_view(*found->profile->trace, false), report::to_json(only)};
    }

    const LessonSession& session_;
    lessons::Housekeeping house_;
};

}  // namespace

Status draw_pictures(const LessonSession& session, const LessonOutcome& outcome, const fs::path& folder) {
    std::error_code failed;
    for (const char* name : {"pictures", "outputs"}) {
        fs::create_directories(folder / name, failed);
        if (failed)
            return error("cli-unwritable", {(folder / name).string()}, "cannot make this folder: " + failed.message());
    }
    Diagnostics errors;
    const auto write = [&](const Result<std::string>& text, const fs::path& file) {
        if (!text) return void(errors.insert(errors.end(), text.errors().begin(), text.errors().end()));
        if (const Status written = write_text(file, *text); !written)
            errors.insert(errors.end(), written.errors().begin(), written.errors().end());
    };
    const Pictures pictures(session);
    for (const Picture& picture : session.lesson().pictures) {
        auto drawn = pictures.draw(picture);
        if (!drawn) {
            write(drawn.errors(), {});
            continue;
        }
        write(views::for_light_and_dark(std::move(drawn->svg), picture.title),
              folder / "pictures" / (picture.name + ".svg"));
        if (!drawn->data.empty()) write(std::move(drawn->data), folder / "pictures" / (picture.name + ".json"));
    }
    for (const Run& run : session.lesson().runs) write(pictures.output(run), folder / "outputs" / (run.name + ".txt"));
    write(views::lesson_text(outcome, {}), folder / "outputs" / "claims.txt");
    if (!errors.empty()) return errors;
    return Success{};
}

}  // namespace tilescope::cli

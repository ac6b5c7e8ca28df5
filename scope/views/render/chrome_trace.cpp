// The time line as trace events: every span once in its stream, and once on the engine that it keeps busy.
#include <map>
#include <nlohmann/json.hpp>

#include "scope/views/view.h"

namespace tilescope::views {

using namespace report;
namespace {

using Json = nlohmann::ordered_json;

constexpr int kStreams = 1, kEngines = 2;
constexpr unsigned kHostThread = 0, kFirstStreamThread = 1;  // among the streams

std::string stream_name(std::uint32_t stream) {
    if (stream == 0) return "default stream";
    return stream == 1 ? "the thread's default stream" : "stream " + std::to_string(stream);
}

Json name_event(const char* what, int process, std::optional<unsigned> thread, const std::string& name) {
    Json event{{"name", what}, {"ph", "M"}, {"pid", process}};
    if (thread) event["tid"] = *thread;
    event["args"] = {{"name", name}};
    return event;
}

Json complete_event(const TimelineSpan& span, int process, unsigned thread) {
    Json event{{"name", span.name}, {"cat", name_of(span.kind)}, {"ph", "X"},
               {"ts", span.begin},  {"dur", span.microseconds},  {"pid", process},
               {"tid", thread},     {"args", Json::object()}};
    Json& arguments = event["args"];
    if (span.kind != SpanKind::kWait) arguments["stream"] = span.stream;
    if (span.launch) arguments["launch"] = *span.launch;
    if (span.graph != 0) arguments["graph launch"] = span.graph;
    if (span.bytes != 0) arguments["bytes"] = span.bytes;
    return event;
}

}  // namespace

std::string chrome_trace_view(const Profile& profile, const ViewOptions&) {
    Json events = Json::array();
    events.push_back(name_event("process_name", kStreams, {}, profile.program + ": host and streams (modeled)"));
    events.push_back(name_event("process_name", kEngines, {}, profile.device + ": engines (modeled)"));
    events.push_back(name_event("thread_name", kStreams, kHostThread, "host"));
    std::map<std::uint32_t, bool> streams;  // whether only graphs have used it
    for (const TimelineSpan& span : profile.timeline) {
        if (span.lane == SpanLane::kHost) continue;
        bool& of_graphs = streams.emplace(span.stream, true).first->second;
        of_graphs = of_graphs && span.graph != 0;
    }
    for (const auto& [stream, of_graphs] : streams)
        events.push_back(name_event("thread_name", kStreams, kFirstStreamThread + stream,
                                    stream_name(stream) + (of_graphs ? ", of graphs" : "")));
    for (const auto& lane : kNames<SpanLane>)
        if (lane.value != SpanLane::kHost)
            events.push_back(name_event("thread_name", kEngines, static_cast<unsigned>(lane.value),
                                        lane.value == SpanLane::kCompute ? "SMs" : "copies " + std::string(lane.name)));
    for (const TimelineSpan& span : profile.timeline) {
        const bool is_host = span.lane == SpanLane::kHost;
        events.push_back(complete_event(span, kStreams, is_host ? kHostThread : kFirstStreamThread + span.stream));
        if (!is_host) events.push_back(complete_event(span, kEngines, static_cast<unsigned>(span.lane)));
    }
    const Json trace{{"displayTimeUnit", "ns"}, {"traceEvents", std::move(events)}};
    return trace.dump(1, ' ', false, Json::error_handler_t::replace) + "\n";
}

}  // namespace tilescope::views

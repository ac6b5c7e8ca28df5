#include "scope/runtime/nvrtc/exchange.h"

#include <cstdint>
#include <cstring>

namespace tilescope::runtime::nvrtc {
namespace {

class Writer {
public:
    Writer& number(std::uint64_t value) {
        bytes_.append(reinterpret_cast<const char*>(&value), sizeof value);
        return *this;
    }
    Writer& text(std::string_view value) {
        number(value.size());
        bytes_ += value;
        return *this;
    }
    Writer& texts(const std::vector<std::string>& list) {
        number(list.size());
        for (const std::string& each : list) text(each);
        return *this;
    }
    std::string take() { return std::move(bytes_); }

private:
    std::string bytes_;
};

class Reader {
public:
    explicit Reader(std::string_view bytes) : rest_(bytes) {}

    std::uint64_t number() {
        std::uint64_t value = 0;
        if (rest_.size() < sizeof value) return fail();
        std::memcpy(&value, rest_.data(), sizeof value);
        rest_.remove_prefix(sizeof value);
        return value;
    }
    // How many follow, each of at least 8 bytes.
    std::uint64_t count() {
        const std::uint64_t value = number();
        return value > rest_.size() / sizeof value ? fail() : value;
    }
    std::string text() {
        const std::uint64_t size = number();
        if (size > rest_.size()) {
            fail();
            return {};
        }
        std::string value(rest_.substr(0, size));
        rest_.remove_prefix(size);
        return value;
    }
    std::vector<std::string> texts() {
        std::vector<std::string> list(count());
        for (std::string& each : list) each = text();
        return list;
    }
    bool whole() const { return good_ && rest_.empty(); }

private:
    std::uint64_t fail() {
        good_ = false;
        rest_ = {};
        return 0;
    }

    std::string_view rest_;
    bool good_ = true;
};

}  // namespace

std::string encode(const image::RtcRequest& request) {
    Writer out;
    out.text(request.compiler).text(request.name).text(request.source).number(request.headers.size());
    for (const auto& [name, text] : request.headers) out.text(name).text(text);
    out.texts(request.options).texts(request.expressions).number(request.known_architectures.size());
    for (const int each : request.known_architectures) out.number(static_cast<std::uint64_t>(each));
    return out.number(request.default_sm).take();
}

std::optional<image::RtcRequest> decode_request(std::string_view bytes) {
    Reader in(bytes);
    image::RtcRequest request;
    request.compiler = in.text();
    request.name = in.text();
    request.source = in.text();
    request.headers.resize(in.count());
    for (auto& [name, text] : request.headers) {
        name = in.text();
        text = in.text();
    }
    request.options = in.texts();
    request.expressions = in.texts();
    request.known_architectures.resize(in.count());
    for (int& each : request.known_architectures) each = static_cast<int>(in.number());
    request.default_sm = static_cast<unsigned>(in.number());
    if (!in.whole()) return std::nullopt;
    return request;
}

std::string encode(const Answer& answer) {
    Writer out;
    out.number(static_cast<std::uint64_t>(answer.of.outcome)).text(answer.of.log).text(answer.of.ptx);
    out.number(answer.of.sm).number(answer.of.machine_code ? 1 : 0).text(answer.container);
    out.number(answer.of.lowered.size());
    for (const auto& name : answer.of.lowered) out.text(name.value_or(""));
    return out.take();
}

std::optional<Answer> decode_answer(std::string_view bytes) {
    Reader in(bytes);
    Answer answer;
    const std::uint64_t outcome = in.number();
    answer.of.log = in.text();
    answer.of.ptx = in.text();
    answer.of.sm = static_cast<unsigned>(in.number());
    answer.of.machine_code = in.number() != 0;
    answer.container = in.text();
    answer.of.lowered.resize(in.count());
    for (auto& name : answer.of.lowered)
        if (std::string text = in.text(); !text.empty()) name = std::move(text);
    if (!in.whole() || outcome > static_cast<std::uint64_t>(image::RtcOutcome::kInternal)) return std::nullopt;
    answer.of.outcome = static_cast<image::RtcOutcome>(outcome);
    return answer;
}

}  // namespace tilescope::runtime::nvrtc

// The programs that nvrtcCreateProgram makes: what was said of each, and what became of it.
//
// Guarantees: a handle that is null, freed or none of ours is found to be so; safe with many threads, each with a
// program or all with one. Does not model: who may ask for a pointer into a program that another thread destroys.
#pragma once

#include <cstddef>
#include <map>
#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <vector>

#include "scope/runtime/nvrtc/exchange.h"

namespace tilescope::runtime::nvrtc {

// nvrtcResult, of which these are given here.
enum class Code {
    kSuccess = 0,
    kOutOfMemory = 1,
    kInvalidInput = 3,
    kInvalidProgram = 4,
    kInvalidOption = 5,
    kCompilation = 6,
    kNoExpressionsAfter = 8,
    kNoNamesBefore = 9,
    kExpressionNotValid = 10,
    kInternalError = 11,
    kNoHeadersMade = 13,
    kCancelled = 16,
};

// Asked while a program is compiled; anything but 0 ends that.
struct Flow {
    int (*callback)(void* payload, void* reserved) = nullptr;
    void* payload = nullptr;

    bool goes_on() const { return callback == nullptr || callback(payload, nullptr) == 0; }
};

struct CompiledText {
    std::string log, ptx, container;
    bool done = false;
    std::map<std::string, std::string> lowered;
};

class Program {
public:
    explicit Program(image::RtcRequest request) : request_(std::move(request)) {}

    Code add_expression(const std::string& expression);
    Code compile(std::vector<std::string> options);
    // The name lives as long as the program.
    Code lowered_name(const std::string& expression, const char** name);
    void set_flow(const Flow& flow);

    // What is there to copy, as text with its end or as bytes.
    std::string log();
    std::string ptx();
    std::string container();

private:
    std::mutex mutex_;
    image::RtcRequest request_;
    Flow flow_;
    bool tried_ = false;  // to compile
    CompiledText made_;
};

class Programs {
public:
    static Programs& get();

    const void* make(image::RtcRequest request);
    std::shared_ptr<Program> find(const void* handle);
    bool destroy(const void* handle);

private:
    std::mutex mutex_;
    std::vector<std::shared_ptr<Program>> programs_;
};

// Has a request compiled by a process of its own. Nothing, and why in `log`, where that did not end as it should;
// `cancelled` where the program's own callback ended it.
std::optional<Answer> ask_compiler(const image::RtcRequest& request, const Flow& flow, std::string& log,
                                   bool& cancelled);

}  // namespace tilescope::runtime::nvrtc

// Every row of the instruction table, written as PTX with the least operands it takes, loaded, launched and counted by
// all observers: none may crash, whatever comes of it.
#include <gtest/gtest.h>

#include <array>
#include <cstring>
#include <memory>
#include <set>
#include <string>
#include <vector>

#include "scope/isa/families.h"
#include "scope/isa/table/form.h"
#include "scope/session/session.h"
#include "tests/isa/row_text.h"

namespace tilescope {
namespace {

using isa::test::Attempt;
using isa::test::RowText;

constexpr std::size_t kSpellings = 6;  // of a row, at most

// A session for one row.
class Lab {
public:
    explicit Lab(bool of_hopper) {
        SessionOptions options;
        options.device = of_hopper ? "h200" : "b200";
        options.jobs = 1;
        options.max_instructions = 10'000'000;
        auto session = Session::create(options);
        session_ = std::move(*session);
        buffer_ = session_->memory().allocate(256, machine::AllocationKind::kDevice);
    }

    // Whether the module loads and the kernel lowers; it runs then.
    bool runs(const std::string& text) {
        const auto module = session_->load_module(text, "row.ptx");
        if (!module) return false;
        std::array<std::byte, 96> parameters{};
        std::memcpy(parameters.data(), &buffer_, sizeof buffer_);
        LaunchRequest request;
        request.kernel = *session_->find_kernel(*module, "k");
        request.block = {32, 1, 1};
        request.parameters = parameters;
        return session_->launch(request).status != LaunchStatus::kUnsupported;
    }

private:
    std::unique_ptr<Session> session_;
    void* buffer_ = nullptr;
};

TEST(EveryRow, RunsWithTheLeastOperands) {
    const std::vector<Attempt> all = isa::test::attempts();
    for (const isa::Family* family : isa::families())
        for (std::size_t i = 0; i < family->count; ++i) {
            const isa::Row& row = family->rows[i];
            if (row.syntax.starts_with('%')) continue;  // made by the lowering, never written in PTX
            unsigned ran = 0;
            Lab lab(isa::test::is_of_hopper_alone(std::string(row.syntax)));
            isa::for_each_spelling(row.syntax, kSpellings, [&](std::string_view opcode, const auto& modifiers) {
                std::string spelling(opcode);
                for (const std::string& word : modifiers) spelling += "." + word;
                const auto form = isa::Form::match(row.syntax, opcode, modifiers);
                if (!form) return;
                std::set<std::string> tried;  // most attempts differ in what this spelling does not have
                for (const Attempt& attempt : all) {
                    RowText instruction(row, *form, spelling, attempt);
                    const std::string text = instruction.text();
                    if (!tried.insert(text).second) continue;
                    if (!lab.runs(isa::test::module_text(text, instruction.readers()))) continue;
                    if (!instruction.readers().empty()) (void)lab.runs(isa::test::module_text(text, ""));
                    ++ran;
                    break;
                }
            });
            EXPECT_GT(ran, 0u) << family->name << ": no operands were accepted for " << row.syntax << "  "
                               << row.operands;
        }
}

}  // namespace
}  // namespace tilescope

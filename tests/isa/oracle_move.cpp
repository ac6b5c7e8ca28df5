// Moves, and the instructions without an effect.
#include <gtest/gtest.h>

#include <vector>

#include "tests/isa/row_harness.h"

namespace tilescope::isa::test {
namespace {

// The bytes of an operand, least significant first; of a vector, its elements one after another.
std::vector<unsigned char> bytes_of_operand(const std::vector<Scalar>& operand, std::size_t element_bytes) {
    std::vector<unsigned char> bytes;
    for (const Scalar& scalar : operand)
        for (std::size_t n = 0; n < element_bytes; ++n)
            bytes.push_back(static_cast<unsigned char>((n < 8 ? scalar.lo : scalar.hi) >> 8 * (n % 8)));
    return bytes;
}

void mov(const Form& form, Thread& t) {
    auto& to = t.operands[0];
    const auto& from = t.operands[1];
    if (form.type() == Type::kPred) return t.set(0, t.u(1));
    const std::size_t whole = bytes_of(form.type());
    const std::vector<unsigned char> bytes = bytes_of_operand(from, whole / from.size());
    const std::size_t part = whole / to.size();
    for (std::size_t element = 0; element < to.size(); ++element) {
        if (!to[element].present) continue;
        to[element].lo = to[element].hi = 0;
        for (std::size_t n = 0; n < part; ++n) {
            const std::uint64_t byte = bytes[element * part + n];
            (n < 8 ? to[element].lo : to[element].hi) |= byte << 8 * (n % 8);
        }
    }
}
void nothing(const Form&, Thread&) {}

constexpr Oracle kMove[] = {{"mov", &mov}};
constexpr Oracle kSpecial[] = {
    {"nanosleep", &nothing}, {"pmevent", &nothing}, {"griddepcontrol", &nothing}, {"setmaxnreg", &nothing}};

TEST(MoveRows, AgreeWithTheSpecification) {
    expect_family_agrees("move", kMove, {.spellings = 2000, .rounds = 100, .seed = 6});
}
TEST(SpecialRows, ChangeNothing) { expect_family_agrees("special", kSpecial); }

}  // namespace
}  // namespace tilescope::isa::test

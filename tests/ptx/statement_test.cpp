// Bodies: instructions, labels, scopes, declarations, .loc and indirect-call tables.
#include "tests/ptx/helpers.h"

namespace tilescope::ptx {
namespace {

using Strings = std::vector<std::string>;

TEST(Statement, ReadsAnInstruction) {
    Instruction one = instruction_of("  @!%p1 ld.global.nc.L2::128B.v4.f32 {%f1,%f2,%f3,%f4}, [%rd1+16];");
    ASSERT_TRUE(one.guard);
    EXPECT_EQ(one.guard->predicate, "%p1");
    EXPECT_TRUE(one.guard->negated);
    EXPECT_EQ(one.opcode, "ld");
    EXPECT_EQ(one.modifiers, (Strings{"global", "nc", "L2::128B", "v4", "f32"}));
    EXPECT_EQ(one.operands.size(), 2u);
    EXPECT_EQ(one.loc, -1);
    EXPECT_EQ(one.position.line, 6u);
    EXPECT_EQ(one.position.column, 3u);
}

TEST(Statement, ReadsInstructionsWithoutOperands) {
    EXPECT_TRUE(instruction_of("ret;").operands.empty());
    EXPECT_EQ(instruction_of("barrier.cluster.arrive.aligned;").modifiers, (Strings{"cluster", "arrive", "aligned"}));
}

TEST(Statement, AllowsBlanksBetweenModifiers) {
    EXPECT_EQ(instruction_of("ld .global\n.u32 a, [b];").modifiers, (Strings{"global", "u32"}));
}

TEST(Statement, ReadsLabelsAndScopes) {
    Function kernel = kernel_of("a: b:\n{ .reg .b32 x; { c: ret; } }\n;\nbra a;");
    ASSERT_EQ(kernel.body->statements.size(), 4u);
    EXPECT_EQ(std::get<Label>(kernel.body->statements[0]).name, "a");
    EXPECT_EQ(std::get<Label>(kernel.body->statements[1]).name, "b");
    const Block& scope = *std::get<std::unique_ptr<Block>>(kernel.body->statements[2]);
    ASSERT_EQ(scope.statements.size(), 2u);
    EXPECT_EQ(std::get<Variable>(scope.statements[0]).name, "x");
    const Block& inner = *std::get<std::unique_ptr<Block>>(scope.statements[1]);
    EXPECT_EQ(std::get<Label>(inner.statements.at(0)).name, "c");
}

TEST(Statement, ReadsRegisterDeclarations) {
    Function kernel = kernel_of(".reg .b32 %r<5>, a, b<2>;\n.reg .v2 .f32 v;");
    ASSERT_EQ(kernel.body->statements.size(), 4u);
    const auto& range = std::get<Variable>(kernel.body->statements[0]);
    EXPECT_EQ(range.name, "%r");
    EXPECT_EQ(range.count, 5u);
    EXPECT_EQ(range.space, "reg");
    EXPECT_FALSE(std::get<Variable>(kernel.body->statements[1]).count);
    EXPECT_EQ(std::get<Variable>(kernel.body->statements[2]).count, 2u);
    EXPECT_EQ(std::get<Variable>(kernel.body->statements[3]).vector, 2u);
}

TEST(Statement, LocHoldsUntilTheNext) {
    Function kernel = kernel_of(
        "a.b;\n.loc 1 10 3\nb.c; { c.d;\n"
        ".loc 2 20 5, function_name $name+8, inlined_at 1 30 7\n d.e; } e.f;");
    ASSERT_EQ(kernel.locs.size(), 2u);
    EXPECT_EQ(kernel.locs[0].file, 1u);
    EXPECT_EQ(kernel.locs[0].line, 10u);
    EXPECT_EQ(kernel.locs[0].column, 3u);
    EXPECT_EQ(kernel.locs[0].inlined_function, "");
    EXPECT_EQ(kernel.locs[1].inlined_function, "$name");
    EXPECT_EQ(kernel.locs[1].inlined_function_offset, 8);
    EXPECT_EQ(kernel.locs[1].inlined_file, 1u);
    EXPECT_EQ(kernel.locs[1].inlined_line, 30u);
    EXPECT_EQ(kernel.locs[1].inlined_column, 7u);
    const auto& statements = kernel.body->statements;
    auto loc_of = [](const Statement& statement) { return std::get<Instruction>(statement).loc; };
    EXPECT_EQ(loc_of(statements.at(0)), -1);
    EXPECT_EQ(loc_of(statements.at(2)), 0);
    const auto& inner = std::get<std::unique_ptr<Block>>(statements.at(3))->statements;
    EXPECT_EQ(loc_of(inner.at(0)), 0);
    EXPECT_EQ(loc_of(inner.at(2)), 1);
    EXPECT_EQ(loc_of(statements.at(4)), 1);
}

TEST(Statement, EachFunctionHasItsOwnLocs) {
    Module module = module_of(".entry a() { .loc 1 2 3\n ret; }\n.entry b() { ret; .loc 1 5 3\n ret; }");
    EXPECT_EQ(module.functions.at(1).locs.size(), 1u);
    EXPECT_EQ(std::get<Instruction>(module.functions[1].body->statements.at(0)).loc, -1);
    EXPECT_EQ(std::get<Instruction>(module.functions[1].body->statements.at(2)).loc, 0);
}

TEST(Statement, ReadsTablesOfTargetsAndPrototypes) {
    Function kernel = kernel_of(
        "t: .branchtargets L1, L2;\nc: .calltargets f;\n"
        "p: .callprototype (.param .b32 _) _ (.param .b64 _, .param .align 4 .b8 _[8]) .noreturn .abi_preserve 3;\n"
        "q : .callprototype ()_ (.param .b32 _);\nr: .callprototype _;");
    const auto& statements = kernel.body->statements;
    const auto& branches = std::get<TargetList>(statements.at(0));
    EXPECT_EQ(branches.label, "t");
    EXPECT_FALSE(branches.is_calls);
    EXPECT_EQ(branches.targets, (Strings{"L1", "L2"}));
    EXPECT_TRUE(std::get<TargetList>(statements.at(1)).is_calls);
    const auto& prototype = std::get<CallPrototype>(statements.at(2));
    EXPECT_EQ(prototype.label, "p");
    EXPECT_EQ(prototype.returns.size(), 1u);
    EXPECT_EQ(prototype.parameters.at(1).dimensions, std::vector<std::uint64_t>{8});
    EXPECT_TRUE(prototype.noreturn);
    EXPECT_EQ(prototype.abi_preserve, ".abi_preserve 3");
    EXPECT_TRUE(std::get<CallPrototype>(statements.at(3)).returns.empty());
    EXPECT_TRUE(std::get<CallPrototype>(statements.at(4)).parameters.empty());
}

TEST(Statement, ReadsPragmasAndLocalVariables) {
    Function kernel = kernel_of(".pragma \"nounroll\";\n.shared .align 128 .b8 tile[4096];\n.param .b32 out, in;");
    EXPECT_EQ(std::get<Pragma>(kernel.body->statements.at(0)).texts, Strings{"nounroll"});
    EXPECT_EQ(std::get<Variable>(kernel.body->statements.at(1)).align, 128u);
    EXPECT_EQ(std::get<Variable>(kernel.body->statements.at(3)).name, "in");
}

}  // namespace
}  // namespace tilescope::ptx

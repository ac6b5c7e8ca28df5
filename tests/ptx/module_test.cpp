// Module level: header, files, variables, functions and the rest outside of bodies.
#include "tests/ptx/helpers.h"

namespace tilescope::ptx {
namespace {

using Strings = std::vector<std::string>;

TEST(Module, ReadsTheHeader) {
    Module module = must_parse(".version 8.3\n.target sm_90a, texmode_independent, debug\n.address_size 32\n");
    EXPECT_EQ(module.name, "test.ptx");
    EXPECT_EQ(module.version_major, 8u);
    EXPECT_EQ(module.version_minor, 3u);
    EXPECT_EQ(module.target, (Strings{"sm_90a", "texmode_independent", "debug"}));
    EXPECT_EQ(module.address_size, 32u);
}

TEST(Module, IsOf64BitsUnlessItSaysOtherwise) { EXPECT_EQ(must_parse(".version 7.0 .target sm_80").address_size, 64u); }

TEST(Module, ReadsFilesAliasesPragmasAndSections) {
    Module module = module_of(R"(
        .file 1 "C:\\a \"b\".cu", 17, 0x20
        .file 2 "plain.cu"
        .alias shown, hidden;
        .pragma "one", "two";
        .section .debug_str
        {
        $name:   // the comment goes
          .b8 104,  105,0
        }
        .section .debug_loc { })");
    ASSERT_EQ(module.files.size(), 2u);
    EXPECT_EQ(module.files[0].name, "C:\\a \"b\".cu");
    EXPECT_EQ(module.files[0].timestamp, 17u);
    EXPECT_EQ(module.files[0].size, 32u);
    EXPECT_EQ(module.files[1].index, 2u);
    EXPECT_FALSE(module.files[1].timestamp);
    EXPECT_EQ(module.aliases[0].name, "shown");
    EXPECT_EQ(module.aliases[0].aliasee, "hidden");
    EXPECT_EQ(module.pragmas[0].texts, (Strings{"one", "two"}));
    ASSERT_EQ(module.sections.size(), 2u);
    EXPECT_EQ(module.sections[0].name, ".debug_str");
    EXPECT_EQ(module.sections[0].lines, (Strings{"$name:", ".b8 104, 105,0"}));
    EXPECT_TRUE(module.sections[1].lines.empty());
    ASSERT_EQ(module.order.size(), 6u);
    EXPECT_EQ(module.order[3].kind, Module::ItemKind::kPragma);
    EXPECT_EQ(module.order[5].index, 1u);
}

TEST(Module, ReadsVariables) {
    Module module = module_of(
        ".visible .global .align 16 .v4 .f32 grid[4][8];\n"
        ".extern .shared .b8 dynamic[];\n"
        ".const .b32 one = 1, two[] = {1, {2, 3}};\n"
        ".global .attribute(.managed, .unified(19, 0x5F)) .s32 shared_with_host;\n");
    ASSERT_EQ(module.variables.size(), 5u);
    const Variable& grid = module.variables[0];
    EXPECT_EQ(grid.linkage, "visible");
    EXPECT_EQ(grid.space, "global");
    EXPECT_EQ(grid.align, 16u);
    EXPECT_EQ(grid.vector, 4u);
    EXPECT_EQ(grid.type, "f32");
    EXPECT_EQ(grid.dimensions, (std::vector<std::uint64_t>{4, 8}));
    EXPECT_EQ(grid.position.line, 4u);
    EXPECT_EQ(module.variables[1].linkage, "extern");
    EXPECT_EQ(module.variables[1].dimensions, std::vector<std::uint64_t>{0});
    EXPECT_EQ(std::get<IntegerLiteral>(module.variables[2].initializer->value).value, 1);
    EXPECT_EQ(module.variables[3].name, "two");
    EXPECT_EQ(module.variables[3].space, "const");
    const auto& list = std::get<std::vector<Initializer>>(module.variables[3].initializer->value);
    ASSERT_EQ(list.size(), 2u);
    EXPECT_EQ(std::get<std::vector<Initializer>>(list[1].value).size(), 2u);
    EXPECT_EQ(module.variables[4].attributes, (Strings{".managed", ".unified(19,95)"}));
}

TEST(Module, ReadsAddressesInInitializers) {
    Module module = module_of(
        ".global .u64 a[] = {b, b+4, b-4, generic(b), generic(b)+8, 0XFF00(generic(b)+4), 0xFF(b)};\n"
        ".global .samplerref s = {filter_mode = nearest, max_lod = 3};\n");
    const auto& list = std::get<std::vector<Initializer>>(module.variables[0].initializer->value);
    ASSERT_EQ(list.size(), 7u);
    auto offset = [&](std::size_t i) { return std::get<Symbol>(list[i].value).offset; };
    for (const Initializer& each : list) EXPECT_EQ(std::get<Symbol>(each.value).name, "b");
    EXPECT_EQ(offset(1), 4);
    EXPECT_EQ(offset(2), -4);
    EXPECT_FALSE(list[2].is_generic);
    EXPECT_TRUE(list[3].is_generic);
    EXPECT_TRUE(list[4].is_generic);
    EXPECT_EQ(offset(4), 8);
    EXPECT_EQ(list[5].mask, 0xFF00u);
    EXPECT_TRUE(list[5].is_generic);
    EXPECT_EQ(offset(5), 4);
    EXPECT_EQ(list[6].mask, 0xFFu);
    EXPECT_FALSE(list[6].is_generic);
    const auto& fields = std::get<std::vector<Initializer>>(module.variables[1].initializer->value);
    EXPECT_EQ(fields[0].field, "filter_mode");
    EXPECT_EQ(std::get<Symbol>(fields[0].value).name, "nearest");
    EXPECT_EQ(fields[1].field, "max_lod");
    EXPECT_EQ(std::get<IntegerLiteral>(fields[1].value).value, 3);
}

TEST(Module, ReadsAKernel) {
    Module module = module_of(
        ".visible .entry k(\n"
        "  .param .u64 .ptr .global .align 4 p,\n"
        "  .param .u64 .ptr anywhere,\n"
        "  .param .align 8 .b8 structure[24]\n"
        ")\n.maxntid 256, 1, 1\n.minnctapersm 2 .explicitcluster .pragma \"x\";\n{ ret; }\n");
    const Function& kernel = module.functions.at(0);
    EXPECT_TRUE(kernel.is_entry);
    EXPECT_EQ(kernel.linkage, "visible");
    EXPECT_EQ(kernel.name, "k");
    EXPECT_EQ(kernel.position.line, 4u);
    ASSERT_EQ(kernel.parameters.size(), 3u);
    EXPECT_TRUE(kernel.parameters[0].is_pointer);
    EXPECT_EQ(kernel.parameters[0].pointer_space, "global");
    EXPECT_EQ(kernel.parameters[0].pointer_align, 4u);
    EXPECT_EQ(kernel.parameters[1].pointer_space, "");
    EXPECT_EQ(kernel.parameters[1].name, "anywhere");
    EXPECT_EQ(kernel.parameters[2].align, 8u);
    EXPECT_FALSE(kernel.parameters[2].is_pointer);
    ASSERT_EQ(kernel.directives.size(), 3u);
    EXPECT_EQ(kernel.directives[0].name, "maxntid");
    EXPECT_EQ(kernel.directives[0].values, (std::vector<std::int64_t>{256, 1, 1}));
    EXPECT_EQ(kernel.directives[1].values, std::vector<std::int64_t>{2});
    EXPECT_TRUE(kernel.directives[2].values.empty());
    EXPECT_EQ(kernel.pragmas.at(0).texts, Strings{"x"});
    ASSERT_TRUE(kernel.body);
    EXPECT_EQ(kernel.body->statements.size(), 1u);
}

TEST(Module, ReadsDeviceFunctions) {
    Module module = module_of(
        ".extern .func (.param .b32 r) f (.param .b64 a, .param .b8 rest[]);\n"
        ".func .attribute(.unified(1,2)) (.reg .u32 %r) g (.reg .u32 %a) .noreturn .abi_preserve 8;\n"
        ".weak .func h\n{\nret;\n}\n.entry none { }\n");
    ASSERT_EQ(module.functions.size(), 4u);
    EXPECT_FALSE(module.functions[0].body);
    EXPECT_EQ(module.functions[0].returns.at(0).name, "r");
    EXPECT_EQ(module.functions[0].parameters.size(), 2u);
    EXPECT_EQ(module.functions[1].attributes, Strings{".unified(1,2)"});
    EXPECT_EQ(module.functions[1].returns.at(0).space, "reg");
    EXPECT_EQ(module.functions[1].directives.at(1).values, std::vector<std::int64_t>{8});
    EXPECT_TRUE(module.functions[2].parameters.empty());
    EXPECT_TRUE(module.functions[2].body);
    EXPECT_TRUE(module.functions[3].body->statements.empty());
}

TEST(Module, TakesEveryTuningDirective) {
    Module module = module_of(
        ".entry k() .maxntid 1 .reqntid 2,3 .minnctapersm 4 .maxnctapersm 5 .maxnreg 6 .noreturn\n"
        ".reqnctapercluster 7,8,9 .explicitcluster .maxclusterrank 10 .blocksareclusters .abi_preserve 11\n"
        ".abi_preserve_control 12 { ret; }");
    std::string read;
    for (const FunctionDirective& directive : module.functions.at(0).directives) {
        read += directive.name;
        for (std::int64_t value : directive.values) read += ' ' + std::to_string(value);
        read += ';';
    }
    EXPECT_EQ(read,
              "maxntid 1;reqntid 2 3;minnctapersm 4;maxnctapersm 5;maxnreg 6;noreturn;reqnctapercluster 7 8 9;"
              "explicitcluster;maxclusterrank 10;blocksareclusters;abi_preserve 11;abi_preserve_control 12;");
}

}  // namespace
}  // namespace tilescope::ptx

// Shared by the tests of scope/ptx: texts with the header and the function around them already written.
#pragma once

#include <gtest/gtest.h>

#include <fstream>
#include <iterator>
#include <string>

#include "scope/ptx/parser.h"

namespace tilescope::ptx {

inline const std::string kHeader = ".version 9.0\n.target sm_90a\n.address_size 64\n";

inline Module must_parse(const std::string& text) {
    auto module = parse(text, "test.ptx");
    EXPECT_TRUE(module.ok()) << render(module.errors()) << text;
    return module ? std::move(*module) : Module{};
}

// A module of these items, below the header.
inline Module module_of(const std::string& items) { return must_parse(kHeader + items); }

// The body of a kernel that holds these statements.
inline Function kernel_of(const std::string& statements) {
    Module module = module_of(".entry k()\n{\n" + statements + "\n}\n");
    if (module.functions.empty()) return Function{};
    return std::move(module.functions[0]);
}

inline Instruction instruction_of(const std::string& text) {
    Function kernel = kernel_of(text);
    if (!kernel.body || kernel.body->statements.size() != 1) {
        ADD_FAILURE() << "not one statement: " << text;
        return Instruction{};
    }
    return std::get<Instruction>(std::move(kernel.body->statements[0]));
}

// The operands of "op ...;".
inline std::vector<Operand> operands_of(const std::string& operands) {
    return instruction_of("op " + operands + ";").operands;
}

inline Diagnostics errors_of(const std::string& text) {
    auto module = parse(text, "test.ptx");
    EXPECT_FALSE(module.ok()) << text;
    return module.errors();
}

// What is wrong with a kernel of these statements, which start at line 4.
inline Diagnostics errors_in_kernel(const std::string& statements) {
    return errors_of(kHeader + ".entry k() {" + statements + "\n}\n");
}

inline std::string read_file(const std::string& path) {
    std::ifstream file(path, std::ios::binary);
    return {std::istreambuf_iterator<char>(file), {}};
}

}  // namespace tilescope::ptx

#include "scope/isa/table/types.h"

#include <iterator>

namespace tilescope::isa {
namespace {

struct TypeRow {
    Type type;
    std::string_view name;
    unsigned bytes;
    bool is_signed, is_float;
};

constexpr TypeRow kTypes[] = {
    {Type::kPred, "pred", 0, false, false},    {Type::kB8, "b8", 1, false, false},
    {Type::kU8, "u8", 1, false, false},        {Type::kS8, "s8", 1, true, false},
    {Type::kB16, "b16", 2, false, false},      {Type::kU16, "u16", 2, false, false},
    {Type::kS16, "s16", 2, true, false},       {Type::kF16, "f16", 2, false, true},
    {Type::kBf16, "bf16", 2, false, true},     {Type::kB32, "b32", 4, false, false},
    {Type::kU32, "u32", 4, false, false},      {Type::kS32, "s32", 4, true, false},
    {Type::kF32, "f32", 4, false, true},       {Type::kF16x2, "f16x2", 4, false, true},
    {Type::kBf16x2, "bf16x2", 4, false, true}, {Type::kTf32, "tf32", 4, false, true},
    {Type::kU16x2, "u16x2", 4, false, false},  {Type::kS16x2, "s16x2", 4, true, false},
    {Type::kB64, "b64", 8, false, false},      {Type::kU64, "u64", 8, false, false},
    {Type::kS64, "s64", 8, true, false},       {Type::kF64, "f64", 8, false, true},
    {Type::kB128, "b128", 16, false, false},
};

const TypeRow* row_of(Type type) {
    for (const TypeRow& row : kTypes)
        if (row.type == type) return &row;
    return nullptr;
}

}  // namespace

Type type_by_name(std::string_view name) {
    for (const TypeRow& row : kTypes)
        if (row.name == name) return row.type;
    return Type::kNone;
}

std::string_view name_of(Type type) {
    const TypeRow* row = row_of(type);
    return row ? row->name : std::string_view("none");
}

unsigned bytes_of(Type type) {
    const TypeRow* row = row_of(type);
    return row ? row->bytes : 0;
}

bool is_signed(Type type) {
    const TypeRow* row = row_of(type);
    return row && row->is_signed;
}

bool is_float(Type type) {
    const TypeRow* row = row_of(type);
    return row && row->is_float;
}

}  // namespace tilescope::isa

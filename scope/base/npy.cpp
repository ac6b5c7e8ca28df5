#include "scope/base/npy.h"

#include <cstring>
#include <filesystem>
#include <fstream>
#include <limits>
#include <optional>

#include "scope/base/files.h"

namespace tilescope {
namespace {

constexpr std::string_view kMagic = "\x93NUMPY";

// The header is a Python dictionary with three known keys: {'descr': '<f4', 'fortran_order': False, 'shape': (3, 4), }
class Header {
public:
    explicit Header(std::string_view text) : text_(text) {}

    // What is wrong, or "".
    std::string parse() {
        if (!accept('{')) return "the header is not a dictionary";
        while (!accept('}')) {
            const auto key = quoted();
            if (!key || !accept(':')) return "the header is not a dictionary";
            if (std::string wrong = value(*key); !wrong.empty()) return wrong;
            if (accept(',')) continue;
            if (!accept('}')) return "the header is not a dictionary";
            break;
        }
        skip();
        if (at_ != text_.size()) return "the header goes on after its dictionary";
        if (!descr || !fortran || !shape) return "the header lacks 'descr', 'fortran_order' or 'shape'";
        return {};
    }

    std::optional<std::string> descr;
    std::optional<bool> fortran;
    std::optional<std::vector<std::uint64_t>> shape;

private:
    void skip() {
        while (at_ < text_.size() && std::strchr(" \t\r\n", text_[at_]) != nullptr && text_[at_] != '\0') ++at_;
    }
    bool accept(char wanted) {
        skip();
        if (at_ >= text_.size() || text_[at_] != wanted) return false;
        ++at_;
        return true;
    }
    bool accept_word(std::string_view word) {
        skip();
        if (!text_.substr(at_).starts_with(word)) return false;
        at_ += word.size();
        return true;
    }
    std::optional<std::string> quoted() {
        skip();
        if (at_ >= text_.size() || (text_[at_] != '\'' && text_[at_] != '"')) return std::nullopt;
        const std::size_t end = text_.find(text_[at_], at_ + 1);
        if (end == std::string_view::npos) return std::nullopt;
        std::string inside(text_.substr(at_ + 1, end - at_ - 1));
        at_ = end + 1;
        return inside;
    }
    std::string value(const std::string& key) {
        if (key == "descr") {
            skip();
            if (at_ < text_.size() && text_[at_] == '[') return "structured types are not supported";
            descr = quoted();
            return descr ? "" : "'descr' is not a text";
        }
        if (key == "fortran_order") {
            if (accept_word("True"))
                fortran = true;
            else if (accept_word("False"))
                fortran = false;
            return fortran ? "" : "'fortran_order' is not True or False";
        }
        if (key == "shape") return tuple() ? "" : "'shape' is not a tuple of integers";
        return "the header has an unknown key '" + key.substr(0, 40) + "'";
    }
    bool tuple() {
        constexpr std::size_t kMaxDimensions = 64;  // NumPy's own limit
        std::vector<std::uint64_t> extents;
        if (!accept('(')) return false;
        while (!accept(')')) {
            skip();
            std::uint64_t extent = 0;
            const std::size_t start = at_;
            for (; at_ < text_.size() && text_[at_] >= '0' && text_[at_] <= '9'; ++at_) {
                const auto digit = static_cast<std::uint64_t>(text_[at_] - '0');
                if (extent > (std::numeric_limits<std::uint64_t>::max() - digit) / 10) return false;
                extent = 10 * extent + digit;
            }
            if (at_ == start || extents.size() == kMaxDimensions) return false;
            extents.push_back(extent);
            if (accept(',')) continue;
            if (!accept(')')) return false;
            break;
        }
        shape = std::move(extents);
        return true;
    }

    std::string_view text_;
    std::size_t at_ = 0;
};

// "<f4" to kind and size. What is wrong, or "".
std::string read_type(std::string_view descr, NpyArray& array) {
    const std::string shown(descr.substr(0, 40));
    if (descr.size() != 3) return "elements of type '" + shown + "' are not supported";
    const char order = descr[0], kind = descr[1], size = descr[2];
    const bool one_byte = size == '1';
    if (order == '>') return "big-endian elements ('" + shown + "') are not supported";
    const std::string_view sizes = kind == 'f' ? "248" : kind == 'i' || kind == 'u' ? "1248" : kind == 'b' ? "1" : "";
    if (sizes.find(size) == std::string_view::npos || (order != '<' && !(order == '|' && one_byte)))
        return "elements of type '" + shown + "' are not supported";
    array.kind = kind;
    array.item_bytes = static_cast<unsigned>(size - '0');
    return {};
}

}  // namespace

std::optional<std::uint64_t> element_count(std::span<const std::uint64_t> shape) {
    std::uint64_t count = 1;
    for (std::uint64_t extent : shape)
        if (__builtin_mul_overflow(count, extent, &count)) return std::nullopt;
    return count;
}

Result<NpyArray> parse_npy(std::span<const std::byte> bytes, const std::string& file) {
    auto fail = [&](std::string message, std::string hint = {}) {
        return error("npy-format", {file}, std::move(message), std::move(hint));
    };
    const std::string_view text(reinterpret_cast<const char*>(bytes.data()), bytes.size());
    if (!text.starts_with(kMagic)) return fail("this is not a .npy file", "write one with numpy.save");
    if (text.size() < 10) return fail("the file ends inside its header");
    const unsigned major = static_cast<unsigned char>(text[6]), minor = static_cast<unsigned char>(text[7]);
    if (major < 1 || major > 3 || minor != 0)
        return fail("version " + std::to_string(major) + "." + std::to_string(minor) +
                    " of the format is not supported");
    const std::size_t length_bytes = major == 1 ? 2 : 4;
    if (text.size() < 8 + length_bytes) return fail("the file ends inside its header");
    std::size_t length = 0;
    for (std::size_t i = 0; i < length_bytes; ++i)
        length |= static_cast<std::size_t>(static_cast<unsigned char>(text[8 + i])) << (8 * i);
    const std::size_t start = 8 + length_bytes;
    if (length > text.size() - start) return fail("the file ends inside its header");
    Header header(text.substr(start, length));
    if (std::string wrong = header.parse(); !wrong.empty()) return fail(std::move(wrong));
    NpyArray array;
    if (std::string wrong = read_type(*header.descr, array); !wrong.empty()) return fail(std::move(wrong));
    if (*header.fortran)
        return fail("arrays in Fortran order are not supported", "save numpy.ascontiguousarray(a) instead");
    array.shape = std::move(*header.shape);
    std::uint64_t size = 0;
    const auto count = element_count(array.shape);
    if (!count || __builtin_mul_overflow(*count, array.item_bytes, &size)) return fail("the shape is too large");
    const std::span<const std::byte> data = bytes.subspan(start + length);
    if (data.size() != size)
        return fail("the shape asks for " + std::to_string(size) + " bytes of data, the file has " +
                    std::to_string(data.size()));
    array.data.assign(data.begin(), data.end());
    return array;
}

Result<NpyArray> read_npy(const std::string& file) {
    std::error_code failed;
    const bool regular = std::filesystem::is_regular_file(file, failed);
    const std::uintmax_t size = regular ? std::filesystem::file_size(file, failed) : 0;
    std::ifstream stream(file, std::ios::binary);
    if (!regular || failed || !stream) return error("npy-unreadable", {file}, "cannot read this file");
    std::vector<std::byte> bytes(size);
    if (!stream.read(reinterpret_cast<char*>(bytes.data()), static_cast<std::streamsize>(size)))
        return error("npy-unreadable", {file}, "cannot read this file");
    return parse_npy(bytes, file);
}

std::string npy_header(char kind, unsigned item_bytes, std::span<const std::uint64_t> shape) {
    std::string tuple = "(";
    for (std::size_t i = 0; i < shape.size(); ++i) tuple += (i == 0 ? "" : ", ") + std::to_string(shape[i]);
    tuple += shape.size() == 1 ? ",)" : ")";
    std::string dictionary = std::string("{'descr': '") + (item_bytes == 1 ? '|' : '<') + kind +
                             std::to_string(item_bytes) + "', 'fortran_order': False, 'shape': " + tuple + ", }";
    // NumPy aligns the data to 64 bytes with spaces and ends the header with a line feed.
    const std::size_t prefix = kMagic.size() + 4;
    dictionary += std::string(63 - (prefix + dictionary.size()) % 64, ' ') + "\n";
    std::string header(kMagic);
    header += {'\x01', '\x00', static_cast<char>(dictionary.size() & 0xFF), static_cast<char>(dictionary.size() >> 8)};
    return header + dictionary;
}

Status write_npy(const std::string& file, char kind, unsigned item_bytes, std::span<const std::uint64_t> shape,
                 std::span<const std::byte> data) {
    const std::string_view bytes(reinterpret_cast<const char*>(data.data()), data.size());
    if (const auto failed = write_whole_file(file, {npy_header(kind, item_bytes, shape), bytes}))
        return error("npy-unwritable", {file}, "cannot write this file: " + failed.message());
    return Success{};
}

}  // namespace tilescope

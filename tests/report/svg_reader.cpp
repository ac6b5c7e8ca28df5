#include "tests/report/svg_reader.h"

#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <numbers>
#include <sstream>

namespace tilescope::report {
namespace {

class Reader {
public:
    explicit Reader(const std::string& text) : text_(text) {}

    SvgPicture read() {
        for (std::size_t at = 0; (at = text_.find('<', at)) != std::string::npos;) {
            const std::size_t end = text_.find('>', at);
            if (end == std::string::npos) return fail("a tag without an end"), picture_;
            element_ = text_.substr(at, end - at + 1);
            at = end + 1;
            tag(text_.substr(at, text_.find('<', at) - at));
        }
        if (!open_.empty()) fail(open_.back() + " is not closed");
        return picture_;
    }

private:
    void fail(const std::string& what) {
        if (picture_.error.empty()) picture_.error = what + " (" + element_ + ")";
    }
    std::string attribute(const std::string& name) {
        const std::string start = " " + name + "=\"";
        const std::size_t at = element_.find(start);
        if (at == std::string::npos) return {};
        const std::size_t from = at + start.size();
        return element_.substr(from, element_.find('"', from) - from);
    }
    double to_number(const std::string& text) {
        char* end = nullptr;
        const double value = std::strtod(text.c_str(), &end);
        if (text.empty() || *end != '\0' || !std::isfinite(value)) fail("\"" + text + "\" is no number");
        return value;
    }
    double number(const std::string& name) { return to_number(attribute(name)); }
    void point(double x, double y) { picture_.points.push_back({{x, y}, element_}); }

    void tag(const std::string& content) {
        std::string name = element_.substr(1, element_.find_first_of(" />", 2) - 1);
        if (element_[1] == '/') {
            name = element_.substr(2, element_.size() - 3);
            if (open_.empty() || open_.back() != name) return fail("closes what is not open");
            open_.pop_back();
            return;
        }
        if (!element_.ends_with("/>")) open_.push_back(name);
        if (name == "svg") {
            std::istringstream box(attribute("viewBox"));
            double x = -1, y = -1;
            box >> x >> y >> picture_.width >> picture_.height;
            if (!box || x != 0 || y != 0) fail("a view box that does not start at 0");
        } else if (name == "line") {
            point(number("x1"), number("y1"));
            point(number("x2"), number("y2"));
        } else if (name == "circle") {
            const double r = number("r");
            point(number("cx") - r, number("cy") - r);
            point(number("cx") + r, number("cy") + r);
        } else if (name == "rect") {
            point(number("x") + number("width"), number("y") + number("height"));
        } else if (name == "polyline") {
            polyline();
        } else if (name == "text") {
            words(content);
        }
    }
    void polyline() {
        std::istringstream all(attribute("points"));
        Path path;
        for (std::string pair; all >> pair;) {
            const std::size_t comma = pair.find(',');
            path.push_back({to_number(pair.substr(0, comma)), to_number(pair.substr(comma + 1))});
            point(path.back().x, path.back().y);
        }
        if (path.size() < 2) fail("a line of fewer than two points");
        picture_.curves.push_back(path);
    }
    // The box that a common font takes at most: from the baseline up, less what hangs below it.
    void words(const std::string& content) {
        SvgText text;
        text.words = content;
        text.size = number("font-size");
        std::string plain = content;
        for (const char* name : {"&lt;", "&gt;", "&amp;", "&quot;"})
            for (std::size_t at; (at = plain.find(name)) != std::string::npos;)
                plain.replace(at, std::string(name).size(), "x");
        const double width = text_width(plain, text.size) * (attribute("font-weight").empty() ? 1 : 1.1);
        const double x = number("x"), y = number("y"), rise = 0.35 * text.size;
        const std::string anchor = attribute("text-anchor");
        const double middle = anchor == "middle" ? 0 : anchor == "end" ? -width / 2 : width / 2;
        double angle = 0;
        if (const std::string turn = attribute("transform"); !turn.empty())
            angle = to_number(turn.substr(7, turn.find(' ') - 7)) * std::numbers::pi / 180;
        text.box = {{x + middle * std::cos(angle) + rise * std::sin(angle),
                     y + middle * std::sin(angle) - rise * std::cos(angle)},
                    width / 2,
                    text.size / 2,
                    angle};
        picture_.texts.push_back(text);
    }

    const std::string& text_;
    std::string element_;
    std::vector<std::string> open_;
    SvgPicture picture_;
};

}  // namespace

SvgPicture read_svg(const std::string& text) { return Reader(text).read(); }

}  // namespace tilescope::report

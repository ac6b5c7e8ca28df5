#include "options.h"
long OptionParser::getOptionInt(const std::string& name) const {
    const auto found = values_.find(name);
    return found == values_.end() ? 0 : found->second;
}

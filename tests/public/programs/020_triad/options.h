// The few options of a benchmark, by name.
#pragma once
#include <map>
#include <string>
class OptionParser {
public:
    void addOption(const std::string& name, long value) { values_[name] = value; }
    long getOptionInt(const std::string& name) const;
    bool getOptionBool(const std::string& name) const { return getOptionInt(name) != 0; }

private:
    std::map<std::string, long> values_;
};

// One subcommand's command line: options and the words between them.
#pragma once

#include <map>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace overcast {

struct Option {
    std::string_view name;  ///< without the dashes
    char letter = 0;        ///< 0: no short form
    bool takes_value = true;
    bool repeatable = false;
};

class CommandLine {
public:
    /// Where --help or -h is among the arguments, nothing else is looked at.
    /// Throws UsageError for an unknown option (with what may have been meant), a missing value,
    /// and an option that is given twice though it is not repeatable.
    CommandLine(std::span<const Option> options, const std::vector<std::string>& arguments);

    [[nodiscard]] bool asks_for_help() const { return asks_for_help_; }
    [[nodiscard]] bool has(std::string_view option) const { return values_.contains(option); }
    [[nodiscard]] std::optional<std::string> value(std::string_view option) const;
    [[nodiscard]] std::vector<std::string> values(std::string_view option) const;
    [[nodiscard]] const std::vector<std::string>& words() const { return words_; }

private:
    bool asks_for_help_ = false;
    std::map<std::string, std::vector<std::string>, std::less<>> values_;
    std::vector<std::string> words_;
};

}  // namespace overcast

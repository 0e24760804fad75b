#include "cli/each_input.hpp"

#include "cli/output.hpp"
#include "cli/subcommand.hpp"
#include "core/error.hpp"

#include <fmt/format.h>

namespace overcast {

int for_each_input(const std::vector<std::string>& inputs,
                   const std::function<void(const std::string&)>& work) {
    if (inputs.size() == 1) {
        work(inputs.front());
        return kSuccess;
    }
    int status = kSuccess;
    for (const auto& input : inputs) {
        try {
            work(input);
        } catch (const UsageError& error) {
            print_error(fmt::format("{}: {}", input, error.what()));
            status = kUsage;
        } catch (const Error& error) {
            print_error(error.what());
            status = kFailure;
        }
    }
    return status;
}

}  // namespace overcast

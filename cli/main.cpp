#include "cli/completion.hpp"
#include "cli/help.hpp"
#include "cli/man_page.hpp"
#include "cli/output.hpp"
#include "cli/subcommand.hpp"
#include "core/error.hpp"
#include "core/version.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <iterator>
#include <new>

namespace overcast {
namespace {

using Arguments = std::vector<std::string>;

const std::array<Subcommand, 9>& subcommands() {
    static const std::array table{
        trace_subcommand(),    predict_subcommand(), advise_subcommand(),
        show_subcommand(),     convert_subcommand(), compare_subcommand(),
        validate_subcommand(), doctor_subcommand(),  calibrate_subcommand()};
    return table;
}

const Subcommand& find_subcommand(const std::string& name) {
    const auto found = std::ranges::find(subcommands(), name, &Subcommand::name);
    if (found == subcommands().end()) {
        Arguments names{"help"};
        std::ranges::transform(subcommands(), std::back_inserter(names),
                               [](const auto& subcommand) { return std::string{subcommand.name}; });
        throw UsageError(fmt::format("unknown subcommand '{}'{}", name, suggestion(name, names)));
    }
    return *found;
}

std::string man_page_of(const Arguments& arguments) {
    std::string see_also;
    for (const auto& subcommand : subcommands()) {
        see_also += fmt::format(", overcast-{}(1)", subcommand.name);
    }
    return arguments.size() > 1
               ? man_page(find_subcommand(arguments[1]).help, "overcast(1)" + see_also)
               : man_page(general_help(subcommands()), see_also.substr(2));
}

/// `running` is set as soon as it is known, for the message and status of what it throws.
int run(const Arguments& arguments, const Subcommand*& running) {
    if (arguments.empty()) {
        throw UsageError("no subcommand given");
    }
    const auto& first = arguments.front();
    if (first == "--version") {
        write_output(fmt::format("overcast {}\n", kVersion), {});
        return kSuccess;
    }
    if (first == "help" || first == "--help" || first == "-h") {
        write_output(arguments.size() > 1 ? std::string{find_subcommand(arguments[1]).help}
                                          : general_help(subcommands()),
                     {});
        return kSuccess;
    }
    if (first == "--completion") {
        write_output(completion_script(arguments.size() > 1 ? arguments[1] : "", subcommands()),
                     {});
        return kSuccess;
    }
    if (first == "--man") {
        write_output(man_page_of(arguments), {});
        return kSuccess;
    }
    running = &find_subcommand(first);
    return running->run({arguments.begin() + 1, arguments.end()});
}

}  // namespace
}  // namespace overcast

int main(int argc, char** argv) {
    using namespace overcast;
    const Subcommand* running = nullptr;
    try {
        return run(Arguments(argv + std::min(argc, 1), argv + argc), running);
    } catch (const UsageError& error) {
        const auto name = running != nullptr ? fmt::format("{}: ", running->name) : "";
        const auto help = running != nullptr ? fmt::format("{} --help", running->name) : "--help";
        print_error(fmt::format("{}{}; see 'overcast {}'", name, error.what(), help));
        return running != nullptr ? running->usage_status : kUsage;
    } catch (const std::bad_alloc&) {
        print_error("not enough memory");
    } catch (const std::exception& error) {
        print_error(error.what());
    }
    return running != nullptr ? running->failure_status : kFailure;
}

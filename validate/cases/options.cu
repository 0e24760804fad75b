#include "validate/cases/options.hpp"

#include <charconv>
#include <sstream>

namespace overcast::cases {
namespace {

template <typename Number>
Number parse_number(std::string_view option, std::string_view text, Number minimum) {
    Number value{};
    const auto [end, status] = std::from_chars(text.data(), text.data() + text.size(), value);
    if (status != std::errc{} || end != text.data() + text.size() || value < minimum) {
        std::ostringstream message;
        message << option << " needs a number of at least " << minimum << ", not '" << text << "'";
        throw OptionError(message.str());
    }
    return value;
}

std::vector<std::string_view> split_at_commas(std::string_view text) {
    std::vector<std::string_view> parts;
    for (std::size_t begin = 0; begin <= text.size();) {
        const std::size_t end = std::min(text.find(',', begin), text.size());
        parts.push_back(text.substr(begin, end - begin));
        begin = end + 1;
    }
    return parts;
}

template <typename Choice>
Choice parse_choice(std::string_view option, std::string_view text, Choice first, Choice second) {
    if (text == to_string(first)) {
        return first;
    }
    if (text == to_string(second)) {
        return second;
    }
    std::ostringstream message;
    message << option << " is " << to_string(first) << " or " << to_string(second) << ", not '"
            << text << "'";
    throw OptionError(message.str());
}

/// Walks over the arguments; `value` is the word behind the option at hand.
class Words {
public:
    explicit Words(std::span<const std::string> words) : words_{words} {}

    [[nodiscard]] bool empty() const { return next_ == words_.size(); }
    const std::string& take() { return words_[next_++]; }
    const std::string& value(std::string_view option) {
        if (empty()) {
            throw OptionError(std::string{option} + " needs a value");
        }
        return take();
    }

private:
    std::span<const std::string> words_;
    std::size_t next_ = 0;
};

bool parse_flag(std::string_view option, Options& options) {
    if (option == "--json") {
        options.json = true;
    } else if (option == "--raw") {
        options.raw = true;
    } else if (option == "--profile-one-pass") {
        options.profile_one_pass = true;
    } else {
        return false;
    }
    return true;
}

bool parse_size(std::string_view option, Words& words, Options& options) {
    if (option == "--units") {
        options.sizes.units = parse_number<std::uint32_t>(option, words.value(option), 1);
    } else if (option == "--bytes") {
        options.sizes.bytes = parse_number<std::uint64_t>(option, words.value(option), 4);
    } else if (option == "--iterations") {
        options.sizes.iterations = parse_number<std::uint32_t>(option, words.value(option), 0);
    } else if (option == "--kernel-us") {
        options.kernel_us = parse_number<double>(option, words.value(option), 1);
    } else if (option == "--repetitions") {
        options.repetitions = parse_number<std::uint32_t>(option, words.value(option), 1);
    } else if (option == "--series") {
        options.series = parse_number<std::uint32_t>(option, words.value(option), 1);
    } else {
        return false;
    }
    return true;
}

bool parse_configuration(std::string_view option, Words& words, Options& options) {
    if (option == "--streams") {
        options.streams.clear();
        for (const auto part : split_at_commas(words.value(option))) {
            options.streams.push_back(parse_number<std::uint32_t>(option, part, 1));
        }
    } else if (option == "--order" || option == "--orders") {
        options.orders.clear();
        for (const auto part : split_at_commas(words.value(option))) {
            options.orders.push_back(parse_choice(option, part, Order::depth, Order::breadth));
        }
    } else if (option == "--transform") {
        options.transform =
            parse_choice(option, words.value(option), Transform::distribute, Transform::replicate);
    } else if (option == "--memory") {
        options.memory =
            parse_choice(option, words.value(option), HostMemory::pinned, HostMemory::pageable);
    } else {
        return false;
    }
    return true;
}

bool parse_text(std::string_view option, Words& words, Options& options) {
    if (option == "--output" || option == "-o") {
        options.output = words.value(option);
    } else if (option == "--driver") {
        options.driver = words.value(option);
    } else if (option == "--timeline-folder") {
        options.timeline_folder = words.value(option);
    } else {
        return false;
    }
    return true;
}

void choose_case(std::string_view name, Options& options) {
    options.definition = find_case(name);
    if (options.definition == nullptr) {
        std::string known;
        for (const auto& definition : all_cases()) {
            known += (known.empty() ? "" : ", ") + std::string{definition.name};
        }
        throw OptionError("there is no case '" + std::string{name} + "'; known: " + known);
    }
    options.sizes = options.definition->defaults;
    options.kernel_us = options.definition->kernel_us;
}

void check_consistency(const Options& options) {
    if (options.sizes.bytes % sizeof(float) != 0) {
        throw OptionError("--bytes must be a multiple of 4");
    }
    if (options.sizes.bytes / sizeof(float) > 0x7FFFFFFFU) {
        throw OptionError("--bytes must be less than 8 GiB");
    }
    if (options.command == Command::run &&
        (options.streams.size() != 1 || options.orders.size() != 1)) {
        throw OptionError("a run has one number of streams and one order; lists belong to sweep");
    }
    if (options.command == Command::calibrate && options.kernel_us <= 0) {
        throw OptionError("the kernel of '" + std::string{options.definition->name} +
                          "' has no length to tune; name one with --kernel-us");
    }
}

}  // namespace

std::string_view to_string(Transform transform) {
    return transform == Transform::distribute ? "distribute" : "replicate";
}

std::string_view to_string(Order order) { return order == Order::depth ? "depth" : "breadth"; }

std::string_view to_string(HostMemory memory) {
    return memory == HostMemory::pinned ? "pinned" : "pageable";
}

Options parse_options(std::span<const std::string> arguments) {
    Options options;
    Words words{arguments};
    for (const auto& argument : arguments) {
        if (argument == "--help" || argument == "-h") {
            options.command = Command::help;
            return options;
        }
    }
    if (words.empty()) {
        throw OptionError("name a case, or one of list, sweep, calibrate");
    }
    std::string name = words.take();
    if (name == "list" || name == "--list") {
        options.command = Command::list;
        return options;
    }
    if (name == "sweep" || name == "calibrate") {
        options.command = name == "sweep" ? Command::sweep : Command::calibrate;
        name = words.value(name);
    }
    choose_case(name, options);
    if (options.command == Command::sweep) {
        options.streams = {1, 2, 3, 4, 6, 8, 12, 16};
        options.orders = {Order::depth, Order::breadth};
    }
    while (!words.empty()) {
        const std::string option = words.take();
        if (!parse_flag(option, options) && !parse_size(option, words, options) &&
            !parse_configuration(option, words, options) && !parse_text(option, words, options)) {
            throw OptionError("unknown option '" + option + "'; see overcast-cases --help");
        }
    }
    check_consistency(options);
    return options;
}

std::string help_text() {
    std::ostringstream text;
    text << R"(overcast-cases: real CUDA programs whose time on N streams Overcast is judged by

usage: overcast-cases NAME [options]             run one configuration and time it
       overcast-cases sweep NAME [options]       run many, each in a process of its own
       overcast-cases calibrate NAME [options]   print the iterations for a kernel duration
       overcast-cases list                       the cases and their sizes

cases:
)";
    for (const auto& definition : all_cases()) {
        text << "  " << definition.name << std::string(14 - definition.name.size(), ' ')
             << definition.effect << '\n';
    }
    text << R"(
the work:
  --units N             units of work
  --bytes B             bytes of every copy
  --iterations I        length of the kernel's inner loop
  --kernel-us T         calibrate: the wanted kernel duration in microseconds

how it is issued:
  --streams N           streams, created once (sweep: a list; default 1,2,3,4,6,8,12,16)
  --order depth|breadth unit by unit, or the first operation of all units, then the second
                        (sweep: a list; default depth,breadth)
  --transform distribute|replicate
                        unit u on stream u mod N, or all units on each of N streams (then
                        orders are over streams: all of one, or the first operation of each)
  --memory pinned|pageable
                        host memory of the copies

measuring (one pass warms up; the time runs from before the first call that enqueues work
to the return of the last synchronisation; results are checked against the host):
  --repetitions R       timed passes of one series (default 15)
  --series S            sweep: series of each configuration, one process each (default 2)
  --json                print the run as JSON, as it stands in measured.json
  --raw                 print one line per repetition
  --profile-one-pass    no timing: the warm-up, then one pass between cudaProfilerStart and
                        cudaProfilerStop, for: overcast trace --range profiler-api

sweep only:
  -o, --output FILE     where to write measured.json (default: standard output)
  --driver TEXT         driver version to record
  --timeline-folder F   record F/ORDER-N.json.gz as the timeline file of each run
)";
    return text.str();
}

}  // namespace overcast::cases

// Completions and man pages, as shells and man read them.
#include "tests/end_to_end/running_command.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cstdlib>
#include <regex>
#include <sstream>

namespace overcast::test {
namespace {

using ::testing::Contains;
using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;
using ::testing::IsSupersetOf;

std::vector<std::string> found_in(const std::string& text, const std::string& pattern) {
    const std::regex expression{pattern, std::regex::ECMAScript | std::regex::multiline};
    std::vector<std::string> found;
    for (std::sregex_iterator match{text.begin(), text.end(), expression}, end; match != end;
         ++match) {
        found.push_back((*match)[1]);
    }
    return found;
}

std::vector<std::string> subcommands() {
    const auto help = run_overcast("--help").output;
    const auto begin = help.find("Subcommands:\n");
    return found_in(help.substr(begin, help.find("\n\n", begin) - begin), "^  ([a-z]+) ");
}

/// Long and short options at the begin of an indented line.
std::vector<std::string> options_in_help(const std::string& subcommand) {
    const auto help = run_overcast(subcommand + " --help").output;
    auto options = found_in(help, "^  (?:-[a-z], )?(--[a-z0-9-]+)");
    const auto letters = found_in(help, "^  (-[a-z]), ");
    options.insert(options.end(), letters.begin(), letters.end());
    return options;
}

/// What bash offers behind `words`, of which the last is being typed.
std::vector<std::string> offered(const std::vector<std::string>& words) {
    const TestFolder folder;
    const auto script = folder.file("completion.bash", run_overcast("--completion bash").output);
    std::string array;
    for (const auto& word : words) {
        array += " '" + word + "'";
    }
    const auto output = folder.file("offered");
    const auto driver =
        folder.file("driver.bash", "source '" + script + "'\nCOMP_WORDS=(" + array +
                                       ")\nCOMP_CWORD=" + std::to_string(words.size() - 1) +
                                       "\n_overcast\nprintf '%s\\n' \"${COMPREPLY[@]}\"\n");
    EXPECT_EQ(std::system(("bash --norc -u '" + driver + "' > '" + output + "'").c_str()), 0);
    std::vector<std::string> lines;
    std::istringstream text{read_file(output)};
    for (std::string line; std::getline(text, line);) {
        if (!line.empty()) lines.push_back(line);
    }
    return lines;
}

TEST(BashCompletion, offers_every_subcommand) {
    ASSERT_THAT(subcommands(), IsSupersetOf({"predict", "trace", "doctor"}));
    EXPECT_THAT(offered({"overcast", ""}), IsSupersetOf(subcommands()));
    EXPECT_THAT(offered({"overcast", "pre"}), ElementsAre("predict"));
    EXPECT_THAT(offered({"overcast", "help", "pre"}), ElementsAre("predict"));
}

TEST(BashCompletion, offers_every_option_that_help_lists) {
    for (const auto& subcommand : subcommands()) {
        const auto options = options_in_help(subcommand);
        ASSERT_THAT(options, Contains("--help"));
        EXPECT_THAT(offered({"overcast", subcommand, "-"}),
                    ::testing::UnorderedElementsAreArray(options));
    }
}

TEST(BashCompletion, offers_values) {
    EXPECT_THAT(offered({"overcast", "predict", "--format", ""}),
                ElementsAre("table", "json", "csv"));
    EXPECT_THAT(offered({"overcast", "predict", "--format", "=", "j"}), ElementsAre("json"));
    EXPECT_THAT(offered({"overcast", "predict", "--order", ""}),
                ElementsAre("depth", "breadth", "recorded"));
    EXPECT_THAT(offered({"overcast", "validate", "--preset", "s"}), ElementsAre("seed", "small"));
    EXPECT_THAT(offered({"overcast", "trace", "--record", ""}),
                ElementsAre("light", "full", "minimal"));
}

TEST(BashCompletion, leaves_the_traced_program_its_own_words) {
    EXPECT_THAT(offered({"overcast", "trace", "--", "./app", "-"}), IsEmpty());
}

TEST(ZshCompletion, names_every_subcommand_and_option) {
    const auto script = run_overcast("--completion zsh").output;
    EXPECT_TRUE(script.starts_with("#compdef overcast\n"));
    for (const auto& subcommand : subcommands()) {
        const auto begin = script.find("            " + subcommand + ")\n");
        ASSERT_NE(begin, std::string::npos) << subcommand;
        const auto part = script.substr(begin, script.find(";;", begin) - begin);
        for (const auto& option : options_in_help(subcommand)) {
            EXPECT_TRUE(std::regex_search(part, std::regex("\\*" + option + "[=+]?\\[")))
                << subcommand << ' ' << option;
        }
    }
}

#ifdef OVERCAST_ZSH
TEST(ZshCompletion, is_a_script_that_zsh_reads) {
    const TestFolder folder;
    const auto script = folder.file("_overcast", run_overcast("--completion zsh").output);
    EXPECT_EQ(std::system((OVERCAST_ZSH " -fn '" + script + "'").c_str()), 0);
}
#endif

#ifdef OVERCAST_GROFF
TEST(ManPages, render_without_a_warning) {
    const TestFolder folder;
    auto names = subcommands();
    names.emplace_back();
    for (const auto& name : names) {
        const auto page = folder.file("page.1", run_overcast("--man " + name).output);
        const auto text = folder.file("text");
        const auto complaints = folder.file("complaints");
        EXPECT_EQ(std::system((OVERCAST_GROFF " -man -Kutf8 -Tutf8 -P-cbou -ww '" + page + "' > '" +
                               text + "' 2> '" + complaints + "'")
                                  .c_str()),
                  0);
        EXPECT_EQ(read_file(complaints), "") << name;
        const auto rendered = read_file(text);
        EXPECT_THAT(rendered, HasSubstr("SYNOPSIS\n       overcast"));
        EXPECT_THAT(rendered, HasSubstr("EXAMPLES\n"));
        if (!name.empty()) {
            for (const auto& option : options_in_help(name)) {
                EXPECT_THAT(rendered, HasSubstr(option)) << name;
            }
        }
    }
}
#endif

TEST(ManPages, are_in_the_build_folder_as_they_are_installed) {
    const std::string share = OVERCAST_SHARE;
    EXPECT_EQ(read_file(share + "/man/man1/overcast.1"), run_overcast("--man").output);
    for (const auto& name : subcommands()) {
        EXPECT_EQ(read_file(share + "/man/man1/overcast-" + name + ".1"),
                  run_overcast("--man " + name).output);
    }
    EXPECT_EQ(read_file(share + "/bash-completion/completions/overcast"),
              run_overcast("--completion bash").output);
    EXPECT_EQ(read_file(share + "/zsh/site-functions/_overcast"),
              run_overcast("--completion zsh").output);
}

TEST(ShellFiles, refuse_what_they_do_not_know) {
    EXPECT_EQ(run_overcast("--completion fish").status, 2);
    EXPECT_THAT(run_overcast("--completion").errors, HasSubstr("expected bash or zsh"));
    EXPECT_THAT(run_overcast("--man predct").errors, HasSubstr("did you mean 'predict'?"));
}

}  // namespace
}  // namespace overcast::test

// A spool file written by hand.
#pragma once

#include "core/spool.hpp"

#include <filesystem>
#include <fstream>
#include <string>
#include <vector>

namespace overcast {

class SpoolForTests {
public:
    explicit SpoolForTests(std::filesystem::path file) : file_{std::move(file)} {
        spool::encode_header(bytes_);
        add(spool::Process{1'000, 1'700'000'000'000'000'000, 4'711, 1});
    }
    SpoolForTests(const SpoolForTests&) = delete;
    SpoolForTests& operator=(const SpoolForTests&) = delete;
    ~SpoolForTests() { std::filesystem::remove(file_); }

    template <typename Record>
    SpoolForTests& add(const Record& record) {
        spool::encode(bytes_, record);
        return *this;
    }

    /// The number of a text, which is in the file from here on.
    std::uint32_t text(const std::string& text) {
        add(spool::Text{++texts_, text});
        return texts_;
    }

    /// A call on thread 1 that takes from `start` to `end`.
    SpoolForTests& call(const std::string& name, std::uint32_t correlation, std::uint64_t start,
                        std::uint64_t end, std::uint32_t driver = 0) {
        spool::Api api;
        api.name = text(name);
        api.start = start;
        api.end = end;
        api.correlation = correlation;
        api.thread = 1;
        api.driver = driver;
        return add(api);
    }

    SpoolForTests& kernel(const std::string& name, std::uint32_t correlation, std::uint64_t start,
                          std::uint64_t end) {
        spool::Kernel kernel;
        kernel.name = text(name);
        kernel.activity.start = start;
        kernel.activity.end = end;
        kernel.activity.correlation = correlation;
        return add(kernel);
    }

    SpoolForTests& copy(std::uint32_t correlation, std::uint64_t start, std::uint64_t end) {
        spool::Copy copy;
        copy.activity.start = start;
        copy.activity.end = end;
        copy.activity.correlation = correlation;
        return add(copy);
    }

    /// The program's orderly end.
    SpoolForTests& end() { return add(spool::End{9'999, 0, 0}); }

    std::filesystem::path write() const {
        std::ofstream output{file_, std::ios::binary};
        output.write(bytes_.data(), static_cast<std::streamsize>(bytes_.size()));
        return file_;
    }

private:
    std::filesystem::path file_;
    std::vector<char> bytes_;
    std::uint32_t texts_ = 0;
};

}  // namespace overcast

// What a timeline file must obey so that Perfetto and chrome://tracing show all of it: the rules of
// the Trace Event Format, and those of Perfetto's importer (slices of a track nest, a flow's end
// lies inside a slice that was read before it).
#pragma once

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <map>
#include <set>
#include <string>
#include <utility>
#include <vector>

namespace overcast::test {

class ChromeTimelineRules {
public:
    /// One sentence for each rule that `text` breaks.
    static std::vector<std::string> broken_by(const std::string& text) {
        ChromeTimelineRules rules;
        rules.check(text);
        return std::move(rules.broken_);
    }

private:
    using Json = nlohmann::json;
    using Track = std::pair<std::int64_t, std::int64_t>;
    struct Slice {
        std::int64_t start = 0;
        std::int64_t end = 0;
    };
    struct FlowStart {
        std::int64_t time = 0;
        std::string kind;
        bool ended = false;
    };

    template <typename... Arguments>
    void complain(fmt::format_string<Arguments...> text, Arguments&&... arguments) {
        broken_.push_back(fmt::format(text, std::forward<Arguments>(arguments)...));
    }

    void check(const std::string& text) {
        Json document;
        try {
            document = Json::parse(text);  // refuses what is no UTF-8, and infinite numbers
        } catch (const Json::exception& error) {
            return complain("is no JSON: {}", error.what());
        }
        for (const auto& event : document.at("traceEvents")) {
            const auto phase = event.at("ph").get<std::string>();
            const Track track{event.at("pid").get<std::int64_t>(),
                              event.at("tid").get<std::int64_t>()};
            if (phase == "X") {
                check_slice(event, track);
            } else if (phase == "s" || phase == "f") {
                check_flow(event, track, phase == "s");
            } else if (phase == "M") {
                check_metadata(event, track);
            } else {
                complain("has an event of phase {}", phase);
            }
        }
        check_whole();
    }

    std::int64_t nanoseconds(const Json& event, const char* key) {
        const auto time = event.at(key).get<double>();
        if (!std::isfinite(time)) {
            complain("{} is {}", key, time);
            return 0;
        }
        return std::llround(time * 1000);
    }

    void check_slice(const Json& event, Track track) {
        const auto name = event.at("name").get<std::string>();
        const auto start = nanoseconds(event, "ts");
        const auto duration = nanoseconds(event, "dur");
        if (duration < 0) complain("'{}' takes {} ns", name, duration);
        if (name.empty()) complain("a slice has no name");
        if (event.at("cat") == "overcast_wait" &&
            !event.at("args").contains("overcast_waited_for")) {
            complain("'{}' has no reason", name);
        }
        auto& slices = slices_[track];
        if (!slices.empty() && start < slices.back().start) {
            complain("'{}' stands behind a later one in its track", name);
        }
        auto& open = open_[track];
        while (!open.empty() && open.back() <= start) open.pop_back();
        if (!open.empty() && start + duration > open.back()) {
            complain("'{}' overlaps the one before it in its track", name);
        }
        open.push_back(start + duration);
        slices.push_back({start, start + duration});
    }

    void check_flow(const Json& event, Track track, bool starts) {
        const auto id = event.at("id").get<std::int64_t>();
        const auto time = nanoseconds(event, "ts");
        const auto kind =
            event.at("cat").get<std::string>() + "/" + event.at("name").get<std::string>();
        if (!lies_in_a_slice(track, time)) complain("flow {} hangs in the air", id);
        if (starts) {
            if (!flows_.emplace(id, FlowStart{time, kind}).second) complain("two flows {}", id);
            return;
        }
        if (event.value("bp", "") != "e") complain("flow {} points to the next slice", id);
        const auto found = flows_.find(id);
        if (found == flows_.end()) return complain("flow {} has no start before its end", id);
        if (found->second.ended) complain("flow {} ends twice", id);
        if (found->second.kind != kind) complain("flow {} changes its name", id);
        if (found->second.time > time) complain("flow {} runs back in time", id);
        found->second.ended = true;
    }

    bool lies_in_a_slice(Track track, std::int64_t time) const {
        const auto found = slices_.find(track);
        if (found == slices_.end()) return false;
        const auto& slices = found->second;
        auto slice = std::upper_bound(slices.begin(), slices.end(), time,
                                      [](auto at, const Slice& other) { return at < other.start; });
        // Slices of one track do not nest in what is written here: the last ones that begin at
        // `time` or before decide.
        while (slice != slices.begin()) {
            --slice;
            if (time < slice->end || time == slice->start) return true;
            if (slice->end > slice->start) return false;
        }
        return false;
    }

    void check_metadata(const Json& event, Track track) {
        const auto name = event.at("name").get<std::string>();
        const auto& arguments = event.at("args");
        if (name == "process_name") {
            processes_.insert(track.first);
        } else if (name == "thread_name") {
            if (arguments.at("name").get<std::string>().empty()) complain("a track has no name");
            named_.insert(track);
        } else if (name == "process_sort_index") {
            if (!process_order_.insert(arguments.at("sort_index").get<std::int64_t>()).second) {
                complain("two processes share a place");
            }
        } else if (name == "thread_sort_index") {
            const auto place = arguments.at("sort_index").get<std::int64_t>();
            if (!track_order_.emplace(track.first, place).second) {
                complain("two tracks of process {} share place {}", track.first, place);
            }
        }
    }

    void check_whole() {
        for (const auto& [track, slices] : slices_) {
            if (!named_.contains(track))
                complain("track {}/{} has no name", track.first, track.second);
            if (!processes_.contains(track.first)) complain("process {} has no name", track.first);
        }
        for (const auto& [id, flow] : flows_) {
            if (!flow.ended) complain("flow {} has no end", id);
        }
        if (track_order_.size() != named_.size()) complain("not every track has a place");
        if (process_order_.size() != processes_.size()) complain("not every process has a place");
    }

    std::vector<std::string> broken_;
    std::map<Track, std::vector<Slice>> slices_;
    std::map<Track, std::vector<std::int64_t>> open_;  ///< ends of slices that are still open
    std::map<std::int64_t, FlowStart> flows_;
    std::set<std::int64_t> processes_;
    std::set<std::int64_t> process_order_;
    std::set<Track> named_;
    std::set<Track> track_order_;
};

}  // namespace overcast::test

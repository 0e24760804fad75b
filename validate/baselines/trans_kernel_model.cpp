#include "validate/baselines/trans_kernel_model.hpp"

#include "validate/baselines/block_dealer.hpp"
#include "validate/baselines/stream_calls.hpp"

#include <algorithm>
#include <array>
#include <limits>
#include <utility>
#include <vector>

namespace overcast {
namespace {

// Measured by the original's author on a GeForce GTX 950; part of the model as published.
constexpr double kOverlapThreshold = 3'158'431;  // ns
constexpr double kLaunch = 2'000;                // ns
constexpr double kNever = std::numeric_limits<double>::infinity();

/// From the start of a stream to that of the next one, both with the work of `unit` first.
double start_offset(const CallUnit& unit) {
    double time = 0;
    double end_of_last = 0;
    for (std::size_t i = 0; i < unit.size() && unit[i].kind == CallKind::h2d; ++i) {
        time += i == 0 ? 0 : unit[i].gap;
        if (unit[i].duration > kOverlapThreshold) {
            return time + kOverlapThreshold + kLaunch;
        }
        time += unit[i].duration;
        end_of_last = time;
    }
    return end_of_last + kLaunch;
}

/// One stream while it is played.
struct PlayedStream {
    std::vector<StreamCall> calls;
    std::size_t next = 0;        ///< the call that runs or comes next
    double next_start = kNever;  ///< kNever while one runs
    double left = 0;             ///< of a running copy, as time alone
    double kernel_end = kNever;  ///< of a running kernel
    bool copies = false;
};

class Player {
public:
    Player(std::vector<PlayedStream> streams, BlockDealer dealer)
        : streams_{std::move(streams)}, dealer_{std::move(dealer)} {}

    /// When the last call ends.
    double play() {
        for (auto time = next_event(); time < kNever; time = next_event()) {
            progress(time);
            for (auto& stream : streams_) {
                finish(stream);
            }
            for (auto& stream : streams_) {
                start(stream);
            }
        }
        return now_;
    }

private:
    static std::size_t direction(CallKind kind) { return kind == CallKind::h2d ? 0 : 1; }
    static CallKind kind(const PlayedStream& stream) { return stream.calls[stream.next].kind; }
    /// Copies that share the link with that of `stream`, itself included.
    [[nodiscard]] double sharers(const PlayedStream& stream) const {
        return copying_[direction(kind(stream))];
    }

    [[nodiscard]] double next_event() const {
        double earliest = kNever;
        for (const auto& stream : streams_) {
            const auto end =
                stream.copies ? now_ + stream.left * sharers(stream) : stream.kernel_end;
            earliest = std::min({earliest, stream.next_start, end});
        }
        return earliest;
    }

    void progress(double time) {
        for (auto& stream : streams_) {
            if (stream.copies) {
                stream.left -= (time - now_) / sharers(stream);
            }
        }
        now_ = time;
    }

    void finish(PlayedStream& stream) {
        constexpr double kNothing = 1e-3;  // ns: what rounding leaves of a copy
        if (stream.copies && stream.left <= kNothing) {
            stream.copies = false;
            copying_[direction(kind(stream))] -= 1;
        } else if (stream.kernel_end <= now_) {
            stream.kernel_end = kNever;
        } else {
            return;
        }
        ++stream.next;
        if (stream.next < stream.calls.size()) {
            stream.next_start = now_ + stream.calls[stream.next].gap;
        }
    }

    void start(PlayedStream& stream) {
        if (stream.next_start > now_) {
            return;
        }
        stream.next_start = kNever;
        const auto& call = stream.calls[stream.next];
        if (call.kind == CallKind::kernel) {
            stream.kernel_end = dealer_.run(now_, call.duration, call.per_block, call.blocks);
        } else {
            stream.copies = true;
            stream.left = call.duration;
            copying_[direction(call.kind)] += 1;
        }
    }

    std::vector<PlayedStream> streams_;
    BlockDealer dealer_;
    std::array<double, 2> copying_{};  ///< running copies by direction
    double now_ = 0;
};

}  // namespace

std::optional<Duration> predict_trans_kernel_model(const Extraction& recorded,
                                                   const Configuration& configuration) {
    auto dealer = BlockDealer::of(recorded.workload.device);
    const auto units = call_units(recorded);
    if (!dealer || !units) {
        return std::nullopt;
    }
    const auto dealt = deal_units(units->size(), configuration);
    if (!dealt) {
        return std::nullopt;
    }
    std::vector<PlayedStream> streams;
    double start = 0;
    for (const auto& own : *dealt) {
        auto& stream = streams.emplace_back();
        for (const auto unit : own) {
            stream.calls.insert(stream.calls.end(), (*units)[unit].begin(), (*units)[unit].end());
        }
        stream.next_start = start;
        start += start_offset((*units)[own.front()]);
    }
    return round_to_duration(Player{std::move(streams), std::move(*dealer)}.play());
}

}  // namespace overcast

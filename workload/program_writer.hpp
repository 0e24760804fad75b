// Writes the operations of a transformed workload: the recorded ones in their new order, on their
// new streams, under a synchronisation policy.
#pragma once

#include "core/prediction.hpp"
#include "core/workload.hpp"
#include "workload/issue_plan.hpp"
#include "workload/work_splitter.hpp"

#include <cstdint>
#include <optional>
#include <span>
#include <vector>

namespace overcast {

class ProgramWriter {
public:
    /// `stream_offsets[s]` is added to a strand's stream for what was recorded on stream s.
    ProgramWriter(const Workload& recorded, const Configuration& configuration,
                  std::vector<Stream> streams, std::vector<std::uint32_t> stream_offsets,
                  std::uint32_t copies);

    /// Keeps the recorded host threads. Otherwise thread 0 issues everything.
    void keep_threads();

    /// Issues the steps of `strands`. `sync` says what becomes of the waits among them.
    void write(const std::vector<Strand>& strands, IssueOrder order, SyncPolicy sync);

    /// What comes next on the stream `to` waits for what is on the streams `from`: an event is
    /// recorded on each and waited for. Nothing is done for a stream with itself.
    void join(std::span<const StreamIndex> from, std::span<const StreamIndex> to);

    /// A wait for each stream, at nominal cost.
    void synchronise(std::span<const StreamIndex> streams);

    /// Streams that have been given work so far, ascending.
    [[nodiscard]] std::vector<StreamIndex> used_streams() const;

    Workload& result() { return result_; }
    /// Ends the program: deferred waits become one per used stream.
    Workload finish();

private:
    struct PlacedEvent {
        EventIndex event{};
        StreamIndex stream{};
    };

    void write_step(const Step& step, const Strand& strand, SyncPolicy sync);
    bool adapt(Operation& operation, const Strand& strand, SyncPolicy sync);
    bool adapt_wait(Operation& operation, const Strand& strand);
    bool defer(Operation& operation);
    std::optional<PlacedEvent>& placed(EventIndex recorded, const Strand& strand);
    void append(Operation operation);

    const Workload& recorded_;
    const Configuration& configuration_;
    Workload result_;
    WorkSplitter splitter_;
    std::vector<std::uint32_t> stream_offsets_;
    std::vector<std::optional<PlacedEvent>> events_;  ///< by copy and recorded event
    std::vector<Duration> when_repeated_;  ///< by recorded operation: what its call then costs
    std::vector<bool> used_;
    std::vector<Duration> pending_;       ///< per strand: host time of steps taken out
    std::vector<std::size_t> remaining_;  ///< per strand: steps to come
    Duration pending_for_all_{};          ///< of strands that have ended
    bool keep_threads_ = false;
    bool deferred_ = false;
    bool released_ = false;
    std::uint64_t lost_edges_ = 0;
};

}  // namespace overcast
